"""TemporallyAugmented: past labels as further features (semantics §6; SWT of bifet2013 §5)."""

from __future__ import annotations

from itertools import pairwise
from typing import Any, Literal, NamedTuple

import numpy as np

from streamgauge._support.errors import UsageError, check_whole
from streamgauge._support.jit import kernel
from streamgauge._support.types import LEARN, PREDICT, Floats, Longs, Schema, Targets
from streamgauge.learners.base import EventFailed, Events, name_of
from streamgauge.learners.run_events import check_labels, go_through
from streamgauge.learners.wrappers._base import TOLD_LABELS, Wrapper

History = Literal["revealed", "predicted", "both"]


class _Context(NamedTuple):
    """What a row is extended by: labels, predictions, feature vectors, each newest first."""

    now: Floats  # what a row that arrived now would get; NaN = there is none yet
    frozen: Floats  # of each home in the room: what its row got
    sizes: Longs  # [how many labels, how many cells of feature vectors]


class _Rows(NamedTuple):
    """The extended rows of one agenda, and which of them each event is about."""

    X: Floats
    y: Targets
    slots: Longs  # of each event
    place: Longs  # of each slot of the room: its newest extended row, -1 = none yet
    used: Longs  # one number


_NONE = np.empty(0, np.int64)
_NO_ROWS = _Rows(np.empty((0, 0)), np.empty(0, np.int32), _NONE, _NONE, _NONE)


class TemporallyAugmented(Wrapper):
    """The base learns x and the last `order` labels revealed when the row was first predicted.

    Labels are nominal features `label-1` (the newest), `label-2`, ..., missing at the start. A row
    keeps its own when it is asked again and is learned with them; `refresh=True` gives it newer
    ones whenever it is asked, and it is learned with those it was asked with last.

    `features=True` appends the last `order` feature vectors that arrived before the row, as they
    arrived. `history="predicted"` takes, in place of the labels, the base's own first predictions
    of the last `order` rows that arrived, known at once even if labels are late, "both" takes
    both; the base must then answer row by row, so a compiled one is far slower.

    >>> TemporallyAugmented("NaiveBayes", order=2)
    TemporallyAugmented(NaiveBayes(), order=2)
    """

    remedy = TOLD_LABELS

    def __init__(
        self,
        base: Any,
        order: int = 1,
        features: bool = False,
        refresh: bool = False,
        history: History = "revealed",
    ) -> None:
        super().__init__(base)
        if self.context > 1:
            raise UsageError(
                f"TemporallyAugmented({name_of(self.base)}): this learner is given the rows before "
                "by itself (context), and rows of two lengths cannot be one; expected one without"
            )
        check_whole("order", order)
        if order < 1:
            raise UsageError(f"order={order}: expected at least one label of the past")
        if history not in ("revealed", "predicted", "both"):
            raise UsageError(f"history={history!r}: expected 'revealed', 'predicted' or 'both'")
        if refresh and history == "predicted":
            raise UsageError(
                "refresh=True takes newer labels, history='predicted' has none; "
                "expected history='revealed' or 'both'"
            )
        self._order, self._features, self._refresh = int(order), features, refresh
        self._history = history
        self._spare = _NO_ROWS

    def start(self, schema: Schema, seed: int) -> None:
        labels = self._order * (self._history != "predicted")
        said = self._order * (self._history != "revealed")
        past = self._order * self._features * len(schema.features)
        size = labels + said + past
        sizes = np.array([labels, past], np.int64)
        self._context = _Context(np.full(size, np.nan), np.empty((0, size)), sizes)
        self._spare = _NO_ROWS
        self._k = len(schema.classes)
        self._start_base(schema, self._extended(schema), seed)

    def _extended(self, schema: Schema) -> Schema:
        lags = range(1, self._order + 1)
        classes = tuple(map(str, schema.classes))
        more = [(f"label-{lag}", classes) for lag in lags if self._history != "predicted"]
        more += [(f"prediction-{lag}", classes) for lag in lags if self._history != "revealed"]
        if self._features:
            old = list(zip(schema.features, schema.values, strict=True))
            more += [(f"{name}-{lag}", values) for lag in lags for name, values in old]
        names, values = list(schema.features), list(schema.values)
        for name, its_values in more:
            while name in names:  # a wrapper in a wrapper, or a stream's own column
                name += "'"  # noqa: PLW2901
            names.append(name)
            values.append(its_values)
        return Schema(tuple(names), tuple(values), schema.classes, schema.time)

    @property
    def nbytes(self) -> int | None:
        return self._size(self._context.now)

    def play(self, events: Events) -> None:
        frozen = self._context.frozen
        missing = len(events.y) - len(frozen)
        if missing > 0:
            # Missing, of rows that were first asked before this learner was started anew.
            longer = np.concatenate([frozen, np.full((missing, frozen.shape[1]), np.nan)])
            self._context = self._context._replace(frozen=longer)
        count = len(events.ops)
        rows = self._room_for(count, len(events.y), events.X.shape[1] + frozen.shape[1])
        extended = events._replace(X=rows.X, y=rows.y, slots=rows.slots)
        if self._history == "revealed":
            # Which labels are known at which event, the agenda tells: all rows are made at once.
            _extend(events, 0, count, self._refresh, self._context, rows)
            go_through(self.base, extended)
            return
        arrivals = np.flatnonzero(events.ops[1:] == PREDICT) + 1
        for start, stop in pairwise([0, *arrivals.tolist(), count]):
            _extend(events, start, stop, self._refresh, self._context, rows)
            try:
                self._play_up_to_the_next_arrival(extended.cut(start, stop))
            except EventFailed as failed:
                raise EventFailed(start + failed.event) from failed.__cause__

    def _room_for(self, events: int, homes: int, width: int) -> _Rows:
        """Rows for an agenda; as many as the room has, at least: the base may remember by home."""
        most = max(events, homes)
        if len(self._spare.y) < most:  # kept: fresh memory costs more than filling it
            X, y = np.empty((most, width)), np.empty(most, np.int32)
            self._spare = _NO_ROWS._replace(X=X, y=y)
        return self._spare._replace(
            slots=np.empty(events, np.int64),
            place=np.full(homes, -1, np.int64),
            used=np.zeros(1, np.int64),
        )

    def __getstate__(self) -> dict[str, Any]:
        """Rows of agendas gone by are no part of a checkpoint."""
        return {**vars(self), "_spare": _NO_ROWS}

    def _play_up_to_the_next_arrival(self, events: Events) -> None:
        go_through(self.base, events)
        if len(events.ops) and events.ops[0] == PREDICT:
            check_labels(events.ops[:1], events.label[:1], self._k)
            first = self._context.sizes[0]
            said = self._context.now[first : first + self._order]
            said[1:] = said[:-1].copy()
            said[0] = np.nan if events.label[0] < 0 else events.label[0]

    def _options(self) -> dict[str, object]:
        given = {
            "order": (self._order, 1),
            "features": (self._features, False),
            "refresh": (self._refresh, False),
            "history": (self._history, "revealed"),
        }
        return {name: value for name, (value, default) in given.items() if value != default}


SWT = TemporallyAugmented  # its name in bifet2013 and MOA


@kernel
def _extend(
    events: Events, start: int, stop: int, refresh: bool, context: _Context, rows: _Rows
) -> None:
    """Make the extended rows of some events: one when a row arrives, a new one when it changes."""
    X, y, ops, slots, homes, weight, _, _ = events
    now, frozen, sizes = context
    longer, its_y, its_slots, place, used = rows
    d, size, labels, past = X.shape[1], len(now), sizes[0], sizes[1]
    row = used[0]
    for e in range(start, stop):
        slot, home, op = slots[e], homes[e], ops[e]
        if op == PREDICT:
            for j in range(size):
                frozen[home, j] = now[j]
                longer[row, d + j] = now[j]  # not by way of frozen: a quarter of the time
            for j in range(size - 1, size - past + d - 1, -1):
                now[j] = now[j - d]
            for j in range(min(past, d)):
                now[size - past + j] = X[slot, j]
            at = -1
        else:
            at = place[slot]
            if refresh and op != LEARN:
                for j in range(labels):
                    if now[j] == now[j] and frozen[home, j] != now[j]:
                        frozen[home, j] = now[j]
                        at = -1
            if at < 0:
                for j in range(size):
                    longer[row, d + j] = frozen[home, j]
            if op == LEARN and weight[e] > 0 and labels:
                for j in range(labels - 1, 0, -1):
                    now[j] = now[j - 1]
                now[0] = y[slot]
        if at < 0:
            for j in range(d):
                longer[row, j] = X[slot, j]
            its_y[row] = y[slot]
            place[slot] = at = row
            row += 1
        its_slots[e] = at
    used[0] = row
