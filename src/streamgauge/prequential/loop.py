"""The one loop: rows arrive, labels are revealed, every learner plays the same agenda."""

from __future__ import annotations

import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from itertools import pairwise

import numpy as np

from streamgauge.compiled import kernel
from streamgauge.errors import InputError
from streamgauge.learners.base import EventFailed, Events, Learner, Player
from streamgauge.prequential.agenda import LEARN, PREDICT, Agenda, AgendaWriter
from streamgauge.prequential.labels import FromStream, LabelPolicy
from streamgauge.prequential.pending import WaitingRoom
from streamgauge.streams.base import Stream
from streamgauge.types import Block, Codes, Flags, Floats, Longs, Schema, Targets

BLOCK_ROWS = 8192
PATIENT_BLOCK_ROWS = 4096  # with a slow learner the progress bar should not stand still


def step(
    learner: Learner, room: WaitingRoom, agenda: Agenda, label: Targets, proba: Floats
) -> None:
    """The generic path: consecutive events of one kind become one call."""
    ops = agenda.ops
    starts = np.flatnonzero(np.diff(ops, prepend=255 if len(ops) else 0))
    for start, stop in pairwise([*starts, len(ops)]):
        slots = agenda.slots[start:stop]
        try:
            if ops[start] == PREDICT:
                answers = np.asarray(learner.predict(room.X[slots]), np.float64)
                expected = (len(slots), proba.shape[1]) if proba.shape[1] else (len(slots),)
                if answers.shape != expected:
                    raise ValueError(f"predict gave shape {answers.shape}, expected {expected}")
                label[start:stop] = answers if answers.ndim == 1 else most_probable(answers)
                if len(proba):
                    proba[start:stop] = answers
            else:
                taught = agenda.weight[start:stop] > 0
                slots = slots[taught]
                if len(slots):
                    learner.learn(room.X[slots], room.y[slots], agenda.weight[start:stop][taught])
        except Exception as error:
            raise EventFailed(int(start)) from error


def perform(
    learner: Learner | Player, room: WaitingRoom, agenda: Agenda, label: Targets, proba: Floats
) -> None:
    """Let a learner go through an agenda, in one call if it can."""
    if hasattr(learner, "play"):  # a Player; isinstance would look at every attribute each time
        ops, slots, _, weight = agenda
        learner.play(Events(room.X, room.y, ops, slots, weight, label, proba))
    else:
        step(learner, room, agenda, label, proba)


def most_probable(probabilities: Floats) -> Codes:
    """The class of the highest probability, ties to the lowest code; a NaN row abstains."""
    abstains = np.isnan(probabilities).any(axis=1)
    return np.where(abstains, -1, np.argmax(probabilities, axis=1)).astype(np.int32)


@kernel
def _settle(
    ops: Flags, slots: Longs, ids: Longs, scored_from: int,
    answer: Targets, first: Targets, out: Targets,
) -> int:  # fmt: skip
    """Remember each first prediction; hand it out when its label is revealed; how many were."""
    row = 0
    for e in range(len(ops)):
        if ops[e] == PREDICT:
            first[slots[e]] = answer[e]
        elif ids[e] >= scored_from:
            out[row] = first[slots[e]]
            row += 1
    return row


@kernel
def _first_wrong_label(ops: Flags, label: Codes, k: int) -> int:
    """The first event answered with what is no class, -1 if there is none. Whatever a learner says
    becomes an index later on, where nobody looks any more."""
    for e in range(len(ops)):
        if ops[e] == PREDICT and (label[e] < -1 or label[e] >= k):
            return e
    return -1


@kernel
def _first_wrong_shares(ops: Flags, proba: Floats) -> int:
    """The first event whose probabilities are none, -1 if there is none. All NaN abstains; all 0 is
    a product that underflowed."""
    for e in range(len(ops)):
        if ops[e] != PREDICT:
            continue
        missing, total, outside = 0, 0.0, False
        for c in range(proba.shape[1]):
            share = proba[e, c]
            missing += np.isnan(share)
            outside |= share < 0 or share > 1
            total += share
        if missing == proba.shape[1]:
            continue
        if missing or outside or (total != 0 and abs(total - 1) > 1e-6):
            return e
    return -1


@kernel
def _revealed_rows(
    ops: Flags, slots: Longs, ids: Longs, scored_from: int, y: Targets, out: Longs, labels: Targets
) -> int:
    """Row and label of every row that is scored, in the order the labels came."""
    row = 0
    for e in range(len(ops)):
        if ops[e] == LEARN and ids[e] >= scored_from:
            out[row] = ids[e]
            labels[row] = y[slots[e]]
            row += 1
    return row


@dataclass
class Contestant:
    """One learner in the loop: its first predictions, its time, and where it failed."""

    learner: Learner | Player
    probabilities: bool = False
    seconds: float = 0.0
    failure: tuple[int, BaseException] | None = None
    _first: Targets = field(default_factory=lambda: np.empty(0), repr=False)
    _first_proba: Floats = field(default_factory=lambda: np.empty((0, 0)), repr=False)

    def start(self, schema: Schema, seed: int) -> None:
        """Begin; the compiled parts are compiled here, on an agenda without events."""
        self.learner.start(schema, seed)
        k = len(schema.classes)
        self._first = np.empty(0, np.int32 if k else np.float64)
        self._first_proba = np.empty((0, k))
        room = WaitingRoom(len(schema.features), schema.regression)
        self.play(room, Agenda.empty(0), 0)
        self.seconds = 0.0

    def play(self, room: WaitingRoom, agenda: Agenda, scored_from: int) -> tuple[Targets, Floats]:
        """Play an agenda; the first predictions (and probabilities) of the rows it scores.

        After a failure these are the rows scored before it.
        """
        events = len(agenda.ops)
        label = np.empty(events, self._first.dtype)
        proba = np.empty((events if self.probabilities else 0, self._first_proba.shape[1]))
        began = time.thread_time()
        try:
            perform(self.learner, room, agenda, label, proba)
            self._check(agenda.ops, label, proba)
        except EventFailed as failed:
            self.failure = (int(agenda.ids[failed.event]), failed.__cause__ or failed)
            agenda = agenda.first(failed.event)
        except Exception as error:  # a play of its own that does not say where: nothing counts
            self.failure = (int(agenda.ids[0]) if events else 0, error)
            agenda = agenda.first(0)
        self.seconds += time.thread_time() - began
        return self._revealed(room.capacity, agenda, scored_from, label, proba)

    def _check(self, ops: Flags, label: Targets, proba: Floats) -> None:
        k = self._first_proba.shape[1]
        if not k:
            return
        wrong = _first_wrong_label(ops, label, k)
        if wrong >= 0:
            code = label[wrong]
            raise EventFailed(wrong) from ValueError(
                f"answered class code {code}; expected 0 to {k - 1}, or -1 to abstain"
            )
        wrong = _first_wrong_shares(ops, proba) if self.probabilities else -1
        if wrong >= 0:
            raise EventFailed(wrong) from ValueError(
                f"answered probabilities {proba[wrong]}; expected numbers in 0..1 that sum to 1, "
                "or NaN throughout to abstain"
            )

    def _revealed(
        self, capacity: int, agenda: Agenda, scored_from: int, label: Targets, proba: Floats
    ) -> tuple[Targets, Floats]:
        ops, slots, ids, _ = agenda
        self._first = _longer(self._first, capacity)
        answers = np.empty(len(ops), self._first.dtype)
        scored = _settle(ops, slots, ids, scored_from, label, self._first, answers)
        if not self.probabilities:
            return answers[:scored], proba
        self._first_proba = _longer(self._first_proba, capacity)
        sure = np.empty((len(ops), proba.shape[1]))
        _settle(ops, slots, ids, scored_from, proba, self._first_proba, sure)
        return answers[:scored], sure[:scored]


def _longer(array: Targets, length: int) -> Targets:
    if len(array) >= length:
        return array
    longer = np.empty((length, *array.shape[1:]), array.dtype)
    longer[: len(array)] = array
    return longer


@dataclass(frozen=True)
class Scored:
    """Rows whose labels were revealed, in that order, and each contestant's first predictions.

    A contestant that failed has fewer predictions than there are rows.
    """

    ids: Longs
    y: Targets
    answers: list[Targets]
    probabilities: list[Floats]
    arrived: int  # rows that have arrived so far


class Loop:
    """One pass over a stream. Iterate `scored()`; contestants that fail fall silent."""

    def __init__(
        self, stream: Stream, policy: LabelPolicy, contestants: Sequence[Contestant], warmup: int
    ) -> None:
        self._stream = stream
        self._contestants = list(contestants)
        self._warmup = warmup
        self._policy = policy
        self._room = WaitingRoom(len(stream.schema.features), stream.schema.regression)
        self._writer = AgendaWriter(policy, self._room)
        self.stream_seconds = 0.0
        self.arrived = 0

    @property
    def unlabelled(self) -> int:
        """Rows whose label never came."""
        return self._writer.unlabelled

    @property
    def bytes(self) -> int:
        """Memory held by the rows that wait."""
        return self._room.X.nbytes + self._room.y.nbytes

    def prepare(self) -> None:
        """Compile what writing agendas will need, by writing one without events."""
        room = self._room
        times = np.empty(0, np.int64) if self._stream.schema.time else None
        none = Block(0, room.X, room.y, times, times)
        if self._stream.schema.time or not isinstance(self._policy, FromStream):
            self._revealed(self._writer.write(none))
            self._writer.finish()

    def scored(self, block_rows: int) -> Iterator[Scored]:
        """Play the stream; what each block scored."""
        blocks = self._stream.blocks(block_rows)
        while True:
            began = time.perf_counter()
            block = next(blocks, None)
            self.stream_seconds += time.perf_counter() - began
            if block is None:
                break
            try:
                agenda = self._writer.write(block)
            except InputError as error:  # the rows before the wrong one are fine: play those
                if error.row is not None and error.row > block.start:
                    fine = block.cut(0, error.row - block.start)
                    yield self._play(self._writer.write(fine), error.row)
                raise
            yield self._play(agenda, block.start + len(block))
        if self._writer.waiting:
            yield self._play(self._writer.finish(), self.arrived)

    def _play(self, agenda: Agenda, arrived: int) -> Scored:
        answers, probabilities = [], []
        for contestant in self._contestants:
            if contestant.failure is None:
                given, sure = contestant.play(self._room, agenda, self._warmup)
            else:
                given, sure = np.empty(0, contestant._first.dtype), np.empty((0, 0))
            answers.append(given)
            probabilities.append(sure)
        ids, y = self._revealed(agenda)
        self._writer.settled()
        self.arrived = arrived
        return Scored(ids, y, answers, probabilities, self.arrived)

    def _revealed(self, agenda: Agenda) -> tuple[Longs, Targets]:
        ops, slots, ids, _ = agenda
        rows = np.empty(len(ops), np.int64)
        labels = np.empty(len(ops), self._room.y.dtype)
        scored = _revealed_rows(ops, slots, ids, self._warmup, self._room.y, rows, labels)
        return rows[:scored], labels[:scored]
