"""Hostile cases for everything that is compiled: what the registry lists, on extreme streams.

`python -m tests.hostile KIND NAME ...` runs the cases of these names and prints those that fail. A
case may work, or raise one of streamgauge's own errors.
"""

from __future__ import annotations

import inspect
import itertools
import sys
import traceback
import warnings
from collections.abc import Callable, Iterator
from typing import Any

import numpy as np

import streamgauge as sg
from streamgauge._support import registry
from streamgauge._support.types import Block
from streamgauge.streams.frames import ArrayStream

Case = tuple[str, Callable[[], object]]
_ROWS = 300
_POLICIES: tuple[dict[str, Any], ...] = (
    {"labels": sg.Delay(10**9)},
    {"labels": sg.Delay(7), "metrics": "all", "forget": [sg.Window(1), sg.Fading(1e-9)]},
    {"labels": sg.Chunks(10**9)},
    {"labels": sg.Sampled(0.5, score="all")},  # rows of weight 0
    {"labels": sg.RandomDelay("uniform(1, 900)"), "reevaluate": sg.Reevaluate(10**9, 1)},
    {"labels": sg.Delay(40), "reevaluate": sg.Reevaluate(1, 3), "forget": [sg.TimeWindow(1)]},
    {"protocol": sg.Holdout(every=1, size=1)},
    {"protocol": sg.PrequentialCV(2, "bootstrap")},
    {"warmup": _ROWS - 1, "every": 10**9, "block_rows": 1},
)


def failure(case: Callable[[], object]) -> str:
    """What is wrong with a case: empty if it works, or raises an error in words."""
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("error")
            case()
    except sg.StreamgaugeError as error:
        cause = error.__cause__
        if isinstance(error, sg.LearnerError) and not isinstance(cause, sg.StreamgaugeError):
            return "".join(traceback.format_exception(error))
    except Exception as error:
        return "".join(traceback.format_exception(error))
    return ""


def _stream(X: Any, y: Any, k: int, nominal: int = 0) -> sg.Stream:
    """Features as they are, all nominal or none; k classes, or 0 for regression."""
    X = np.ascontiguousarray(X, np.float64)
    d = X.shape[1]
    values = tuple(map(str, range(nominal)))
    schema = sg.Schema(tuple(f"x{j}" for j in range(d)), (values,) * d, tuple(range(k)))
    target = np.asarray(y, np.int32 if k else np.float64)
    return ArrayStream("hostile", schema, Block(0, X, target))


def streams(regression: bool = False, quick: bool = False) -> Iterator[tuple[str, sg.Stream]]:
    """Extreme streams by name."""
    rng = np.random.default_rng(1)
    n = _ROWS
    X = rng.normal(size=(n, 3))

    def made(X: Any, k: int = 2, seen: int | None = None, nominal: int = 0) -> sg.Stream:
        rows = len(X)
        y = rng.normal(size=rows) if regression else rng.integers(0, seen or k, rows)
        return _stream(X, y, 0 if regression else k, nominal)

    yield "no features", made(np.empty((n, 0)))
    yield "one row", made(X[:1])
    yield "one row without features", made(np.empty((1, 0)))
    if not regression:
        yield "one class", made(X, 1)
    if quick:
        return
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
            yield f"target {value}", _stream(X, np.where(X[:, 0] > 0, value, -value), 0)
        yield "no labels", _stream(X, np.full(n, np.nan), 0)
        return
    yield "two classes never seen", made(X, 4, 2)
    yield "1,000 classes", made(X, 1000)
    yield "1,000 classes, nominal", made(rng.integers(0, 5, (n, 2)), 1000, nominal=5)
    yield "no labels", _stream(X, np.full(n, -1), 2)
    y = np.where(rng.random(n) < 0.9, -1, 1)
    yield "few labels", _stream(X, y, 2)


def learners(kind: Any, name: str) -> list[Any]:
    """A learner, reference or wrapper of the registry with its defaults and with small sizes."""
    made = registry.find(name, kind)
    needed = {"base": "NaiveBayes", "detector": sg.ADWIN()}
    given = {
        each.name: needed[each.name]
        for each in inspect.signature(made).parameters.values()
        if each.default is inspect.Parameter.empty
    }
    found = [given]
    if "base" in given:
        found += [{**given, "base": "HoeffdingTree"}, {**given, "base": "KNN(1, 1)"}]
    smallest = {
        each.name: 1
        for each in inspect.signature(made).parameters.values()
        if type(each.default) is int
    }
    if smallest:
        found.append({**given, **smallest})
    found += [
        {**given, each.name: choice}
        for each in inspect.signature(made).parameters.values()
        for choice in _choices(each)
    ]
    return [lambda each=each: made(**each) for each in found]


def _choices(parameter: inspect.Parameter) -> list[Any]:
    """The other values of a parameter that has a few, by its annotation."""
    text = str(parameter.annotation)
    if parameter.name == "max_features":
        return [1, 10**6, 1e-9, "sqrt"]
    if parameter.name == "forget":
        return [sg.Window(1), sg.Window(10**9), sg.Fading(1e-9)]
    if text in ("bool", "<class 'bool'>"):
        return [not parameter.default]
    known = {"LeafPrediction": ["mc", "nb", "nba"], "SplitCriterion": ["gini"]}
    found = [choice for alias, choices in known.items() if alias in text for choice in choices]
    if "moa" in text:
        found.append("moa")
    return found


def cases_of_learner(kind: Any, name: str, quick: bool = False) -> Iterator[Case]:
    """A learner on every stream; on some of them under every policy and protocol."""
    found = registry.find(name, kind)
    regression = getattr(found, "task", None) == "regression"
    hostile = list(streams(regression, quick))
    usual = _stream(np.random.default_rng(2).normal(size=(_ROWS, 2)), np.arange(_ROWS) % 2, 2)
    if regression:
        usual = _stream(np.random.default_rng(2).normal(size=(_ROWS, 2)), np.arange(_ROWS), 0)
    for i, make in enumerate(learners(kind, name)[: 1 if quick else None]):
        for what, stream in hostile:
            metrics = "all" if i == 0 and not quick else "labels"
            yield (
                f"{name} {i} on {what}",
                lambda s=stream, m=make, a=metrics: sg.evaluate(s, m(), metrics=a),  # type: ignore[misc]
            )
        if quick:
            continue
        for what, stream in [("usual", usual), *hostile[:3]]:
            for options in _POLICIES:
                yield (
                    f"{name} {i} on {what}, {options}",
                    lambda s=stream, m=make, o=options: sg.evaluate(s, m(), **o),  # type: ignore[misc]
                )


_ODD: tuple[Any, ...] = (
    np.nan, np.inf, -np.inf, -1, 0, 1, 2, 10**9, 2**62, 10**30, -(10**30), 1e-300, 5e-324, 1e300,
    0.5, True, None, "x", "", [], np.int64(3), np.float32(0.5), np.array([1, 2]), object(),
)  # fmt: skip
_NEEDED: dict[str, Any] = {
    "base": "NaiveBayes", "detector": sg.ADWIN(), "w": 5, "a": 0.9, "d": 5, "n": 50, "p": 0.1,
    "every": 7, "size": 3, "distribution": "geometric(0.5)",
}  # fmt: skip


def _use(kind: str, made: Any) -> None:
    """Use an object once, on few rows."""
    rng = np.random.default_rng(3)
    X, y = rng.random((60, 2)), rng.integers(0, 2, 60)
    stream = sg.from_arrays(X, y, classes=[0, 1])
    if kind in ("learner", "reference", "wrapper"):
        regression = getattr(made, "task", None) == "regression"
        sg.evaluate(sg.from_arrays(X, X[:, 0], task="regression") if regression else stream, made)
    elif kind == "detector":
        made.detect(y.astype(float))
        sg.evaluate(stream, sg.Resetting(sg.Majority(), made))
    elif kind == "forgetting":
        sg.evaluate(stream, sg.Majority(), forget=[made], labels=sg.Delay(3))
    elif kind == "label policy":
        sg.evaluate(stream, sg.Majority(), labels=made)
    elif kind == "protocol":
        sg.evaluate(stream, sg.Majority(), protocol=made)
    elif kind == "generator":
        block = next(made.blocks(20))
        assert block.X.shape == (len(block), len(made.schema.features)), block.X.shape
        sg.evaluate(made.take(20), sg.Majority())


def cases_of_parameters(kind: Any, name: str) -> Iterator[Case]:
    """Each parameter with odd values: refused in words, or it works."""
    made = registry.find(name, kind)
    parameters = inspect.signature(made).parameters.values()
    needed = {p.name: _NEEDED[p.name] for p in parameters if p.default is inspect.Parameter.empty}
    for parameter, value in itertools.product(parameters, _ODD):
        given = {**needed, parameter.name: value}
        yield (
            f"{name}({parameter.name}={value!r})",
            lambda g=given: _use(kind, made(**g)),  # type: ignore[misc]
        )


def cases(kind: str, name: str) -> Iterator[Case]:
    """All cases of a name."""
    yield from cases_of_parameters(kind, name)
    if kind in ("learner", "reference", "wrapper"):
        yield from cases_of_learner(kind, name)


def main(kind: str, names: list[str]) -> int:
    """Run the cases of these names; return how many fail."""
    failed = 0
    for name in names:
        for what, case in cases(kind, name):
            print(what, file=sys.stderr, flush=True)
            if found := failure(case):
                failed += 1
                print(f"== {what}\n{found}", flush=True)
    return failed


if __name__ == "__main__":
    sys.exit(min(1, main(sys.argv[1], sys.argv[2:])))
