"""Predictions and labels that were logged apart, joined by the id of the instance."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import dataclass

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from streamgauge._support.errors import InputError
from streamgauge._support.types import NEVER, Codes, Longs, Mask
from streamgauge.prequential.feed_clock import count_order
from streamgauge.prequential.id_table import LABELS_TOO_LATE, UNLIMITED, EventBatch, RetentionRules
from streamgauge.prequential.ids import keys_of
from streamgauge.prequential.join import Joiner
from streamgauge.prequential.reasons import EMPTY, FAR_AHEAD, ORPHAN, REASONS, UNTIMED
from streamgauge.prequential.waiting_room import WaitingRoom
from streamgauge.streams.formats.arrow_cells import as_text, first_inexact, is_text, to_floats


@dataclass(frozen=True)
class Joined:
    """Which lines belong together.

    Attributes
    ----------
    predictions
        The lines of the first prediction of each id, in order of arrival.
    labels
        For each of them a line with its label, -1 without one.
    revealed
        … and when it was revealed, NEVER without one.
    rows, times, corrections
        Labels that were corrected, in order: their place in `predictions`, when, and a line with
        the new label.
    skipped
        The number of other lines, and of those that count from later on, by reason.
    last_event
        The latest time of a line that is not far ahead of all others.
    """

    predictions: Longs
    labels: Longs
    revealed: Longs
    rows: Longs
    times: Longs
    corrections: Longs
    skipped: dict[str, int]
    last_event: int | None


@dataclass(frozen=True)
class Ids:
    """A column of ids, and how to name its source and a line of it."""

    column: pa.Array
    name: str
    source: str
    where: Callable[[int], str]

    def keys(self) -> tuple[Longs, Longs]:
        """The ids as numbers; every line has one."""
        first, second, missing = keys_of(self.column)
        if missing.any():
            raise InputError(
                f"{self.where(int(missing.argmax()))}: empty id in column {self.name!r}; every "
                "line needs one"
            )
        return first, second

    def text(self, line: int) -> str:
        """An id as text."""
        return str(as_text(self.column[line : line + 1])[0].as_py())


def join(
    predictions: Ids,
    labels: Ids,
    truth: pa.Array,
    times: tuple[Longs, Longs] | None,
    timeout: int | None = None,
    classes: Sequence[str] = (),
    words: bool = False,
) -> Joined:
    """Join labels to predictions in order of time, by the rules of docs/semantics.md.

    Parameters
    ----------
    predictions, labels
        The ids of both logs.
    truth
        The labels.
    times
        When predictions were made and labels revealed, NEVER without a time; None: all
        predictions before all labels, both in the order of their lines.
    timeout
        How long a prediction waits for its label.
    classes
        The declared classes as text: a label "None" is missing unless it is one of them.
    words
        Labels that are text are compared as text, even if they spell numbers.
    """
    texts = as_text(truth, classes)
    empty: Mask = np.asarray(pc.is_null(texts).to_numpy(False), np.bool_)
    asked, answered = predictions.keys(), labels.keys()
    made, known = times or (np.zeros(len(asked[0]), np.int64), np.ones(len(empty), np.int64))
    order, set_aside = _in_order(made, timeout)
    usable, more = _in_order(known, timeout)
    latest = [*made[order[-1:]].tolist(), *known[usable[-1:]].tolist()]
    order = np.concatenate([order, np.flatnonzero(made == NEVER)])
    usable = usable[~empty[usable]]
    codes = _codes(truth, texts, words)
    room = WaitingRoom(0, regression=False)
    joiner = Joiner(room, RetentionRules(UNLIMITED if timeout is None else timeout, UNLIMITED))
    found = joiner.join(
        EventBatch(asked[0][order], asked[1][order], made[order]),
        EventBatch(answered[0][usable], answered[1][usable], known[usable]),
        codes[usable],
    )
    if not (len(found.revealed) or joiner.counts[LABELS_TOO_LATE]) and len(usable):
        raise InputError(
            f"no id of {labels.source} is in {predictions.source}: ids such as "
            f"{labels.text(int(usable.min()))!r} and {predictions.text(0)!r}; expected the same "
            "ids in both: check the columns"
        )
    line_of_code = np.full(codes.max(initial=-1) + 1, -1, np.int64)
    line_of_code[codes[usable]] = usable
    row_of_slot = np.empty(room.capacity, np.int64)
    row_of_slot[found.slots] = np.arange(len(found.slots))
    line_of, revealed = (np.full(len(found.slots), none, np.int64) for none in (-1, NEVER))
    rows = row_of_slot[found.revealed]
    line_of[rows], revealed[rows] = line_of_code[found.y], found.times
    counts = dict(zip(REASONS, joiner.counts.tolist(), strict=True))
    _, _, counts[ORPHAN], _ = joiner.waiting(NEVER)
    counts |= {EMPTY: int(empty.sum()), UNTIMED: int((~empty & (known == NEVER)).sum())}
    counts[FAR_AHEAD] = set_aside + more
    return Joined(
        order[found.arrivals], line_of, revealed, row_of_slot[found.corrected],
        found.correction_times, line_of_code[found.new],
        {reason: n for reason, n in counts.items() if n}, max(latest, default=None),
    )  # fmt: skip


def _in_order(times: Longs, timeout: int | None) -> tuple[Longs, int]:
    """Lines with a time in order of it; and how many are left out: far ahead of all others."""
    timed = np.flatnonzero(times != NEVER)
    counted = timed[count_order(times[timed], timeout)]
    order = counted[np.argsort(times[counted], kind="stable")]
    return order, len(timed) - len(counted)


def _codes(truth: pa.Array, texts: pa.Array, words: bool) -> Codes:
    """A number for each label, the same for the same label: numbers are compared as numbers."""
    if not (words and is_text(truth.type)):
        with suppress(pa.ArrowInvalid, pa.ArrowNotImplementedError, ValueError):
            numbers = to_floats(truth)
            if first_inexact(truth, numbers) is None:
                return np.unique(numbers, return_inverse=True)[1].astype(np.int32)
    return np.asarray(pc.dictionary_encode(texts).indices.fill_null(-1).to_numpy(False), np.int32)
