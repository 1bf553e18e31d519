"""scikit-learn's models with partial_fit as learners."""

from __future__ import annotations

import copy
import inspect
import sys
from typing import Any

import numpy as np

from streamgauge._support.errors import UsageError, check_whole
from streamgauge._support.types import Floats, Schema, Targets
from streamgauge.learners.adapters._dense import Batch, Dense
from streamgauge.learners.base import Task


class SklearnLearner:
    """Learns by partial_fit, in mini-batches of `period` rows; abstains before the first.

    Nominal features are given one-hot, missing values as 0: put a scaler of your own in front if
    the model asks for one. The model handed in is never changed; each run learns on a copy.
    """

    def __init__(self, model: Any, period: int = 1, name: str | None = None) -> None:
        for method in ("partial_fit", "predict"):
            if not hasattr(model, method):
                raise UsageError(
                    f"{type(model).__name__} has no {method}; expected a scikit-learn model that "
                    "learns in pieces, such as SGDClassifier (of a Pipeline pass the last step, "
                    "and do what comes before it with stream.map)"
                )
        check_whole("period", period)
        if period < 1:
            raise UsageError(f"period={period}: a mini-batch has at least one row")
        self._given = self.model = model
        self.period = period
        self.name = name or type(model).__name__

    @property
    def task(self) -> Task | None:
        """What scikit-learn says of the model; None if it says nothing."""
        base = sys.modules.get("sklearn.base")  # a scikit-learn model has imported it
        if base is None or not isinstance(self._given, base.BaseEstimator):
            return None
        if not (base.is_classifier(self._given) or base.is_regressor(self._given)):
            raise UsageError(f"{self.name} is neither a classifier nor a regressor")
        return "classification" if base.is_classifier(self._given) else "regression"

    def start(self, schema: Schema, seed: int) -> None:
        self.model = copy.deepcopy(self._given)
        if "random_state" in getattr(self.model, "get_params", dict)() and (
            self.model.get_params()["random_state"] is None
        ):
            self.model.set_params(random_state=seed)
        self._k = len(schema.classes)
        self._dense = Dense(schema)
        self._batch = Batch(self.period)
        self._ready = False
        parameters = inspect.signature(self.model.partial_fit).parameters
        self._options: dict[str, Any] = {"classes": np.arange(self._k)} if self._k else {}
        self._weighted = "sample_weight" in parameters

    @property
    def pending(self) -> int:
        """Lessons that wait for their mini-batch to fill."""
        return len(self._batch)

    def predict(self, X: Floats) -> Floats:
        if not self._ready:
            return np.full((len(X), self._k) if self._k else len(X), np.nan)
        rows = self._dense(X)
        # A class not seen yet makes some models divide by 0; where that leaves NaN, they abstain.
        with np.errstate(all="ignore"):
            if not self._k:
                return np.asarray(self.model.predict(rows), np.float64)
            try:
                shares = np.array(self.model.predict_proba(rows), np.float64)
            except (AttributeError, NotImplementedError):  # e.g. hinge loss: labels only
                return np.asarray(np.eye(self._k)[self.model.predict(rows).astype(np.int64)])
        shares[np.isnan(shares).any(axis=1)] = np.nan
        return shares

    def learn(self, X: Floats, y: Targets, w: Floats) -> None:
        for rows, labels, weights in self._batch.add(X, y, w):
            options = dict(self._options)
            if self._weighted:
                options["sample_weight"] = weights
            elif (weights != 1).any():
                raise ValueError(f"{self.name} takes no sample_weight, so no weights but 1")
            self.model.partial_fit(self._dense(rows), labels, **options)
            self._ready = True

    def __repr__(self) -> str:
        return self.name


def from_sklearn(model: Any, period: int = 1, name: str | None = None) -> SklearnLearner:
    """A scikit-learn model with partial_fit, learning in mini-batches of `period` rows."""
    return SklearnLearner(model, period, name)
