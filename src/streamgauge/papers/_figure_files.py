"""Figures of a report as files in a folder beside it."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from streamgauge._support.errors import StreamgaugeError
from streamgauge.papers.paper import Figure, Section


def save_figures(section: Section, path: Path, kind: str) -> Iterator[tuple[Figure, str, str]]:
    """Save the figures of a section; yields each with its file from `path`, or why it has none."""
    folder = path.with_suffix("")
    for figure in section.figures:
        try:
            folder.mkdir(parents=True, exist_ok=True)
            figure.draw().save(folder / f"{figure.name}.{kind}")
            yield figure, f"{folder.name}/{figure.name}.{kind}", ""
        except StreamgaugeError as error:
            yield figure, "", f"{figure.name} was not drawn: {error}"
