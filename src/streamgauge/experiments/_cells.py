"""Cells of an experiment: one stream, learner, label policy and seed each."""

from __future__ import annotations

from typing import Literal, TypeAlias

import msgspec

from streamgauge.streams.origin import Origin

STREAM_DEFAULT = "default"  # label policy of an experiment that names none: the stream's own
UNKNOWN = "?"  # the learner of a damaged run outside any experiment
# What changes with the seed: rows (or labels, or a reference), the learner alone, or nothing.
BySeed: TypeAlias = Literal["rows", "learner", "nothing"]
ID_DIGITS = 12  # digits of a run's id that directory and lock names carry


class Cell(msgspec.Struct, frozen=True):
    """One combination of an experiment; `id` is the id of the run that fills it.

    A cell that does not depend on the seed stands for all seeds of the experiment; its own is the
    first one.
    """

    stream: str
    learner: str
    labels: str
    seed: int
    id: str
    directory: str  # name of the run's directory in the store
    model: int | None = None  # of a cross-validation
    origin: Origin | None = None  # of the stream; None of a damaged run
    by_seed: BySeed = "rows"

    @property
    def is_fixed(self) -> bool:
        """Whether its numbers are the same for every seed."""
        return self.by_seed == "nothing"

    def has_seed(self, seed: object) -> bool:
        """Whether it is the cell of this seed."""
        return self.is_fixed or str(self.seed) == str(seed)

    @property
    def short_id(self) -> str:
        """The leading digits of the id, as in the directory's name."""
        return self.id[:ID_DIGITS]

    def __str__(self) -> str:
        """In words; a damaged run outside any experiment is known by its directory alone."""
        if self.learner == UNKNOWN:
            return self.directory
        seed = "any seed" if self.is_fixed else f"seed {self.seed}"
        return f"{self.learner} on {self.stream}, labels {self.labels}, {seed}"
