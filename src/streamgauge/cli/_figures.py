"""Saves what --plot and `streamgauge plot` draw."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

from streamgauge.cli._terminal import echo
from streamgauge.cli._write_errors import write_errors


def check_figure(path: Path | None) -> None:
    """Refuse a file that no figure can be saved as, before the work begins."""
    if path is not None:
        from streamgauge.figures.saving import check_path, require_altair

        check_path(path)
        require_altair()


def save_figure(draw: Callable[[], Any], path: Path | None, option: str = "--plot") -> None:
    """Draw a figure and save it, if a path is given; say where it is."""
    if path is None:
        return
    chart = draw()
    with write_errors("the figure", option):
        path.parent.mkdir(parents=True, exist_ok=True)
        chart.save(path)
    echo(f"\nFigure saved to {path}")
