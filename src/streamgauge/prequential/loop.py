"""The one loop: rows arrive, labels are revealed, every participant plays the same agendas."""

from __future__ import annotations

import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np

from streamgauge._support.errors import InputError
from streamgauge._support.jit import lean_kernel
from streamgauge._support.malloc import reuse_freed_memory
from streamgauge._support.types import LEARN, PREDICT, Block, Floats, Longs, Schema, Targets
from streamgauge.prequential.agenda import Agenda
from streamgauge.prequential.agenda_writer import AgendaWriter
from streamgauge.prequential.labels import LabelPolicy, is_timed, needs_reveal_times
from streamgauge.prequential.participant import Participant, Predictions
from streamgauge.prequential.protocols import FoldModel, RowRoles
from streamgauge.prequential.reevaluation._effort import PredictionEffort
from streamgauge.prequential.waiting_room import WaitingRoom
from streamgauge.streams.base import Stream
from streamgauge.streams.blocks import check_codes

BLOCK_ROWS = 16384
SLOW_LEARNER_BLOCK_ROWS = 4096  # smaller blocks keep the progress bar moving
_NUMBERS_AT_ONCE = 1 << 22  # features and class probabilities in a block


def rows_at_once(schema: Schema, usual: int) -> int:
    """The rows of a block: fewer than usual if rows are wide, so that memory stays bounded."""
    width = len(schema.features) + len(schema.classes)
    return max(1, min(usual, _NUMBERS_AT_ONCE // max(1, width)))


@dataclass(frozen=True)
class ScoredRows:
    """The rows that an agenda scores, in reveal order, with each participant's predictions."""

    ids: Longs  # row numbers
    y: Targets
    times: Longs  # when the labels were revealed
    waits: Longs  # … after how long
    at: Longs  # the newest row that had arrived by then
    predictions: list[Predictions]
    effort: Floats | None  # under re-evaluation: N_C, N_B, N_R of each row


class Loop:
    """One pass over a stream. Iterate `scored()`; a participant that fails stops predicting.

    Parameters
    ----------
    stream
        The stream.
    policy
        When labels are revealed.
    groups
        Participants in groups. With a `FoldModel`, a group learns and is scored as that model of a
        cross-validation; with None, it plays every agenda as written.
    protocol
        Which rows are learned and scored.
    every
        Predict waiting rows again after every `every` learned labels; 0 means never.
    max_labels
        Stop once this many labels have been revealed; 0 means at the end of the stream.
    """

    def __init__(
        self,
        stream: Stream,
        policy: LabelPolicy,
        groups: Sequence[tuple[FoldModel | None, Sequence[Participant]]],
        protocol: RowRoles,
        every: int = 0,
        max_labels: int = 0,
    ) -> None:
        self._stream, self._policy = stream, policy
        self._max_labels, self._labels, self._stopped = max_labels, 0, False
        self._groups = list(groups)
        context = max((p.context for _, group in self._groups for p in group), default=1)
        schema = stream.schema
        self._room = WaitingRoom(len(schema.features), schema.regression, context)
        clock = schema.clock if is_timed(policy) else "integers"
        self._writer = AgendaWriter(policy, self._room, every, protocol, clock)
        self._writer.keeps_leaves = max_labels > 0
        if stream.last_event is not None and needs_reveal_times(policy):
            self._writer.end = stream.last_event
        test_set = protocol.test_set(stream)
        if test_set is not None:
            check_codes(test_set, schema, "the test set")
            self._writer.hold_out(test_set)
            self._room.forget_recent()
        self._effort = PredictionEffort() if every else None
        self.stream_seconds = 0.0
        self.arrived = 0

    @property
    def unlabelled(self) -> int:
        """Rows whose label is never revealed."""
        return self._writer.unlabelled

    @property
    def awaited(self) -> int:
        """Unlabelled rows whose label may still come after the end."""
        return self._writer.awaited

    @property
    def never_labelled(self) -> int:
        """Rows that are still predicted again at the end, and get no label."""
        return self._writer.never_labelled

    @property
    def bytes(self) -> int:
        """Memory of the waiting room."""
        return self._room.nbytes

    def prepare(self) -> None:
        """Compile the kernels that write agendas, by writing an empty one."""
        width = len(self._stream.schema.features)
        times = np.empty(0, np.int64) if self._stream.schema.time else None
        empty = Block(0, np.empty((0, width)), self._room.y[:0], times, times)
        check_codes(empty, self._stream.schema, self._stream.name)
        if self._stream.schema.time or not needs_reveal_times(self._policy):
            for agenda in self._writer.write(empty):
                _scored_rows(self._room, agenda, self.arrived - 1)
                if self._effort:
                    self._effort.add(agenda, self._writer.left, self._room.capacity)

    def scored(self, block_rows: int) -> Iterator[list[ScoredRows]]:
        """Play the stream; yield for each agenda the rows it scores, one entry per group."""
        reuse_freed_memory()
        blocks = self._stream.blocks(block_rows)
        while True:
            began = time.perf_counter()
            block = next(blocks, None)
            self.stream_seconds += time.perf_counter() - began
            if block is None:
                break
            self._check_start(block)
            try:
                check_codes(block, self._stream.schema, self._stream.name)
                yield from self._play_all(self._writer.write(block))
            except InputError as error:  # play the rows before the wrong one
                if error.row is not None and error.row > block.start:
                    valid = block.cut(0, error.row - block.start)
                    yield from self._play_all(self._writer.write(valid))
                if not self._stopped:
                    raise
            if self._stopped:
                return
        self._check_end()
        if self._writer.waiting:
            yield from self._play_all(self._writer.finish())

    def _check_start(self, block: Block) -> None:
        """Raise an error unless a block follows the one before: rows are known by their number."""
        if block.start != self._writer.arrived:
            raise InputError(
                f"{self._stream.name}: a block starts at row {block.start:,}; expected row "
                f"{self._writer.arrived:,}, the one after the last block"
            )

    def _check_end(self) -> None:
        """Raise an error if rows are missing, or there are too many."""
        if self._stream.rows not in (None, self._writer.arrived):
            raise InputError(
                f"{self._stream.name}: its `rows` is {self._stream.rows:,}, but its blocks have "
                f"{self._writer.arrived:,} rows"
            )

    def _play_all(self, agendas: Iterator[Agenda]) -> Iterator[list[ScoredRows]]:
        """Play agendas until there are enough labels."""
        for agenda in agendas:
            yield self._play(self._until_enough(agenda) if self._max_labels else agenda)
            if self._stopped:
                return

    def _until_enough(self, agenda: Agenda) -> Agenda:
        """The agenda up to the last label that is wanted."""
        labels = np.flatnonzero(agenda.ops == LEARN)
        wanted = self._max_labels - self._labels
        self._labels += len(labels)
        if len(labels) < wanted:
            return agenda
        self._stopped = True
        last = int(labels[wanted - 1])
        played = agenda.first(last + 1)
        arrivals = played.ids[played.ops == PREDICT]
        arrived = int(arrivals[-1]) + 1 if len(arrivals) else self.arrived
        self._writer.stop(arrived, int(played.times[last]), self._max_labels)
        return played

    def _play(self, agenda: Agenda) -> list[ScoredRows]:
        effort = None
        if self._effort is not None:
            effort = self._effort.add(agenda, self._writer.left, self._room.capacity)
        scored = []
        for model, participants in self._groups:
            if model is None:
                scored.append(self._play_group(participants, agenda, effort))
            else:
                scored.append(self._play_group(participants, *_of_fold(model, agenda, effort)))
        self.arrived = self._writer.arrived
        return scored

    def _play_group(
        self, participants: Sequence[Participant], agenda: Agenda, effort: Floats | None
    ) -> ScoredRows:
        return play(participants, self._room, agenda, self.arrived - 1, effort)


def play(
    participants: Sequence[Participant],
    room: WaitingRoom,
    agenda: Agenda,
    newest: int,
    effort: Floats | None = None,
) -> ScoredRows:
    """Let every participant play an agenda; `newest`: the newest row of earlier agendas."""
    predictions = [
        participant.no_predictions() if participant.failure else participant.play(room, agenda)
        for participant in participants
    ]
    return ScoredRows(*_scored_rows(room, agenda, newest), predictions, effort)


def _scored_rows(
    room: WaitingRoom, agenda: Agenda, newest: int
) -> tuple[Longs, Targets, Longs, Longs, Longs]:
    most = int(np.count_nonzero(agenda.ops == LEARN))  # no more: logs keep these arrays
    ids, times, waits, at = (np.empty(most, np.int64) for _ in range(4))
    labels = np.empty(most, room.y.dtype)
    scored = _collect_scored(agenda, room.y, room.arrives, newest, ids, labels, times, waits, at)
    return ids[:scored], labels[:scored], times[:scored], waits[:scored], at[:scored]


@lean_kernel
def _collect_scored(
    agenda: Agenda, y: Targets, arrives: Longs, newest: int,
    ids: Longs, labels: Targets, times: Longs, waits: Longs, at: Longs,
) -> int:  # fmt: skip
    """Write row, label, reveal time, wait and newest arrived row of scored rows; return how many.

    `newest` is the newest row that arrived in earlier agendas.
    """
    ops, slots, row_ids, rows, _, moments, scored = agenda
    row = 0
    for e in range(len(ops)):
        if ops[e] == PREDICT:
            newest = max(newest, rows[e])
        elif ops[e] == LEARN and scored[e]:
            i = np.uint64(row)  # unsigned: numba need not ask whether it counts from the end
            ids[i] = rows[e]
            labels[i] = y[np.uint64(slots[e])]
            times[i] = moments[e]
            waits[i] = moments[e] - arrives[np.uint64(row_ids[e])]
            at[i] = newest
            row += 1
    return row


def _of_fold(
    model: FoldModel, agenda: Agenda, effort: Floats | None
) -> tuple[Agenda, Floats | None]:
    """The agenda as one model of a cross-validation plays it, and the effort of its scored rows."""
    weight = model.weight(agenda.ids)
    scored = (agenda.scored * model.scored(weight)).astype(np.uint8)
    if effort is not None:
        effort = effort[scored[(agenda.ops == LEARN) & (agenda.scored == 1)] == 1]
    weight = np.where(agenda.ops == LEARN, agenda.weight * weight, agenda.weight)
    return agenda._replace(weight=weight, scored=scored), effort
