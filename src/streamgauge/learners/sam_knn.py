"""SAMkNN: nearest neighbours with a short-term and a long-term memory (semantics §13)."""

from __future__ import annotations

import operator
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from streamgauge._support.errors import UsageError
from streamgauge._support.jit import inner, kernel, lean_inner
from streamgauge._support.rng import Rng, new_rng
from streamgauge._support.types import LEARN, Flags, Floats, Longs, Schema
from streamgauge.learners._distances import CHUNK
from streamgauge.learners._partial_distances import Query, ask, new_query
from streamgauge.learners._probabilities import normalise_votes
from streamgauge.learners._sam_memory import (
    Memory,
    Near,
    Trail,
    add_row,
    close_gaps,
    combine,
    compress,
    make_compact,
    new_near,
    new_trail,
    radius,
    remove_contradicting,
    search,
    winner,
)
from streamgauge.learners._sam_window import Windows, best_start, set_hits
from streamgauge.learners.base import CompiledLearner, Events, state_bytes

_FIRST_ROOM = 512  # rows that fit at first: the memories grow with the rows seen
_SHORT, _LONG, _BOTH = 0, 1, 2  # the memories that predict


class _SAMKNNState(NamedTuple):
    short: Memory  # the most recent rows, a window that is adapted
    long: Memory  # rows from before it that do not contradict it; compressed when there are many
    windows: Windows
    right: Flags  # [memory, place of a row in `short`]: whether it predicted that row rightly
    score: Longs  # [memory]: number of rows in `short` that it predicted rightly
    gappy: Flags  # [feature]: whether a value was ever missing
    rng: Rng


class _Rule(NamedTuple):
    k: int
    limit: int  # rows in both memories
    most_long: int  # rows in the long-term memory before it is compressed
    least_short: int
    exact: bool
    classes: int


class _Work(NamedTuple):
    """Arrays for one search; they are not part of the model."""

    x: Floats  # the row in question
    query: Query
    short: Near
    long: Near
    both: Near
    trail: Trail  # of the search in the short-term memory
    no_trail: Trail
    votes: Floats


class SAMkNN(CompiledLearner):
    """k-nearest neighbours with self-adjusting memory: one short-term, one long-term.

    The short-term memory is a window of the most recent rows. After every row it is cut to the
    half, the quarter, … that would have predicted its own rows best. Rows that leave it go to the
    long-term memory unless they contradict it; later rows remove more of those that do. When both
    memories are full, the rows of the long-term memory are replaced, class by class, by half as
    many means (k-means++). Three predictors, the short-term memory, the long-term memory and both
    together, vote with 1 / distance; the one that was right most often on the rows of the
    short-term memory is used.

    Euclidean distance, with nothing scaled: features of large numbers dominate. A nominal value
    counts as its code, as in MOA. Missing values are left out, and the rest of the distance is
    scaled up. A row's weight is the weight of its vote. It abstains before any label,
    and where infinite values leave every distance undefined.

    Follows MOA's SAMkNN, with these exceptions: the three predictors are judged when a label is
    revealed (MOA reads the label when it predicts), an empty long-term memory predicts nothing
    (class 0 in MOA), and random numbers come from the seed of the run.

    Parameters
    ----------
    n_neighbors
        Number of neighbours, k.
    limit
        Number of rows in both memories together. The model takes up to limit² / 8 bytes and those
        of its rows.
    min_stm_size
        The short-term memory is not cut to fewer rows than this.
    relative_ltm_size
        The share of `limit` that the long-term memory may have before it is compressed.
    recalculate_stm_error
        Compute the errors of the halved windows exactly. Otherwise a window that moves on keeps
        its earlier predictions, until it seems better than the whole.

    References
    ----------
    losing2016 (docs/bibliography.md)

    Examples
    --------
    >>> import streamgauge as sg
    >>> run = sg.evaluate(sg.SEA(1000, seed=1), sg.SAMkNN(limit=500))
    >>> print(f"accuracy {run.summary['accuracy']:.3f}")
    accuracy 0.947
    """

    moa_never_abstains = True

    def __init__(
        self,
        n_neighbors: int = 5,
        limit: int = 5000,
        min_stm_size: int = 50,
        relative_ltm_size: float = 0.4,
        recalculate_stm_error: bool = False,
    ) -> None:
        self.n_neighbors = _count("n_neighbors", n_neighbors)
        self.limit = _count("limit", limit)
        self.min_stm_size = _count("min_stm_size", min_stm_size)
        if min_stm_size <= n_neighbors:
            raise UsageError(
                f"SAMkNN(n_neighbors={n_neighbors}, min_stm_size={min_stm_size}): expected "
                "min_stm_size > n_neighbors; fewer rows cannot tell how good a window is"
            )
        if not 0 <= relative_ltm_size <= 1 or int(relative_ltm_size * limit) >= limit:
            raise UsageError(
                f"SAMkNN(relative_ltm_size={relative_ltm_size!r}): expected a number from 0 to "
                "less than 1, which leaves room for the short-term memory"
            )
        self.relative_ltm_size = relative_ltm_size
        self.recalculate_stm_error = bool(recalculate_stm_error)

    def start(self, schema: Schema, seed: int) -> None:
        self._schema = schema
        d, halvings = len(schema.features), (self.limit // self.min_stm_size).bit_length()
        self._state = _SAMKNNState(
            short=_empty_memory(d),
            long=_empty_memory(d),
            windows=Windows(
                hits=np.zeros((0, 0), np.uint64),
                start=np.full(halvings + 1, -1),
                end=np.zeros(halvings + 1, np.int64),
                right=np.zeros(halvings + 1, np.int64),
                counted=np.zeros((halvings + 1, 0), np.uint8),
            ),
            right=np.zeros((3, 0), np.uint8),
            score=np.zeros(3, np.int64),
            gappy=np.zeros(d, np.uint8),
            rng=new_rng(seed),
        )

    @property
    def nbytes(self) -> int:
        short, long, windows, *rest = self._state
        return sum(map(state_bytes, (short, long, windows, tuple(rest))))

    def play(self, events: Events) -> None:
        self._make_room(int(np.count_nonzero(events.ops == LEARN)))
        rule = _Rule(
            self.n_neighbors,
            self.limit,
            int(self.relative_ltm_size * self.limit),
            self.min_stm_size,
            self.recalculate_stm_error,
            len(self._schema.classes),
        )
        _play(events, self._state, rule)

    def _make_room(self, more: int) -> None:
        """Room for more rows, up to the limit; nothing is at another place afterwards."""
        state = self._state
        have, most = len(state.short.gone), _whole(self.limit + 1)
        needed = _whole(min(int(state.short.ends[1]) + more, self.limit + 1))
        if needed <= have or have == most:
            return
        room = min(most, max(needed, 2 * have, _FIRST_ROOM))
        windows = state.windows
        self._state = state._replace(
            short=_with_room(state.short, room),
            long=_with_room(state.long, room),
            windows=windows._replace(
                hits=_longer(windows.hits, (room, room // 64)),
                counted=_longer(windows.counted, (len(windows.counted), room)),
            ),
            right=_longer(state.right, (3, room)),
        )


def _count(name: str, value: int) -> int:
    try:
        number = operator.index(value)
    except TypeError:
        number = 0
    if number < 1:
        raise UsageError(f"SAMkNN({name}={value!r}): expected an integer, 1 or more")
    return number


def _whole(rows: int) -> int:
    return -(-rows // CHUNK) * CHUNK


def _empty_memory(d: int) -> Memory:
    return Memory(
        values=np.zeros((d, 0)),
        label=np.zeros(0, np.int32),
        weight=np.zeros(0),
        gone=np.zeros(0),
        ends=np.zeros(2, np.int64),
        size=np.zeros(1, np.int64),
    )


def _with_room(memory: Memory, room: int) -> Memory:
    return memory._replace(
        values=_longer(memory.values, (len(memory.values), room)),
        label=_longer(memory.label, (room,)),
        weight=_longer(memory.weight, (room,)),
        gone=_longer(memory.gone, (room,), np.nan),
    )


def _longer(array: npt.NDArray[Any], shape: tuple[int, ...], fill: float = 0) -> npt.NDArray[Any]:
    longer = np.full(shape, fill, array.dtype)
    longer[tuple(map(slice, array.shape))] = array
    return longer


@kernel
def _play(events: Events, state: _SAMKNNState, rule: _Rule) -> None:
    d = events.X.shape[1]
    work = _Work(
        np.empty(d),
        new_query(d),
        new_near(rule.k),
        new_near(rule.k),
        new_near(rule.k),
        new_trail(len(state.short.gone) + 1),
        new_trail(0),
        np.zeros(rule.classes),
    )
    _run(events, state, rule, work)


@lean_inner
def _run(events: Events, state: _SAMKNNState, rule: _Rule, work: _Work) -> None:
    X, y, ops, slots, _, weight, label, proba = events
    asked = -1  # the row whose neighbours are in `work`, until the next row is learned
    for e in range(len(ops)):
        row = slots[e]
        if ops[e] == LEARN:
            if weight[e] > 0:
                if row != asked:
                    _ask_about(X, row, state, work)
                _learn(y[row], weight[e], state, rule, work)
            asked = -1
            continue
        if row != asked:
            _ask_about(X, row, state, work)
            asked = row
        near = work.both
        if state.score[_SHORT] >= max(state.score[_LONG], state.score[_BOTH]):
            near = work.short
        elif state.score[_LONG] >= state.score[_BOTH] and state.long.size[0] > 0:
            near = work.long
        for c in range(len(work.votes) if len(proba) else 0):
            work.votes[c] = 0.0
        label[e] = winner(near, work.votes)
        if len(proba):
            normalise_votes(work.votes, label[e] < 0, proba, e)


@lean_inner
def _ask_about(X: Floats, row: int, state: _SAMKNNState, work: _Work) -> None:
    """Find the neighbours of a row of the stream."""
    for j in range(len(work.x)):
        work.x[j] = X[row, j]
    _look(state, work)


@lean_inner
def _look(state: _SAMKNNState, work: _Work) -> None:
    """Find the neighbours of the row in question in both memories."""
    ask(work.x, state.gappy, work.query)
    search(state.short, work.query, work.short, work.trail)
    search(state.long, work.query, work.long, work.no_trail)
    combine(work.short, work.long, work.both)


@lean_inner
def _learn(c: int, w: float, state: _SAMKNNState, rule: _Rule, work: _Work) -> None:
    """Add the row in question, whose neighbours are known, and adapt the memories to it."""
    short, long, x = state.short, state.long, work.x
    place = short.ends[1] % len(short.gone)
    for m in range(3):
        near = work.short if m == _SHORT else work.long if m == _LONG else work.both
        state.right[m, place] = winner(near, work.votes) == c
        state.score[m] += state.right[m, place]
    if short.size[0] + 1 + long.size[0] > rule.limit:
        _make_space(state, rule)
        _look(state, work)
    if short.size[0] >= rule.k:
        remove_contradicting(long, work.long, c, radius(work.short, c))
        close_gaps(long)
    add_row(short, x, c, w)
    for j in range(len(x)):
        state.gappy[j] |= np.isnan(x[j])
    set_hits(state.windows, short, place, c, work.trail, work.both, work.votes)
    start = best_start(state.windows, short, rule.k, rule.least_short, rule.exact)
    if start > short.ends[0]:
        _cut(start, state, rule, work)


@inner
def _make_space(state: _SAMKNNState, rule: _Rule) -> None:
    """Compress the long-term memory, filled up first with the oldest rows of the other."""
    short, long = state.short, state.long
    if long.size[0] <= rule.most_long:
        first = short.ends[0]
        _leave(state, first + rule.most_long - long.size[0] + 1)
        _take_over(short, first, short.ends[0], long)
        for i in range(len(state.windows.start)):
            state.windows.start[i] = -1
    compress(long, rule.classes, state.gappy, state.rng)
    surplus = short.size[0] + 1 + long.size[0] - rule.limit
    if surplus > 0:  # as many classes as rows: there is nothing to compress
        make_compact(long, surplus)


@inner
def _cut(start: int, state: _SAMKNNState, rule: _Rule, work: _Work) -> None:
    """Cut the short-term memory; what does not contradict the rest goes to the long-term one."""
    short, first = state.short, state.short.ends[0]
    _leave(state, start)
    ends, size = np.empty(2, np.int64), np.empty(1, np.int64)
    ends[0], ends[1], size[0] = first, start, start - first
    left = Memory(short.values, short.label, short.weight, short.gone, ends, size)
    x = work.x
    for number in range(start, short.ends[1]):
        if short.size[0] <= rule.k or left.size[0] == 0:
            break
        place = number % len(short.gone)
        for j in range(len(x)):
            x[j] = short.values[j, place]
        ask(x, state.gappy, work.query)
        short.gone[place] = np.nan  # it is not its own neighbour
        search(short, work.query, work.short, work.no_trail)
        short.gone[place] = 0.0
        search(left, work.query, work.long, work.no_trail)
        c = short.label[place]
        remove_contradicting(left, work.long, c, radius(work.short, c))
    _take_over(short, first, start, state.long)


@lean_inner
def _leave(state: _SAMKNNState, start: int) -> None:
    """Let the short-term memory begin at this row."""
    short = state.short
    for number in range(short.ends[0], start):
        for m in range(3):
            state.score[m] -= state.right[m, number % len(short.gone)]
    short.size[0] -= start - short.ends[0]
    short.ends[0] = start


@inner
def _take_over(short: Memory, first: int, end: int, long: Memory) -> None:
    """Move rows that have left the short-term memory, those that were not removed, to the other."""
    room = len(long.gone)
    if long.ends[1] + end - first > room:
        make_compact(long, 0)
    x = np.empty(len(short.values))
    for number in range(first, end):
        place = number % room
        if np.isnan(short.gone[place]):
            continue
        for j in range(len(x)):
            x[j] = short.values[j, place]
        add_row(long, x, short.label[place], short.weight[place])
        short.gone[place] = np.nan
