"""Adapter for scikit-learn classifiers that learn a table of rows at once, and their texts."""

from __future__ import annotations

import copy
import importlib
import inspect
from contextlib import AbstractContextManager
from functools import cache
from itertools import takewhile
from typing import Any

import numpy as np

from streamgauge._support.errors import UsageError
from streamgauge._support.pickled_size import pickled_bytes
from streamgauge._support.seeding import seed_parts
from streamgauge._support.types import Floats, Schema, Targets
from streamgauge.learners.adapters._answers import class_probabilities, undefined_warning
from streamgauge.learners.adapters._dense import Dense
from streamgauge.learners.adapters._library_class import library_class
from streamgauge.learners.base import Guarded, Task
from streamgauge.learners.model_size import Measured

# Modules of scikit-learn that read files or run code.
_NO_MODELS = {"datasets", "externals", "utils"}


class SklearnBatch(Guarded):
    """A scikit-learn classifier; `learn` fits it to the given rows alone.

    Nominal features are one-hot encoded. Missing numbers stay NaN if the model supports that
    (trees, forests, histogram gradient boosting), else they become 0. Features are not scaled. It
    abstains before any row. Rows of a single class make it predict that class. The model passed in
    is never changed: it is copied for each fit, and the seed of the run goes to every part whose
    `random_state` is None. It computes in one thread, so that the CPU seconds of a run count all of
    its work, unless its `n_jobs` starts processes.
    """

    task: Task = "classification"
    measured_by: Measured = "pickled"

    def __init__(self, model: Any) -> None:
        for method in ("fit", "predict"):
            if not hasattr(model, method):
                raise UsageError(
                    f"{type(model).__name__} has no {method}; expected a scikit-learn classifier"
                )
        base = importlib.import_module("sklearn.base")
        if isinstance(model, base.BaseEstimator) and not base.is_classifier(model):
            raise UsageError(f"{type(model).__name__} is not a classifier; expected one")
        self.model = model
        self._undefined = 0  # predictions without probabilities; a new start goes on counting
        self.unseeded: tuple[str, ...] = ()  # why the seed does not determine a run
        self.has_probabilities = hasattr(model, "predict_proba")
        self._weighted = "sample_weight" in inspect.signature(model.fit).parameters

    def start(self, schema: Schema, seed: int) -> None:
        self._schema, self._k, self._seed = schema, len(schema.classes), seed
        self._dense = Dense(schema, keeps_missing=_takes_missing(self.model))
        self._fitted: Any = None
        self._only: int | None = None  # the class, if all rows had the same

    @property
    def nbytes(self) -> int | None:
        """The pickled size of the model."""
        return pickled_bytes(self.model if self._fitted is None else self._fitted)

    def predict(self, X: Floats) -> Floats:
        """Return class probabilities, rows × classes; a row of NaN abstains."""
        if self._only is not None:
            return np.asarray(np.eye(self._k)[np.full(len(X), self._only)])
        if self._fitted is None or not len(X):
            return np.full((len(X), self._k), np.nan)
        columns = self._fitted.classes_.astype(np.int64)
        with one_thread():
            probabilities, undefined = class_probabilities(
                self._fitted, self._dense(X), self._k, columns
            )
        self._undefined += undefined
        return probabilities

    @property
    def warning(self) -> str | None:
        """That probabilities were undefined, if any were."""
        return undefined_warning(type(self.model).__name__, self._undefined)

    def learn(self, X: Floats, y: Targets, w: Floats) -> None:
        """Fit to these rows alone."""
        if not self._weighted and (w != 1).any():
            raise ValueError(
                f"{self} does not support sample_weight; expected rows of weight 1 only"
            )
        classes = np.unique(y)
        self._only = int(classes[0]) if len(classes) == 1 else None
        if self._only is not None:
            return
        fitted = copy.deepcopy(self.model)
        self.unseeded = seed_parts(fitted, self._seed)
        options = {"sample_weight": w} if self._weighted else {}
        with one_thread():
            fitted.fit(self._dense(X), y, **options)
        self._fitted = fitted

    def get_params(self) -> dict[str, Any]:
        """The model; its own parameters are `model.get_params()`."""
        return {"model": self.model}

    def __repr__(self) -> str:
        return sklearn_text(self.model)


def _takes_missing(model: Any) -> bool:
    """Whether a model says that its rows may have NaN."""
    try:
        tags = importlib.import_module("sklearn.utils").get_tags(model)
    except (AttributeError, TypeError, ValueError):  # before 1.6; or not a model of scikit-learn
        return False
    return bool(tags.input_tags.allow_nan)


def one_thread() -> AbstractContextManager[Any]:
    """Compute in one thread."""
    limited: AbstractContextManager[Any] = _threads().limit(limits=1)
    return limited


@cache
def _threads() -> Any:
    """What limits the threads of the libraries loaded by now; to find these takes long."""
    return importlib.import_module("threadpoolctl").ThreadpoolController()  # with scikit-learn


def sklearn_text(model: Any) -> str:
    """The text that describes a model: sklearn:tree.DecisionTreeClassifier(max_depth=3)."""
    package, *modules = type(model).__module__.split(".")
    public = ".".join(takewhile(lambda part: not part.startswith("_"), modules))
    shown = " ".join(repr(model).split())
    return f"sklearn:{public}.{shown}" if package == "sklearn" else shown


def sklearn_class(name: str) -> type[Any]:
    """A class that a public module of scikit-learn defines, e.g. `tree.DecisionTreeClassifier`."""
    parts = name.split(".")[:-1]
    if not _NO_MODELS.isdisjoint(parts) or any(part.startswith("_") for part in parts):
        raise ValueError(f"scikit-learn's module {'.'.join(parts)!r} has no models")
    return library_class("scikit-learn", "sklearn", name, "tree.DecisionTreeClassifier")
