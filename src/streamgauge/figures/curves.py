"""Curves in panels: plain numbers in, an SVG file out."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Literal

from streamgauge._support.errors import MissingExtra
from streamgauge._support.types import Floats
from streamgauge.figures._labels import literal


@dataclass(frozen=True)
class Panel:
    """One pair of axes.

    Parameters
    ----------
    x
        Positions of the points; all curves share them.
    curves
        Heights of the points by curve name.
    half_widths
        Half the height of the band around a curve, by curve name; NaN draws no band.
    y_label
        Label of the y-axis.
    title
        Title above the panel.
    y_range
        Ends of the y-axis; by default they fit the curves.
    """

    x: Floats
    curves: Mapping[str, Floats]
    half_widths: Mapping[str, Floats] = field(default_factory=dict)
    y_label: str = ""
    title: str = ""
    y_range: tuple[float, float] | None = None


def save_curves(
    path: Path,
    panels: Sequence[Panel],
    *,
    x_label: str,
    layout: Literal["row", "column"] = "column",
    vertical_lines: Sequence[float] = (),
    markers: bool = False,
) -> None:
    """Draw panels and save them as SVG, without a window.

    Parameters
    ----------
    path
        The file to write.
    panels
        What to draw. In a row they share the y-axis, in a column the x-axis and one legend.
    x_label
        Label of the x-axis.
    layout
        "row" or "column".
    vertical_lines
        Positions to mark in every panel.
    markers
        Mark the points of the curves.

    Raises
    ------
    MissingExtra
        If matplotlib is not installed.
    """
    try:
        from matplotlib.backends.backend_svg import FigureCanvasSVG
        from matplotlib.figure import Figure
    except ImportError:
        raise MissingExtra("matplotlib", "plot") from None
    figure = Figure(figsize=(9, 5), layout="constrained")
    FigureCanvasSVG(figure)
    in_row = layout == "row"
    shape = (1, len(panels)) if in_row else (len(panels), 1)
    grid = figure.subplots(*shape, sharey=in_row, sharex=not in_row, squeeze=False)
    for number, (axes, panel) in enumerate(zip(grid.flat, panels, strict=True)):
        _draw(axes, panel, markers)
        for position in vertical_lines:
            axes.axvline(position, color="red", linewidth=0.8)
        if in_row or number == len(panels) - 1:
            axes.set_xlabel(literal(x_label))
        if in_row:
            axes.legend()
        elif number == 0:
            axes.legend(ncols=4, fontsize=7)
    figure.savefig(path)


def _draw(axes: Any, panel: Panel, markers: bool) -> None:
    style = {"marker": "o", "markersize": 3} if markers else {"linewidth": 1}
    for name, y in panel.curves.items():
        (line,) = axes.plot(panel.x, y, label=literal(name), **style)
        if name in panel.half_widths:
            half = panel.half_widths[name]
            axes.fill_between(panel.x, y - half, y + half, color=line.get_color(), alpha=0.2)
    axes.set(ylabel=literal(panel.y_label), title=literal(panel.title))
    if panel.y_range is not None:
        axes.set_ylim(panel.y_range)
