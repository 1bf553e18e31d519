"""Late labels as a figure: scores in both orders, and how long labels of each class take."""

from __future__ import annotations

from itertools import pairwise
from typing import TYPE_CHECKING, Any

import numpy as np
import pyarrow as pa

from streamgauge._support.errors import UsageError, check_integer
from streamgauge._support.printable import printable
from streamgauge._support.types import Floats, Longs
from streamgauge.figures.order_scores import ORDERS, order_scores
from streamgauge.figures.waits import wait_panels
from streamgauge.measures.waits_by_class import waits_by_class
from streamgauge.runs.prediction_codes import prediction_codes

if TYPE_CHECKING:
    from streamgauge.runs.run import Run


def draw_late_labels(run: Run, parts: int) -> Any:
    """The figure that `Run.plot_late_labels` returns."""
    check_integer("parts", parts)
    if parts < 1:
        raise UsageError(f"parts={parts}: expected 1 or more parts of the stream")
    table, classes = run.predictions, run.classes
    rows = table["row"].to_numpy()
    y, given = (prediction_codes(table, name, classes) for name in ("y", "prediction"))
    values = (y == given).astype(np.float64) if classes else np.abs(y - given)
    arrival = np.argsort(rows, kind="stable")
    ends = np.linspace(0, len(rows), min(parts, max(1, len(rows))) + 1).astype(np.int64)
    metric = "accuracy" if classes else "mae"
    frame = _order_frame(ends, values, values[arrival])
    title = f"{printable(run.stream.title)}: {printable(run.title)}, labels {run.settings.labels}"
    waited = (table["revealed_at"].to_numpy() - rows)[arrival]
    codes = y[arrival] if classes else np.zeros(len(rows), np.int32)
    names = classes or ("all rows",)
    found = waits_by_class(rows[arrival], waited, codes, len(names), run.counts.rows)
    spread, along, note = found.frames(names)
    caption = [*_sentences(run), "Below: how many rows arrived before the label came."]
    return order_scores(
        frame, metric, title=title, caption=[*caption, *note],
        below=wait_panels(spread, along, "rows"),
    )  # fmt: skip


def _sentences(run: Run) -> list[str]:
    """What the verdict says about late labels."""
    late = run.late_labels
    if late is None:
        return ["Labels came in the order of the rows, or the rows are too few to compare orders."]
    return list(late.notes(run.classes))


def _order_frame(ends: Longs, *values: Floats) -> pa.Table:
    """The mean of each part, in each order; rows without a prediction in regression left out."""
    rows = ends[1:]
    means = np.concatenate([_means(each, ends) for each in values])
    return pa.table(
        {
            "order": np.repeat(np.array(ORDERS, object), len(rows)),
            "rows": np.tile(rows, len(values)),
            "value": pa.array(means, mask=~np.isfinite(means)),
        }
    )


def _means(values: Floats, ends: Longs) -> Floats:
    parts = [values[start:stop] for start, stop in pairwise(ends)]
    answered = [part[~np.isnan(part)] for part in parts]
    return np.array([part.mean() if len(part) else np.nan for part in answered])
