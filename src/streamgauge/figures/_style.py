"""What all figures share: Altair, colours, and a chart that says why there is nothing to draw."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Sequence
from typing import Any

from streamgauge._support.errors import MissingExtra

# Okabe and Ito's colours, which colour-blind people can tell apart; black is for text.
_COLOURS = ("#0072B2", "#D55E00", "#009E73", "#CC79A7", "#E69F00", "#56B4E9")
_GREY = "#7f7f7f"
_SOLID = [1, 0]
_DASHES = ([6, 3], [2, 2], [8, 3, 2, 3], [4, 2])  # of references, in order

WIDTH, HEIGHT = 480, 220  # pixels: readable in print at column width


def altair() -> Any:
    """The module altair, if it and its converter to pictures are installed."""
    try:
        import altair as alt
        import vl_convert as _  # noqa: F401 - saves .pdf, .svg and .png
    except ImportError:
        raise MissingExtra("Altair with vl-convert", "plot") from None
    return alt


def colours_of(learners: Iterable[str], references: Sequence[str] = ()) -> dict[str, str]:
    """A colour for each name: a learner has the same one in every figure, references are grey.

    Two learners of one figure never share a colour as long as there are enough of them.
    """
    chosen: dict[str, str] = {}
    names = sorted(set(learners))
    for name in names:
        start = int(hashlib.sha256(name.encode()).hexdigest(), 16)
        order = [_COLOURS[(start + i) % len(_COLOURS)] for i in range(len(_COLOURS))]
        free = [colour for colour in order if colour not in chosen.values()]
        chosen[name] = (free or order)[0]
    return chosen | dict.fromkeys(references, _GREY)


def dashes_of(learners: Iterable[str], references: Sequence[str] = ()) -> dict[str, list[int]]:
    """Solid lines for learners; references are dashed, each in its own way."""
    dashed = {name: _DASHES[i % len(_DASHES)] for i, name in enumerate(references)}
    return dict.fromkeys(learners, _SOLID) | dashed


def series_encodings(learners: Sequence[str], references: Sequence[str]) -> dict[str, Any]:
    """Colour and dash by the field `series`, with one legend for both."""
    alt = altair()
    names = [*learners, *references]
    colours, dashes = colours_of(learners, references), dashes_of(learners, references)
    colour = alt.Scale(domain=names, range=[colours[name] for name in names])
    dash = alt.Scale(domain=names, range=[dashes[name] for name in names])
    return {
        "color": alt.Color("series:N", scale=colour, title=None, sort=names),
        "strokeDash": alt.StrokeDash("series:N", scale=dash, title=None, sort=names),
    }


def finished(chart: Any, title: str, caption: Sequence[str]) -> Any:
    """The chart with its title, its caption in sentences, and the fonts and sizes of all figures."""
    alt = altair()
    heading = alt.TitleParams(
        title, subtitle=[line for each in caption for line in _lines(each)], anchor="start", fontSize=13, subtitleFontSize=11,
        subtitleColor="#444444",
    )  # fmt: skip
    return (
        chart.properties(title=heading)
        .configure_view(strokeWidth=0)
        .configure_axis(labelFontSize=11, titleFontSize=11, titleFontWeight="normal", grid=True)
        .configure_legend(
            labelFontSize=11, orient="bottom", columns=3, labelLimit=220, symbolSize=300
        )
    )


def nothing_to_draw(title: str, why: str) -> Any:
    """A chart that says in words why it is empty."""
    alt = altair()
    text = alt.Chart(alt.InlineData(values=[{"why": why}])).mark_text(color="#444444", fontSize=12)
    return finished(text.encode(text="why:N").properties(width=WIDTH, height=60), title, ())


def _lines(text: str, width: int = 84) -> list[str]:
    """The text in lines that fit the width of a figure."""
    lines, line = [], ""
    for word in text.split():
        if line and len(line) + 1 + len(word) > width:
            lines.append(line)
            line = word
        else:
            line = f"{line} {word}".strip()
    return [*lines, line] if line else lines
