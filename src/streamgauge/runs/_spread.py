"""The runs of one learner under one setting, as mean ± standard deviation: numbers and text."""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np

from streamgauge._support.printable import printed
from streamgauge.rendering.text_table import align
from streamgauge.runs.run import Run
from streamgauge.runs.text import columns_of, labels_text, value_text


class Spread:
    """Mean and standard deviation over the runs of a learner, and of its references."""

    def __init__(self, name: str, runs: Sequence[Run]) -> None:
        self.name, self.runs = name, runs

    @property
    def mean(self) -> dict[str, float]:
        """The mean of each cumulative metric."""
        return _mean([run.overall for run in self.runs])

    @property
    def sd(self) -> dict[str, float]:
        """The standard deviation of each cumulative metric."""
        return _sd([run.overall for run in self.runs])

    @printed
    def __str__(self) -> str:
        note = f"  {self.note()}"
        return "\n".join([self.head(), "", align(self.lines()), note, "", *self.words()])

    def lines(self) -> list[list[str]]:
        """The table of the learner and its references below a header."""
        first = self.runs[0]
        names = columns_of(first)
        rows = {self.name: (self.mean, self.sd)}
        for reference in first.references:
            values = [run.references[reference] for run in self.runs]
            rows[reference] = _mean(values), _sd(values)
        lines = [["", *names]]
        for who, (mean, sd) in rows.items():
            pairs = [[value_text(first, name, each[name]) for each in (mean, sd)] for name in names]
            lines.append([who, *map(" ± ".join, pairs)])
        return lines

    def head(self) -> str:
        """The stream, the labels and the protocol."""
        first = self.runs[0]
        parts = [first.stream.describe(), labels_text(first.settings.labels)]
        return " · ".join([*parts, *([first.settings.protocol] if first.settings.protocol else [])])

    def note(self) -> str:
        """What the runs differ in."""
        return f"mean ± standard deviation over {len(self.runs)} {self._what()}"

    def words(self) -> list[str]:
        """The verdicts, and the warnings that all runs share."""
        first = self.runs[0]
        common = [each for each in first.warnings if all(each in run.warnings for run in self.runs)]
        return [*self._verdicts(), *(f"Warning: {each}" for each in common)]

    def _verdicts(self) -> list[str]:
        """For each reference, in how many runs the learner is better, worse, or neither."""
        words: dict[str, list[str]] = {}
        for run in self.runs:
            for against in run.verdict.against:
                words.setdefault(against.reference, []).append(against.word)
        return [
            f"Against {name}, of {len(self.runs)} {self._what()}: "
            + ", ".join(f"{each.count(word)} {word}" for word in dict.fromkeys(each))
            + "."
            for name, each in words.items()
        ]

    def _what(self) -> str:
        settings = [run.settings for run in self.runs]
        if len({each.model for each in settings} - {None}) == len(settings):
            return "models"
        return "seeds" if len({each.seed for each in settings}) == len(settings) else "runs"


def _mean(values: Sequence[dict[str, float]]) -> dict[str, float]:
    return {name: float(np.mean([each[name] for each in values])) for name in _common(values)}


def _sd(values: Sequence[dict[str, float]]) -> dict[str, float]:
    if len(values) < 2:
        return dict.fromkeys(_common(values), math.nan)
    return {
        name: float(np.std([each[name] for each in values], ddof=1)) for name in _common(values)
    }


def _common(values: Sequence[dict[str, float]]) -> list[str]:
    return [name for name in values[0] if all(name in each for each in values)]
