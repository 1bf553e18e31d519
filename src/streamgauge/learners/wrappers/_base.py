"""The bases of wrappers of classifiers."""

from __future__ import annotations

from typing import Any

import numpy.typing as npt

from streamgauge._support.errors import UsageError
from streamgauge._support.parameters import Parametrized
from streamgauge._support.seeding import is_random
from streamgauge._support.types import Schema
from streamgauge.learners.adapters.coerce import as_learner
from streamgauge.learners.base import (
    Guarded,
    Task,
    context_of,
    has_probabilities,
    name_of,
    shown_as,
    unseeded_in,
)
from streamgauge.learners.model_size import Measured, bytes_of, measured_by_of


class AroundBase(Guarded, Parametrized):
    """A learner around a base: it has the base's probabilities, random numbers and kind of size."""

    base: Any

    @property
    def has_probabilities(self) -> bool:
        """Whether the base's probabilities can be other than 0 and 1."""
        return has_probabilities(self.base)

    @property
    def random(self) -> bool:
        """Whether the numbers may depend on the seed: those of the base do."""
        return is_random(self.base)

    @property
    def unseeded(self) -> tuple[str, ...]:
        """Why the seed of a run does not determine the random numbers; empty if it does."""
        return unseeded_in(self.base)

    @property
    def measured_by(self) -> Measured:
        """How the size is measured: as that of the base is."""
        return measured_by_of(self.base)

    def _show(self, value: object) -> str:
        return shown_as(value)


class Wrapper(AroundBase):
    """A player around a classifier: a learner, a text, a River or scikit-learn object.

    It remembers data about a row from its first prediction on, so it plays agendas only: plain
    predict and learn do not identify the row.
    """

    task: Task = "classification"

    def __init__(self, base: Any) -> None:
        self.base = as_learner(base)
        if getattr(self.base, "task", None) == "regression":
            raise UsageError(
                f"{type(self).__name__}({name_of(self.base)}): expected a classifier, since it "
                "uses past labels; got a regressor"
            )

    @property
    def context(self) -> int:
        """The number of rows that the base gets per prediction."""
        return context_of(self.base)

    @property
    def remedy(self) -> str | None:
        """Advice where past labels are informative; None for the usual one.

        A base with advice of its own already uses past labels, or could not use them in a wrapper.
        """
        own: str | None = getattr(self.base, "remedy", None)
        return own

    def _start_base(self, own: Schema, of_base: Schema, seed: int) -> None:
        """Start the base; its schema may differ from the stream's."""
        if own.regression:
            raise UsageError(
                f"{name_of(self)} is for classification, this stream is for regression: "
                "declare task='classification' or classes=[...]"
            )
        self.base.start(of_base, seed)

    @property
    def nbytes(self) -> int | None:
        """Size of the base and of what the wrapper has learned, in bytes; None if unknown."""
        raise NotImplementedError

    def _size(self, *own: npt.NDArray[Any]) -> int | None:
        """The size of the base plus that of what the wrapper has learned; None if unknown.

        Data about waiting rows are not part of the model, just as the rows themselves are not.
        """
        size = bytes_of(self.base)
        return None if size is None else size + sum(array.nbytes for array in own)
