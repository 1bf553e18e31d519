"""Figures of a report as files in a folder beside it."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from streamgauge._support.errors import StreamgaugeError
from streamgauge._support.inside import Inside, LinkError
from streamgauge.papers.paper import PaperFigure, PaperSection


def save_figures(
    section: PaperSection, path: Path, kind: str
) -> Iterator[tuple[PaperFigure, str, str]]:
    """Save the figures of a section; yields each with its file from `path`, or why it has none."""
    folder = Inside.of(path.with_suffix(""))
    for figure in section.figures:
        file = f"{figure.name}.{kind}"
        try:
            with folder.make().scratch(".writing-") as aside:
                figure.draw().save(aside.path / file)
                (aside / file).replace(folder / file)
            yield figure, f"{folder.name}/{file}", ""
        except LinkError:
            raise
        except StreamgaugeError as error:
            yield figure, "", f"{figure.name} was not drawn: {error}"
