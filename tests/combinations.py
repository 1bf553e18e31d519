"""All options of `evaluate` together: every pair of their values occurs in at least one case.

`python -m tests.combinations` prints what every case gives, for each size of blocks: run it with
bounds checks and with memory that is filled with other garbage, and compare.
"""

from __future__ import annotations

import itertools
import json
import sys
from collections.abc import Callable, Iterator
from typing import Any

import numpy as np
import pyarrow as pa
from bench.digits import readings
from bench.digits.own import OwnLearner, OwnSequences

import streamgauge as sg

ROWS = 120
BLOCKS = (1, 17, ROWS)
Case = dict[str, str]


class Nightly:
    """A custom label policy: all labels of 20 rows come before the next row."""

    labels_first = True

    def timetable(self, block: Any) -> sg.Timetable:
        rows = np.arange(block.start, block.start + len(block))
        return sg.Timetable(rows, (rows // 20 + 1) * 20, np.ones(len(block)))


class Failing(OwnLearner):
    """Raises an error in the middle of the stream."""

    def learn(self, X: Any, y: Any, w: Any) -> None:
        super().learn(X, y, w)
        if self.counts.sum() > ROWS / 3:
            raise ValueError("enough")


def _columns() -> tuple[Any, Any, Any, Any]:
    """Features with missing values, codes of which some are missing, and times with ties."""
    random = np.random.default_rng(5)
    y = np.repeat(random.integers(0, 3, ROWS // 4), 4).astype(float)
    X = y[:, None] + random.normal(size=(ROWS, 2))
    X[random.random(X.shape) < 0.1] = np.nan
    y[random.random(ROWS) < 0.1] = np.nan
    arrives = np.cumsum(random.integers(0, 3, ROWS))
    return X, y, arrives, arrives + random.integers(0, 60, ROWS)


def _plain() -> Any:
    X, y, _, _ = _columns()
    return sg.from_arrays(X, y, classes=[0, 1, 2])


def _timed() -> Any:
    X, y, arrives, revealed = _columns()
    return sg.from_arrays(X, y, classes=[0, 1, 2], arrives=arrives, revealed=revealed)


def _numbers() -> Any:
    X, y, arrives, revealed = _columns()
    target = np.where(np.isnan(y), np.nan, y + X.sum(axis=1).round(3))
    return sg.from_arrays(X, target, arrives=arrives, revealed=revealed, task="regression")


def _evolving() -> Any:
    """Rows whose features change while they wait; one in ten gets no label."""
    X, y, arrives, revealed = _columns()
    lines: list[dict[str, Any]] = []
    for row in range(ROWS):
        middle = (arrives[row] + revealed[row]) // 2
        for time in sorted({int(arrives[row]), int(middle)}):
            a, b = (float(value) for value in np.nan_to_num(X[row]) + (time - arrives[row]) / 60)
            lines.append({"id": row, "time": time, "a": a, "b": b, "label": None})
        if not np.isnan(y[row]):
            label = f"c{int(y[row])}"
            lines.append({"id": row, "time": int(revealed[row]), "a": a, "b": b, "label": label})
    lines.sort(key=lambda line: line["time"])
    return sg.from_events(
        pa.Table.from_pylist(lines), "label", id="id", time="time", classes=["c0", "c1", "c2"]
    )


def _last(predictions: Any, shares: Any) -> Any:
    return predictions[-1]


def _learner(name: str) -> Callable[[bool], Any]:
    regressors = {"tree": "HoeffdingTreeRegressor(grace_period=10)", "python": "Mean"}
    classifiers: dict[str, Any] = {
        "tree": "HoeffdingTree(grace_period=10)", "neighbours": "KNN(window_size=30)",
        "abstaining": "OnlineAccuracyUpdatedEnsemble(n_models=2, window_size=25)",
        "swt": "SWT(NaiveBayes(), order=2)",
    }  # fmt: skip
    own = {"python": OwnLearner, "sequences": OwnSequences, "failing": Failing}

    def make(regression: bool) -> Any:
        if regression:
            return regressors.get(name, "AMRules(grace_period=20)")
        return own[name]() if name in own else classifiers[name]

    return make


# Every option of `evaluate`, with values by name; each is made again for each run.
OPTIONS: dict[str, dict[str, Callable[..., Any]]] = {
    "stream": {"plain": _plain, "timed": _timed, "numbers": _numbers, "evolving": _evolving},
    "learner": {
        name: _learner(name)
        for name in (
            "tree", "neighbours", "abstaining", "swt", "python", "sequences", "failing",
        )
    },
    "labels": {
        "default": lambda: None,
        "immediate": sg.Immediate,
        "delay": lambda: sg.Delay(7),
        "chunks": lambda: sg.Chunks(15),
        "from_stream": sg.FromStream,
        "labels_first": lambda: sg.FromStream("labels_first", timeout=30),
        "random": lambda: sg.RandomDelay("geometric(0.1)", timeout=25),
        "sampled": lambda: sg.Sampled(0.4, labels=sg.Delay(5)),
        "sampled_all": lambda: sg.Sampled(0.4, "all", labels=sg.Chunks(4)),
        "own": Nightly,
    },
    "protocol": {
        "default": lambda: None,
        "interleaved": lambda: sg.Holdout(20, 7),
        "first": lambda: sg.Holdout(20, 7, test="first"),
        "test_stream": lambda: sg.Holdout(20, 7, test=_plain()),
        "cv": lambda: sg.PrequentialCV(2),
        "split": lambda: sg.PrequentialCV(2, "split"),
        "bootstrap": lambda: sg.PrequentialCV(2, "bootstrap"),
        "moa": lambda: sg.PrequentialCV(2, compat="moa"),
    },
    "reevaluate": {
        "default": lambda: None,
        "bins": lambda: sg.Reevaluate(3, 4),
        "no_bins": lambda: sg.Reevaluate(1, 0),
        "fork": lambda: sg.Reevaluate(2, 5, compat="moa-fork"),
        "function": lambda: sg.Reevaluate(4, 3, aggregate=_last),
    },
    "max_labels": {
        "default": lambda: None, "few": lambda: 3, "some": lambda: 50, "all": lambda: 10**6,
    },
    "warmup": {"default": lambda: 0, "one": lambda: 1, "many": lambda: 45},
    "forget": {
        "default": lambda: None,
        "one": lambda: [sg.Fading(0.9)],
        "several": lambda: [sg.TimeWindow(13), sg.Cumulative(), sg.Window(7)],
    },
    "every": {"default": lambda: None, "one": lambda: 1, "some": lambda: 13},
    "metrics": {"default": lambda: "labels", "all": lambda: "all"},
    "references": {"default": tuple, "more": lambda: ["Majority(forget=Window(9))"]},
    "cost": {"default": lambda: None, "matrix": lambda: np.arange(9.0).reshape(3, 3)},
    "oracle": {"no": lambda: False, "yes": lambda: True},
}  # fmt: skip


Pair = frozenset[tuple[str, str]]
_HOLDOUTS = ("interleaved", "first", "test_stream")


def refused() -> set[Pair]:
    """The pairs that contradict each other."""
    held_out = {("protocol", each) for each in _HOLDOUTS}
    apart: list[tuple[set[tuple[str, str]], set[tuple[str, str]]]] = [
        (held_out, {("max_labels", each) for each in ("few", "some", "all")}),
        (held_out, {("warmup", each) for each in ("one", "many")}),
        (
            {("protocol", "first"), ("protocol", "test_stream")},
            {("reevaluate", each) for each in ("bins", "no_bins", "fork", "function")},
        ),
        ({("stream", "plain")}, {("labels", "from_stream"), ("labels", "labels_first")}),
        (
            {("stream", "numbers")},
            {("cost", "matrix"), ("references", "more"), ("protocol", "test_stream")},
        ),
        ({("stream", "evolving")}, {("protocol", "test_stream")}),
    ]
    return {frozenset(pair) for one, other in apart for pair in itertools.product(one, other)}


def covering(options: dict[str, dict[str, Any]], apart: set[Pair]) -> Iterator[Case]:
    """Cases with every pair of values but those apart; each adds as many pairs as it can."""
    places = [(option, value) for option in options for value in options[option]]
    pairs = (
        frozenset(pair) for pair in itertools.combinations(places, 2) if pair[0][0] != pair[1][0]
    )
    missing = {pair for pair in pairs if pair not in apart}
    while missing:
        case: Case = dict(min(sorted(pair) for pair in missing))
        for option in sorted(options, key=lambda each: -len(options[each])):
            if option not in case:
                fits = [
                    value
                    for value in options[option]
                    if not any(frozenset({(option, value), each}) in apart for each in case.items())
                ]
                case[option] = max(fits, key=lambda value: _new(missing, case, option, value))
        missing -= {frozenset(pair) for pair in itertools.combinations(case.items(), 2)}
        yield case


def _new(missing: set[Pair], case: Case, option: str, value: str) -> int:
    return sum(frozenset({(option, value), known}) in missing for known in case.items())


def result(case: Case, block_rows: int) -> Any:
    """The numbers and words that a case gives; of a learner that fails, those before."""
    stream = OPTIONS["stream"][case["stream"]]()
    learner = OPTIONS["learner"][case["learner"]](stream.schema.regression)
    options = {
        option: OPTIONS[option][value]()
        for option, value in case.items()
        if option not in ("stream", "learner")
    }
    try:
        run = sg.evaluate(stream, learner, block_rows=block_rows, progress=False, **options)
    except sg.LearnerError as error:
        return [str(error), [_read(run) for run in error.runs]]
    return _read(run)


def _read(run: Any) -> Any:
    return readings.of_run(run)[:2] if isinstance(run, sg.Run) else [_read(each) for each in run]


def main() -> None:
    """Print a line for each case and size of blocks."""
    for case in covering(OPTIONS, refused()):
        for rows in BLOCKS:
            found = json.dumps(result(case, rows), sort_keys=True, default=str)
            sys.stdout.write(f"{json.dumps(case, sort_keys=True)}\t{rows}\t{found}\n")


if __name__ == "__main__":
    main()
