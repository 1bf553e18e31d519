"""Cells of an experiment: one stream, learner, label policy and seed each."""

from __future__ import annotations

import msgspec

from streamgauge.streams.origin import Origin

STREAM_DEFAULT = "default"  # label policy of an experiment that names none: the stream's own
UNKNOWN = "?"  # the learner of a damaged run outside any experiment
ID_DIGITS = 12  # digits of a run's id that directory and lock names carry


class Cell(msgspec.Struct, frozen=True):
    """One combination of an experiment; `id` is the id of the run that fills it."""

    stream: str
    learner: str
    labels: str
    seed: int
    id: str
    directory: str  # name of the run's directory in the store
    model: int | None = None  # of a cross-validation
    origin: Origin | None = None  # of the stream; None of a damaged run

    @property
    def short_id(self) -> str:
        """The leading digits of the id, as in the directory's name."""
        return self.id[:ID_DIGITS]

    def __str__(self) -> str:
        """In words; a damaged run outside any experiment is known by its directory alone."""
        if self.learner == UNKNOWN:
            return self.directory
        return f"{self.learner} on {self.stream}, labels {self.labels}, seed {self.seed}"
