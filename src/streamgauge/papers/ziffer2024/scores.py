"""The runs of a table as scores: per cent of kappa, means over the seeds."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import NamedTuple

import numpy as np

from streamgauge._support.types import Floats
from streamgauge.experiments.results import Results
from streamgauge.runs.stored import read_run

REFERENCES = {"No-Change": "Persistent", "Transition": "Transition"}  # the paper's name first


class Outcome(NamedTuple):
    """Of one run: kappa in per cent, those of the references, and its verdict."""

    kappa: float
    kappa_temporal: float
    references: Mapping[str, float]
    beats_all: bool  # is it better than every reference, by the verdict?
    path: Path


class Scores:
    """Outcomes by stream and learner, one per seed."""

    def __init__(self, outcomes: Mapping[tuple[str, str], Sequence[Outcome]]) -> None:
        self._outcomes = outcomes

    def of(self, stream: str, learner: str) -> Sequence[Outcome]:
        """One per seed; none if it was not run or failed."""
        return self._outcomes.get((stream, learner), ())

    def kappa(self, stream: str, learner: str) -> float:
        """Mean over the seeds, of a learner or, by its name in the paper, of a reference."""
        if learner in REFERENCES:
            values = [
                outcome.references[learner]
                for (where, _), outcomes in self._outcomes.items()
                if where == stream
                for outcome in outcomes
            ]
        else:
            values = [outcome.kappa for outcome in self.of(stream, learner)]
        return float(np.mean(values)) if values else np.nan

    def table(self, streams: Sequence[str], learners: Sequence[str]) -> Floats:
        """Streams × learners."""
        rows = [[self.kappa(stream, learner) for learner in learners] for stream in streams]
        return np.array(rows).reshape(len(streams), len(learners))

    def beating(self, stream: str, learners: Sequence[str]) -> list[str]:
        """Learners that are better than every reference by the verdict, whatever the seed."""
        return [
            learner
            for learner in learners
            if (found := self.of(stream, learner)) and all(o.beats_all for o in found)
        ]


def read_scores(results: Results) -> Scores:
    """Of all complete runs of an experiment."""
    found: dict[tuple[str, str], list[Outcome]] = {}
    for line in results.lines:
        if line.facts is None or line.path is None:
            continue
        facts = read_run(line.path).facts
        overall, against = facts["overall"], facts["verdict"]["against"]
        outcome = Outcome(
            per_cent(overall["kappa"]),
            per_cent(overall["kappa_temporal"]),
            {
                printed: per_cent(facts["references"][ours]["kappa"])
                for printed, ours in REFERENCES.items()
            },
            all(verdict["word"] == "better" for verdict in against.values()),
            line.path,
        )
        found.setdefault((line.cell.stream, line.cell.learner), []).append(outcome)
    return Scores(found)


def per_cent(value: float | None) -> float:
    """NaN where it is undefined or missing."""
    return np.nan if value is None else 100 * value
