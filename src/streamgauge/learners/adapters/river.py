"""Adapter for River models and objects with predict_one and learn_one."""

from __future__ import annotations

import copy
import sys
from collections.abc import Callable
from functools import cache
from typing import Any

import numpy as np

from streamgauge._support.errors import UsageError
from streamgauge._support.pickled_size import pickled_bytes
from streamgauge._support.seeding import seed_parts
from streamgauge._support.types import LEARN, PREDICT, Flags, Floats, Label, Longs, Schema, Targets
from streamgauge.detectors.adapters import RiverDetector, is_river_like
from streamgauge.learners.adapters._answers import undefined_warning
from streamgauge.learners.adapters._library_class import library_class
from streamgauge.learners.base import EventFailed, Events, Guarded, Task
from streamgauge.learners.model_size import Measured

__doctest_requires__ = {"from_river": ["river"]}
_READS_FILES = {"datasets", "stream", "checks"}  # modules of River that are no parts of models
_CHUNK = 1024  # events at a time, so that their dicts and results stay in the processor's cache


class RiverLearner(Guarded):
    """A River model, fed one row at a time.

    Rows become dicts: numeric values unchanged, nominal values by name, missing values omitted.
    The model passed in is never changed: each run learns on a copy, available as
    `run.learner.model`. The seed of the run goes to every part whose `seed` is None.

    The predicted label is the result of `predict_one`. River defines that as the most probable
    class, so for its own classifiers only `predict_proba_one` is called, and ties go to the lowest
    class. Where a probability is NaN, the class that `predict_one` names has the probability 1, and
    `warning` says so.
    """

    def __init__(self, model: Any, name: str | None = None) -> None:
        if not hasattr(model, "predict_one") or not hasattr(model, "learn_one"):
            raise UsageError(
                f"{type(model).__name__} has no predict_one and learn_one; expected a River model "
                "or a learner with start, predict and learn (docs/learners.md)"
            )
        self._given = self.model = model
        self.unseeded: tuple[str, ...] = ()  # why the seed does not determine a run
        self._undefined = 0  # predictions with NaN among their probabilities
        named = name or getattr(model, "name", None)
        self.name = named if isinstance(named, str) else type(_last_step(model)).__name__

    def start(self, schema: Schema, seed: int) -> None:
        try:
            self.model = copy.deepcopy(self._given)
        except Exception as error:
            raise UsageError(
                f"{self.name} cannot be copied ({error}), so a run would change it; "
                "give it a __deepcopy__ that returns a fresh model"
            ) from error
        self.unseeded = seed_parts(self.model, seed, getattr(self._given, "clone", None))
        self._schema = schema
        labels = self._labels_for(schema.classes)
        self._names = (*labels, None)  # code -1 is an unknown label
        self._code: dict[Label, int] = {label: i for i, label in enumerate(labels)}
        self._by_probability = bool(schema.classes) and _is_most_probable(self.model)

    @property
    def task(self) -> Task | None:
        """The task of a River model, or of a pipeline's last step; None if it is unknown."""
        river = sys.modules.get("river.base")  # a River model has imported it
        last = _last_step(self._given)
        if river is None or isinstance(last, river.Classifier) == isinstance(last, river.Regressor):
            return None
        return "classification" if isinstance(last, river.Classifier) else "regression"

    @property
    def has_probabilities(self) -> bool:
        """Whether the model has a predict_proba_one other than River's, which only raises."""
        river = sys.modules.get("river.base")  # a River model has imported it
        own = getattr(type(_last_step(self._given)), "predict_proba_one", None)
        return own is not None and (river is None or own is not river.Classifier.predict_proba_one)

    def _labels_for(self, classes: tuple[Label, ...]) -> tuple[Label, ...]:
        """The classes in the form the model needs: River's binary models use False and True."""
        if getattr(_last_step(self.model), "_multiclass", True) or not classes:
            return classes
        if len(classes) > 2:
            raise UsageError(
                f"{self.name} supports two classes (its _multiclass is False), but the stream has "
                f"{len(classes)}; wrap it in river.multiclass.OneVsRestClassifier, or set "
                "_multiclass = True in your own class"
            )
        return (False, True)

    @property
    def nbytes(self) -> int | None:
        """The size as River measures it, or the pickled size of an object that is not River's."""
        if self.measured_by == "pickled":
            return pickled_bytes(self.model)
        return int(self.model._raw_memory_usage)

    @property
    def measured_by(self) -> Measured:
        """Whether the model reports its size."""
        return "own" if hasattr(type(self.model), "_raw_memory_usage") else "pickled"

    def predict(self, X: Floats) -> Floats:
        k = len(self._code)
        label: Targets = np.empty(len(X), np.int32 if k else np.float64)
        proba = np.empty((len(X) if k else 0, k))
        ask = self._prediction(bool(k))
        self._decode([ask(row) for row in self._rows(X)], np.arange(len(X)), label, proba)
        return proba if k else np.asarray(label, np.float64)

    def learn(self, X: Floats, y: Targets, w: Floats) -> None:
        for row, name, weight in zip(self._rows(X), self._named(y), w.tolist(), strict=True):
            self._learn_one(row, name, weight)

    def play(self, events: Events) -> None:
        """Predict and learn event by event, with minimal overhead between the model's calls."""
        for start in range(0, len(events.ops), _CHUNK):
            try:
                self._play(events.cut(start, start + _CHUNK))
            except EventFailed as failed:
                raise EventFailed(start + failed.event) from failed.__cause__

    def _play(self, events: Events) -> None:
        X, y, ops, slots, _, weight, label, proba = events
        ask, learn = self._prediction(len(proba) > 0), self.model.learn_one
        in_pairs = _in_pairs(ops, slots, weight)
        answers: list[Any] = []
        event, cause = 0, None
        try:
            if in_pairs:
                names = self._named(y[slots[::2]])
                for row, name in zip(self._rows(X[slots[::2]]), names, strict=True):
                    answers.append(ask(row))
                    learn(row, name)
                    event += 2
            else:
                names = self._named(y[slots])
                for row, op, name, w in zip(self._rows(X[slots]), ops, names, weight, strict=True):
                    if op != LEARN:
                        answers.append(ask(row))
                    elif w > 0:
                        self._learn_one(row, name, w)
                    event += 1
        except Exception as error:
            cause = error
        self._decode(answers, np.flatnonzero(ops != LEARN), label, proba)
        if cause is not None:
            # In pairs, one more answer than rows learned: learning failed.
            raise EventFailed(event + int(in_pairs and 2 * len(answers) > event)) from cause

    def _prediction(self, with_probabilities: bool) -> Callable[[dict[str, Any]], Any]:
        """The call that predicts a row; `_decode` handles the form of its answer."""
        if self._by_probability:
            ask: Callable[[dict[str, Any]], Any] = self.model.predict_proba_one
        elif with_probabilities:
            ask = self._ask_both
        else:
            ask = self.model.predict_one
        return ask

    def _ask_both(self, row: dict[str, Any]) -> tuple[Any, dict[Any, float]]:
        answer = self.model.predict_one(row)
        try:
            return answer, self.model.predict_proba_one(row)
        except (AttributeError, NotImplementedError):
            return answer, {} if answer is None else {answer: 1.0}

    def _decode(self, answers: list[Any], places: Longs, label: Targets, proba: Floats) -> None:
        """Write answers as codes or targets and probabilities; skip events without an answer."""
        if not self._code:
            targets = [np.nan if answer is None else answer for answer in answers]
            label[places[: len(answers)]] = targets
            return
        if self._by_probability and len(self._code) == 2 and not len(proba):
            code = self._code
            try:  # the most frequent case by far
                label[places[: len(answers)]] = [
                    code[a] if p > q else code[b] if p < q else _tie(code[a], p, code[b], q)
                    for (a, p), (b, q) in map(dict.items, answers)
                ]
                return
            except (ValueError, KeyError):
                pass  # not two known classes each, or NaN: decode one by one
        for place, answer in zip(places.tolist(), answers, strict=False):
            try:
                if self._by_probability:
                    own, probabilities = None, answer
                else:
                    own, probabilities = answer if len(proba) else (answer, {})
                total = sum(probabilities.values())
                if total != total:  # a NaN among them; much faster than isnan
                    self._undefined += 1
                    if self._by_probability:  # as in River's predict_one
                        own = max(probabilities, key=probabilities.__getitem__)
                    probabilities = {} if own is None else {own: 1.0}
                if self._by_probability:
                    label[place] = self._most_probable(probabilities)
                else:
                    label[place] = self._code_of(own)
                if len(proba):
                    proba[place] = 0.0 if probabilities else np.nan
                    for each, p in probabilities.items():
                        proba[place, self._code_of(each)] = p
            except ValueError as error:
                raise EventFailed(place) from error

    @property
    def warning(self) -> str | None:
        """That probabilities were undefined, if any were."""
        return undefined_warning(self.name, self._undefined)

    def _most_probable(self, probabilities: dict[Any, float]) -> int:
        """The code of the most probable class, ties to the lowest; -1 (abstains) without any."""
        best, highest = -1, -1.0
        for answer, p in probabilities.items():
            if p >= highest:
                code = self._code.get(answer, -1)
                if code < 0:
                    code = self._code_of(answer)  # raises
                if p > highest or code < best:
                    best, highest = code, p
        return best

    def _code_of(self, answer: Any) -> int:
        """The code of an answer; None abstains, an unknown class is an error."""
        if answer is None:
            return -1
        try:
            return self._code[answer]
        except (KeyError, TypeError):
            raise ValueError(
                f"predicted {answer!r}; expected one of the stream's labels: {self._names[:-1]}"
            ) from None

    def _rows(self, X: Floats) -> list[dict[str, Any]]:
        """Rows as dicts, in the fastest way that works for all of them."""
        if any(self._schema.values) or not self._schema.features or np.isnan(X).any():
            return [self._row(x) for x in X]
        return [*map(_row_maker(self._schema.features), *X.T.tolist())]

    def _row(self, x: Floats) -> dict[str, Any]:
        return {
            name: values[int(value)] if values else value
            for name, value, values in zip(
                self._schema.features, x.tolist(), self._schema.values, strict=True
            )
            if value == value
        }

    def _named(self, y: Targets) -> list[Any]:
        """Labels in the form the model needs."""
        return [self._names[code] for code in y.tolist()] if self._code else list(y.tolist())

    def _learn_one(self, row: dict[str, Any], name: Any, weight: float) -> None:
        if weight == 1:
            self.model.learn_one(row, name)
        else:
            self.model.learn_one(row, name, w=weight)

    def get_params(self) -> dict[str, Any]:
        """The adapter's parameters: the model that was wrapped, and its name."""
        return {"model": self._given, "name": self.name}

    def __repr__(self) -> str:
        return str(self.name)


def _tie(a: int, p: float, b: int, q: float) -> int:
    """The lower code of two classes that are equally probable."""
    if p != q:
        raise ValueError("an undefined probability")
    return min(a, b)


def _in_pairs(ops: Flags, slots: Longs, weight: Floats) -> bool:
    """Whether every row is learned right after its prediction, as with immediate labels."""
    return bool(
        len(ops) % 2 == 0
        and (ops[::2] == PREDICT).all()
        and (ops[1::2] == LEARN).all()
        and (slots[::2] == slots[1::2]).all()
        and (weight == 1).all()
    )


@cache
def _row_maker(features: tuple[str, ...]) -> Callable[..., dict[str, float]]:
    """Return a function that turns a row's values into a dict.

    It is one dict literal, several times as fast as dict(zip()), and its lookups are faster. The
    code is generated, as in dataclasses; repr quotes the names.
    """
    values = [f"x{i}" for i in range(len(features))]
    cells = ", ".join(f"{name!r}: {value}" for name, value in zip(features, values, strict=True))
    maker: Callable[..., dict[str, float]] = eval(f"lambda {', '.join(values)}: {{{cells}}}")
    return maker


def _is_most_probable(model: Any) -> bool:
    """Whether predict_one is River's own, which returns the most probable class."""
    river = sys.modules.get("river.base")  # a River model has imported it
    predict_one = getattr(type(_last_step(model)), "predict_one", None)
    return river is not None and predict_one is river.Classifier.predict_one


def _last_step(model: Any) -> Any:
    """The model that predicts: the last step of a pipeline."""
    steps = getattr(model, "steps", None)
    return _last_step(list(steps.values())[-1]) if isinstance(steps, dict) and steps else model


def from_river(model: Any, name: str | None = None) -> RiverLearner | RiverDetector:
    """Wrap a River model, an object with predict_one and learn_one, or a River drift detector.

    Parameters
    ----------
    model
        The model or detector.
    name
        Its name in tables.

    Returns
    -------
    RiverLearner or RiverDetector
        The learner or detector, for `evaluate`, `Resetting` and `detect`.

    Raises
    ------
    UsageError
        If the object is neither a model nor a detector.

    Examples
    --------
    >>> import streamgauge as sg
    >>> from river.naive_bayes import GaussianNB
    >>> run = sg.evaluate(sg.SEA(500, seed=1), sg.from_river(GaussianNB()))
    >>> print(f"accuracy {run.summary['accuracy']:.3f}")
    accuracy 0.922
    """
    return RiverDetector(model) if is_river_like(model) else RiverLearner(model, name)


def river_class(name: str) -> type[Any]:
    """A class that one of River's public modules defines, e.g. `tree.HoeffdingTreeClassifier`."""
    found = library_class("River", "river", name, "tree.HoeffdingTreeClassifier")
    if not _READS_FILES.isdisjoint(found.__module__.split(".")):
        raise ValueError(f"River's {name} reads files; expected a model, or a part of one")
    return found
