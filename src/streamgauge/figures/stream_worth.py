"""What a stream is worth: what the best learner adds to past labels alone, a bar per stream."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import pyarrow as pa

from streamgauge._support.printable import printable
from streamgauge.figures._style import (
    TEXT,
    altair,
    finished,
    inline,
    nothing_to_draw,
    value_tooltip,
)
from streamgauge.figures.captions import wrapped
from streamgauge.figures.colours import GREY

FRAME = pa.schema(
    [(name, pa.string()) for name in ("stream", "learner", "reference")]
    + [(name, pa.float64()) for name in ("score", "reference_score")]
    + [(name, pa.string()) for name in ("word", "mark", "margin")]
)
BETTER, WORSE = "#0072B2", "#D55E00"
_PAST = "#cccccc"
_STEP, _BAR = 38, 13  # pixels of a stream, and of its bar, which is below its names
_WIDTH = 300  # pixels: with the margins, 11-pixel text has 7 points at column width
_ROOM = 90  # pixels for the margins
_LETTERS = 5.6  # pixels of a letter
_CAPTION = (
    "Grey: past labels alone, to the best reference (tick). Blue: what the best learner adds; "
    "orange: what it loses; dashed: undecided."
)


def stream_worth(
    frame: pa.Table,
    x_title: str = "accuracy",
    *,
    title: str,
    caption: Sequence[str] = (),
    width: int = _WIDTH,
) -> Any:
    """Draw what past labels alone give on each stream, and what the best learner adds or loses.

    Parameters
    ----------
    frame
        Columns `stream`, `learner` and `reference` (the best on that stream), `score` and
        `reference_score` (fractions), `word` (the verdict: only better and worse have a colour),
        its `mark`, and `margin` (the difference as text): the schema `FRAME`.
    x_title
        What the scores are, for the axis.
    title
        Title of the figure.
    caption
        Sentences below the title, after those that say what the colours are.
    width
        Width of a bar of 100 %, in pixels.

    Returns
    -------
    altair.Chart
        The chart: the stream with the largest gain first.
    """
    alt = altair()
    ordered = sorted(frame.to_pylist(), key=lambda row: row["reference_score"] - row["score"])
    if not ordered:
        return nothing_to_draw(title, "no stream has both a learner and a reference with a score")
    rows = [_row(row, place, width) for place, row in enumerate(ordered)]
    height = _STEP * len(rows)
    y = {"scale": alt.Scale(domain=[height, 0], nice=False, zero=False), "axis": None}
    axis = alt.Axis(format="~%", tickCount=5, grid=False)
    x = {"title": x_title, "scale": alt.Scale(domain=[0, 1]), "axis": axis}
    tooltip = [
        "stream:N", "learner:N", value_tooltip("score", True), "reference:N",
        value_tooltip("reference_score", True), "margin:N", "word:N",
    ]  # fmt: skip
    base = alt.Chart(inline(rows)).encode(tooltip=tooltip)
    bars = base.encode(y=alt.Y("top:Q", **y), y2="bottom:Q")
    past = bars.mark_rect(color=_PAST).encode(x=alt.X("zero:Q", **x), x2="sure:Q")
    sides = base.transform_filter("datum.colour").encode(y=alt.Y("top:Q", **y), y2="bottom:Q")
    drawn = sides.mark_rect().encode(
        x=alt.X("sure:Q", **x), x2="most:Q", color=alt.Color("colour:N", scale=None)
    )
    undecided = bars.transform_filter("!datum.colour").mark_rect(
        fill=None, stroke=GREY, strokeDash=[3, 2], strokeWidth=1
    )
    undecided = undecided.encode(x=alt.X("sure:Q", **x), x2="most:Q")
    best = base.mark_rule(color="black", strokeWidth=2.5).encode(
        x=alt.X("reference_score:Q", **x), y=alt.Y("above:Q", **y), y2="below:Q"
    )
    text = base.encode(y=alt.Y("line:Q", **y))
    start, end = alt.X(datum=0, **x), alt.X(datum=1, **x)
    names = text.mark_text(align="left", fontSize=11, fontWeight="bold", color=TEXT)
    sides_text = text.mark_text(align="right", fontSize=11, color=TEXT)
    margins = base.encode(x=end, y=alt.Y("middle:Q", **y), color=alt.Color("ink:N", scale=None))
    bold = {"align": "left", "fontSize": 11, "fontWeight": "bold"}
    layers = [
        past, drawn, undecided, best,
        names.encode(x=start, text="name:N"),
        sides_text.encode(x=end, text="sides:N"),
        margins.mark_text(dx=7, **bold).encode(text="mark:N"),
        margins.mark_text(dx=20, **bold).encode(text="margin:N"),
    ]  # fmt: skip
    chart = finished(
        alt.layer(*layers).properties(width=width, height=height), title, [_CAPTION, *caption]
    )
    room = width + _ROOM
    chart.title.text = wrapped(printable(title), int(room / 6.8))
    sentences = [_CAPTION, *caption]
    chart.title.subtitle = [
        line for each in sentences for line in wrapped(printable(each), int(room / 5.3))
    ]
    return chart


def _row(row: dict[str, Any], place: int, width: int) -> dict[str, Any]:
    """A stream with the places of its bar and its texts; long names are cut to fit."""
    colour = {"better": BETTER, "worse": WORSE}.get(row["word"])
    ends = sorted((row["score"], row["reference_score"]))
    top = place * _STEP + 20
    sides = f"{printable(row['learner'])} vs {printable(row['reference'])}"
    letters = int(width / _LETTERS)
    name = _cut(printable(row["stream"]), max(12, letters - len(sides) - 2))
    return row | {
        "zero": 0.0, "sure": ends[0], "most": ends[1], "colour": colour,
        "ink": colour or TEXT, "name": name, "sides": _cut(sides, letters - len(name) - 2),
        "line": top - 8, "top": top, "bottom": top + _BAR, "middle": top + _BAR / 2 + 1,
        "above": top - 2, "below": top + _BAR + 2,
    }  # fmt: skip


def _cut(text: str, letters: int) -> str:
    return text if len(text) <= letters else f"{text[: letters - 1]}…"
