"""RandomTree: labels from a random decision tree (Domingos and Hulten 2000)."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Literal

import numpy as np

from streamgauge._support.errors import UsageError
from streamgauge._support.java_random import JavaRandom
from streamgauge._support.types import Codes, Floats, Longs, Schema
from streamgauge.streams.generators._base import (
    Fill,
    Memoryless,
    Random,
    Rows,
    numbered,
    random_source,
)
from streamgauge.streams.generators._checks import (
    MOST_COLUMNS,
    check_at_most,
    check_count,
    check_fraction,
)
from streamgauge.streams.generators._moa import draw_features

_MOST_LEVELS = 100
_MOST_NODES = 1_000_000


class RandomTree(Memoryless):
    """Random tree: rows labelled by the leaves of a random decision tree.

    Categorical features with equally likely values come first, then numeric features uniform on
    [0, 1).

    Parameters
    ----------
    n
        Number of rows.
    seed
        Random seed of the rows; by default the run's.
    seed_tree
        Random seed of the tree.
    n_classes
        Number of classes.
    n_cat_features, n_num_features
        Number of categorical and numeric features.
    n_categories_per_feature
        Number of values of a categorical feature.
    max_tree_depth
        Maximum number of splits from the root to a leaf.
    first_leaf_level
        First level with leaves.
    fraction_leaves_per_level
        Probability that a node is a leaf, from `first_leaf_level` on.
    compat
        "moa" for the rows of MOA's RandomTreeGenerator.

    References
    ----------
    domingos2000 (docs/bibliography.md)

    Examples
    --------
    >>> import streamgauge as sg
    >>> block = next(sg.RandomTree(1000, seed=1, n_cat_features=2, n_num_features=2).blocks(2))
    >>> block.X.round(1).tolist()
    [[0.0, 4.0, 0.7, 0.5], [1.0, 3.0, 0.7, 0.5]]
    >>> block.y.tolist()
    [1, 1]
    """

    def __init__(
        self,
        n: int,
        seed: int | None = None,
        seed_tree: int = 1,
        n_classes: int = 2,
        n_cat_features: int = 5,
        n_num_features: int = 5,
        n_categories_per_feature: int = 5,
        max_tree_depth: int = 5,
        first_leaf_level: int = 3,
        fraction_leaves_per_level: float = 0.15,
        compat: Literal["moa"] | None = None,
    ) -> None:
        self.seed_tree, self.n_classes = seed_tree, n_classes
        self.n_cat_features, self.n_num_features = n_cat_features, n_num_features
        self.n_categories_per_feature = n_categories_per_feature
        self.max_tree_depth, self.first_leaf_level = max_tree_depth, first_leaf_level
        self.fraction_leaves_per_level = fraction_leaves_per_level
        self.compat: Literal["moa"] | None = compat
        for name, least, most in (
            ("n_classes", 2, MOST_COLUMNS),
            ("n_cat_features", 0, MOST_COLUMNS),
            ("n_num_features", 0 if n_cat_features else 1, MOST_COLUMNS),
            ("n_categories_per_feature", 2, MOST_COLUMNS),
            ("max_tree_depth", 0, _MOST_LEVELS),
            ("first_leaf_level", 0, None),
        ):
            check_count("RandomTree", name, getattr(self, name), least)
            if most is not None:
                check_at_most("RandomTree", name, getattr(self, name), most)
        check_fraction("RandomTree", "fraction_leaves_per_level", fraction_leaves_per_level)
        categories = numbered("value", n_categories_per_feature)
        schema = Schema(
            numbered("nominal", n_cat_features) + numbered("numeric", n_num_features),
            (categories,) * n_cat_features + ((),) * n_num_features,
            tuple(range(n_classes)),
        )
        super().__init__(n, seed, schema)
        builder = _TreeBuilder if compat is None else _MoaTreeBuilder
        self.tree = builder(
            random_source(seed_tree) if compat is None else JavaRandom(seed_tree),
            schema,
            max_tree_depth,
            first_leaf_level,
            fraction_leaves_per_level,
        ).build()

    def make(self, random: Random, n: int) -> Rows:
        X = random.random((n, len(self.schema.features)))
        codes = X[:, : self.n_cat_features]
        codes *= self.n_categories_per_feature
        np.floor(codes, out=codes)
        return X, self.tree.labels[self.tree.leaves(X)]

    def start_moa(self) -> Fill:
        random = JavaRandom(self.drawn_seed)

        def fill(X: Floats, y: Codes) -> None:
            draw_features(random.state, self.n_cat_features, self.n_categories_per_feature, X)
            y[:] = self.tree.labels[self.tree.leaves(X)]

        return fill


@dataclass(frozen=True)
class Tree:
    """A decision tree as arrays. Node 0 is the root; a leaf is its own child in every branch."""

    features: Longs  # [node]: the feature it splits on
    thresholds: Floats  # infinite where the feature is nominal
    children: Longs  # (nodes, branches): a nominal value's code, or 0 below the threshold, else 1
    labels: Codes  # of leaves, -1 elsewhere
    depth: int

    def leaves(self, X: Floats) -> Longs:
        """The leaf of each row."""
        cells, children = X.ravel(), self.children.ravel()
        row = np.arange(len(X)) * X.shape[1]
        node = np.zeros(len(X), np.int64)
        for _ in range(self.depth):
            value = cells.take(row + self.features.take(node))
            branch = value.astype(np.int64)  # a code; 0 for numeric values, which are below 1
            branch += value >= self.thresholds.take(node)
            node = children.take(node * self.children.shape[1] + branch)
        return node


@dataclass
class _TreeBuilder:
    random: Random | JavaRandom
    schema: Schema
    depth: int
    first_leaf_level: int
    leaf_fraction: float
    features: list[int] = field(default_factory=list)
    thresholds: list[float] = field(default_factory=list)
    children: list[list[int]] = field(default_factory=list)
    labels: list[int] = field(default_factory=list)

    def build(self) -> Tree:
        features = list(range(len(self.schema.features)))
        self._grow(0, features, dict.fromkeys(features, (0.0, 1.0)))
        branches = max(2, *self.schema.cardinality)
        return Tree(
            np.array(self.features),
            np.array(self.thresholds),
            np.array(
                [each + [node] * (branches - len(each)) for node, each in enumerate(self.children)]
            ),
            np.array(self.labels, np.int32),
            self.depth,
        )

    def _grow(
        self, level: int, candidates: list[int], ranges: dict[int, tuple[float, float]]
    ) -> int:
        """Grow a node and its subtree. `ranges`: the ranges of its numeric features."""
        node = len(self.labels)
        if node == _MOST_NODES:
            raise UsageError(
                f"RandomTree: the tree has more than {_MOST_NODES:,} nodes; expected a smaller "
                "max_tree_depth or n_categories_per_feature, or a larger fraction_leaves_per_level"
            )
        self.features.append(0)
        self.thresholds.append(np.inf)
        self.children.append([])
        self.labels.append(-1)
        if self._is_leaf(level, candidates):
            self.labels[node] = int(self.random.integers(len(self.schema.classes)))
            return node
        feature = candidates[int(self.random.integers(len(candidates)))]
        self.features[node] = feature
        if values := self.schema.cardinality[feature]:
            # One split on a nominal feature is enough.
            others = [other for other in candidates if other != feature]
            parts = [(others, ranges)] * values
        else:
            low, high = ranges[feature]
            cut = low + (high - low) * self.random.random()
            self.thresholds[node] = cut
            parts = [(candidates, ranges | {feature: part}) for part in ((low, cut), (cut, high))]
        self.children[node] = [self._grow(level + 1, *part) for part in parts]
        return node

    def _is_leaf(self, level: int, candidates: list[int]) -> bool:
        early = level >= self.first_leaf_level and self.random.random() < self.leaf_fraction
        return early or level >= self.depth or not candidates


class _MoaTreeBuilder(_TreeBuilder):
    """Draws what MOA draws: nothing on the last level."""

    def _is_leaf(self, level: int, candidates: list[int]) -> bool:
        if level >= self.depth:
            return True
        if level >= self.first_leaf_level and self.leaf_fraction >= 1 - self.random.random():
            return True
        if not candidates:
            raise UsageError(
                f"RandomTree(max_tree_depth={self.depth}, compat='moa'): a branch has split on all "
                f"{len(self.schema.features)} features, which are categorical, before it ends; "
                "MOA cannot grow such a tree; expected a smaller max_tree_depth or n_num_features "
                "of 1 or more"
            )
        return False
