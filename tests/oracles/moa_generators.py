"""MOA's generators row by row, from the order of their random draws; each yields (x, y)."""

from __future__ import annotations

import math
from collections.abc import Iterator
from itertools import count
from typing import Any

from tests.oracles.agrawal import in_group_a
from tests.oracles.java_random import JavaRandom

Row = tuple[list[float], int]


DIGITS = ("1110111", "0010010", "1011101", "1011011", "0111010",
          "1101011", "1101111", "1010010", "1111111", "1111011")  # fmt: skip


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


def random_rbf(
    seed: int,
    model_seed: int = 1,
    features: int = 10,
    classes: int = 2,
    centroids: int = 50,
    speed: float = 0.0,
    moving: int = 0,
) -> Iterator[Row]:
    """The first `moving` centroids move before each row."""
    model, random = JavaRandom(model_seed), JavaRandom(seed)
    centres, labels, deviations, weights = [], [], [], []
    for _ in range(centroids):
        centres.append([model.double() for _ in range(features)])
        labels.append(model.below(classes))
        deviations.append(model.double())
        weights.append(model.double())
    model = JavaRandom(model_seed)  # once more: directions repeat the draws of the centres
    directions = []
    for _ in range(moving):
        way = [model.double() for _ in range(features)]
        length = math.sqrt(_sum(v * v for v in way))
        directions.append([v / length for v in way])
    while True:
        for centre, direction in zip(centres[:moving], directions, strict=True):
            for j in range(features):
                centre[j] += direction[j] * speed
                if not 0 <= centre[j] <= 1:
                    centre[j] = 1.0 if centre[j] > 1 else 0.0
                    direction[j] = -direction[j]
        at = random.double() * _sum(weights)
        which, passed = 0, 0.0
        while passed <= at and which < centroids:
            passed += weights[which]
            which += 1
        which -= 1
        away = [random.double() * 2 - 1 for _ in range(features)]
        length = math.sqrt(_sum(v * v for v in away))
        scale = random.gaussian() * deviations[which] / length
        yield [c + v * scale for c, v in zip(centres[which], away, strict=True)], labels[which]


def led(seed: int, noise: int = 10, irrelevant: bool = True, moved: int = 0) -> Iterator[Row]:
    """The first `moved` segments swap places with the first irrelevant features."""
    random = JavaRandom(seed)
    places = list(range(24))
    for i in range(moved):
        places[i], places[7 + i] = 7 + i, i
    while True:
        digit = random.below(10)
        x = [0.0] * (24 if irrelevant else 7)
        for i, lit in enumerate(DIGITS[digit]):
            x[places[i]] = float((lit == "1") != (1 + random.below(100) <= noise))
        for i in range(7, len(x)):
            x[places[i]] = float(random.below(2))
        yield x, digit


def waveform(
    seed: int, noise: bool = False, moved: int | None = None, in_2011: bool = False
) -> Iterator[Row]:
    """`moved` features change places; None for the generator without drift."""
    random = JavaRandom(seed)
    n = 40 if noise else 21
    places = list(range(n))
    if moved is not None:
        start, offset = random.below(n), random.below(n)
        for i in range(moved):
            a, b = (i + start) % n, (i + offset) % n
            if in_2011:
                places[a], places[b] = b, a
            else:
                places[a], places[b] = places[b], places[a]
    waves = [[max(6 - abs(i - peak), 0) for i in range(21)] for peak in (6, 14, 10)]
    while True:
        label = random.below(3)
        a, b = ((0, 1), (0, 2), (1, 2))[label]
        share = random.double()
        x = [math.nan] * n
        for i in range(21):
            mixed = share * waves[a][i] + (1 - share) * waves[b][i]
            x[places[i]] = mixed + random.gaussian()
        for i in range(21, n):
            x[places[i]] = random.gaussian()
        yield x, label


def sea(seed: int, variant: int = 0, noise: int = 10) -> Iterator[Row]:
    """The function that MOA calls `variant` + 1."""
    random = JavaRandom(seed)
    while True:
        x = [10 * random.double() for _ in range(3)]
        label = int(x[0] + x[1] > (8, 9, 7, 9.5)[variant])
        yield x, label ^ (1 + random.below(100) <= noise)


def stagger(seed: int, function: int = 0, balance: bool = False) -> Iterator[Row]:
    """Balanced: rows of the class that is not due are dropped."""
    random = JavaRandom(seed)
    for row in count():
        while True:
            size, color, shape = (random.below(3) for _ in range(3))
            label = int(
                (size == 0 and color == 0, color == 2 or shape == 0, size in (1, 2))[function]
            )
            if not balance or label == 1 - row % 2:
                break
        yield [float(size), float(color), float(shape)], label


def hyperplane(
    seed: int,
    features: int = 10,
    moving: int = 2,
    change: float = 0.0,
    noise: int = 5,
    turning: int = 10,
) -> Iterator[Row]:
    """The first `moving` weights change after each row; `noise` and `turning` in percent."""
    random = JavaRandom(seed)
    weights = [random.double() for _ in range(features)]
    ways = [1] * moving
    while True:
        x, total = [], 0.0
        for weight in weights:
            x.append(random.double())
            total += weight * x[-1]
        label = int(total >= _sum(weights) * 0.5)
        label ^= 1 + random.below(100) <= noise
        for j in range(moving):
            weights[j] += ways[j] * change
            if 1 + random.below(100) <= turning:
                ways[j] *= -1
        yield x, label


def agrawal(
    seed: int, function: int = 0, perturbation: float = 0.05, balance: bool = False
) -> Iterator[Row]:
    """The function that MOA calls `function` + 1."""
    random = JavaRandom(seed)

    def moved(value: float, low: float, high: float, width: float) -> float:
        value += width * (2 * (random.double() - 0.5)) * perturbation
        return min(max(value, low), high)

    for row in count():
        while True:
            person: dict[str, float] = {"salary": 20_000 + 130_000 * random.double()}
            person["commission"] = (
                0.0 if person["salary"] >= 75_000 else 10_000 + 65_000 * random.double()
            )
            person["age"] = 20 + random.below(61)
            person["elevel"] = random.below(5)
            person["car"] = random.below(20)
            person["zipcode"] = random.below(9)
            wealth = (9 - person["zipcode"]) * 100_000
            person["hvalue"] = wealth * (0.5 + random.double())
            person["hyears"] = 1 + random.below(30)
            person["loan"] = 500_000 * random.double()
            label = int(not in_group_a(function, person))
            if not balance or label == 1 - row % 2:
                break
        if perturbation > 0:
            person["salary"] = moved(person["salary"], 20_000, 150_000, 130_000)
            if person["commission"] > 0:
                person["commission"] = moved(person["commission"], 10_000, 75_000, 65_000)
            person["age"] = math.floor(moved(person["age"], 20, 80, 60) + 0.5)
            person["hvalue"] = moved(person["hvalue"], 0, 135_000, wealth)
            person["hyears"] = math.floor(moved(person["hyears"], 1, 30, 29) + 0.5)
            person["loan"] = moved(person["loan"], 0, 500_000, 500_000)
        yield [float(value) for value in person.values()], label


def _sum(values: Any) -> float:
    """From the left, one after another: Python's own sum may be more accurate than Java's."""
    total = 0.0
    for value in values:
        total += value
    return total
