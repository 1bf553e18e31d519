"""Critical-difference diagram: average ranks on an axis, bars join groups that do not differ."""

from __future__ import annotations

import html
import math
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import NamedTuple

from streamgauge._support.errors import MissingExtra
from streamgauge._support.printable import printable
from streamgauge.figures._labels import literal

_INK, _PALE, _BAR = "#222222", "#888888", "#c0392b"
_FONT = 13  # pixels
_LETTER = 0.62 * _FONT  # average width of a letter
_AXIS = 72  # distance from the top
_SPAN = 420  # length of the axis
_STEP = 22  # between two names
_BAR_STEP = 9  # between two bars


class Line(NamedTuple):
    """A line between two points."""

    x1: float
    y1: float
    x2: float
    y2: float
    width: float = 1.2
    colour: str = _INK


class Text(NamedTuple):
    """A text whose baseline starts, ends or is centred at a point."""

    x: float
    y: float
    text: str
    anchor: str = "middle"  # start, middle, end
    colour: str = _INK


class Diagram(NamedTuple):
    """Lines and texts on a white canvas, in pixels from the top left."""

    width: float
    height: float
    lines: list[Line]
    texts: list[Text]

    def to_svg(self) -> str:
        """Format as a complete SVG document."""
        size = f'width="{self.width:.0f}" height="{self.height:.0f}"'
        parts = [
            f'<svg xmlns="http://www.w3.org/2000/svg" {size} '
            f'viewBox="0 0 {self.width:.0f} {self.height:.0f}" '
            f'font-family="Helvetica, Arial, sans-serif" font-size="{_FONT}">',
            '<rect width="100%" height="100%" fill="white"/>',
        ]
        parts += [
            f'<line x1="{x1:.1f}" y1="{y1:.1f}" x2="{x2:.1f}" y2="{y2:.1f}" stroke="{colour}" '
            f'stroke-width="{width}" stroke-linecap="round"/>'
            for x1, y1, x2, y2, width, colour in self.lines
        ]
        parts += [
            f'<text x="{x:.1f}" y="{y:.1f}" text-anchor="{anchor}" fill="{colour}">'
            f"{html.escape(printable(text))}</text>"
            for x, y, text, anchor, colour in self.texts
        ]
        return "\n".join([*parts, "</svg>"]) + "\n"

    def save_png(self, path: Path) -> None:
        """Draw with matplotlib, without a window."""
        try:
            from matplotlib.backends.backend_agg import FigureCanvasAgg
            from matplotlib.figure import Figure
        except ImportError:
            raise MissingExtra("matplotlib", "plot") from None
        figure = Figure(figsize=(self.width / 100, self.height / 100), facecolor="white")
        FigureCanvasAgg(figure)
        axes = figure.add_axes((0, 0, 1, 1))
        axes.set(xlim=(0, self.width), ylim=(self.height, 0))
        axes.axis("off")
        for x1, y1, x2, y2, width, colour in self.lines:
            axes.plot(
                [x1, x2], [y1, y2], color=colour, linewidth=width * 0.72, solid_capstyle="round"
            )
        alignment = {"start": "left", "middle": "center", "end": "right"}
        for x, y, text, anchor, colour in self.texts:
            axes.text(
                x, y, literal(text), color=colour, fontsize=_FONT * 0.72,
                horizontalalignment=alignment[anchor], verticalalignment="baseline",
            )  # fmt: skip
        figure.savefig(path, dpi=200)


def draw(
    average_ranks: Mapping[str, float],
    critical_difference: float,
    groups: Sequence[Sequence[str]],
) -> Diagram:
    """Draw the better half of the names on the left, the others on the right.

    Parameters
    ----------
    average_ranks
        Average rank by name, best first.
    critical_difference
        Length of the scale above the axis.
    groups
        Names that do not differ significantly; a bar joins each group.
    """
    names, k = list(average_ranks), len(average_ranks)
    left = math.ceil(k / 2)
    margin, right = (
        (max(map(len, side)) + 6) * _LETTER + 24 for side in (names[:left], names[left:])
    )
    unit = _SPAN / (k - 1)

    def at(rank: float) -> float:
        return margin + (rank - 1) * unit

    lines = [Line(at(1), _AXIS, at(k), _AXIS)]
    texts = []
    for rank in range(1, k + 1):
        lines.append(Line(at(rank), _AXIS - 7, at(rank), _AXIS))
        texts.append(Text(at(rank), _AXIS - 12, str(rank), colour=_PALE))
    _add_scale(critical_difference, at(1), at(k), unit, lines, texts)
    below = _AXIS + 14
    for i, group in enumerate(groups):
        y = below + i * _BAR_STEP
        ends = [average_ranks[name] for name in group]
        lines.append(Line(at(min(ends)) - 4, y, at(max(ends)) + 4, y, 4, _BAR))
    below += len(groups) * _BAR_STEP + 10
    for i, name in enumerate(names):
        on_left = i < left
        y = below + (i if on_left else k - 1 - i) * _STEP
        end = margin - 12 if on_left else margin + _SPAN + 12
        average = average_ranks[name]
        lines.append(Line(at(average), _AXIS, at(average), y))
        lines.append(Line(at(average), y, end, y))
        texts.append(
            Text(end - 6, y + 4, f"{name}  {average:.2f}", "end")
            if on_left
            else Text(end + 6, y + 4, f"{average:.2f}  {name}", "start")
        )
    return Diagram(margin + _SPAN + right, below + left * _STEP, lines, texts)


def _add_scale(
    difference: float, start: float, end: float, unit: float, lines: list[Line], texts: list[Text]
) -> None:
    """Add the critical difference as a length above the axis, cut off at the axis's end."""
    stop = min(start + difference * unit, end)
    longer = " (longer than the axis)" if start + difference * unit > end else ""
    y = _AXIS - 38
    lines += [Line(start, y, stop, y, 2), Line(start, y - 4, start, y + 4)]
    if not longer:
        lines.append(Line(stop, y - 4, stop, y + 4))
    texts.append(Text((start + stop) / 2, y - 10, f"CD = {difference:.2f}{longer}"))
