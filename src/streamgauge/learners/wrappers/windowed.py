"""Windowed: a batch model retrained on the last revealed rows, or trained once."""

from __future__ import annotations

from typing import Any

import numpy as np

from streamgauge._support.errors import UsageError, check_integer
from streamgauge._support.types import Floats, Schema, Targets
from streamgauge.learners.adapters._dense import DenseBatch
from streamgauge.learners.adapters._sklearn_batch import SklearnBatch
from streamgauge.learners.adapters.coerce import as_learner
from streamgauge.learners.adapters.sklearn import SklearnLearner
from streamgauge.learners.base import Learner, Task, context_of, shown_as
from streamgauge.learners.learner_text import parse_learner
from streamgauge.learners.model_size import bytes_of
from streamgauge.learners.wrappers._base import AroundBase

__doctest_requires__ = {"Windowed": ["sklearn"]}
_MOST_ROWS = 10_000_000


class Windowed(AroundBase):
    """A batch model on a stream: retrained from nothing on a window of the last revealed rows.

    Any scikit-learn classifier, also one without partial_fit, or a classifier of ours. It abstains
    until it is first trained: after `every` labels on those rows, which must be enough for the
    model, or, if frozen, after `rows` labels. Missing numbers reach models that support NaN as they
    are, and others as 0. The seconds of the run (`run.cost`) include every training.

    Parameters
    ----------
    base
        A scikit-learn classifier, also as text ("sklearn:tree.DecisionTreeClassifier()"), or a
        classifier that has `predict` and `learn`.
    rows
        Rows in the window.
    every
        Labels between two trainings. None: trained once, on the first `rows` labels, and frozen.

    References
    ----------
    gama2013 (docs/bibliography.md)

    Examples
    --------
    >>> import streamgauge as sg
    >>> tree = "sklearn:tree.DecisionTreeClassifier(max_depth=5)"
    >>> learners = [sg.Windowed(tree, 500, every=100), sg.Windowed(tree, 500, every=None)]
    >>> for run in sg.evaluate(sg.tenet_streams(rows=4000)["Sine1"], learners):
    ...     print(f"{run.summary['accuracy']:.3f}")
    0.729
    0.384
    """

    task: Task = "classification"
    base: Learner

    def __init__(self, base: Any, rows: int = 1000, every: int | None = 100) -> None:
        self.base, self.rows, self.every = _batch_model(base), rows, every
        for name, count in (("rows", rows), ("every", every)):
            if count is not None:
                check_integer(f"Windowed({name})", count)
                if not 1 <= count <= _MOST_ROWS:
                    raise UsageError(
                        f"Windowed({name}={count}): expected 1 or more, up to {_MOST_ROWS:,}"
                    )
        self.context, self.period = context_of(self.base), rows if every is None else every

    def start(self, schema: Schema, seed: int) -> None:
        self._schema, self._seed = schema, seed
        self.base.start(schema, seed)
        self._trained = False
        self._batch = DenseBatch(self.period)
        self._window: tuple[Floats, Targets, Floats] | None = None

    @property
    def pending(self) -> int:
        """Rows learned since the last training."""
        return 0 if self._frozen else len(self._batch)

    @property
    def nbytes(self) -> int | None:
        """Size of the model and of the window in bytes."""
        size = bytes_of(self.base)
        held = 0 if self._window is None else sum(each.nbytes for each in self._window)
        return None if size is None else size + held

    @property
    def _frozen(self) -> bool:
        return self.every is None and self._trained

    def predict(self, X: Floats) -> Floats:
        """Return class probabilities, rows × classes; a row of NaN abstains."""
        if not self._trained:
            return np.full((len(X), len(self._schema.classes)), np.nan)
        return self.base.predict(X)

    def learn(self, X: Floats, y: Targets, w: Floats) -> None:
        """Add rows whose labels have been revealed to the window."""
        if self._frozen:
            return
        for batch in self._batch.add(X, y, w):
            held = zip(self._window or batch, batch, strict=True)
            joined = batch if self._window is None else [np.concatenate(each) for each in held]
            self._window = tuple(each[-self.rows :] for each in joined)  # type: ignore[assignment]
            self.base.start(self._schema, self._seed)
            assert self._window is not None
            self.base.learn(*self._window)
            self._trained = True
            if self._frozen:
                self._window = None
                return


def _batch_model(base: Any) -> Learner:
    """A learner whose `start` and one call of `learn` train it from nothing."""
    if isinstance(base, str):
        base = parse_learner(base)
    if isinstance(base, SklearnBatch):
        return base
    if isinstance(base, SklearnLearner):  # has partial_fit, but is to be fitted from scratch
        return SklearnBatch(base.get_params()["model"])
    if hasattr(base, "fit") and hasattr(base, "predict") and not hasattr(base, "learn_one"):
        return SklearnBatch(base)
    learner = as_learner(base)
    if getattr(learner, "task", None) == "regression":
        raise UsageError(f"Windowed({shown_as(learner)}): expected a classifier, got a regressor")
    if not isinstance(learner, Learner):
        raise UsageError(
            f"Windowed({shown_as(learner)}): expected a learner that has predict and learn; put "
            "Windowed inside the wrapper"
        )
    return learner
