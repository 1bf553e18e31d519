"""What all figures share: Altair, colours, and a chart that says why there is nothing to draw."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Sequence
from typing import Any

from streamgauge._support.printable import printable
from streamgauge.figures.saving import require_altair, styled

# Okabe and Ito's colours, which colour-blind people can tell apart; black is for text.
_COLOURS = ("#0072B2", "#D55E00", "#009E73", "#CC79A7", "#E69F00", "#56B4E9")
GREY = "#7f7f7f"
TEXT = "#444444"
_SOLID = [1, 0]
_DASHES = ([7, 3], [2, 2], [9, 3, 2, 3], [1, 4])  # of references, in order

ROWS_AXIS = "scored rows"  # the name of the x axis along a stream
WIDTH, HEIGHT = 480, 220  # pixels: readable in print at column width
_SHORT_NAME = 36  # characters that the label of a legend has room for, where three stand in a row


def altair() -> Any:
    """The module altair, if it and its converter to pictures are installed."""
    require_altair()
    import altair as alt

    return alt


def inline(rows: list[dict[str, Any]]) -> Any:
    """The rows as the data of a chart, without Altair's check of every value, which is slow."""
    data = altair().InlineData(values=[])
    data.values = rows
    return data


def colours_of(learners: Iterable[str], references: Sequence[str] = ()) -> dict[str, str]:
    """A colour for each name: a learner has the same one in every figure, references are grey.

    Two learners of one figure never share a colour as long as there are enough of them.
    """
    chosen: dict[str, str] = {}
    for name in sorted(set(learners)):
        start = int(hashlib.sha256(name.encode()).hexdigest(), 16)
        order = [_COLOURS[(start + i) % len(_COLOURS)] for i in range(len(_COLOURS))]
        used = list(chosen.values())
        chosen[name] = min(order, key=used.count)  # the first of those used least
    return chosen | dict.fromkeys(references, GREY)


def dashes_of(learners: Iterable[str], references: Sequence[str] = ()) -> dict[str, list[int]]:
    """Solid lines for learners, dashed where a colour repeats; references are dashed."""
    colours = colours_of(learners)
    earlier: list[str] = []
    dashed: dict[str, list[int]] = {}
    for name, colour in colours.items():
        again = earlier.count(colour)
        dashed[name] = _DASHES[(again - 1) % len(_DASHES)] if again else _SOLID
        earlier.append(colour)
    return dashed | {name: _DASHES[i % len(_DASHES)] for i, name in enumerate(references)}


def series_encodings(learners: Sequence[str], references: Sequence[str] = ()) -> dict[str, Any]:
    """Colour and dash by the field `series`, with one legend for both."""
    alt = altair()
    names = [*learners, *references]
    colours, dashes = colours_of(learners, references), dashes_of(learners, references)
    colour = alt.Scale(domain=names, range=[colours[name] for name in names])
    dash = alt.Scale(domain=names, range=[dashes[name] for name in names])
    room = legend_room(names)
    legend = alt.Legend(**room) if room else alt.Undefined
    return {
        "color": alt.Color("series:N", scale=colour, title=None, sort=names, legend=legend),
        "strokeDash": alt.StrokeDash("series:N", scale=dash, title=None, sort=names, legend=legend),
    }


def legend_room(names: Iterable[str]) -> dict[str, int]:
    """Options of a legend that has room for the names: long ones stand one below the other."""
    long = max(map(len, names), default=0) > _SHORT_NAME
    return {"columns": 1, "labelLimit": WIDTH} if long else {}


def value_axis(field: str, metric: str, percent: bool, **scale: Any) -> Any:
    """The vertical axis of a metric, in per cent if it is a fraction."""
    alt = altair()
    axis = alt.Axis(format="~%") if percent else alt.Axis()
    return alt.Y(f"{field}:Q", title=metric, axis=axis, scale=alt.Scale(zero=False, **scale))


def value_format(percent: bool, digits: int = 4) -> str:
    """How a value of a metric is written in a figure, with this number of digits."""
    return f".{digits - 2}%" if percent else f".{digits}f"


def value_legend(percent: bool) -> Any:
    """The legend of a metric that is shown in colours."""
    alt = altair()
    shown = {"format": "~%"} if percent else {}
    return alt.Legend(gradientLength=200, gradientThickness=10, **shown)


def value_tooltip(field: str, percent: bool) -> Any:
    """A value of a metric, shown when the pointer is over it."""
    return altair().Tooltip(f"{field}:Q", format=value_format(percent))


def series_colour(learners: Sequence[str], references: Sequence[str] = ()) -> Any:
    """Colour by the field `series`, for points, bars and bands."""
    return series_encodings(learners, references)["color"]


def finished(chart: Any, title: str, caption: Sequence[str]) -> Any:
    """The chart with its title, its caption in sentences, and the style of all figures.

    Its `save` writes pages that load nothing from the network.
    """
    alt = altair()
    heading = alt.TitleParams(
        caption_lines(printable(title), 68),
        subtitle=[line for each in caption for line in caption_lines(printable(each))],
        anchor="start",
        fontSize=13,
        subtitleFontSize=11,
        subtitleColor=TEXT,
    )
    return styled(chart.properties(title=heading))


def nothing_to_draw(title: str, why: str) -> Any:
    """A chart that says in words why it is empty."""
    alt = altair()
    lines = caption_lines(printable(why), 72)
    data = inline([{"line": i, "why": line} for i, line in enumerate(lines)])
    text = alt.Chart(data).mark_text(color=TEXT, fontSize=12)
    placed = text.encode(y=alt.Y("line:O", axis=None), text="why:N")
    return finished(placed.properties(width=WIDTH, height=20 + 20 * len(lines)), title, ())


def caption_lines(text: str, width: int = 84) -> list[str]:
    """The text in lines that fit the width of a figure."""
    lines, line = [], ""
    for word in text.split():
        if line and len(line) + 1 + len(word) > width:
            lines.append(line)
            line = word
        else:
            line = f"{line} {word}".strip()
    return [*lines, line] if line else lines
