"""Scores of learners on streams: one by one, and as a table of streams × learners."""

from __future__ import annotations

import math
from typing import NamedTuple, Protocol, runtime_checkable

from streamgauge._support.selection import Where
from streamgauge._support.types import Floats, Longs
from streamgauge.measures.scale import Scale
from streamgauge.streams.origin import Origin

KEYS = ("stream", "learner", "labels", "seed")  # fields to select scores by


class LearnerScore(NamedTuple):
    """The score of a learner on a stream; NaN if missing."""

    stream: str
    learner: str
    value: float
    labels: str = ""  # label policy
    seed: str = ""
    sd: float = math.nan  # over seeds, if the value is their mean
    runs: int = 1
    model: int | None = None  # of a cross-validation
    origin: Origin | None = None  # of the stream; None if only its name is known
    fixed: bool = False  # whether it is the same for every seed


class ScoreTable(NamedTuple):
    """A score per stream and learner; NaN if missing."""

    streams: tuple[str, ...]
    learners: tuple[str, ...]
    scores: Floats
    sd: Floats | None = None  # over seeds; NaN for a single seed
    runs: Longs | None = None  # number of seeds averaged


@runtime_checkable
class ScoreSource(Protocol):
    """Something that lists its scores, such as the results of an experiment."""

    def score_list(
        self, metric: str, forget: str | None, where: Where | None
    ) -> list[LearnerScore]:
        """The scores by a metric under a forgetting, of the cells that `where` selects."""

    def scale_of(self, metric: str, where: Where | None) -> Scale:
        """What these cells declare of the metric."""
