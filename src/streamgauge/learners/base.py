"""What a learner is: the protocol, and the base of the compiled ones."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Literal, NamedTuple, Protocol, runtime_checkable

import numpy as np

from streamgauge._support.errors import UsageError
from streamgauge._support.parameters import call_of
from streamgauge._support.types import LEARN, PREDICT, Flags, Floats, Longs, Schema, Targets

Task = Literal["classification", "regression"]


@runtime_checkable
class Learner(Protocol):
    """Whatever can be asked and taught. Your own class may be one: see docs/learners.md.

    A learner whose answers change only after every `period`-th lesson may say so, with `pending`,
    the lessons since the last change: it is then asked and taught many rows at a time.

    One that looks at the rows before says how many with `context`: X is then rows × context ×
    features, each row last, after the context - 1 rows that arrived just before it, as they were
    when they arrived. NaN throughout where the stream had not begun.
    """

    def start(self, schema: Schema, seed: int) -> None:
        """Forget everything; a stream of this schema begins."""
        ...

    def predict(self, X: Floats) -> Floats:
        """Class probabilities, rows × classes (a NaN row abstains); for regression one number a
        row. Pure: asking changes nothing."""
        ...

    def learn(self, X: Floats, y: Targets, w: Floats) -> None:
        """Labels are revealed."""
        ...


class Events(NamedTuple):
    """What a player is handed: rows, events on them in order, and where the answers go.

    Event e is ops[e] on row slots[e] of X and y: LEARN (1) or a question (0 on arrival, 2 just
    before LEARN, 3 in between). The answer is label[e] (-1 or NaN abstains) and, when `proba` has
    rows, proba[e]. A weight of 0: do not learn. A waiting row whose features change moves to
    another slot; homes[e], its first, is where to remember things of it.
    """

    X: Floats
    y: Targets
    ops: Flags
    slots: Longs
    homes: Longs
    weight: Floats
    label: Targets
    proba: Floats

    def cut(self, start: int, stop: int) -> Events:
        """Some of the events, on the same rows."""
        part = slice(start, stop)
        return Events(
            self.X,
            self.y,
            self.ops[part],
            self.slots[part],
            self.homes[part],
            self.weight[part],
            self.label[part],
            self.proba[part],
        )


@runtime_checkable
class Player(Protocol):
    """A learner that takes a whole agenda in one call, and may remember rows by their home.

    Started anew in the middle (`Resetting`), it is taught rows that it was never asked about.
    """

    def start(self, schema: Schema, seed: int) -> None: ...

    def play(self, events: Events) -> None:
        """Go through the events. y[slot] may be read at that slot's LEARN event only."""
        ...


class EventFailed(Exception):  # noqa: N818 - not an error of its own: it says where one struck
    """A learner raised (`__cause__`) at this event of the agenda; the events before it are done."""

    def __init__(self, event: int) -> None:
        super().__init__(event)
        self.event = event


class PlaysEvents:
    """A player whose predict and learn are agendas of one kind of event."""

    _schema: Schema

    def play(self, events: Events) -> None:
        raise NotImplementedError

    def predict(self, X: Floats) -> Floats:
        n, k = len(X), len(self._schema.classes)
        label: Targets = np.empty(n, np.int32 if k else np.float64)
        proba = np.empty((n if k else 0, k))
        y = np.empty(n, label.dtype)
        ops, slots = np.full(n, PREDICT, np.uint8), np.arange(n)
        self.play(Events(X, y, ops, slots, slots, np.ones(n), label, proba))
        return proba if k else np.asarray(label, np.float64)

    def learn(self, X: Floats, y: Targets, w: Floats) -> None:
        n, k = len(X), len(self._schema.classes)
        label: Targets = np.empty(n, np.int32 if k else np.float64)
        ops, slots = np.full(n, LEARN, np.uint8), np.arange(n)
        self.play(Events(X, y, ops, slots, slots, w, label, np.empty((0, k))))


class CompiledLearner(PlaysEvents):
    """The base of our own: a whole agenda in one compiled call."""

    task: Task | None = "classification"  # None: both
    _given: Mapping[str, Any] = {}  # its parameters

    def start(self, schema: Schema, seed: int) -> None:
        raise NotImplementedError

    def __repr__(self) -> str:
        return call_of(self, self._given)


def check_start(code: int | None, schema: Schema) -> None:
    """A class to begin with must be one."""
    if code is not None and not 0 <= code < len(schema.classes):
        raise UsageError(
            f"start_as={code}: expected a class code, 0 to {len(schema.classes) - 1}: "
            f"{schema.classes}"
        )


def name_of(learner: object) -> str:
    """What tables call it: its `name` if it has one, our own by their parameters."""
    named = getattr(learner, "name", None)
    if not isinstance(named, str):
        ours = type(learner).__module__.startswith("streamgauge.")
        named = repr(learner) if ours else type(learner).__name__
    return named.removesuffix("()")


def context_of(learner: object) -> int:
    """How many rows it wants for one, itself and those before."""
    context = getattr(learner, "context", 1)
    if isinstance(context, bool) or not isinstance(context, int) or context < 1:
        raise UsageError(
            f"{name_of(learner)}: context={context!r}; expected how many rows it is given for one, "
            "the row and those before: a whole number, 1 or more"
        )
    return context


def shown_as(part: object) -> str:
    """A part of a wrapper; by name if its repr says no more than where it lies."""
    text = repr(part)
    return name_of(part) if text.startswith("<") else text


def remedy_for(learner: object) -> str:
    """What may help it where past labels say much, as the end of a sentence: its own `remedy`."""
    own = getattr(learner, "remedy", None)
    return str(own) if own else f"try TemporallyAugmented({shown_as(learner)})"


def bytes_of(learner: object) -> int | None:
    """How large the model is, if it can tell (`nbytes`, a property or a method)."""
    size: Any = getattr(learner, "nbytes", None)
    if callable(size):
        size = size()
    return None if size is None else int(size)


def state_bytes(state: tuple[Any, ...]) -> int:
    """The size of a state of arrays."""
    return sum(array.nbytes for array in state)
