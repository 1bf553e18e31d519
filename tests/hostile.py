"""Hostile cases for everything that is compiled: what the registry lists, on extreme streams.

`python -m tests.hostile KIND NAME ...` runs the cases of these names and prints those that fail. A
case may work, or raise one of streamgauge's own errors.
"""

from __future__ import annotations

import inspect
import itertools
import sys
import tempfile
import traceback
import warnings
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np

import streamgauge as sg
from streamgauge._support import registry
from streamgauge._support.types import Block
from streamgauge.streams.frames import ArrayStream

Case = tuple[str, Callable[[], object]]

LEARNERS = ("learner", "reference", "wrapper")
KINDS = (*LEARNERS, "detector", "forgetting", "label policy", "protocol", "generator", "function")
FUNCTIONS = ("inspect", "compare", "detect", "score", "read")

_ROWS = 300
_THOROUGH = 4  # variants of a learner that get all cases
_BASIC = 8  # streams that the others get
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
_NEEDED: dict[str, Any] = {
    "base": "NaiveBayes", "detector": sg.ADWIN(), "w": 5, "a": 0.9, "d": 5, "n": 50, "p": 0.1,
    "every": 7, "size": 3, "distribution": "geometric(0.5)",
}  # fmt: skip
ODD: tuple[Any, ...] = (
    np.nan, np.inf, -np.inf, -1, 0, 1, 2, 10**9, 2**62, 10**30, -(10**30), 1e-300, 5e-324, 1e300,
    0.5, True, None, "x", "", [], np.int64(3), np.float32(0.5), np.array([1, 2]), object(),
)  # fmt: skip


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


def stream_of(X: Any, y: Any, k: int, nominal: int = 0) -> sg.Stream:
    """Rows with k classes, or 0 for regression; all features have `nominal` values, or are numbers.

    Unlike `from_arrays`, it declares what it is told to.
    """
    X = np.ascontiguousarray(X, np.float64)
    values = tuple(map(str, range(nominal)))
    names = tuple(f"x{j}" for j in range(X.shape[1]))
    schema = sg.Schema(names, (values,) * len(names), tuple(range(k)))
    target = np.asarray(y, np.int32 if k else np.float64)
    return ArrayStream("hostile", schema, Block(0, X, target))


def streams(regression: bool = False, quick: bool = False) -> Iterator[tuple[str, sg.Stream]]:
    """Extreme streams by name."""
    rng = np.random.default_rng(1)
    n = 30 if quick else _ROWS
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


def _parameters(made: Any) -> tuple[dict[str, Any], list[inspect.Parameter]]:
    """What it cannot be made without, and all its parameters."""
    parameters = list(inspect.signature(made).parameters.values())
    needed = [each.name for each in parameters if each.default is inspect.Parameter.empty]
    return {name: _NEEDED[name] for name in needed}, parameters


def variants(kind: Any, name: str) -> list[Callable[[], Any]]:
    """A learner, reference or wrapper: as it is, with small sizes, with its other options."""
    made = registry.find(name, kind)
    needed, parameters = _parameters(made)
    found = [needed]
    if "base" in needed:
        found += [{**needed, "base": "HoeffdingTree"}, {**needed, "base": "KNN(1, 1)"}]
    smallest = {each.name: 1 for each in parameters if type(each.default) is int}
    if smallest:
        found.append({**needed, **smallest})
    if any(each.name == "max_byte_size" for each in parameters):  # limits that are soon reached
        few = {"n_models": 3} if "n_models" in smallest else {}
        sizes = ({"max_byte_size": most} for most in (4000, 16_000, 64_000))
        found += [{**needed, **smallest, **few, "delta": 0.5, **size} for size in sizes]
    found += [{**needed, each.name: other} for each in parameters for other in _others(each)]
    return [partial(made, **each) for each in found]


def _others(parameter: inspect.Parameter) -> list[Any]:
    """Other values of a parameter, by its name and annotation."""
    text = str(parameter.annotation)
    others: dict[str, list[Any]] = {
        "max_features": [1, 10**6, 1e-9, "sqrt"],
        "forget": [sg.Window(1), sg.Window(10**9), sg.Fading(1e-9)],
        "leaf_prediction": ["mc", "nb", "mean"],
        "split_criterion": ["gini"],
        "compat": ["moa"],
    }
    return [not parameter.default] if text == "bool" else others.get(parameter.name, [])


def cases_of_learner(kind: Any, name: str, quick: bool = False) -> Iterator[Case]:
    """A learner on every stream; on some of them under every policy and protocol."""
    regression = getattr(registry.find(name, kind), "task", None) == "regression"
    hostile = list(streams(regression, quick))
    X, y = np.random.default_rng(2).normal(size=(_ROWS, 2)), np.arange(_ROWS)
    usual = stream_of(X, y if regression else y % 2, 0 if regression else 2)
    for i, make in enumerate(variants(kind, name)[: 1 if quick else None]):
        metrics = "all" if i == 0 and not quick else "labels"
        for what, stream in hostile if i < _THOROUGH else hostile[:_BASIC]:
            yield f"{name} {i} on {what}", partial(_evaluate, stream, make, metrics=metrics)
        if quick or i >= _THOROUGH:
            continue
        for what, stream in [("usual", usual), hostile[0]]:
            for options in _POLICIES:
                case = partial(_evaluate, stream, make, **options)
                yield f"{name} {i} on {what}, {options}", case


def _evaluate(stream: sg.Stream, make: Callable[[], Any], **options: Any) -> None:
    sg.evaluate(stream, make(), **options)


def cases_of_parameters(kind: Any, name: str, used: bool = True) -> Iterator[Case]:
    """Each parameter with odd values: refused in words, or it works."""
    made = registry.find(name, kind)
    needed, parameters = _parameters(made)
    for parameter, value in itertools.product(parameters, ODD):
        given = {**needed, parameter.name: value}
        what = f"{name}({parameter.name}={value!r})"
        yield what, partial(_use, kind, made, given) if used else partial(made, **given)


def _use(kind: str, make: Any, given: dict[str, Any]) -> None:
    """Make an object and use it once, on few rows."""
    made = make(**given)
    rng = np.random.default_rng(3)
    X, y = rng.random((60, 2)), rng.integers(0, 2, 60)
    stream = sg.from_arrays(X, y, classes=[0, 1])
    if kind in LEARNERS:
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
    else:
        sg.evaluate(made.take(20), sg.Majority())


def cases_of_function(name: str) -> Iterator[Case]:
    """A function on every stream, or on its runs."""
    both = [*streams(), *((f"regression, {what}", s) for what, s in streams(regression=True))]
    for what, stream in both:
        yield f"{name}: {what}", partial(_FUNCTIONS[name], stream)


def _inspected(stream: sg.Stream) -> None:
    sg.inspect(stream)
    sg.inspect(stream, window=10**9, lags=1, block_rows=1)


def _runs(stream: sg.Stream) -> tuple[sg.Run, sg.Run]:
    first, second = (
        ("Mean", "LastValue") if stream.schema.regression else ("Majority", "NaiveBayes")
    )
    return sg.evaluate(stream, first), sg.evaluate(stream, second)


def _compared(stream: sg.Stream) -> None:
    first, second = _runs(stream)
    str(sg.compare(first, second))
    str(sg.compare(first, first, forget=[sg.Window(10**9)], every=1))


def _detected(stream: sg.Stream) -> None:
    detectors = [registry.find(name, "detector") for name in registry.own_names("detector")]
    made = [each(**_parameters(each)[0]) for each in detectors]
    str(sg.detect(_runs(stream)[0], made, drifts=[1]))


def _scored(stream: sg.Stream) -> None:
    y = next(stream.blocks(_ROWS)).y
    forget: list[sg.Forgetting] = [sg.Window(10**9), sg.TimeWindow(2**61), sg.Fading(1e-300)]
    if stream.schema.regression:
        sg.score(y, y, task="regression", forget=forget)
    else:
        sg.score(np.where(y < 0, np.nan, y), y, task="classification", forget=forget)


def _read_back(stream: sg.Stream) -> None:
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "rows.csv"
        block = next(stream.blocks(_ROWS))
        lines = [[*stream.schema.features, "y"], *np.column_stack([block.X, block.y]).tolist()]
        path.write_text("\n".join(",".join(map(str, line)) for line in lines))
        sg.evaluate(sg.read(path, "y"), "Majority")


_FUNCTIONS: dict[str, Callable[[sg.Stream], None]] = {
    "inspect": _inspected,
    "compare": _compared,
    "detect": _detected,
    "score": _scored,
    "read": _read_back,
}


def names_of(kind: Any) -> tuple[str, ...]:
    """The names of a kind that have cases."""
    return FUNCTIONS if kind == "function" else registry.own_names(kind)


def cases(kind: str, name: str) -> Iterator[Case]:
    """All cases of a name."""
    if kind == "function":
        yield from cases_of_function(name)
        return
    yield from cases_of_parameters(kind, name)
    if kind in LEARNERS:
        yield from cases_of_learner(kind, name)


def main(kind: str, names: list[str]) -> int:
    """Run the cases of these names; return how many fail."""
    failed = 0
    for name in names:
        for what, case in cases(kind, name):
            print(what, file=sys.stderr, flush=True)  # the last line tells where it crashed
            if found := failure(case):
                failed += 1
                print(f"== {what}\n{found}", flush=True)
    return failed


if __name__ == "__main__":
    sys.exit(min(1, main(sys.argv[1], sys.argv[2:])))
