"""Past labels as nominal features, with or without the features of the row (semantics §6)."""

from __future__ import annotations

from itertools import pairwise
from typing import Any, Literal, NamedTuple

import numpy as np

from streamgauge._support.errors import UsageError, check_integer
from streamgauge._support.jit import kernel
from streamgauge._support.types import LEARN, PREDICT, Floats, Longs, Schema, Targets
from streamgauge.learners.base import EventFailed, Events, name_of
from streamgauge.learners.run_events import check_labels, run_events
from streamgauge.learners.wrappers._base import Wrapper

_MOST_LABELS = 10_000  # each is a feature
History = Literal["revealed", "predicted", "both"]


class _Context(NamedTuple):
    """The extra features of rows: labels, predictions, feature vectors, each newest first."""

    now: Floats  # those of a row that arrives now; NaN = none yet
    frozen: Floats  # [row_id]: those of its row
    sizes: Longs  # [number of labels, number of cells of feature vectors, features of the row kept]


class _Rows(NamedTuple):
    """The extended rows of one agenda, and the one each event refers to."""

    X: Floats
    y: Targets
    slots: Longs  # [event]
    place: Longs  # [slot]: its newest extended row, -1 = none yet
    used: Longs  # [0]: number of extended rows


_EMPTY = np.empty(0, np.int64)
_NO_ROWS = _Rows(np.empty((0, 0)), np.empty(0, np.int32), _EMPTY, _EMPTY, _EMPTY)


class PastLabels(Wrapper):
    """The base of wrappers that give the base learner past labels as features."""

    features: bool = False  # also the last `order` feature vectors
    _keeps_features: bool  # those of the row itself

    def __init__(self, base: Any, order: int, refresh: bool, history: History) -> None:
        super().__init__(base)
        if self.context > 1:
            raise UsageError(
                f"{type(self).__name__}({name_of(self.base)}): expected a learner without context; "
                "this one gets earlier rows, whose features are fixed when they arrive"
            )
        check_integer("order", order)
        if not 1 <= order <= _MOST_LABELS:
            raise UsageError(
                f"order={order}: expected at least one past label, at most {_MOST_LABELS:,}"
            )
        if history not in ("revealed", "predicted", "both"):
            raise UsageError(f"history={history!r}: expected 'revealed', 'predicted' or 'both'")
        if refresh and history == "predicted":
            raise UsageError(
                "refresh=True uses newer labels, but history='predicted' uses none; "
                "expected history='revealed' or 'both'"
            )
        self.order, self.refresh = int(order), refresh
        self.history: History = history
        self._spare = _NO_ROWS

    def start(self, schema: Schema, seed: int) -> None:
        labels = self.order * (self.history != "predicted")
        predictions = self.order * (self.history != "revealed")
        past = self.order * self.features * len(schema.features)
        size = labels + predictions + past
        kept = len(schema.features) * self._keeps_features
        sizes = np.array([labels, past, kept], np.int64)
        self._context = _Context(np.full(size, np.nan), np.empty((0, size)), sizes)
        self._spare = _NO_ROWS
        self._k = len(schema.classes)
        self._start_base(schema, self._extended(schema), seed)

    def _extended(self, schema: Schema) -> Schema:
        lags = range(1, self.order + 1)
        classes = tuple(map(str, schema.classes))
        more = [(f"label-{lag}", classes) for lag in lags if self.history != "predicted"]
        more += [(f"prediction-{lag}", classes) for lag in lags if self.history != "revealed"]
        old = list(zip(schema.features, schema.values, strict=True))
        if self.features:
            more += [(f"{name}-{lag}", values) for lag in lags for name, values in old]
        kept = old if self._keeps_features else []
        names, values = [name for name, _ in kept], [its_values for _, its_values in kept]
        for name, its_values in more:
            while name in names:  # a nested wrapper, or a column of the stream
                name += "'"  # noqa: PLW2901
            names.append(name)
            values.append(its_values)
        return Schema(tuple(names), tuple(values), schema.classes, schema.time)

    @property
    def nbytes(self) -> int | None:
        return self._size(self._context.now)

    def play(self, events: Events) -> None:
        """Process the events of an agenda in one call."""
        frozen, sizes = self._context.frozen, self._context.sizes
        missing = len(events.y) - len(frozen)
        if missing > 0:
            # NaN for rows that were first predicted before this learner was reset.
            longer = np.concatenate([frozen, np.full((missing, frozen.shape[1]), np.nan)])
            self._context = self._context._replace(frozen=longer)
        count = len(events.ops)
        rows = self._room_for(count, len(events.y), int(sizes[2]) + frozen.shape[1])
        extended = events._replace(X=rows.X, y=rows.y, slots=rows.slots)
        if self.history == "revealed":
            # The agenda fixes which labels are known at which event: make all rows at once.
            _extend(events, 0, count, self.refresh, self._context, rows)
            run_events(self.base, extended)
            return
        arrivals = np.flatnonzero(events.ops[1:] == PREDICT) + 1
        for start, stop in pairwise([0, *arrivals.tolist(), count]):
            _extend(events, start, stop, self.refresh, self._context, rows)
            try:
                self._play_until_next_arrival(extended.cut(start, stop))
            except EventFailed as failed:
                raise EventFailed(start + failed.event) from failed.__cause__

    def _room_for(self, events: int, row_ids: int, width: int) -> _Rows:
        """Rows for an agenda, at least as many as row ids: the base may remember rows by row id."""
        most = max(events, row_ids)
        if len(self._spare.y) < most:  # kept, since fresh memory costs more than filling it
            X, y = np.empty((most, width)), np.empty(most, np.int32)
            self._spare = _NO_ROWS._replace(X=X, y=y)
        return self._spare._replace(
            slots=np.empty(events, np.int64),
            place=np.full(row_ids, -1, np.int64),
            used=np.zeros(1, np.int64),
        )

    def __getstate__(self) -> dict[str, Any]:
        """Rows of earlier agendas are not part of a checkpoint."""
        return {**vars(self), "_spare": _NO_ROWS}

    def _play_until_next_arrival(self, events: Events) -> None:
        run_events(self.base, events)
        if len(events.ops) and events.ops[0] == PREDICT:
            check_labels(events.ops[:1], events.label[:1], self._k)
            first = self._context.sizes[0]
            recent = self._context.now[first : first + self.order]
            recent[1:] = recent[:-1].copy()
            recent[0] = np.nan if events.label[0] < 0 else events.label[0]


@kernel
def _extend(
    events: Events, start: int, stop: int, refresh: bool, context: _Context, rows: _Rows
) -> None:
    """Make the extended rows of some events: one when a row arrives, another when it changes."""
    X, y, ops, slots, row_ids, weight, _, _ = events
    now, frozen, sizes = context
    longer, its_y, its_slots, place, used = rows
    d, size, labels, past, kept = X.shape[1], len(now), sizes[0], sizes[1], sizes[2]
    row = used[0]
    for e in range(start, stop):
        slot, row_id, op = slots[e], row_ids[e], ops[e]
        if op == PREDICT:
            for j in range(size):
                frozen[row_id, j] = now[j]
                longer[row, kept + j] = now[j]  # not from frozen: this takes a quarter of the time
            for j in range(size - 1, size - past + d - 1, -1):
                now[j] = now[j - d]
            for j in range(min(past, d)):
                now[size - past + j] = X[slot, j]
            at = -1
        else:
            at = place[slot]
            if refresh and op != LEARN:
                for j in range(labels):
                    if now[j] == now[j] and frozen[row_id, j] != now[j]:
                        frozen[row_id, j] = now[j]
                        at = -1
            if at < 0:
                for j in range(size):
                    longer[row, kept + j] = frozen[row_id, j]
            if op == LEARN and weight[e] > 0 and labels:
                for j in range(labels - 1, 0, -1):
                    now[j] = now[j - 1]
                now[0] = y[slot]
        if at < 0:
            for j in range(kept):
                longer[row, j] = X[slot, j]
            its_y[row] = y[slot]
            place[slot] = at = row
            row += 1
        its_slots[e] = at
    used[0] = row
