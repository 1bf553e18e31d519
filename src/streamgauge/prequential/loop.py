"""The one loop: rows arrive, labels are revealed, every learner plays the same agenda."""

from __future__ import annotations

import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import NamedTuple

import numpy as np

from streamgauge._support.errors import InputError
from streamgauge._support.jit import kernel
from streamgauge._support.types import LEARN, PREDICT, Block, Flags, Floats, Longs, Schema, Targets
from streamgauge.learners.base import EventFailed, Events, Learner, Player, context_of
from streamgauge.learners.run_events import check_labels, check_shares, go_through
from streamgauge.prequential.agenda import Agenda
from streamgauge.prequential.agenda_writer import AgendaWriter
from streamgauge.prequential.labels import FromStream, LabelPolicy
from streamgauge.prequential.protocols import OneModel, Rows
from streamgauge.prequential.reevaluation.display import Display
from streamgauge.prequential.reevaluation.reevaluate import Effort
from streamgauge.prequential.waiting_room import WaitingRoom
from streamgauge.streams.base import Stream
from streamgauge.streams.blocks import check_class_codes

BLOCK_ROWS = 16384
_LARGER_THAN_A_BLOCK = 1 << 24  # bytes; below the limit of what malloc learns from
PATIENT_BLOCK_ROWS = 4096  # with a slow learner the progress bar should not stand still


def _keep_memory() -> None:
    """Let every block find its arrays' memory where the one before left it.

    Linux's malloc gives arrays as large as a block's back to the system and fetches them anew page
    by page, which costs more than a tenth of a fast evaluation, until it has seen a larger one go.
    """
    np.empty(_LARGER_THAN_A_BLOCK, np.uint8)


def events_of(
    agenda: Agenda, room: WaitingRoom, label: Targets, proba: Floats, context: int = 1
) -> Events:
    """An agenda as learners see it: what they may know of it."""
    ops, slots, homes, _, weight, _, _ = agenda
    return Events(room.rows(context), room.y, ops, slots, homes, weight, label, proba)


@kernel
def _settle(
    ops: Flags, homes: Longs, scored: Flags,
    answer: Targets, first: Targets, out: Targets,
) -> int:  # fmt: skip
    """Remember each first prediction; hand it out when its label is revealed; how many were."""
    row = 0
    for e in range(len(ops)):
        if ops[e] == PREDICT:
            first[homes[e]] = answer[e]
        elif ops[e] == LEARN and scored[e]:
            out[row] = first[homes[e]]
            row += 1
    return row


@kernel
def _revealed_rows(
    agenda: Agenda, y: Targets, newest: int, ids: Longs, labels: Targets, times: Longs, at: Longs
) -> int:
    """Row, label and time of every row that is scored, in the order the labels came, and the row
    that had arrived last by then; `newest` is that of the agendas before."""
    ops, slots, _, rows, _, moments, scored = agenda
    row = 0
    for e in range(len(ops)):
        if ops[e] == PREDICT:
            newest = max(newest, rows[e])
        elif ops[e] == LEARN and scored[e]:
            ids[row] = rows[e]
            labels[row] = y[slots[e]]
            times[row] = moments[e]
            at[row] = newest
            row += 1
    return row


class Answers(NamedTuple):
    """Of one learner on the rows scored: first predictions, probabilities, outcomes per bin.

    A learner that failed answered fewer rows than there are, or none.
    """

    first: Targets
    proba: Floats
    bins: Targets | None


@dataclass
class Contestant:
    """One learner in the loop: its first predictions, its time, and where it failed."""

    learner: Learner | Player
    probabilities: bool = False
    seconds: float = 0.0
    failure: tuple[int, BaseException] | None = None
    display: Display | None = None  # of re-evaluation
    _first: Targets = field(default_factory=lambda: np.empty(0), repr=False)
    _first_proba: Floats = field(default_factory=lambda: np.empty((0, 0)), repr=False)

    @property
    def context(self) -> int:
        """How many rows it is given for one: the row and those that arrived before it."""
        return context_of(self.learner)

    def start(self, schema: Schema, seed: int) -> None:
        """Begin; the compiled parts are compiled here, on an agenda without events."""
        self.learner.start(schema, seed)
        k = len(schema.classes)
        self._first = np.empty(0, np.int32 if k else np.float64)
        self._first_proba = np.empty((0, k))
        room = WaitingRoom(len(schema.features), schema.regression, self.context)
        self.play(room, Agenda.empty(0))
        self.seconds = 0.0

    def play(self, room: WaitingRoom, agenda: Agenda) -> Answers:
        """Play an agenda; the answers on the rows it scores.

        After a failure these are the rows scored before it.
        """
        events = len(agenda.ops)
        label = np.empty(events, self._first.dtype)
        proba = np.empty((events if self.probabilities else 0, self._first_proba.shape[1]))
        began = time.thread_time()
        try:
            go_through(self.learner, events_of(agenda, room, label, proba, self.context))
            self._check(agenda.ops, label, proba)
        except EventFailed as failed:
            self.failure = (int(agenda.ids[failed.event]), failed.__cause__ or failed)
            agenda = agenda.first(failed.event)
        except Exception as error:  # a play of its own that does not say where: nothing counts
            self.failure = (int(agenda.ids[0]) if events else 0, error)
            agenda = agenda.first(0)
        self.seconds += time.thread_time() - began
        return self._revealed(room, agenda, label, proba)

    def nothing(self) -> Answers:
        """What a learner that has failed says."""
        return Answers(self._first[:0], self._first_proba[:0], None)

    def _check(self, ops: Flags, label: Targets, proba: Floats) -> None:
        k = self._first_proba.shape[1]
        if not k:
            return
        check_labels(ops, label, k)
        if self.probabilities:
            check_shares(ops, proba)

    def _revealed(
        self, room: WaitingRoom, agenda: Agenda, label: Targets, proba: Floats
    ) -> Answers:
        ops, homes = agenda.ops, agenda.homes
        self._first = _longer(self._first, room.capacity)
        first = np.empty(len(ops), self._first.dtype)
        scored = _settle(ops, homes, agenda.scored, label, self._first, first)
        if self.probabilities:
            self._first_proba = _longer(self._first_proba, room.capacity)
            sure = np.empty((len(ops), proba.shape[1]))
            _settle(ops, homes, agenda.scored, proba, self._first_proba, sure)
            proba = sure[:scored]
        bins = None
        if self.display is not None:
            bins = self.display.settle(agenda, label[: len(ops)], room)
        return Answers(first[:scored], proba, bins)


def _longer(array: Targets, length: int) -> Targets:
    if len(array) >= length:
        return array
    longer = np.empty((length, *array.shape[1:]), array.dtype)
    longer[: len(array)] = array
    return longer


@dataclass(frozen=True)
class Scored:
    """Rows whose labels were revealed, in that order, and each contestant's answers."""

    ids: Longs
    y: Targets
    times: Longs  # when the labels came
    at: Longs  # the row that had arrived last by then
    answers: list[Answers]
    effort: Floats | None  # of each row, under re-evaluation: N_C, N_B, N_R


class Loop:
    """One pass over a stream. Iterate `scored()`; contestants that fail fall silent.

    Contestants come in groups. Each group plays every agenda, as a whole or, given a `OneModel`,
    with that model's lessons and tests.
    """

    def __init__(
        self,
        stream: Stream,
        policy: LabelPolicy,
        groups: Sequence[tuple[OneModel | None, Sequence[Contestant]]],
        protocol: Rows,
        every: int = 0,
    ) -> None:
        self._stream, self._policy = stream, policy
        self._groups = list(groups)
        context = max((c.context for _, group in self._groups for c in group), default=1)
        schema = stream.schema
        self._room = WaitingRoom(len(schema.features), schema.regression, context)
        self._writer = AgendaWriter(policy, self._room, every, protocol)
        tests = protocol.test_set(stream)
        if tests is not None:
            self._writer.hold_out(tests)
            self._room.begin()
        self._effort = Effort() if every else None
        self.stream_seconds = 0.0
        self.arrived = 0

    @property
    def unlabelled(self) -> int:
        """Rows whose label never came."""
        return self._writer.unlabelled

    @property
    def bytes(self) -> int:
        """Memory held by the rows that wait."""
        return self._room.nbytes

    def prepare(self) -> None:
        """Compile what writing agendas will need, by writing one without events."""
        width = len(self._stream.schema.features)
        times = np.empty(0, np.int64) if self._stream.schema.time else None
        none = Block(0, np.empty((0, width)), self._room.y[:0], times, times)
        if self._stream.schema.time or not isinstance(self._policy, FromStream):
            for agenda in self._writer.write(none):
                self._revealed(agenda)
                if self._effort:
                    self._effort.add(agenda, self._room.capacity)

    def scored(self, block_rows: int) -> Iterator[list[Scored]]:
        """Play the stream; what each agenda scored, group by group."""
        _keep_memory()
        blocks = self._stream.blocks(block_rows)
        while True:
            began = time.perf_counter()
            block = next(blocks, None)
            self.stream_seconds += time.perf_counter() - began
            if block is None:
                break
            try:
                check_class_codes(block, self._stream.schema, self._stream.name)
                yield from map(self._play, self._writer.write(block))
            except InputError as error:  # the rows before the wrong one are fine: play those
                if error.row is not None and error.row > block.start:
                    fine = block.cut(0, error.row - block.start)
                    yield from map(self._play, self._writer.write(fine))
                raise
        if self._writer.waiting:
            yield from map(self._play, self._writer.finish())

    def _play(self, agenda: Agenda) -> list[Scored]:
        effort = None
        if self._effort is not None:
            effort = self._effort.add(agenda, self._room.capacity)
        scored = [
            self._play_group(agenda, contestants, effort)
            if model is None
            else self._play_group(*_lessons(agenda, model, effort, contestants))
            for model, contestants in self._groups
        ]
        self.arrived = self._writer.arrived
        return scored

    def _play_group(
        self, agenda: Agenda, contestants: Sequence[Contestant], effort: Floats | None
    ) -> Scored:
        answers = [
            contestant.nothing() if contestant.failure else contestant.play(self._room, agenda)
            for contestant in contestants
        ]
        return Scored(*self._revealed(agenda), answers, effort)

    def _revealed(self, agenda: Agenda) -> tuple[Longs, Targets, Longs, Longs]:
        ids, times, at = (np.empty(len(agenda.ops), np.int64) for _ in range(3))
        labels = np.empty(len(agenda.ops), self._room.y.dtype)
        newest = self.arrived - 1
        scored = _revealed_rows(agenda, self._room.y, newest, ids, labels, times, at)
        return ids[:scored], labels[:scored], times[:scored], at[:scored]


def _lessons(
    agenda: Agenda, model: OneModel, effort: Floats | None, contestants: Sequence[Contestant]
) -> tuple[Agenda, Sequence[Contestant], Floats | None]:
    """The agenda as one model of a cross-validation plays it."""
    share = model.weight(agenda.ids)
    scored = (agenda.scored * model.scored(share)).astype(np.uint8)
    if effort is not None:
        effort = effort[scored[(agenda.ops == LEARN) & (agenda.scored == 1)] == 1]
    own = agenda._replace(weight=agenda.weight * share, scored=scored)
    return own, contestants, effort
