"""River's models, and any object with predict_one and learn_one, as learners."""

from __future__ import annotations

import copy
import sys
from typing import Any

import numpy as np

from streamgauge.errors import UsageError
from streamgauge.learners.base import EventFailed
from streamgauge.types import Flags, Floats, Label, Longs, Schema, Targets


class RiverLearner:
    """Rows become dicts: numbers as they are, nominal values by name, missing cells left out.

    The model handed in is never changed: each run learns on a copy, found as `run.learner.model`.
    A label is what `predict_one` answers. River defines that as the most probable class, so its own
    classifiers are asked for probabilities once and ties go to the lowest class.
    """

    def __init__(self, model: Any, name: str | None = None) -> None:
        if not hasattr(model, "predict_one") or not hasattr(model, "learn_one"):
            raise UsageError(
                f"{type(model).__name__} has no predict_one and learn_one; expected a River model "
                "or a learner with start, predict and learn (docs/learners.md)"
            )
        self._given = self.model = model
        self.name = name or getattr(model, "name", None) or type(model).__name__
        if not isinstance(self.name, str):
            self.name = type(model).__name__

    def start(self, schema: Schema, seed: int) -> None:
        try:
            self.model = copy.deepcopy(self._given)
        except Exception as error:
            raise UsageError(
                f"{self.name} cannot be copied ({error}), so a run would change it; "
                "give it a __deepcopy__ that returns a fresh model"
            ) from error
        self._schema = schema
        self._features = schema.features
        self._plain = not any(schema.values)
        self._code: dict[Label, int] = {label: i for i, label in enumerate(schema.classes)}
        self._by_probability = _is_most_probable(self.model)

    @property
    def nbytes(self) -> int | None:
        """As River measures it; None for an object that cannot tell."""
        measure = getattr(self.model, "_raw_memory_usage", None)
        return None if measure is None else int(measure)

    def predict(self, X: Floats) -> Floats:
        k = len(self._schema.classes)
        label: Targets = np.empty(len(X), np.int32 if k else np.float64)
        proba = np.empty((len(X) if k else 0, k))
        for i in range(len(X)):
            self._ask(self._row(X[i]), i, label, proba)
        return proba if k else np.asarray(label, np.float64)

    def learn(self, X: Floats, y: Targets, w: Floats) -> None:
        for i in range(len(X)):
            self._teach(self._row(X[i]), y[i], w[i])

    def play(
        self,
        X: Floats,
        y: Targets,
        ops: Flags,
        slots: Longs,
        weight: Floats,
        label: Targets,
        proba: Floats,
    ) -> None:
        """The generic path without its calls per event: with labels at once, the row that is
        learned is the row just asked, and its dict is made once."""
        asked, row = -1, {}
        event = 0
        try:
            for event, (op, slot, w) in enumerate(
                zip(ops.tolist(), slots.tolist(), weight.tolist(), strict=True)
            ):
                if slot != asked:
                    asked, row = slot, self._row(X[slot])
                if op == 0:
                    self._ask(row, event, label, proba)
                elif w > 0:
                    self._teach(row, y[slot], w)
        except Exception as error:
            raise EventFailed(event) from error

    def _row(self, x: Floats) -> dict[str, Any]:
        numbers = x.tolist()
        if self._plain:
            row = dict(zip(self._features, numbers, strict=True))
            if any(map(_is_nan, numbers)):
                return {name: value for name, value in row.items() if value == value}
            return row
        return {
            name: values[int(value)] if values else value
            for name, value, values in zip(
                self._features, numbers, self._schema.values, strict=True
            )
            if value == value
        }

    def _ask(self, row: dict[str, Any], place: int, label: Targets, proba: Floats) -> None:
        if not self._code:
            answer = self.model.predict_one(row)
            label[place] = np.nan if answer is None else answer
            return
        shares = self.model.predict_proba_one(row) if self._by_probability else None
        if shares is None:
            answer = self.model.predict_one(row)
            label[place] = -1 if answer is None else self._known(answer)
            if len(proba):
                shares = self._shares(row, answer)
        elif len(shares) == 2:  # the common case, by hand
            (a, p), (b, q) = shares.items()
            code_a, code_b = self._known(a), self._known(b)
            label[place] = code_a if p > q or (p == q and code_a < code_b) else code_b
        else:
            best = min(
                shares.items(), key=lambda item: (-item[1], self._known(item[0])), default=None
            )
            label[place] = -1 if best is None else self._known(best[0])
        if len(proba):
            proba[place] = 0.0 if shares else np.nan
            for answer, share in (shares or {}).items():
                proba[place, self._known(answer)] = share

    def _shares(self, row: dict[str, Any], answer: Any) -> dict[Any, float]:
        try:
            return dict(self.model.predict_proba_one(row))
        except (AttributeError, NotImplementedError):
            return {} if answer is None else {answer: 1.0}

    def _known(self, answer: Any) -> int:
        try:
            return self._code[answer]
        except (KeyError, TypeError):
            raise ValueError(
                f"predicted {answer!r}, which is none of the classes {self._schema.classes}"
            ) from None

    def _teach(self, row: dict[str, Any], y: Any, w: float) -> None:
        label = self._schema.classes[y] if self._code else float(y)
        if w == 1:
            self.model.learn_one(row, label)
        else:
            self.model.learn_one(row, label, w=w)

    def __repr__(self) -> str:
        return str(self.name)


def _is_nan(value: float) -> bool:
    return value != value


def _is_most_probable(model: Any) -> bool:
    """Is predict_one River's own, which is the most probable class by definition?"""
    river = sys.modules.get("river.base")  # a River model has imported it
    return river is not None and getattr(type(model), "predict_one", None) is (
        river.Classifier.predict_one
    )


def from_river(model: Any, name: str | None = None) -> RiverLearner:
    """A River model (or any object with predict_one and learn_one) under a name of your choice."""
    return RiverLearner(model, name)
