"""Confusion of a run in successive parts of the stream, as a figure."""

from __future__ import annotations

from itertools import pairwise
from typing import TYPE_CHECKING, Any

import numpy as np
import pyarrow as pa

from streamgauge._support.errors import UsageError, check_integer
from streamgauge._support.printable import printable
from streamgauge._support.types import Codes, Longs
from streamgauge.figures.confusion import confusion
from streamgauge.measures.sums import divide
from streamgauge.rendering.words import unique_names
from streamgauge.runs.prediction_codes import prediction_codes

if TYPE_CHECKING:
    from streamgauge.runs.run import Run

_MOST_CLASSES = 10
_MOST_PARTS = 40


def draw_confusion(run: Run, parts: int) -> Any:
    """The figure that `Run.plot_confusion` returns."""
    check_integer("parts", parts)
    if not 1 <= parts <= _MOST_PARTS:
        raise UsageError(f"parts={parts}: expected 1 to {_MOST_PARTS} parts of the stream")
    if run.confusion is None:
        raise UsageError(
            "plot_confusion: a regression run has no classes; its errors: run.plot('mae')"
        )
    shown = np.sort(np.argsort(-run.confusion.sum(axis=1), kind="stable")[:_MOST_CLASSES])
    k, scored = len(run.classes), int(run.confusion.sum())
    if parts == 1:  # known without the predictions
        edges, tables = np.array([0, scored]), [_folded(run.confusion, shown)]
    else:
        table = run.predictions
        y, given = (prediction_codes(table, name, run.classes) for name in ("y", "prediction"))
        edges = np.linspace(0, len(y), min(parts, max(1, len(y))) + 1).astype(np.int64)
        tables = [_count(y[a:b], given[a:b], shown, k) for a, b in pairwise(edges)]
    names = [printable(str(run.classes[i])) for i in shown]
    *classes, other, none = unique_names([*names, "other", "none"])
    met = np.sum(tables, axis=(0, 1)) > 0
    answers = classes + [name for name, i in ((other, -2), (none, -1)) if met[i]]
    caption = [
        f"Of {printable(run.title)}; in order of the labels. White: the class did not occur."
    ]
    if none in answers:
        caption.append(f"{none}: no prediction.")
    if k > len(shown):
        caption.append(f"The {len(shown)} most frequent of {k:,} classes.")
    frame = _frame(edges, tables, (*classes, other, none), answers)
    title = f"{printable(run.stream.title)}: what each class was predicted as"
    return confusion(frame, classes, answers, title=title, caption=caption)


def _folded(table: Longs, shown: Longs) -> Longs:
    """Only the classes shown; predictions of the others count together, abstentions last."""
    rows = table[shown]
    kept = rows[:, shown]
    none = rows[:, -1]
    return np.column_stack([kept, rows.sum(axis=1) - kept.sum(axis=1) - none, none])


def _count(y: Codes, given: Codes, shown: Longs, k: int) -> Longs:
    """The confusion of some rows, as `_folded` has it, without a table of all classes."""
    n = len(shown)
    place = np.full(k + 1, n)  # those not shown
    place[shown] = np.arange(n)
    place[-1] = n + 1  # code -1: an abstention
    true, predicted = place[y], place[given]
    kept = true < n
    counts = np.bincount(true[kept] * (n + 2) + predicted[kept], minlength=n * (n + 2))
    return counts.reshape(n, n + 2)


def _frame(
    edges: Longs, tables: list[Longs], names: tuple[str, ...], answers: list[str]
) -> pa.Table:
    parts, n = list(pairwise(edges.tolist())), len(tables[0]) if tables else 0
    kept = [names.index(each) for each in answers]
    counts = np.array(tables).reshape(-1, n, len(names))
    share = divide(counts.astype(np.float64), counts.sum(axis=2, keepdims=True))
    values = share[:, :, kept].ravel()
    return pa.table(
        {
            "part": [f"rows {a + 1:,} to {b:,}" for a, b in parts for _ in range(n * len(kept))],
            "true": [t for _ in parts for t in names[:n] for _ in kept],
            "predicted": answers * (n * len(parts)),
            "rows": counts[:, :, kept].ravel(),
            "share": pa.array(values, mask=np.isnan(values)),
        }
    )
