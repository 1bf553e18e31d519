"""The learner protocols, and the base class of compiled learners."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from functools import wraps
from typing import Any, Literal, NamedTuple, ParamSpec, Protocol, TypeVar, runtime_checkable

import numpy as np

from streamgauge._support.errors import InputError, UsageError, check_seed
from streamgauge._support.parameters import Parametrized
from streamgauge._support.printable import printable
from streamgauge._support.types import (
    LEARN,
    PREDICT,
    Block,
    Flags,
    Floats,
    Longs,
    Schema,
    Targets,
)
from streamgauge.streams.blocks import check_codes

P = ParamSpec("P")
R = TypeVar("R")
Task = Literal["classification", "regression"]
_PACKAGE = "streamgauge."
_METHODS = frozenset({"start", "play", "predict", "learn", "leave"})
_MOST_CONTEXT = 10_000  # rows that are kept with each row that waits
REMEDY_WITHOUT_FEATURES = (  # of learners that ignore the features: wrapping them changes nothing
    "try a learner that uses features and past labels, such as TemporallyAugmented(NaiveBayes())"
)


@runtime_checkable
class Learner(Protocol):
    """Anything that predicts and learns; your own class may be one.

    A learner whose predictions change only after every `period`-th learned row may declare
    `period`, and `pending`, the rows learned since the last change: it then gets many rows per
    call.

    A learner that uses earlier rows declares `context`: X is then rows × context × features. The
    row itself comes last, after the context - 1 rows that arrived just before it, as they were when
    they arrived. Rows before the start of the stream are NaN.

    A learner that never draws random numbers may declare `random = False`: an experiment then runs
    it once for all seeds if nothing else depends on them.

    `testing.check_learner` checks a learner; docs/learners.md explains more.

    Examples
    --------
    A learner that always predicts the first class:

    >>> import numpy as np
    >>> import streamgauge as sg
    >>> class First:
    ...     def start(self, schema, seed):
    ...         self.k = len(schema.classes)
    ...
    ...     def predict(self, X):
    ...         return np.eye(self.k)[np.zeros(len(X), int)]
    ...
    ...     def learn(self, X, y, w):
    ...         pass
    >>> isinstance(First(), sg.Learner)
    True
    >>> run = sg.evaluate(sg.from_arrays([[0], [0], [0]], ["a", "b", "a"]), First())
    >>> run.predictions["prediction"].to_pylist()
    ['a', 'a', 'a']
    """

    def start(self, schema: Schema, seed: int) -> None:
        """Reset, for a stream of this schema."""
        ...

    def predict(self, X: Floats) -> Floats:
        """Return class probabilities, rows × classes, or in regression one value per row.

        A row of NaN abstains. It must not change the learner.
        """
        ...

    def learn(self, X: Floats, y: Targets, w: Floats) -> None:
        """Update with rows whose labels have been revealed."""
        ...


class Events(NamedTuple):
    """Rows, the events on them in order, and the arrays for the predictions.

    Event e is ops[e] on row slots[e] of X and y: LEARN (1) or a prediction (0 on arrival, 2 just
    before LEARN, 3 in between). The prediction goes to label[e] (-1 or NaN abstains) and, when
    `proba` has rows, to proba[e]. A row of weight 0 is not learned; a prediction on arrival has the
    weight 0 if the row belongs to a held-out set instead of the stream. A waiting row whose
    features change moves to another slot; row_ids[e], its first slot, identifies the row.
    """

    X: Floats
    y: Targets
    ops: Flags
    slots: Longs
    row_ids: Longs
    weight: Floats
    label: Targets
    proba: Floats

    def cut(self, start: int, stop: int) -> Events:
        """The events from start to stop, on the same rows."""
        part = slice(start, stop)
        return Events(
            self.X,
            self.y,
            self.ops[part],
            self.slots[part],
            self.row_ids[part],
            self.weight[part],
            self.label[part],
            self.proba[part],
        )

    def parts(self, size: int) -> Iterator[Events]:
        """The events in parts of at most `size`; one without events if there are none.

        A learner that plays part by part then calls its kernels even for an empty agenda, which
        compiles them before the first row.
        """
        for start in range(0, max(1, len(self.ops)), size):
            yield self.cut(start, start + size)


@runtime_checkable
class Player(Protocol):
    """A learner that plays a whole agenda in one call, and may remember rows by their row id.

    After a reset in mid-stream (`Resetting`) it learns rows that it never predicted.
    """

    def start(self, schema: Schema, seed: int) -> None:
        """Reset, for a stream of this schema."""
        ...

    def play(self, events: Events) -> None:
        """Process the events. y[slot] may be read at that slot's LEARN event only.

        The arrays are copies without the labels that are learned later than this agenda; write
        nothing but label and proba.
        """
        ...


class EventFailed(Exception):  # noqa: N818 - it only locates another error
    """A learner raised (`__cause__`) at this event of the agenda, after all events before it."""

    def __init__(self, event: int) -> None:
        super().__init__(event)
        self.event = event


class Guarded:
    """A learner whose `start`, `predict` and `learn` refuse what does not fit the schema.

    Kernels take codes as indices into memory. An evaluation has checked its rows and calls what
    `unguarded` returns. `start` keeps the schema as `_schema`.
    """

    _schema: Schema

    def start(self, schema: Schema, seed: int) -> None:
        """Reset, for a stream of this schema."""
        raise NotImplementedError

    def __init_subclass__(cls, **options: Any) -> None:
        super().__init_subclass__(**options)
        for name, guard in _GUARDS.items():
            if name in vars(cls):
                setattr(cls, name, guard(vars(cls)[name]))


def unguarded(method: Callable[P, R]) -> Callable[P, R]:
    """A learner's method without the guard, for rows that have been checked."""
    own: Any = getattr(method, "_unguarded", None)
    return method if own is None else own.__get__(method.__self__)  # type: ignore[attr-defined]


def _guarded_start(start: Callable[[Any, Schema, int], None]) -> Callable[..., None]:
    @wraps(start)
    def guarded(self: Guarded, schema: Schema, seed: int) -> None:
        check_seed(f"{name_of(self)}.start", seed)
        start(self, schema, seed)

    return guarded


def _guarded_predict(predict: Callable[[Any, Floats], Floats]) -> Callable[..., Floats]:
    @wraps(predict)
    def guarded(self: Guarded, X: Floats) -> Floats:
        return predict(self, _checked_rows(self, X, None)[0])

    guarded._unguarded = predict  # type: ignore[attr-defined]
    return guarded


def _guarded_learn(learn: Callable[[Any, Floats, Targets, Floats], None]) -> Callable[..., None]:
    @wraps(learn)
    def guarded(self: Guarded, X: Floats, y: Targets, w: Floats) -> None:
        X, y = _checked_rows(self, X, y)
        w = _as_numbers(self, "weights", w)
        if w.shape != (len(X),) or not ((w >= 0) & (w < np.inf)).all():
            raise InputError(f"{name_of(self)}: expected a weight of 0 or more for each row")
        learn(self, X, y, w)

    guarded._unguarded = learn  # type: ignore[attr-defined]
    return guarded


_GUARDS: dict[str, Callable[[Any], Any]] = {
    "start": _guarded_start,
    "predict": _guarded_predict,
    "learn": _guarded_learn,
}


def _checked_rows(learner: Guarded, X: Floats, y: Targets | None) -> tuple[Floats, Targets]:
    """Rows and labels as kernels take them: in this order in memory, and with valid codes."""
    name, schema = name_of(learner), getattr(learner, "_schema", None)
    if schema is None:
        raise UsageError(f"{name} has not started; call start(schema, seed) before")
    X = _as_numbers(learner, "rows", X)
    labels = np.zeros(len(X)) if y is None else _as_numbers(learner, "labels", y)
    if X.ndim == 3:  # each row with those before it
        n, context, features = X.shape
        block = Block(0, X.reshape(n * context, features), np.repeat(labels, context))
    else:
        block = Block(0, X, labels)
    check_codes(block, schema, name)
    if not schema.classes:
        return X, labels
    if (labels < 0).any():
        raise InputError(f"{name}: expected a label for every row")
    if (labels != np.floor(labels)).any():
        raise InputError(f"{name}: expected labels as class codes, 0 to {len(schema.classes) - 1}")
    return X, labels.astype(np.int32)


def _as_numbers(learner: Guarded, what: str, given: Any) -> Floats:
    try:
        return np.atleast_1d(np.ascontiguousarray(given, np.float64))
    except (TypeError, ValueError) as error:
        raise InputError(
            f"{name_of(learner)}: expected {what} as numbers, nominal values and classes by their "
            f"codes ({error})"
        ) from None


class PlaysEvents(Guarded):
    """A player whose `predict` and `learn` play agendas with a single kind of event."""

    def play(self, events: Events) -> None:
        """Process the events of an agenda in one call."""
        raise NotImplementedError

    def predict(self, X: Floats) -> Floats:
        """Return class probabilities, rows × classes, or in regression one value per row."""
        n, k = len(X), len(self._schema.classes)
        y: Targets = np.zeros(n, np.int32 if k else np.float64)
        proba = np.empty((n if k else 0, k))
        ops, slots, label = np.full(n, PREDICT, np.uint8), np.arange(n), np.empty_like(y)
        self.play(Events(X, y, ops, slots, slots, np.ones(n), label, proba))
        return proba if k else np.asarray(label, np.float64)

    def learn(self, X: Floats, y: Targets, w: Floats) -> None:
        """Update with rows whose labels have been revealed."""
        n, k = len(X), len(self._schema.classes)
        ops, slots = np.full(n, LEARN, np.uint8), np.arange(n)
        self.play(Events(X, y, ops, slots, slots, w, np.empty_like(y), np.empty((0, k))))


class CompiledLearner(PlaysEvents, Parametrized):
    """The base of our own learners: a whole agenda in one compiled call."""

    task: Task | None = "classification"  # None: both
    random: bool = True  # whether it draws random numbers

    @property
    def nbytes(self) -> int:
        """Bytes of the model's state: `run.cost.model_bytes`."""
        raise NotImplementedError


def check_start_as(code: int | None, schema: Schema) -> None:
    """Raise an error unless an initial class is one of the schema's."""
    if code is not None and not 0 <= code < len(schema.classes):
        raise UsageError(
            f"start_as={code}: expected a class code, 0 to {len(schema.classes) - 1}; the classes "
            f"are {schema.classes}"
        )


def moa_never_abstains(learner: object) -> bool:
    """Whether MOA's version predicts class 0 before its first label, instead of abstaining.

    A wrapper predicts what its base does.
    """
    base = getattr(learner, "base", None)
    own = getattr(learner, "moa_never_abstains", None)
    return bool(own) if own is not None or base is None else moa_never_abstains(base)


def name_of(learner: object) -> str:
    """The name of a learner in tables: its `name`, or its repr if it is one of ours."""
    named = getattr(learner, "name", None)
    if not isinstance(named, str):
        ours = type(learner).__module__.startswith("streamgauge.")
        named = repr(learner) if ours else type(learner).__name__
    return printable(named.removesuffix("()"))


def context_of(learner: object) -> int:
    """The number of rows a learner gets per prediction: the row itself and those before it."""
    context = getattr(learner, "context", 1)
    whole = isinstance(context, int) and not isinstance(context, bool)
    if not whole or not 1 <= context <= _MOST_CONTEXT:
        raise UsageError(
            f"{name_of(learner)}: context={context!r}; expected an integer, 1 or more (up to "
            f"{_MOST_CONTEXT:,}): the number of rows per prediction, the row itself and those "
            "before it"
        )
    return context


def shown_as(part: object) -> str:
    """A part of a wrapper as text; by name if its repr shows only an address."""
    text = repr(part)
    return name_of(part) if text.startswith("<") else text


def has_probabilities(learner: object) -> bool:
    """Whether a learner's probabilities can be other than 0 and 1; its `has_probabilities` if any.

    One that does not say may still turn out to predict only 0 and 1.
    """
    return bool(getattr(learner, "has_probabilities", True))


def remedy_for(learner: object) -> str:
    """Advice where past labels are informative, as the end of a sentence; its `remedy` if any."""
    own = getattr(learner, "remedy", None)
    if own:
        return str(own)
    if context_of(learner) == 1:
        return f"try TemporallyAugmented({shown_as(learner)})"
    if has_probabilities(learner):  # earlier rows cannot be augmented, probabilities be corrected
        return f"try TemporalCorrection({shown_as(learner)})"
    return "try another learner, one that uses past labels"


def is_own(learner: object) -> bool:
    """Whether a learner, with all that it wraps, is streamgauge's, and plays as it was written."""
    kind = type(learner)
    module = kind.__module__
    if not module.startswith(_PACKAGE) or ".adapters." in module:
        return False
    if getattr(sys.modules.get(module), kind.__name__, None) is not kind:  # it only says so
        return False
    methods = (getattr(kind, name, None) for name in _METHODS)
    replaced = not _METHODS.isdisjoint(getattr(learner, "__dict__", ()))
    if replaced or not all(_is_ours(each) for each in methods if each is not None):
        return False
    return not hasattr(learner, "base") or is_own(learner.base)


def _is_ours(method: Any) -> bool:
    return str(getattr(method, "__module__", "")).startswith(_PACKAGE)


def unseeded_in(learner: object) -> tuple[str, ...]:
    """Why the seed of a run does not determine the learner's random numbers; empty if it does."""
    return tuple(getattr(learner, "unseeded", ()))


def warning_of(learner: object) -> str | None:
    """What a reader of its run should know about how a learner started or played, if anything."""
    own = getattr(learner, "warning", None)
    if isinstance(own, str):
        return own
    return warning_of(learner.base) if hasattr(learner, "base") else None


def state_bytes(state: tuple[Any, ...]) -> int:
    """The size of a tuple of arrays."""
    return sum(array.nbytes for array in state)
