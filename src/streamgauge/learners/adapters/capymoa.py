"""Adapter for MOA's classifiers and regressors, through CapyMOA."""

from __future__ import annotations

import difflib
import inspect
import io
from importlib.metadata import version
from typing import Any

import numpy as np

from streamgauge._support.errors import UsageError
from streamgauge._support.types import LEARN, Floats, Schema
from streamgauge.learners.adapters._java import capymoa, check_installed
from streamgauge.learners.adapters._java_events import JavaFailed, JavaLoop
from streamgauge.learners.adapters._moa_options import LEARNERS, check_characters, check_classes
from streamgauge.learners.base import EventFailed, Events, PlaysEvents, Task

__doctest_requires__ = {"from_capymoa": ["capymoa"]}
_CELLS = 1 << 14  # values passed to Java per call: little overhead, and Ctrl-C works
_MODULE: dict[Task, str] = {"classification": "classifier", "regression": "regressor"}
_MOA_ONLY = {"AMRulesRegressor": "moa.classifiers.rules.AMRulesRegressor"}  # not in CapyMOA


class CapyMOALearner(PlaysEvents):
    """A MOA learner by its CapyMOA name or class, or by its Java name (`moa.…`).

    The JVM starts with the first run. The learner abstains until it has learned a row, and where
    MOA returns no votes or NaN among them (MOA scores these as class 0, CapyMOA as no prediction).
    Ties go to the lowest class, as in MOA; votes that are all 0 are a tie, from products that
    underflowed (CapyMOA then predicts nothing).
    """

    def __init__(self, learner: str | type[Any], options: dict[str, Any], name: str | None) -> None:
        check_installed()
        self._learner, self._options = learner, options
        if isinstance(learner, str):
            if not all(part.isidentifier() for part in learner.split(".")):
                raise UsageError(
                    f"{learner!r} is not the name of a learner; pass parameters as arguments: "
                    'from_capymoa("HoeffdingTree", grace_period=100)'
                )
            self._called = learner.rpartition(".")[2]
        elif inspect.isclass(learner) and learner.__module__.startswith("capymoa."):
            self._called = learner.__name__
        else:
            raise UsageError(
                f"expected a CapyMOA learner by name or class, got {learner!r}; write "
                'from_capymoa("HoeffdingTree", grace_period=100)'
            )
        for given in ("schema", "moa_learner"):
            if given in options:
                raise UsageError(
                    f"{self._called}: unexpected parameter {given}; it comes from the stream"
                )
        check_characters(self._called, options)
        self.name = name or self._text()
        self.task: Task | None = None  # looking it up by name would start Java
        self.model: Any = None  # CapyMOA's object, once started
        self._saved: bytes | None = None

    @property
    def made_with(self) -> str:
        """The package whose version may change its results."""
        return f"capymoa {version('capymoa')}"

    def start(self, schema: Schema, seed: int) -> None:
        self._schema = schema
        self.model = self.build(_to_capymoa(schema), seed)
        self._ready = False
        self._prepare()

    def _prepare(self) -> None:
        header = _to_capymoa(self._schema).get_moa_header()
        self._k = len(self._schema.classes)
        self._loop = JavaLoop(self.model.moa_learner, header, self._k or 1)

    def build(self, schema: Any, seed: int) -> Any:
        """CapyMOA's learner for its schema; learners among the options are built too."""
        options = {
            name: value.build(schema, seed) if isinstance(value, CapyMOALearner) else value
            for name, value in self._options.items()
        }
        found = self._found("regression" if schema.is_regression() else "classification")
        check_classes(self._called, self._options, self._java_class)
        parameters = inspect.signature(found).parameters
        if "random_seed" in parameters:
            options.setdefault("random_seed", seed % 2**31)  # an int of Java
        unknown = sorted(set(options) - set(parameters))
        if unknown:
            known = [p for p in parameters if p not in ("schema", "moa_learner")]
            raise UsageError(
                f"{self._called} has no parameter {', '.join(unknown)}; expected {', '.join(known)}"
            )
        try:
            model = found(schema=schema, **options)
        except Exception as error:  # MOA raises many kinds for bad parameters
            raise UsageError(f"{self!r}: CapyMOA could not create it: {_message(error)}") from error
        if not hasattr(model, "moa_learner"):
            raise UsageError(
                f"{self._called} is not a MOA learner: CapyMOA implements it in Python; use the "
                "original, e.g. scikit-learn's through from_sklearn"
            )
        return model

    @property
    def _java_class(self) -> str | None:
        """MOA's class, if the learner was given by its Java name; None if CapyMOA knows it."""
        name = self._learner if isinstance(self._learner, str) else ""
        return _MOA_ONLY.get(name, name if name.startswith("moa.") else None)

    @property
    def moa_never_abstains(self) -> bool:
        """Whether it votes for class 0 before its first label: trees and nearest neighbours do."""
        return any(kind in self._called for kind in ("Hoeffding", "EFDT", "KNN"))

    def _found(self, task: Task) -> Any:
        """The class that makes a model: CapyMOA's, or its wrapper around one of MOA's."""
        base = capymoa("base")
        kinds = {"classification": base.Classifier, "regression": base.Regressor}
        if not isinstance(self._learner, str):
            found = self._learner
        elif self._java_class is not None:
            return _moa_class(self._java_class, task)
        else:
            by_task = {each: capymoa(module) for each, module in _MODULE.items()}
            names = [n for module in by_task.values() for n in module.__all__ if n != "Finetune"]
            if self._learner not in names:
                near = difflib.get_close_matches(self._learner, names, 3, 0.4)
                hint = f"did you mean {', '.join(near)}" if near else f"expected {', '.join(names)}"
                raise UsageError(f"CapyMOA has no learner {self._learner!r}; {hint}")
            other: Task = "regression" if task == "classification" else "classification"
            here = task if self._learner in by_task[task].__all__ else other
            found = getattr(by_task[here], self._learner)
        if not issubclass(found, kinds[task]):
            raise UsageError(f"{self._called} does not support {task}, the task of this stream")
        return found

    def play(self, events: Events) -> None:
        """Play the events in chunks, one call into Java for each."""
        size = max(1, _CELLS // (events.X.shape[1] + 1))
        for start in range(0, len(events.ops), size):
            try:
                self._play(events.cut(start, start + size))
            except EventFailed as failed:
                raise EventFailed(start + failed.event) from failed.__cause__

    def _play(self, events: Events) -> None:
        done = np.flatnonzero((events.ops != LEARN) | (events.weight > 0))
        if not len(done):
            return  # JPype makes no Java arrays without rows
        learns = events.ops[done] == LEARN
        slots = events.slots[done]
        label = np.where(learns, events.y[slots], np.nan)
        rows = np.column_stack([events.X[slots], label])
        weight = np.where(learns, events.weight[done], 1.0)
        failed: JavaFailed | None = None
        try:
            votes = self._loop(rows, learns.astype(np.uint8), weight)
        except JavaFailed as error:
            failed, votes = error, error.votes
        if not self._ready:  # abstain before the first learned row; MOA may predict
            votes[: int(np.argmax(learns)) if learns.any() else len(votes)] = np.nan
            self._ready = bool(learns.any())
        predicts = ~learns
        if self._k:
            probabilities = _to_probabilities(votes[predicts])
            events.label[done[predicts]] = np.where(
                np.isnan(probabilities[:, 0]), -1, np.argmax(probabilities, axis=1)
            )
            if len(events.proba):
                events.proba[done[predicts]] = probabilities
        else:
            number = votes[predicts, 0]
            events.label[done[predicts]] = np.where(np.isfinite(number), number, np.nan)
        if failed is not None:
            cause = RuntimeError(f"MOA raised {_message(failed.__cause__)}")
            cause.__cause__ = failed.__cause__
            raise EventFailed(int(done[failed.event])) from cause

    def _text(self) -> str:
        given = ", ".join(f"{key}={value!r}" for key, value in self._options.items())
        return f"{self._called}({given})" if given else self._called

    def get_params(self) -> dict[str, Any]:
        """The adapter's parameters: learner, name and CapyMOA's own parameters."""
        return {"learner": self._learner, "name": self.name, **self._options}

    def __repr__(self) -> str:
        return f"capymoa:{self._text()}"

    def __getstate__(self) -> dict[str, Any]:
        """State for copies and checkpoints: MOA's model, serialised by Java."""
        state = {name: v for name, v in vars(self).items() if name not in ("model", "_loop")}
        if self.model is not None:
            from jpype.pickle import JPickler

            file = io.BytesIO()
            JPickler(file).dump(self.model.moa_learner)
            state["_saved"] = file.getvalue()
        return state

    def __setstate__(self, state: dict[str, Any]) -> None:
        vars(self).update(state, model=None)
        if self._saved is not None:
            self.model = self.build(_to_capymoa(self._schema), 1)
            from jpype.pickle import JUnpickler

            self.model.moa_learner = JUnpickler(io.BytesIO(self._saved)).load()
            self._saved = None
            self._prepare()


def _to_capymoa(schema: Schema) -> Any:
    """Convert a schema to CapyMOA's: every nominal value and class by name, in our order."""
    target = "class"
    while target in schema.features:
        target += "_"
    categories = {n: v for n, v in zip(schema.features, schema.values, strict=True) if v}
    if schema.classes:
        categories[target] = tuple(map(str, schema.classes))
    make = capymoa("stream").Schema.from_custom
    return make([*schema.features, target], target, categories, "stream")


def _moa_class(path: str, task: Task) -> Any:
    """Return a function that wraps a MOA class in CapyMOA's, with MOA's command-line options."""
    if not path.startswith(LEARNERS):
        raise UsageError(
            f"expected a learner of MOA, such as {LEARNERS}functions.Perceptron, got {path}"
        )
    base = capymoa("base")
    from jpype import JClass

    try:
        java_class = JClass(path)
    except TypeError as error:
        raise UsageError(f"MOA has no class {path} ({error})") from error
    regressor = issubclass(java_class, JClass("moa.classifiers.Regressor"))
    if regressor != (task == "regression") or not issubclass(
        java_class, JClass("moa.classifiers.AbstractClassifier")
    ):
        raise UsageError(f"MOA's {path} does not support {task}, the task of this stream")
    wrapper = base.MOARegressor if regressor else base.MOAClassifier

    def make(schema: Any, CLI: str | None = None, random_seed: int = 1) -> Any:
        moa_learner = java_class()
        moa_learner.prepareForUse()  # some take a seed only after this
        return wrapper(moa_learner=moa_learner, schema=schema, CLI=CLI, random_seed=random_seed)

    return make


def _to_probabilities(votes: Floats) -> Floats:
    """Votes as probabilities: NaN where the learner abstains, 0 where all votes underflowed.

    Negative votes are scores: the highest gets probability 1.
    """
    with np.errstate(all="ignore"):
        total = votes.sum(axis=1)
        probabilities = votes / np.where(total == 0, 1.0, total)[:, np.newaxis]
    below = (votes < 0).any(axis=1)
    probabilities[below] = np.eye(votes.shape[1])[np.argmax(votes[below], axis=1)]
    probabilities[~np.isfinite(total)] = np.nan
    return np.asarray(probabilities)


def _message(error: BaseException | None) -> str:
    """An error in one line; the text of a Java error starts with its kind."""
    kind, text = type(error).__name__, " ".join(str(error).split())
    return text if text.startswith(kind) else f"{kind}: {text}"


def from_capymoa(
    learner: str | type[Any], *, name: str | None = None, **options: Any
) -> CapyMOALearner:
    """Wrap a MOA classifier or regressor, through CapyMOA.

    For example from_capymoa("AdaptiveRandomForestClassifier", ensemble_size=10). The seed is that
    of the run unless random_seed is given.

    Parameters
    ----------
    learner
        CapyMOA's name or class. For learners that only MOA has, pass the Java name, with MOA's
        command-line options: from_capymoa("moa.classifiers.functions.Perceptron", CLI="-r 0.1").
    name
        Its name in tables.
    options
        CapyMOA's parameters. A value may be a learner: base_learner=from_capymoa(...).

    Returns
    -------
    CapyMOALearner
        The learner, for `evaluate`.

    Raises
    ------
    MissingExtra
        If CapyMOA is not installed.

    Examples
    --------
    >>> import streamgauge as sg
    >>> run = sg.evaluate(sg.SEA(1000, seed=1), sg.from_capymoa("NaiveBayes"))
    >>> print(f"accuracy {run.summary['accuracy']:.3f}")
    accuracy 0.927
    """
    return CapyMOALearner(learner, options, name)
