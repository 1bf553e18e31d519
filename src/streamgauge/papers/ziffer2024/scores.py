"""Scores of the runs behind a table: kappa in percent, averaged over the seeds."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import NamedTuple

import numpy as np

from streamgauge._support.types import Floats
from streamgauge.experiments.results import Results
from streamgauge.runs.open import open_run

REFERENCES = {"No-Change": "Persistent", "Transition": "Transition"}  # by the paper's name


class Outcome(NamedTuple):
    """Scores of one run in percent, kappa of the references, and the verdict."""

    kappa: float
    kappa_temporal: float
    references: Mapping[str, float]
    beats_all: bool  # the verdict: better than every reference
    path: Path


class Scores:
    """Outcomes by stream and learner, one per seed."""

    def __init__(self, outcomes: Mapping[tuple[str, str], Sequence[Outcome]]) -> None:
        self._outcomes = outcomes

    def of(self, stream: str, learner: str) -> Sequence[Outcome]:
        """Outcomes of a learner on a stream, one per seed; empty if not run or failed."""
        return self._outcomes.get((stream, learner), ())

    def kappa(self, stream: str, learner: str) -> float:
        """Mean kappa over the seeds of a learner, or of a reference by its name in the paper."""
        if learner in REFERENCES:
            values = [
                outcome.references[learner]
                for (name, _), outcomes in self._outcomes.items()
                if name == stream
                for outcome in outcomes
            ]
        else:
            values = [outcome.kappa for outcome in self.of(stream, learner)]
        return float(np.mean(values)) if values else np.nan

    def table(self, streams: Sequence[str], learners: Sequence[str]) -> Floats:
        """Mean kappa as an array, streams × learners."""
        rows = [[self.kappa(stream, learner) for learner in learners] for stream in streams]
        return np.array(rows).reshape(len(streams), len(learners))

    def beating(self, stream: str, learners: Sequence[str]) -> list[str]:
        """Learners whose verdict is better than every reference with every seed."""
        return [
            learner
            for learner in learners
            if (found := self.of(stream, learner)) and all(o.beats_all for o in found)
        ]


def read_scores(results: Results) -> Scores:
    """Read the scores of all complete runs of an experiment."""
    found: dict[tuple[str, str], list[Outcome]] = {}
    for result in results.cell_results:
        if result.facts is None or result.path is None:
            continue
        run = open_run(result.path)
        outcome = Outcome(
            percent(run.overall["kappa"]),
            percent(run.overall["kappa_temporal"]),
            {
                printed: percent(run.references[ours]["kappa"])
                for printed, ours in REFERENCES.items()
            },
            all(against.word == "better" for against in run.verdict.against),
            result.path,
        )
        found.setdefault((result.cell.stream, result.cell.learner), []).append(outcome)
    return Scores(found)


def percent(value: float | None) -> float:
    """Convert a fraction to percent; NaN if it is undefined or missing."""
    return np.nan if value is None else 100 * value
