"""MOA's classifiers and regressors, through CapyMOA, as learners."""

from __future__ import annotations

import difflib
import inspect
import io
from typing import Any

import numpy as np

from streamgauge._support.errors import UsageError
from streamgauge._support.types import LEARN, Floats, Schema
from streamgauge.learners.adapters._java import capymoa, check_installed
from streamgauge.learners.adapters._java_events import JavaFailed, JavaLoop
from streamgauge.learners.base import EventFailed, Events, PlaysEvents, Task

_CELLS = 1 << 14  # values handed to Java at a time: the call costs next to nothing, Ctrl-C works
_MODULE: dict[Task, str] = {"classification": "classifier", "regression": "regressor"}
_MOAS_OWN = {"AMRulesRegressor": "moa.classifiers.rules.AMRulesRegressor"}  # CapyMOA names it not


class CapyMOALearner(PlaysEvents):
    """A learner by the name CapyMOA gives it, by its class, or by MOA's own (`moa.…`).

    The JVM starts with the first run, not before. It abstains until it has learned something, and
    where MOA gives no votes or NaN among them (MOA scores these as class 0, CapyMOA as nothing).
    Ties go to the lowest class, as in MOA, and votes that are all 0 are a tie: products that
    underflowed (CapyMOA then predicts nothing).
    """

    def __init__(self, learner: str | type[Any], options: dict[str, Any], name: str | None) -> None:
        check_installed()
        self._learner, self._options = learner, options
        if isinstance(learner, str):
            if not all(part.isidentifier() for part in learner.split(".")):
                raise UsageError(
                    f"{learner!r} is no name of a learner; parameters are given beside it: "
                    'from_capymoa("HoeffdingTree", grace_period=100)'
                )
            self._called = learner.rpartition(".")[2]
        elif inspect.isclass(learner) and learner.__module__.startswith("capymoa."):
            self._called = learner.__name__
        else:
            raise UsageError(
                f"{learner!r} is no learner of CapyMOA's; expected its name or its class, as in "
                'from_capymoa("HoeffdingTree", grace_period=100)'
            )
        for given in ("schema", "moa_learner"):
            if given in options:
                raise UsageError(
                    f"{self._called}: {given} is not yours to give; the stream says it"
                )
        self.name = name or self._text()
        self.task: Task | None = None  # of a name, only CapyMOA knows, and that would start Java
        self.model: Any = None  # CapyMOA's object, once started
        self._saved: bytes | None = None

    def start(self, schema: Schema, seed: int) -> None:
        self._schema = schema
        self.model = self.build(_capymoas(schema), seed)
        self._ready = False
        self._prepare()

    def _prepare(self) -> None:
        header = _capymoas(self._schema).get_moa_header()
        self._k = len(self._schema.classes)
        self._loop = JavaLoop(self.model.moa_learner, header, self._k or 1)

    def build(self, schema: Any, seed: int) -> Any:
        """CapyMOA's object for a schema of CapyMOA's; learners among the options are built too."""
        options = {
            name: value.build(schema, seed) if isinstance(value, CapyMOALearner) else value
            for name, value in self._options.items()
        }
        found = self._found("regression" if schema.is_regression() else "classification")
        parameters = inspect.signature(found).parameters
        if "random_seed" in parameters:
            options.setdefault("random_seed", seed)
        unknown = sorted(set(options) - set(parameters))
        if unknown:
            known = [p for p in parameters if p not in ("schema", "moa_learner")]
            raise UsageError(
                f"{self._called} has no parameter {', '.join(unknown)}; it has {', '.join(known)}"
            )
        try:
            model = found(schema=schema, **options)
        except Exception as error:  # whatever MOA says of parameters it does not like
            raise UsageError(f"{self!r}: CapyMOA did not make it: {_said(error)}") from error
        if not hasattr(model, "moa_learner"):
            raise UsageError(
                f"{self._called} is none of MOA's: CapyMOA has it in Python; take the original, "
                "scikit-learn's for instance through from_sklearn"
            )
        return model

    def _found(self, task: Task) -> Any:
        """What makes a model: a class of CapyMOA's, or its wrapper around one of MOA's."""
        base = capymoa("base")
        kinds = {"classification": base.Classifier, "regression": base.Regressor}
        if not isinstance(self._learner, str):
            found = self._learner
        elif self._learner.startswith("moa.") or self._learner in _MOAS_OWN:
            return _moas_own(_MOAS_OWN.get(self._learner, self._learner), task)
        else:
            homes = {each: capymoa(module) for each, module in _MODULE.items()}
            names = [n for home in homes.values() for n in home.__all__ if n != "Finetune"]
            if self._learner not in names:
                near = difflib.get_close_matches(self._learner, names, 3, 0.4)
                raise UsageError(
                    f"CapyMOA has no learner {self._learner!r}; "
                    f"{'near it: ' + ', '.join(near) if near else 'it has ' + ', '.join(names)}"
                )
            other: Task = "regression" if task == "classification" else "classification"
            here = task if self._learner in homes[task].__all__ else other
            found = getattr(homes[here], self._learner)
        if not issubclass(found, kinds[task]):
            raise UsageError(f"{self._called} is not for {task}, and this stream is")
        return found

    def play(self, events: Events) -> None:
        """Go through the events, a thousand or so in one call into Java."""
        size = max(1, _CELLS // (events.X.shape[1] + 1))
        for start in range(0, len(events.ops), size):
            try:
                self._play(events.cut(start, start + size))
            except EventFailed as failed:
                raise EventFailed(start + failed.event) from failed.__cause__

    def _play(self, events: Events) -> None:
        done = np.flatnonzero((events.ops != LEARN) | (events.weight > 0))
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
        if not self._ready:  # nothing is known before the first lesson, whatever MOA makes of it
            votes[: int(np.argmax(learns)) if learns.any() else len(votes)] = np.nan
            self._ready = bool(learns.any())
        asked = ~learns
        if self._k:
            shares = _shares(votes[asked])
            events.label[done[asked]] = np.where(
                np.isnan(shares[:, 0]), -1, np.argmax(shares, axis=1)
            )
            if len(events.proba):
                events.proba[done[asked]] = shares
        else:
            number = votes[asked, 0]
            events.label[done[asked]] = np.where(np.isfinite(number), number, np.nan)
        if failed is not None:
            cause = RuntimeError(f"MOA raised {_said(failed.__cause__)}")
            cause.__cause__ = failed.__cause__
            raise EventFailed(int(done[failed.event])) from cause

    def _text(self) -> str:
        given = ", ".join(f"{key}={value!r}" for key, value in self._options.items())
        return f"{self._called}({given})" if given else self._called

    def __repr__(self) -> str:
        return f"capymoa:{self._text()}"

    def __getstate__(self) -> dict[str, Any]:
        """For copies and checkpoints: MOA's model as Java saves it."""
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
            self.model = self.build(_capymoas(self._schema), 1)
            from jpype.pickle import JUnpickler

            self.model.moa_learner = JUnpickler(io.BytesIO(self._saved)).load()
            self._saved = None
            self._prepare()


def _capymoas(schema: Schema) -> Any:
    """The schema as CapyMOA has it: every nominal value and class by name, in our order."""
    target = "class"
    while target in schema.features:
        target += "_"
    categories = {n: v for n, v in zip(schema.features, schema.values, strict=True) if v}
    if schema.classes:
        categories[target] = tuple(map(str, schema.classes))
    make = capymoa("stream").Schema.from_custom
    return make([*schema.features, target], target, categories, "stream")


def _moas_own(path: str, task: Task) -> Any:
    """A maker of CapyMOA's wrapper around a class of MOA's, options by MOA's command line."""
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
        raise UsageError(f"MOA's {path} is not for {task}, and this stream is")
    wrapper = base.MOARegressor if regressor else base.MOAClassifier

    def make(schema: Any, CLI: str | None = None, random_seed: int = 1) -> Any:
        moas = java_class()
        moas.prepareForUse()  # some cannot be given a seed before
        return wrapper(moa_learner=moas, schema=schema, CLI=CLI, random_seed=random_seed)

    return make


def _shares(votes: Floats) -> Floats:
    """Votes as probabilities: NaN where there is no answer in them, 0 where all underflowed.

    Votes below 0 are scores, of which only the greatest can be told.
    """
    with np.errstate(all="ignore"):
        total = votes.sum(axis=1)
        shares = votes / np.where(total == 0, 1.0, total)[:, np.newaxis]
    below = (votes < 0).any(axis=1)
    shares[below] = np.eye(votes.shape[1])[np.argmax(votes[below], axis=1)]
    shares[~np.isfinite(total)] = np.nan
    return np.asarray(shares)


def _said(error: BaseException | None) -> str:
    """An error in one line; of a Java one the kind is in the text."""
    kind, text = type(error).__name__, " ".join(str(error).split())
    return text if text.startswith(kind) else f"{kind}: {text}"


def from_capymoa(
    learner: str | type[Any], *, name: str | None = None, **options: Any
) -> CapyMOALearner:
    """A classifier or regressor of MOA's by CapyMOA's name or class, with CapyMOA's parameters.

    from_capymoa("AdaptiveRandomForestClassifier", ensemble_size=10). Its seed is that of the run
    unless random_seed is given. An option may itself be a learner: base_learner=from_capymoa(...).
    What only MOA has goes by its Java name, its options as MOA writes them:
    from_capymoa("moa.classifiers.functions.Perceptron", CLI="-r 0.1").
    """
    return CapyMOALearner(learner, options, name)
