"""Adapter for scikit-learn models with partial_fit."""

from __future__ import annotations

import copy
import inspect
import sys
from typing import Any

import numpy as np

from streamgauge._support.errors import UsageError, check_integer
from streamgauge._support.pickled_size import pickled_bytes
from streamgauge._support.seeding import seed_parts
from streamgauge._support.types import Floats, Schema, Targets
from streamgauge.learners.adapters._answers import class_probabilities, undefined_warning
from streamgauge.learners.adapters._dense import Dense, DenseBatch
from streamgauge.learners.base import Guarded, Task
from streamgauge.learners.model_size import Measured

__doctest_requires__ = {"from_sklearn": ["sklearn"]}


class SklearnLearner(Guarded):
    """A scikit-learn model that learns by partial_fit, in mini-batches of `batch_size` rows.

    Nominal features are one-hot encoded and missing values become 0. Features are not scaled. The
    learner abstains before the first mini-batch. Where a model's probabilities are undefined, the
    class that its `predict` names counts, and `warning` says so. The model passed in is never
    changed; each run learns on a copy, available as `model`. The seed of the run goes to every part
    whose `random_state` is None.
    """

    measured_by: Measured = "pickled"

    def __init__(self, model: Any, batch_size: int = 1, name: str | None = None) -> None:
        for method in ("partial_fit", "predict"):
            if not hasattr(model, method):
                raise UsageError(
                    f"{type(model).__name__} has no {method}; expected a scikit-learn model that "
                    "learns incrementally, such as SGDClassifier (for a Pipeline pass the last "
                    "step, and apply the steps before it with stream.map), or "
                    "Windowed(model, rows, every), which retrains it"
                )
        check_integer("batch_size", batch_size)
        if batch_size < 1:
            raise UsageError(f"batch_size={batch_size}: expected 1 or more")
        self._given = self.model = model
        self.unseeded: tuple[str, ...] = ()  # why the seed does not determine a run
        self.batch_size = batch_size
        self._undefined = 0  # predictions without probabilities; a new start goes on counting
        self.name = name or type(model).__name__

    @property
    def period(self) -> int:
        """Rows between two changes of the predictions: the mini-batch size."""
        return self.batch_size

    @period.setter
    def period(self, rows: int) -> None:
        self.batch_size = rows

    @property
    def task(self) -> Task | None:
        """The task of a scikit-learn model; None if it is unknown."""
        base = sys.modules.get("sklearn.base")  # a scikit-learn model has imported it
        if base is None or not isinstance(self._given, base.BaseEstimator):
            return None
        if not (base.is_classifier(self._given) or base.is_regressor(self._given)):
            raise UsageError(f"{self.name} is neither a classifier nor a regressor")
        return "classification" if base.is_classifier(self._given) else "regression"

    @property
    def has_probabilities(self) -> bool:
        """Whether the model has predict_proba, which a hinge loss, for one, does not give."""
        return hasattr(self._given, "predict_proba")

    def start(self, schema: Schema, seed: int) -> None:
        self.model = copy.deepcopy(self._given)
        self.unseeded = seed_parts(self.model, seed)
        self._schema, self._k = schema, len(schema.classes)
        self._dense = Dense(schema)
        self._batch = DenseBatch(self.period)
        self._ready = False
        parameters = inspect.signature(self.model.partial_fit).parameters
        self._options: dict[str, Any] = {"classes": np.arange(self._k)} if self._k else {}
        self._weighted = "sample_weight" in parameters

    @property
    def pending(self) -> int:
        """Rows that wait for their mini-batch to fill."""
        return len(self._batch)

    @property
    def nbytes(self) -> int | None:
        """The pickled size of the model."""
        return pickled_bytes(self.model)

    def predict(self, X: Floats) -> Floats:
        if not self._ready:
            return np.full((len(X), self._k) if self._k else len(X), np.nan)
        rows = self._dense(X)
        with np.errstate(all="ignore"):  # some models divide by 0 for a class not seen yet
            if not self._k:
                return np.asarray(self.model.predict(rows), np.float64)
            probabilities, undefined = class_probabilities(self.model, rows, self._k)
        self._undefined += undefined
        return probabilities

    @property
    def warning(self) -> str | None:
        """That probabilities were undefined, if any were."""
        advice = "; larger mini-batches (batch_size) may define them" * (self.batch_size == 1)
        return undefined_warning(self.name, self._undefined, advice)

    def learn(self, X: Floats, y: Targets, w: Floats) -> None:
        for rows, labels, weights in self._batch.add(X, y, w):
            options = dict(self._options)
            if self._weighted:
                options["sample_weight"] = weights
            elif (weights != 1).any():
                raise ValueError(
                    f"{self.name} does not support sample_weight; expected rows of weight 1 only"
                )
            self.model.partial_fit(self._dense(rows), labels, **options)
            self._ready = True

    def get_params(self) -> dict[str, Any]:
        """The adapter's parameters; those of the model are `model.get_params()`."""
        return {"model": self._given, "batch_size": self.batch_size, "name": self.name}

    def __repr__(self) -> str:
        return self.name


def from_sklearn(model: Any, batch_size: int = 1, name: str | None = None) -> SklearnLearner:
    """Wrap a scikit-learn model that has partial_fit.

    Parameters
    ----------
    model
        The model.
    batch_size
        Rows per call of partial_fit.
    name
        Its name in tables.

    Returns
    -------
    SklearnLearner
        The learner, for `evaluate`.

    Raises
    ------
    UsageError
        If the model has no partial_fit.

    Examples
    --------
    >>> import streamgauge as sg
    >>> from sklearn.naive_bayes import GaussianNB
    >>> run = sg.evaluate(sg.SEA(500, seed=1), sg.from_sklearn(GaussianNB(), batch_size=50))
    >>> print(f"accuracy {run.summary['accuracy']:.3f}")
    accuracy 0.834
    """
    return SklearnLearner(model, batch_size, name)
