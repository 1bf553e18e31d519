"""Rankings within several label policies or changes of the streams."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

import numpy as np
import pyarrow as pa

from streamgauge._support.errors import UsageError
from streamgauge._support.printable import printable, printed
from streamgauge.figures.saving import stacked
from streamgauge.ranking._answer import show_answers
from streamgauge.ranking.ranking import Ranking
from streamgauge.rendering.frames import frame_of
from streamgauge.rendering.html import page_part
from streamgauge.rendering.words import join_words


class Rankings(Mapping[str, Ranking]):
    """Rankings of the same learners, one within each label policy or change of the streams.

    One stream under several label policies, or injected and not, would not give independent rows of
    one ranking.

    Parameters
    ----------
    rankings
        The rankings by label policy or change.
    left_out
        Label policies or changes with fewer than two streams or learners.

    Examples
    --------
    >>> import streamgauge as sg
    >>> scores = {
    ...     "stream": ["SEA", "Sine1", "SEA", "Sine1"],
    ...     "labels": ["Immediate()", "Immediate()", "Delay(100)", "Delay(100)"],
    ...     "A": [0.9, 0.8, 0.5, 0.4],
    ...     "B": [0.8, 0.7, 0.6, 0.5],
    ... }
    >>> rankings = sg.rank(scores)
    >>> {labels: ranking.average_ranks for labels, ranking in rankings.items()}
    {'Immediate()': {'A': 1.0, 'B': 2.0}, 'Delay(100)': {'B': 1.0, 'A': 2.0}}
    """

    def __init__(self, rankings: Mapping[str, Ranking], left_out: tuple[str, ...] = ()) -> None:
        self.rankings, self.left_out = dict(rankings), left_out

    def __getitem__(self, variant: str) -> Ranking:
        """The ranking within a label policy or change."""
        if variant not in self.rankings:
            raise UsageError(f"{variant!r}: expected one of {', '.join(self.rankings)}")
        return self.rankings[variant]

    def __len__(self) -> int:
        return len(self.rankings)

    def __iter__(self) -> Iterator[str]:
        return iter(self.rankings)

    def plot(self) -> Any:
        """Draw the critical-difference diagrams one below the other: an Altair chart."""
        return stacked(ranking.plot() for ranking in self.rankings.values())

    def to_frame(self, what: str = "learners", kind: str | None = None) -> Any:
        """The frames of all rankings, stacked; the column `variant` tells them apart."""
        tables = []
        for variant, ranking in self.rankings.items():
            table = ranking.to_frame(what, "arrow")
            tables.append(table.add_column(0, "variant", pa.array(np.repeat(variant, len(table)))))
        return frame_of(pa.concat_tables(tables, promote_options="default"), kind)

    def to_dict(self) -> list[dict[str, Any]]:
        """A list of plain values, as `--json` writes it."""
        return [ranking.to_dict() for ranking in self.rankings.values()]

    def to_latex(self, *, caption: str | None = None, label: str = "tab:ranking") -> str:
        """A LaTeX table per ranking; their labels are numbered."""
        several = enumerate(self.rankings.values(), 1)
        return "\n\n".join(
            ranking.to_latex(caption=caption, label=f"{label}-{i}") for i, ranking in several
        )

    @property
    def details(self) -> str:
        """Everything there is to say of the rankings, as text; printing shows the answer only."""
        head = (
            f"Ranked within each of {join_words(list(self.rankings))}: the same streams under "
            "several of them are not independent, so they are not pooled."
        )
        if self.left_out:
            head += f" Left out, with fewer than two streams: {join_words(self.left_out)}."
        texts = [ranking.details for ranking in self.rankings.values()]
        return "\n\n\n".join([printable(head), *texts])

    @printed
    def __str__(self) -> str:
        return show_answers(self.rankings, self.left_out)

    __repr__ = __str__

    def _repr_html_(self) -> str:
        return page_part(*(ranking._repr_html_() for ranking in self.rankings.values()))
