"""All kappas of several learners at one glance: what each is better than, and how steadily."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import pyarrow as pa

from streamgauge._support.printable import printable
from streamgauge.figures._style import WIDTH, finished, nothing_to_draw
from streamgauge.figures.grouped_points import STEP, point_groups

_LOWEST = -2.0  # left end of the axis: further below 0, it does not matter how far


def kappa_family(
    frame: pa.Table,
    meanings: Mapping[str, str],
    *,
    title: str,
    caption: Sequence[str] = (),
) -> Any:
    """Draw a group of points for each kappa, a point for each learner, and a line at 0.

    Parameters
    ----------
    frame
        Columns `series` (the learner), `metric` (the kappa), `value` (over the whole stream), and
        `low` and `high` (a range along the stream); null where undefined.
    meanings
        For each kappa, what it compares with, in a few words.
    title
        Title of the figure.
    caption
        Sentences below the title.

    Returns
    -------
    altair.Chart
        The chart.
    """
    rows = [row | {"series": printable(row["series"])} for row in frame.to_pylist()]
    drawn = [row for row in rows if row["value"] is not None]
    if not drawn:
        return nothing_to_draw(title, "Every kappa is undefined on these rows.")
    names = list(dict.fromkeys(row["series"] for row in rows))
    labels = {metric: f"{metric}: {meaning}" for metric, meaning in meanings.items()}
    if holes := [f"{row['metric']} of {row['series']}" for row in rows if row["value"] is None]:
        caption = [*caption, f"Undefined: {', '.join(holes)}."]
    ends = [row[key] for row in drawn for key in ("value", "low", "high") if row[key] is not None]
    low = max(_LOWEST, min(0.0, *ends))
    if beyond := [row for row in drawn if row["value"] < low]:
        far = ", ".join(f"{row['series']} {row['metric']} {row['value']:.2f}" for row in beyond)
        caption = [*caption, f"Further to the left than the axis: {far}."]
    for row in drawn:
        row["metric"] = labels[row["metric"]]
        row["shown"] = max(row["value"], low)
        row["low"], row["high"] = (
            None if end is None else max(end, low) for end in (row["low"], row["high"])
        )

    height = (STEP * len(names) + 10) * len({row["metric"] for row in drawn})
    domain = (low, max(0.0, *ends))
    layers = point_groups(drawn, "kappa", domain, group="metric", series=names, line=0)
    whole = layers.properties(width=WIDTH - 200, height=height)
    return finished(whole, title, caption)
