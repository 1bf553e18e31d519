"""Extreme streams for the hostile battery: odd shapes, and extreme values in many rows."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

import numpy as np

import streamgauge as sg
from streamgauge._support.types import Block
from streamgauge.streams.frames import ArrayStream

ROWS = 300
MANY_ROWS = 2500  # past thresholds that are no parameters: 1,500 rows of an alternate tree, lags

_LARGEST, _TINY = 1.7e308, 5e-324
_PAIRS: dict[str, tuple[float, float]] = {  # the values of two classes
    "largest": (_LARGEST, -_LARGEST),
    "largest, equal": (_LARGEST, _LARGEST),
    "largest or tiny": (_LARGEST, _TINY),
    "infinite": (np.inf, -np.inf),
    "infinite, equal": (np.inf, np.inf),
    "infinite or 1": (np.inf, 1.0),
    "infinite or missing": (-np.inf, np.nan),
    "missing or 1": (np.nan, 1.0),
    "missing": (np.nan, np.nan),
    "zeros of either sign": (0.0, -0.0),
    "neighbouring numbers": (1.0, float(np.nextafter(1.0, 2.0))),
    "equal": (7.0, 7.0),
}
_BETWEEN = ("largest", "infinite", "missing", "equal")  # that come between usual rows
_AT_LENGTH = ("largest", "infinite, equal", "missing or 1", "equal")  # that get many rows


def stream_of(X: Any, y: Any, k: int, nominal: int | Sequence[int] = 0) -> sg.Stream:
    """Rows with k classes, or 0 for regression; features have `nominal` values, 0 are numbers.

    Unlike `from_arrays`, it declares what it is told to.
    """
    X = np.ascontiguousarray(X, np.float64)
    sizes = [nominal] * X.shape[1] if isinstance(nominal, int) else nominal
    values = tuple(tuple(map(str, range(size))) for size in sizes)
    names = tuple(f"x{j}" for j in range(X.shape[1]))
    schema = sg.Schema(names, values, tuple(range(k)))
    target = np.asarray(y, np.int32 if k else np.float64)
    return ArrayStream("hostile", schema, Block(0, X, target))


def odd_streams(regression: bool = False, quick: bool = False) -> Iterator[tuple[str, sg.Stream]]:
    """Streams of odd shapes and values, by name."""
    rng = np.random.default_rng(1)
    n = 30 if quick else ROWS
    X = rng.normal(size=(n, 3))

    def made(X: Any, k: int = 2, seen: int | None = None, nominal: int = 0) -> sg.Stream:
        y = rng.normal(size=len(X)) if regression else rng.integers(0, seen or k, len(X))
        return stream_of(X, y, 0 if regression else k, nominal)

    yield "no features", made(np.empty((n, 0)))
    yield "one row without features", made(np.empty((1, 0)))
    if not regression:
        yield "one class", made(X, 1)
    if quick:
        return
    yield "one row", made(X[:1])
    yield "all missing", made(np.full((n, 3), np.nan))
    yield "constant", made(np.ones((n, 3)))
    for value in (np.inf, -np.inf, 1e308, 5e-324):
        yield f"often {value}", made(np.where(X > 0, value, X))
    yield "large and small", made(np.where(X > 0, 1e308, -1e308))
    yield "few rows known", made(np.where(rng.random((n, 3)) < 0.9, np.nan, X))
    for size in (1, 3, 10_000):
        yield f"{size} nominal values", made(rng.integers(0, size, (n, 2)), nominal=size)
    yield "nominal, all missing", made(np.full((n, 2), np.nan), nominal=3)
    if regression:
        for value in (np.inf, 1e308, 0.0):
            yield f"target {value}", stream_of(X, np.where(X[:, 0] > 0, value, -value), 0)
        yield "no labels", stream_of(X, np.full(n, np.nan), 0)
        return
    yield "two classes never seen", made(X, 4, 2)
    yield "1,000 classes", made(X, 1000)
    yield "1,000 classes, nominal", made(rng.integers(0, 5, (n, 2)), 1000, nominal=5)
    yield "no labels", stream_of(X, np.full(n, -1), 2)
    yield "few labels", stream_of(X, np.where(rng.random(n) < 0.9, -1, 1), 2)


def extreme_streams(
    regression: bool = False, n: int = ROWS, names: Sequence[str] = tuple(_PAIRS)
) -> Iterator[tuple[str, sg.Stream]]:
    """Streams whose features follow the class, or the sign of the target, with extreme values.

    What the features mean is reversed again and again: trees split, detectors alarm.
    """
    rng = np.random.default_rng(4)
    hidden = rng.integers(0, 2, n)
    label = hidden ^ (np.arange(n) // 80 % 2)
    third = np.arange(n) * 3 // n == 1

    def column(name: str) -> Any:
        return np.array(_PAIRS[name])[hidden ^ (rng.random(n) < 0.1)]

    def made(X: Any, k: int = 2, y: Any = None, nominal: int | Sequence[int] = 0) -> sg.Stream:
        if regression:
            y = label + rng.normal(size=n) / 10 if y is None else y
        return stream_of(X, label if y is None else y, 0 if regression else k, nominal)

    usual = hidden[:, None] + rng.normal(size=(n, 3)) / 2
    for name in names:
        yield name, made(np.stack([column(name) for _ in range(3)], axis=1))
    for name in [each for each in _BETWEEN if each in names]:
        extreme = np.stack([column(name) for _ in range(3)], axis=1)
        yield f"{name}, between usual rows", made(np.where(third[:, None], extreme, usual))
    mixed = [column(name) for name in _PAIRS]
    yield (
        "a feature of each kind",
        made(np.stack([*mixed, hidden], axis=1), 2, None, [0] * 12 + [2]),
    )
    codes = (hidden[:, None] + 2 * rng.integers(0, 20, (n, 3))) * 1.0
    codes[rng.random((n, 3)) < 0.3] = np.nan
    yield "40 nominal values, some missing", made(codes, nominal=40)
    if not regression:
        yield "5 classes by turns", made(usual, 5, np.arange(n) // 20 % 5)
        return
    for name in [each for each in names if each != "missing"]:
        target = column(name)
        yield f"targets {name}", made(usual, y=target)
        yield f"features and targets {name}", made(np.stack([column(name)] * 2, axis=1), y=target)


def long_streams(regression: bool = False) -> Iterator[tuple[str, sg.Stream]]:
    """Some of the extreme streams with many rows."""
    yield from extreme_streams(regression, MANY_ROWS, _AT_LENGTH)
