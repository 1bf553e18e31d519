"""`Folds`: the runs of a cross-validation, with mean and standard deviation over its models."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import numpy as np

from streamgauge._support.printable import printed
from streamgauge.rendering.html import notebook_html
from streamgauge.rendering.plain_values import plain
from streamgauge.rendering.sheet import sheet_of
from streamgauge.rendering.text_table import align
from streamgauge.runs.run import Run
from streamgauge.runs.text import columns_of, value_text


class Folds(Sequence[Run]):
    """The models of one learner, a run each; `folds.mean["kappa"]`, `folds.sd["kappa"]`."""

    def __init__(self, runs: Sequence[Run]) -> None:
        self.runs = tuple(runs)
        self.name = runs[0].name.rpartition(" [")[0]

    def __getitem__(self, number: Any) -> Any:
        return self.runs[number]

    def __len__(self) -> int:
        return len(self.runs)

    def __iter__(self) -> Iterator[Run]:
        return iter(self.runs)

    @property
    def mean(self) -> dict[str, float]:
        """The mean of each cumulative metric; NaN if it is undefined for a model."""
        return _over([run.overall for run in self.runs], np.mean)

    @property
    def sd(self) -> dict[str, float]:
        """The standard deviation between models."""
        return _over([run.overall for run in self.runs], _deviation)

    def reference(self, name: str) -> tuple[dict[str, float], dict[str, float]]:
        """A reference's mean and standard deviation, on the same rows."""
        values = [run.references[name] for run in self.runs]
        return _over(values, np.mean), _over(values, _deviation)

    def save(self, folder: str | Path) -> list[Path]:
        """Save every run under `folder` and return their directories."""
        return [run.save(folder) for run in self.runs]

    def to_dict(self) -> dict[str, Any]:
        """Plain values: mean, sd, and every run as `Run.to_dict` gives it."""
        runs = [run.to_dict() for run in self.runs]
        values: dict[str, Any] = plain({"learner": self.name, "mean": self.mean, "sd": self.sd})
        return values | {"runs": runs}

    @printed
    def __str__(self) -> str:
        note = f"  {self._note()}"
        return "\n".join([self._head(), "", align(self._lines()), note, "", *self._words()])

    __repr__ = __str__

    def _repr_html_(self) -> str:
        sheet = sheet_of(self._lines(), [self._head(), self._note()])
        return notebook_html(self._words(), sheet, self)

    def _lines(self) -> list[list[str]]:
        """The table of the learner and its references below a header."""
        first = self.runs[0]
        names = columns_of(first)
        rows = {self.name: (self.mean, self.sd)}
        rows |= {name: self.reference(name) for name in first.references}
        lines = [["", *names]]
        for who, (mean, sd) in rows.items():
            pairs = [[value_text(first, name, each[name]) for each in (mean, sd)] for name in names]
            lines.append([who, *map(" ± ".join, pairs)])
        return lines

    def _head(self) -> str:
        first = self.runs[0]
        settings = first.settings
        return f"{first.stream.describe()} · labels {settings.labels} · {settings.protocol}"

    def _note(self) -> str:
        return f"mean ± standard deviation over {len(self)} models"

    def _words(self) -> list[str]:
        """The verdicts, and the warnings that all models share."""
        first = self.runs[0]
        common = [each for each in first.warnings if all(each in run.warnings for run in self.runs)]
        return [*self._verdicts(), *(f"Warning: {each}" for each in common)]

    def _verdicts(self) -> list[str]:
        """For each reference, how many models are better, worse, or neither."""
        words: dict[str, list[str]] = {}
        for run in self.runs:
            for against in run.verdict.against:
                words.setdefault(against.reference, []).append(against.word)
        return [
            f"Against {name}, of {len(self)} models: "
            + ", ".join(f"{each.count(word)} {word}" for word in dict.fromkeys(each))
            + "."
            for name, each in words.items()
        ]


def _over(values: Sequence[dict[str, float]], what: Any) -> dict[str, float]:
    return {name: float(what([each[name] for each in values])) for name in values[0]}


def _deviation(values: Sequence[float]) -> float:
    return float(np.std(values, ddof=1))
