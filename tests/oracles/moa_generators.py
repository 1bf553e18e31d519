"""MOA's generators row by row, from the order of their random draws; each yields (x, y)."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from tests.oracles.java_random import JavaRandom

Row = tuple[list[float], int]


def random_tree(
    seed: int,
    tree_seed: int = 1,
    classes: int = 2,
    nominal: int = 5,
    numeric: int = 5,
    values: int = 5,
    depth: int = 5,
    first_leaf: int = 3,
    leaf_share: float = 0.15,
) -> Iterator[Row]:
    """A leaf is a class; an inner node is (feature, threshold, children)."""
    model, random = JavaRandom(tree_seed), JavaRandom(seed)

    def grow(level: int, unused: list[int], low: list[float], high: list[float]) -> Any:
        if level >= depth or (level >= first_leaf and leaf_share >= 1 - model.double()):
            return model.below(classes)
        chosen = model.below(len(unused) + numeric)
        if chosen < len(unused):
            rest = unused[:chosen] + unused[chosen + 1 :]
            return unused[chosen], None, [grow(level + 1, rest, low, high) for _ in range(values)]
        j = chosen - len(unused)
        cut = (high[j] - low[j]) * model.double() + low[j]
        left = grow(level + 1, unused, low, [*high[:j], cut, *high[j + 1 :]])
        right = grow(level + 1, unused, [*low[:j], cut, *low[j + 1 :]], high)
        return nominal + j, cut, [left, right]

    root = grow(0, list(range(nominal)), [0.0] * numeric, [1.0] * numeric)
    while True:
        x = [float(random.below(values)) for _ in range(nominal)]
        x += [random.double() for _ in range(numeric)]
        node = root
        while not isinstance(node, int):
            feature, cut, children = node
            node = children[int(x[feature]) if cut is None else int(x[feature] >= cut)]
        yield x, node
