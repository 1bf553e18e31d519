"""What a paper consists of: parts (tables, figures), and what each of them shows."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Any, NamedTuple

from streamgauge._support.errors import UsageError, did_you_mean
from streamgauge.papers.claim import PaperClaim
from streamgauge.papers.study import PaperStudy
from streamgauge.rendering.sheet import Sheet


class PaperTable(NamedTuple):
    """A table, ours beside the printed one."""

    caption: str
    sheet: Sheet


class PaperFigure(NamedTuple):
    """A figure of the paper, drawn when it is asked for."""

    name: str  # of its file, without an ending: "figure3" or "figure9-led"
    draw: Callable[[], Any]  # → an Altair chart


@dataclass
class PaperSection:
    """What we show of one part of a paper."""

    tables: list[PaperTable] = field(default_factory=list)
    figures: list[PaperFigure] = field(default_factory=list)
    claims: list[PaperClaim] = field(default_factory=list)
    notes: list[str] = field(default_factory=list)


class PaperPart(NamedTuple):
    """A table, a figure or a piece of text of a paper that can be run on its own."""

    name: str  # what `--only` takes: "table2", "figure3", "text"
    title: str
    show: Callable[[PaperStudy], PaperSection]


class Paper(NamedTuple):
    """A paper that can be run again."""

    key: str  # of the bibliography, and the name of its folder
    title: str
    about: str  # settings that all parts share, and what is not as in the paper
    parts: Sequence[PaperPart]

    def choose(self, only: Sequence[str]) -> list[PaperPart]:
        """The parts of these names, in the paper's order; no name means all."""
        names = [part.name for part in self.parts]
        for name in only:
            if name not in names:
                raise UsageError(
                    f"only={name!r}: {self.key} has no such part{did_you_mean(name, names)}; "
                    f"expected {', '.join(names)}"
                )
        return [part for part in self.parts if not only or part.name in only]
