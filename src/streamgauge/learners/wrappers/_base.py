"""What wrappers of classifiers share: whom they wrap, how they are shown, how large they are."""

from __future__ import annotations

from typing import Any

from streamgauge._support.errors import UsageError
from streamgauge._support.types import Floats, Schema
from streamgauge.learners.adapters.coerce import as_learner
from streamgauge.learners.base import Task, bytes_of, context_of, name_of, shown_as

TOLD_LABELS = "it is told past labels, so try another base learner or a longer history (order=2)"


class Wrapper:
    """A player around a classifier: ours, a text, a River or scikit-learn object.

    It remembers things of a row from its first prediction on, so it plays agendas only: plain
    predict and learn could not know the row.
    """

    task: Task = "classification"

    def __init__(self, base: Any) -> None:
        self.base = as_learner(base)
        if getattr(self.base, "task", None) == "regression":
            raise UsageError(
                f"{type(self).__name__}({name_of(self.base)}): it uses past labels, so it wraps "
                "classifiers only, and this is a regressor"
            )

    @property
    def context(self) -> int:
        """The rows that the base is given for one."""
        return context_of(self.base)

    def _start_base(self, asked: Schema, given: Schema, seed: int) -> None:
        """Begin: the stream has one schema, the base is told another."""
        if asked.regression:
            raise UsageError(
                f"{name_of(self)} is for classification, this stream is for regression: "
                "declare task='classification' or classes=[...]"
            )
        self.base.start(given, seed)

    def _size(self, *own: Floats) -> int | None:
        """Of the model: the base, if it can tell, and what the wrapper has learned. What it keeps
        of waiting rows is no part of the model, as little as the rows themselves."""
        size = bytes_of(self.base)
        return None if size is None else size + sum(array.nbytes for array in own)

    def _options(self) -> dict[str, object]:
        """The parameters that are not at their default."""
        return {}

    def __repr__(self) -> str:
        shown = [shown_as(self.base), *(f"{name}={v!r}" for name, v in self._options().items())]
        return f"{type(self).__name__}({', '.join(shown)})"
