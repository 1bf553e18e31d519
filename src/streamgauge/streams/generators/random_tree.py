"""A random decision tree (Domingos and Hulten 2000): which leaf does a row fall into?"""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np

from streamgauge._support.types import Codes, Floats, Longs, Schema
from streamgauge.streams.generators._base import Memoryless, Random, Rows, numbered, random_source
from streamgauge.streams.generators._checks import check_count, check_share


class RandomTree(Memoryless):
    """Nominal features with equally likely values, then numeric ones uniform on [0, 1); a random
    tree of at most `depth` questions gives the label. From `first_leaf_level` on, a node is a leaf
    with probability `leaf_fraction`. The tree is drawn from `model_seed`, the rows from `seed`.

    >>> RandomTree(1000, seed=1, depth=3).describe()
    'RandomTree(1000, seed=1, depth=3) · 1,000 rows · 10 features · 2 classes'
    """

    def __init__(
        self,
        n: int,
        seed: int = 0,
        model_seed: int = 1,
        classes: int = 2,
        nominal: int = 5,
        numeric: int = 5,
        values: int = 5,
        depth: int = 5,
        first_leaf_level: int = 3,
        leaf_fraction: float = 0.15,
    ) -> None:
        for name, value, least in (
            ("model_seed", model_seed, 0),
            ("classes", classes, 2),
            ("nominal", nominal, 0),
            ("numeric", numeric, 0 if nominal else 1),
            ("values", values, 2),
            ("depth", depth, 0),
            ("first_leaf_level", first_leaf_level, 0),
        ):
            check_count("RandomTree", name, value, least)
        check_share("RandomTree", "leaf_fraction", leaf_fraction)
        schema = Schema(
            numbered("nominal", nominal) + numbered("numeric", numeric),
            (numbered("value", values),) * nominal + ((),) * numeric,
            tuple(range(classes)),
        )
        super().__init__(
            n,
            seed,
            schema,
            model_seed=model_seed,
            classes=classes,
            nominal=nominal,
            numeric=numeric,
            values=values,
            depth=depth,
            first_leaf_level=first_leaf_level,
            leaf_fraction=leaf_fraction,
        )
        self._nominal, self._values = nominal, values
        self.tree = _Growth(
            random_source(model_seed), schema, depth, first_leaf_level, leaf_fraction
        ).grown()

    def make(self, random: Random, n: int) -> Rows:
        X = random.random((n, len(self.schema.features)))
        codes = X[:, : self._nominal]
        codes *= self._values
        np.floor(codes, out=codes)
        return X, self.tree.labels[self.tree.leaves(X)]


@dataclass(frozen=True)
class Tree:
    """Node 0 is the root. A leaf asks, too, but whatever the answer is its own child."""

    features: Longs  # asked about in each node
    thresholds: Floats  # infinite where the feature is nominal
    children: Longs  # (nodes, answers): a nominal value's code, or 0 below the threshold, else 1
    labels: Codes  # of leaves; -1 elsewhere
    depth: int

    def leaves(self, X: Floats) -> Longs:
        """Of each row: the leaf it falls into."""
        cells, children = X.ravel(), self.children.ravel()
        row = np.arange(len(X)) * X.shape[1]
        node = np.zeros(len(X), np.int64)
        for _ in range(self.depth):
            value = cells.take(row + self.features.take(node))
            answer = value.astype(np.int64)  # a code; 0 of every number, as these are below 1
            answer += value >= self.thresholds.take(node)
            node = children.take(node * self.children.shape[1] + answer)
        return node


@dataclass
class _Growth:
    random: Random
    schema: Schema
    depth: int
    first_leaf_level: int
    leaf_fraction: float
    features: list[int] = field(default_factory=list)
    thresholds: list[float] = field(default_factory=list)
    children: list[list[int]] = field(default_factory=list)
    labels: list[int] = field(default_factory=list)

    def grown(self) -> Tree:
        features = list(range(len(self.schema.features)))
        self._grow(0, features, dict.fromkeys(features, (0.0, 1.0)))
        answers = max(2, *self.schema.cardinality)
        return Tree(
            np.array(self.features),
            np.array(self.thresholds),
            np.array(
                [each + [node] * (answers - len(each)) for node, each in enumerate(self.children)]
            ),
            np.array(self.labels, np.int32),
            self.depth,
        )

    def _grow(
        self, level: int, candidates: list[int], ranges: dict[int, tuple[float, float]]
    ) -> int:
        """A node and all below it. `ranges`: where the numbers of its rows lie."""
        node = len(self.labels)
        self.features.append(0)
        self.thresholds.append(np.inf)
        self.children.append([])
        self.labels.append(-1)
        early = level >= self.first_leaf_level and self.random.random() < self.leaf_fraction
        if early or level >= self.depth or not candidates:
            self.labels[node] = int(self.random.integers(len(self.schema.classes)))
            return node
        feature = candidates[int(self.random.integers(len(candidates)))]
        self.features[node] = feature
        if values := self.schema.cardinality[feature]:
            others = [other for other in candidates if other != feature]  # once is enough
            parts = [(others, ranges)] * values
        else:
            low, high = ranges[feature]
            cut = float(self.random.uniform(low, high))
            self.thresholds[node] = cut
            parts = [(candidates, ranges | {feature: part}) for part in ((low, cut), (cut, high))]
        self.children[node] = [self._grow(level + 1, *part) for part in parts]
        return node
