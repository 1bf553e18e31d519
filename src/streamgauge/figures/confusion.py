"""Confusion in successive parts of the stream, a heat map each."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import pyarrow as pa
import pyarrow.compute as pc

from streamgauge.figures._style import WIDTH, altair, inline
from streamgauge.figures.panels import PanelSize, headed, panels

_BRIGHT = 0.6  # above it a cell is bright, and its number black
_MOST_IN_A_ROW = 2
_LETTER = 6.5  # pixels of a letter in a cell or below one


def confusion(
    frame: pa.Table,
    classes: Sequence[str],
    answers: Sequence[str],
    *,
    title: str,
    caption: Sequence[str] = (),
) -> Any:
    """Draw what each true class was predicted as, in successive parts of the stream.

    Parameters
    ----------
    frame
        Columns `part` (its name), `true`, `predicted`, `rows`, and `share` (of the true class; null
        where the class did not occur).
    classes
        The true classes, from top to bottom.
    answers
        The predicted classes, from left to right.
    title
        Title of the figure.
    caption
        Sentences below the title.

    Returns
    -------
    altair.Chart
        The chart: a panel per part; classes that did not occur stay white.
    """
    defined = frame.filter(pc.is_valid(frame["share"]))
    parts = list(dict.fromkeys(defined["part"].to_pylist()))
    columns = min(_MOST_IN_A_ROW, max(1, len(parts)))
    width = WIDTH if columns == 1 else WIDTH // columns - 45
    size = PanelSize(width, max(60, min(width, 24 * len(classes))))
    rows = defined.to_pylist()
    charts = [
        _panel(
            [row for row in rows if row["part"] == part], classes, answers, size, part == parts[-1]
        )
        for part in parts
    ]
    return panels(charts, title=title, caption=caption, columns=columns, why="no row was scored")


def _panel(
    rows: list[dict[str, Any]],
    classes: Sequence[str],
    answers: Sequence[str],
    size: PanelSize,
    last: bool,
) -> Any:
    alt = altair()
    for row in rows:
        row["ink"] = "black" if row["share"] > _BRIGHT else "white"
    share = size.width / len(answers)
    flat = max(map(len, answers)) * _LETTER <= share
    below = alt.Axis(labelLimit=60, grid=False, labelAngle=0 if flat else -90)
    beside = alt.Axis(labelLimit=60, grid=False)
    cells = alt.Chart(inline(rows)).encode(
        x=alt.X("predicted:N", sort=list(answers), axis=below, scale={"domain": list(answers)}),
        y=alt.Y("true:N", sort=list(classes), axis=beside, scale={"domain": list(classes)}),
        tooltip=[
            "part:N",
            "true:N",
            "predicted:N",
            alt.Tooltip("rows:Q", format=","),
            alt.Tooltip("share:Q", format=".4f"),
        ],
    )
    colours = alt.Scale(scheme="viridis", domain=[0, 1])
    bar = alt.Legend(gradientLength=120, gradientThickness=8, tickCount=3)
    words, legend = "fraction of the true class", bar if last else None
    colour = alt.Color("share:Q", title=words, scale=colours, legend=legend)
    layers = [cells.mark_rect().encode(color=colour)]
    if share >= 3.6 * _LETTER:
        numbers = alt.Text("share:Q", format=".2f")
        ink = alt.Color("ink:N", scale=None)
        layers.append(cells.mark_text(fontSize=11).encode(text=numbers, color=ink))
    return headed(alt.layer(*layers).resolve_scale(color="independent"), rows[0]["part"], size)
