"""RandomTree: River finds the same leaves, and grows trees like these."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np
import pytest

import streamgauge as sg
from streamgauge.streams.generators.random_tree import Tree
from tests.streams.generators.alike import assert_alike, assert_same_mean, assert_share, of_river
from tests.streams.tables import whole


def _rivers_tree(tree: Tree, nominal: int, numeric: int, values: int, node: int = 0) -> Any:
    """Our tree in River's nodes; River has the numeric features first."""
    from river.datasets.synth.random_tree import TreeNode

    if tree.labels[node] >= 0:
        return TreeNode(class_label=int(tree.labels[node]))
    feature = int(tree.features[node])
    asks_value = feature < nominal
    split = TreeNode(
        split_feature_idx=feature + numeric if asks_value else feature - nominal,
        split_feature_val=float(tree.thresholds[node]),
    )
    split.children = [
        _rivers_tree(tree, nominal, numeric, values, int(child))
        for child in tree.children[node][: values if asks_value else 2]
    ]
    return split


@pytest.mark.parametrize(
    ("nominal", "numeric", "values", "depth"),
    [(5, 5, 5, 5), (2, 3, 2, 7), (0, 2, 5, 4), (2, 0, 3, 6), (1, 1, 4, 0)],
)
def test_rivers_labels(nominal: int, numeric: int, values: int, depth: int) -> None:
    from river.datasets import synth

    stream = sg.RandomTree(
        20_000,
        5,
        n_classes=3,
        n_cat_features=nominal,
        n_num_features=numeric,
        n_categories_per_feature=values,
        max_tree_depth=depth,
    )
    assert stream.schema.cardinality == (values,) * nominal + (0,) * numeric
    rivers = synth.RandomTree(
        seed_sample=5,
        n_classes=3,
        n_num_features=numeric,
        n_cat_features=nominal,
        n_categories_per_feature=values,
    )
    rivers.tree_root = _rivers_tree(stream.tree, nominal, numeric, values)
    rivers._generate_random_tree = lambda: None
    block = whole(stream)
    in_order = np.concatenate([block.X[:, nominal:], block.X[:, :nominal]], axis=1)
    for x, y in zip(in_order[:3000].tolist(), block.y.tolist(), strict=False):
        cells = x[:numeric] + [int(code) for code in x[numeric:]]
        row = dict(zip(rivers.feature_names, cells, strict=True))
        assert y == rivers._classify_instance(rivers.tree_root, row)
    assert_alike((in_order, block.y), of_river(iter(rivers), 10_000))


def _levels(children: Any, node: Any, level: int = 0) -> Iterator[tuple[int, bool]]:
    """Of each node: its level, and is it a leaf?"""
    below = children(node)
    yield level, not below
    for child in below:
        yield from _levels(children, child, level + 1)


def test_rivers_trees() -> None:
    """150 trees of each: how many nodes on each level, how many of these leaves?"""
    from river.datasets import synth

    trees: tuple[list[Any], list[Any]] = ([], [])
    for seed in range(150):
        tree = sg.RandomTree(1, seed_tree=seed).tree

        def below(node: int, tree: Tree = tree) -> list[int]:
            return sorted(set(tree.children[node].tolist()) - {node})

        trees[0].append(list(_levels(below, 0)))
        rivers = synth.RandomTree(seed_tree=seed, seed_sample=0)
        rivers._generate_random_tree()
        trees[1].append(list(_levels(lambda node: node.children, rivers.tree_root)))
    for level in range(6):
        assert_same_mean(*([sum(at == level for at, _ in t) for t in each] for each in trees))
        leaves = [[leaf for t in each for at, leaf in t if at == level] for each in trees]
        assert_same_mean(*leaves)
        assert_share(leaves[0], 0.0 if level < 3 else 0.15 if level < 5 else 1.0)
    assert max(at for t in trees[0] for at, _ in t) == 5


def test_leaves_and_cuts() -> None:
    trees = [sg.RandomTree(1, seed_tree=seed, n_classes=4).tree for seed in range(30)]
    labels = np.concatenate([tree.labels[tree.labels >= 0] for tree in trees])
    for label in range(4):
        assert_share(labels == label, 1 / 4)
    stump = [
        sg.RandomTree(1, seed_tree=s, n_cat_features=0, max_tree_depth=1).tree for s in range(300)
    ]
    assert_same_mean([t.thresholds[0] for t in stump], np.linspace(0, 1, 300))
    assert {int(t.features[0]) for t in stump} == set(range(5))
    deep = sg.RandomTree(
        20_000, n_cat_features=0, n_num_features=1, max_tree_depth=6, first_leaf_level=9
    )
    assert len(np.unique(deep.tree.leaves(whole(deep).X))) > 32  # cuts lie where rows are
    never = sg.RandomTree(1, first_leaf_level=0, fraction_leaves_per_level=1.0).tree
    assert len(never.labels) == 1


def test_trees_are_drawn_from_the_model_seed() -> None:
    one, same, other = (
        sg.RandomTree(9, seed, model_seed).tree for seed, model_seed in ((1, 1), (2, 1), (1, 2))
    )
    assert np.array_equal(one.thresholds, same.thresholds)
    assert not np.array_equal(one.thresholds, other.thresholds)
