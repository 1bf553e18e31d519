"""Hostile cases for everything that is compiled: what the registry lists, on extreme streams.

`python -m tests.hostile KIND NAME ...` runs the cases of these names and prints those that fail;
without a name it prints how many cases there are. A case may work, or raise one of streamgauge's
own errors.
"""

from __future__ import annotations

import contextlib
import inspect
import itertools
import sys
import tempfile
import traceback
import typing
import warnings
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path
from typing import Any, Literal, NamedTuple

import numpy as np
import pytest

import streamgauge as sg
from streamgauge._support import registry
from tests.hostile_streams import ROWS, extreme_streams, long_streams, odd_streams, stream_of


class Case(NamedTuple):
    """One try."""

    what: str
    run: Callable[[], object]
    rows: int  # of the stream, or of the few rows that try a parameter


class Counts(NamedTuple):
    """The size of a battery."""

    names: int
    cases: int
    rows: int


LEARNERS = ("learner", "reference", "wrapper")
KINDS = (*LEARNERS, "detector", "forgetting", "label policy", "protocol", "generator", "function")
FUNCTIONS = ("inspect", "compare", "detect", "score", "read")

# Thresholds of learners that a hostile stream passes many times, and what splits and alarms soon.
SMALL: dict[str, Any] = {
    "grace_period": 5, "min_samples_reevaluate": 5, "delta": 0.5, "tau": 0.9, "n_models": 3,
    "bag_size": 2, "max_depth": 2, "warning_delta": 0.5, "drift_delta": 0.3, "drift_threshold": 1.0,
    "update_period": 3, "theta": 0.3, "max_experts": 3, "window_size": 7, "n_neighbors": 2,
    "limit": 30, "min_stm_size": 6, "relative_ltm_size": 0.4, "hidden_size": 3, "batch_size": 8,
    "epochs": 2, "num_layers": 2, "order": 3, "rows": 9, "every": 4,
}  # fmt: skip
NO_THRESHOLDS = {  # numbers that no number of rows passes
    "lambda_value", "learning_rate", "learning_rate_decay", "beta", "spectral_radius",
    "input_scale", "fading", "ridge", "n_jobs", "start_as", "max_byte_size", "max_features",
}  # fmt: skip
_WITHIN_MANY_ROWS = {"limit": 1100}  # thresholds of learners as they are that are larger

_THOROUGH = 4  # variants of a learner that get all odd streams
_BASIC = 8  # odd streams that the others get
_USED_ROWS = 60  # that try a parameter
_POLICIES: tuple[dict[str, Any], ...] = (
    {"labels": sg.Delay(10**9)},
    {"labels": sg.Delay(7), "metrics": "all", "forget": [sg.Window(1), sg.Fading(1e-9)]},
    {"labels": sg.Chunks(10**9)},
    {"labels": sg.Sampled(0.5, score="all")},  # rows of weight 0
    {"labels": sg.RandomDelay("uniform(1, 900)"), "reevaluate": sg.Reevaluate(10**9, 1)},
    {"labels": sg.Delay(40), "reevaluate": sg.Reevaluate(1, 3), "forget": [sg.TimeWindow(1)]},
    {"protocol": sg.Holdout(every=1, size=1)},
    {"protocol": sg.PrequentialCV(2, "bootstrap")},
    {"warmup": ROWS - 1, "every": 10**9, "block_rows": 1},
)
_NEEDED: dict[str, Any] = {
    "base": "NaiveBayes", "detector": sg.ADWIN(delta=0.5), "w": 5, "a": 0.9, "d": 5, "n": 50,
    "p": 0.1, "every": 7, "size": 3, "distribution": "geometric(0.5)",
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


def _parameters(made: Any) -> tuple[dict[str, Any], list[inspect.Parameter]]:
    """What it cannot be made without, and all its parameters."""
    parameters = list(inspect.signature(made).parameters.values())
    needed = [each.name for each in parameters if each.default is inspect.Parameter.empty]
    one_of = {"above": 0.3} if made is sg.EDetector else {}  # or `below`
    return {name: _NEEDED[name] for name in needed} | one_of, parameters


def numbers_of(kind: Any, name: str) -> set[str]:
    """The numeric parameters of a learner."""
    made = registry.find(name, kind)
    hints = typing.get_type_hints(made.__init__)
    return {each for each, hint in hints.items() if {int, float} & {hint, *typing.get_args(hint)}}


def skip_without_package(kind: Any, name: str) -> None:
    """Skip the test of a learner that needs a package which is not installed."""
    made = registry.find(name, kind)
    try:
        made(**_parameters(made)[0])
    except sg.MissingExtra as error:
        pytest.skip(str(error))


def variants(kind: Any, name: str) -> dict[str, Callable[[], Any]]:
    """A learner, reference or wrapper: as it is, with small thresholds, with its other options.

    What follows "small" has thresholds that a hostile stream passes.
    """
    made = registry.find(name, kind)
    needed, parameters = _parameters(made)
    numbers = numbers_of(kind, name)
    small = {**needed, **{each: SMALL[each] for each in SMALL if each in numbers}}
    found = {"as it is": needed}
    if "base" in needed:
        found |= {f"of {base}": {**needed, "base": base} for base in ("HoeffdingTree", "KNN(1, 1)")}
    ones = {**needed, **{each.name: 1 for each in parameters if type(each.default) is int}}
    with contextlib.suppress(sg.UsageError):  # some do not take 1 everywhere
        made(**ones)
        found |= {"all 1": ones} if ones != needed else {}
    found["small"] = small
    if "base" in needed:
        bases = ("HoeffdingTree(5, 0.5, 0.9)", "SAMkNN(2, 30, 6)", "KNN(2, 7)")
        found |= {f"small, of {base}": {**small, "base": base} for base in bases}
    if "max_byte_size" in numbers:  # limits that are soon reached
        for most in (4000, 16_000, 64_000):
            found[f"small, max_byte_size={most}"] = {**small, "max_byte_size": most}
    hints = typing.get_type_hints(made.__init__)
    for each in parameters:
        for other in _others(each, hints.get(each.name)):
            found[f"small, {each.name}={other!r}"] = {**small, each.name: other}
    return {what: partial(made, **options) for what, options in found.items()}


def _others(parameter: inspect.Parameter, hint: Any) -> list[Any]:
    """Other values of a parameter, by its annotation or name."""
    literals = [hint, *typing.get_args(hint)]
    choices = [
        option
        for each in literals
        if typing.get_origin(each) is Literal
        for option in typing.get_args(each)
    ]
    others: dict[str, list[Any]] = {
        "max_features": [1, 10**6, 1e-9, "sqrt"],
        "forget": [sg.Window(1), sg.Window(10**9), sg.Fading(1e-9)],
        "n_jobs": [2],
    }
    if hint is bool:
        return [not parameter.default]
    if parameter.name in others:
        return others[parameter.name]
    return [choice for choice in choices if choice != parameter.default]


def cases_of_learner(kind: Any, name: str, quick: bool = False) -> Iterator[Case]:
    """A learner on odd and on extreme streams; on some of them under every policy and protocol."""
    regression = getattr(registry.find(name, kind), "task", None) == "regression"
    odd = list(odd_streams(regression, quick))
    known = variants(kind, name)
    if quick:
        for what, stream in odd:
            yield _case(f"{name} on {what}", stream, known["as it is"], metrics="labels")
        return
    extreme, usual = list(extreme_streams(regression)), _usual(regression)
    for i, (variant, make) in enumerate(known.items()):
        metrics = "all" if i == 0 else "labels"
        tried = odd if i < _THOROUGH else odd[:_BASIC]
        tried = [*tried, *extreme] if variant.startswith("small") else tried
        for what, stream in tried:
            yield _case(f"{name} {variant} on {what}", stream, make, metrics=metrics)
        if i < _THOROUGH or variant == "small":
            for what, stream in [("usual", usual), odd[0], extreme[0]]:
                for options in _POLICIES:
                    yield _case(f"{name} {variant} on {what}, {options}", stream, make, **options)
    needed = _parameters(registry.find(name, kind))[0]
    numbers = numbers_of(kind, name)
    within = {each: value for each, value in _WITHIN_MANY_ROWS.items() if each in numbers}
    for what, stream in long_streams(regression):
        make = partial(registry.find(name, kind), **needed, **within)
        yield _case(f"{name} on many rows: {what}", stream, make)


def _usual(regression: bool) -> sg.Stream:
    X, y = np.random.default_rng(2).normal(size=(ROWS, 2)), np.arange(ROWS)
    return stream_of(X, y if regression else y % 2, 0 if regression else 2)


def _case(what: str, stream: sg.Stream, make: Callable[[], Any], **options: Any) -> Case:
    return Case(what, partial(_evaluate, stream, make, **options), len(next(stream.blocks(10**6))))


def _evaluate(stream: sg.Stream, make: Callable[[], Any], **options: Any) -> None:
    sg.evaluate(stream, make(), **options)


def cases_of_parameters(kind: Any, name: str, used: bool = True) -> Iterator[Case]:
    """Each parameter with odd values: refused in words, or it works."""
    made = registry.find(name, kind)
    needed, parameters = _parameters(made)
    for parameter, value in itertools.product(parameters, ODD):
        given = {**needed, parameter.name: value}
        what = f"{name}({parameter.name}={value!r})"
        case = partial(_use, kind, made, given) if used else partial(made, **given)
        yield Case(what, case, _USED_ROWS if used else 0)


def _use(kind: str, make: Any, given: dict[str, Any]) -> None:
    """Make an object and use it once, on few rows."""
    made = make(**given)
    rng = np.random.default_rng(3)
    X, y = rng.random((_USED_ROWS, 2)), rng.integers(0, 2, _USED_ROWS)
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
    for regression in (False, True):
        for what, stream in (*odd_streams(regression), *extreme_streams(regression)):
            case = partial(_FUNCTIONS[name], stream)
            task = "regression" if regression else "classification"
            yield Case(f"{name}: {task}, {what}", case, len(next(stream.blocks(10**6))))


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
    y = next(stream.blocks(ROWS)).y
    forget: list[sg.Forgetting] = [sg.Window(10**9), sg.TimeWindow(2**61), sg.Fading(1e-300)]
    if stream.schema.regression:
        sg.score(y, y, task="regression", forget=forget)
    else:
        sg.score(np.where(y < 0, np.nan, y), y, task="classification", forget=forget)


def _read_back(stream: sg.Stream) -> None:
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "rows.csv"
        block = next(stream.blocks(ROWS))
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


def counts(kinds: tuple[str, ...] = KINDS) -> dict[str, Counts]:
    """The size of the battery, by kind; it runs nothing."""
    found = {}
    for kind in kinds:
        rows = [case.rows for name in names_of(kind) for case in cases(kind, name)]
        found[kind] = Counts(len(names_of(kind)), len(rows), sum(rows))
    return found


def main(kind: str, names: list[str]) -> int:
    """Run the cases of these names; return how many fail."""
    failed = 0
    for name in names:
        for case in cases(kind, name):
            print(case.what, file=sys.stderr, flush=True)  # the last line tells where it crashed
            if found := failure(case.run):
                failed += 1
                print(f"== {case.what}\n{found}", flush=True)
    return failed


if __name__ == "__main__":
    if len(sys.argv) < 3:
        for kind, (names, tries, rows) in counts(tuple(sys.argv[1:]) or KINDS).items():
            print(f"{kind}: {names:,} names, {tries:,} cases, {rows:,} rows")
        sys.exit()
    sys.exit(min(1, main(sys.argv[1], sys.argv[2:])))
