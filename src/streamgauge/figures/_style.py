"""What all figures share: Altair, colours, and a chart that says why there is nothing to draw."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from typing import Any

from streamgauge._support.printable import printable
from streamgauge.figures.captions import TITLE_WIDTH, shortened, shown_lines, wrapped
from streamgauge.figures.colours import colours_of, dashes_of, shades
from streamgauge.figures.saving import require_altair, styled

TEXT = "#444444"

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


def series_encodings(
    learners: Sequence[str],
    references: Sequence[str] = (),
    context: Sequence[str] = (),
    *,
    ordered: bool = False,
) -> dict[str, Any]:
    """Colour and dash by the field `series`, with one legend for both.

    `context`: learners in light grey. `ordered`: learners have an order, and shades in place of
    colours of their own.
    """
    alt = altair()
    names = [*learners, *references]
    colours = series_colours(learners, references, context, ordered=ordered)
    dashes = dashes_of(learners, references, colours)
    colour = alt.Scale(domain=names, range=[colours[name] for name in names])
    dash = alt.Scale(domain=names, range=[dashes[name] for name in names])
    room = legend_room(names)
    legend = alt.Legend(**room) if room else alt.Undefined
    return {
        "color": alt.Color("series:N", scale=colour, title=None, sort=names, legend=legend),
        "strokeDash": alt.StrokeDash("series:N", scale=dash, title=None, sort=names, legend=legend),
    }


def series_colours(
    learners: Sequence[str],
    references: Sequence[str] = (),
    context: Sequence[str] = (),
    *,
    ordered: bool = False,
) -> dict[str, str]:
    """The colour of each series of a figure; see `series_encodings`."""
    chosen = colours_of(learners, references, context)
    if ordered and len(learners) > 2:
        chosen |= dict(zip(learners, shades(len(learners)), strict=True))
    return chosen


def legend_room(names: Iterable[str]) -> dict[str, int]:
    """Options of a legend that has room for the names: long ones stand one below the other."""
    long = max(map(len, names), default=0) > _SHORT_NAME
    return {"columns": 1, "labelLimit": WIDTH} if long else {}


def value_axis(
    field: str, metric: str, percent: bool, values: Iterable[float | None] = (), **scale: Any
) -> Any:
    """The vertical axis of a metric, in per cent if it is a fraction; it has room for `values`."""
    alt = altair()
    known = [value for value in values if value is not None]
    if known:
        scale |= {"domain": list(nice_domain(min(known), max(known), percent)), "nice": False}
    axis = alt.Axis(format="~%") if percent else alt.Axis()
    return alt.Y(f"{field}:Q", title=metric, axis=axis, scale=alt.Scale(zero=False, **scale))


def nice_domain(low: float, high: float, percent: bool = False) -> tuple[float, float]:
    """Round ends of a linear axis on which a constant curve is not a story.

    >>> nice_domain(0.5, 0.5, percent=True), nice_domain(0.31, 0.97)
    ((0.49, 0.51), (0.3, 1.0))
    """
    least = 0.02 if percent else max(0.02 * max(abs(low), abs(high)), 1e-6)
    if high - low < least:
        middle = (low + high) / 2
        low, high = middle - least / 2, middle + least / 2
    step = 10 ** math.floor(math.log10((high - low) / 10))
    ratio = (high - low) / 10 / step
    step *= 10 if ratio >= 50**0.5 else 5 if ratio >= 10**0.5 else 2 if ratio >= 2**0.5 else 1
    ends = math.floor(low / step + 1e-9) * step, math.ceil(high / step - 1e-9) * step
    return float(f"{ends[0]:.12g}"), float(f"{ends[1]:.12g}")


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
    """The chart with its title in a line, its caption in two, and the style of all figures.

    `chart.caption` has every sentence, and the title where it was too long. Its `save` writes pages
    that load nothing from the network.
    """
    alt = altair()
    whole, sentences = printable(title), [printable(each) for each in caption]
    shown = shortened(whole, TITLE_WIDTH)
    heading = alt.TitleParams(
        [shown],
        subtitle=shown_lines(sentences),
        anchor="start",
        fontSize=13,
        subtitleFontSize=11,
        subtitleColor=TEXT,
    )
    told = sentences if shown == whole else [*sentences, whole]
    described = {"description": "\n".join(told)} if told else {}
    return styled(chart.properties(title=heading, **described))


def nothing_to_draw(title: str, why: str) -> Any:
    """A chart that says in words why it is empty."""
    alt = altair()
    lines = wrapped(printable(why), 72)
    data = inline([{"line": i, "why": line} for i, line in enumerate(lines)])
    text = alt.Chart(data).mark_text(color=TEXT, fontSize=12)
    placed = text.encode(y=alt.Y("line:O", axis=None), text="why:N")
    return finished(placed.properties(width=WIDTH, height=20 + 20 * len(lines)), title, ())
