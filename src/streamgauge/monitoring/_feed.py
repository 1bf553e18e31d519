"""A feed: reads its source and turns lines into events; counts what it cannot use."""

from __future__ import annotations

import re
import time
from collections import Counter
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
import pyarrow as pa

from streamgauge._support.printable import printable
from streamgauge._support.types import NEVER, Codes, Floats, Longs, Mask, Targets
from streamgauge.monitoring._events import LabelEvents, Order, PendingEvents, PredictionEvents
from streamgauge.monitoring._state_tree import StatePart
from streamgauge.monitoring._times import Times
from streamgauge.monitoring._vocabulary import Vocabulary
from streamgauge.monitoring.config import LabelFeed, PredictionFeed
from streamgauge.monitoring.sources.base import Source, checked_piece
from streamgauge.prequential.feed_clock import FeedClock
from streamgauge.prequential.ids import keys_of
from streamgauge.prequential.reasons import BEFORE, EMPTY, REPLACED, UNREADABLE
from streamgauge.streams.formats.arrow_cells import as_text, cell_text, to_floats
from streamgauge.streams.formats.pieces import MOST_EXAMPLES, Piece

LATE = {
    "predictions": "a prediction later than the watermark",
    "labels": "a label later than the watermark",
}
AHEAD = "an event ahead of our clock"
_BEGINNING = -NEVER
_NUMBER = re.compile(r"[+-]?([0-9]+\.?[0-9]*|\.[0-9]+)([eE][+-]?[0-9]+)?")


class Vocabularies:
    """The texts of classes, models and segments, shared by the feeds."""

    state_fields = ("classes", "models", "segments")

    def __init__(self, segments: int, keep: tuple[str, ...]) -> None:
        self.classes, self.models = Vocabulary(), Vocabulary()
        self.segments = [Vocabulary() for _ in range(segments)]
        self.keep = keep  # classes that read like missing cells, such as "None"


class Feed:
    """One source with its columns.

    Attributes
    ----------
    clock
        How far the feed has come.
    counts
        Lines by what became of them.
    remarks
        What the log has not said yet about the source.
    """

    state_fields = ("position", "clock", "pending", "counts", "examples", "lines", "heard")

    def __init__(
        self,
        kind: str,
        columns: PredictionFeed | LabelFeed,
        source: Source,
        vocabularies: Vocabularies,
        times: Times,
        regression: bool,
        timeout: int,
        lateness: int,
        ahead: int | None,
        idle: int | None = None,
    ) -> None:
        self.kind, self.source = kind, source
        self.clock = FeedClock(timeout, lateness)
        width = len(columns.segments) if isinstance(columns, PredictionFeed) else 0
        proba = len(columns.probabilities) if isinstance(columns, PredictionFeed) else 0
        self._asked = PendingEvents(PredictionEvents.empty(1 + proba, width))
        self._answered = PendingEvents(LabelEvents.empty(regression))
        self.counts: Counter[str] = Counter()
        self.examples: list[str] = []
        self.remarks: list[str] = []
        self.lines = 0
        self._columns, self._vocabularies, self._times = columns, vocabularies, times
        self._regression = regression
        self._ahead, self._idle = ahead, idle
        self._heard = time.time()  # when the last lines were read
        self._silent = False  # whether there were none at the last look

    @property
    def newest(self) -> int:
        """The time that the feed has reached."""
        return self.clock.newest

    @property
    def held(self) -> int:
        """Events of a feed that has brought too few to know how far it is."""
        pending = len(self._asked.numbers) + len(self._answered.numbers)
        return 0 if self.clock.started else pending

    @property
    def idle(self) -> bool:
        """Whether it has been silent for so long that it no longer holds the watermark."""
        if self._idle is None or not self._silent:
            return False
        return time.time() - self._heard >= self._idle / 1e9

    def dump_state(self) -> dict[str, Any]:
        """What a snapshot keeps."""
        return {
            "position": self.source.position,
            "clock": self.clock,
            "pending": [self._asked, self._answered],
            "counts": dict(self.counts),
            "examples": self.examples,
            "lines": self.lines,
            "heard": self._heard,
        }

    def load_parts(self, parts: dict[str, StatePart]) -> None:
        """Go on from a snapshot."""
        parts["clock"].into(self.clock)
        parts["pending"].into([self._asked, self._answered])
        state = {name: parts[name].plain for name in ("position", "counts", "examples")}
        self.source.seek(state["position"])
        self.counts, self.examples = Counter(state["counts"]), state["examples"]
        self.lines, self._heard = parts["lines"].plain, parts["heard"].plain

    def read(self) -> tuple[PredictionEvents | None, LabelEvents | None] | None:
        """The events of the next lines; None if there are no lines now."""
        piece = self.source.read()
        self._silent = piece is None
        if piece is None:
            return self.end() if self.source.ended else None
        piece = checked_piece(piece, self._columns.columns, self.source)
        self._heard = time.time()
        self.lines += piece.lines
        self._count(UNREADABLE, piece.unreadable, piece.examples)
        self._count(REPLACED, piece.replaced)
        self.remarks += map(printable, piece.remarks)
        return self._events(piece) if len(piece.numbers) else (None, None)

    def end(self) -> tuple[PredictionEvents, LabelEvents] | None:
        """Nothing more comes: the events of a feed with nearly none, if there are any."""
        placed = self.clock.end()
        self._count(LATE[self.kind], placed.late_count)
        if not len(placed.order):
            return None
        return self._asked.counted(placed.order), self._answered.counted(placed.order)

    def _events(self, piece: Piece) -> tuple[PredictionEvents | None, LabelEvents | None]:
        columns, cells = self._columns, piece.columns
        first, second, missing = keys_of(cells[columns.id])
        self._note_bad(piece, missing, lambda i: "no id")
        times, known = self._known_times(piece, columns.time, ~missing)
        usable = ~missing & known & (times != NEVER)
        self._note_bad(piece, ~missing & known & (times == NEVER), lambda i: "no time")
        if isinstance(columns, LabelFeed):
            y, known, bad = self._labels(piece, columns.label, usable)
            self._count(EMPTY, int((usable & ~known & ~bad).sum()))
            usable, order = self._in_time(times, usable)
            answered = LabelEvents(first, second, times, y)
            return None, self._answered.place(answered, usable & known, order)
        usable, order = self._in_time(times, usable)
        asked = np.ones(len(times), np.bool_)
        labels = None
        if columns.label is not None:
            y, known, _ = self._labels(piece, columns.label, usable)
            asked = ~self._empty_predictions(cells) | ~known  # a line may bring the label alone
            moments = times
            if columns.label_time is not None:
                revealed, readable = self._known_times(piece, columns.label_time, usable & known)
                known &= readable
                moments = np.where(revealed == NEVER, times, np.maximum(revealed, times))
                self._count(BEFORE, int((usable & known & (revealed < times)).sum()))
            answered = LabelEvents(first, second, moments, y)
            labels = self._answered.place(answered, usable & known, order)
        X, bad = self._predictions(cells)
        self._note_bad(piece, usable & bad & asked, lambda i: "a prediction that is not a number")
        names = self._vocabularies
        none = np.zeros(len(times), np.int32)
        model = none if columns.model is None else names.models.encode(cells[columns.model])
        segments = [
            vocabulary.encode(cells[column])
            for vocabulary, column in zip(names.segments, columns.segments, strict=True)
        ]
        stacked = np.column_stack([none[:, None][:, :0], *segments]).astype(np.int32)
        events = PredictionEvents(first, second, times, X, model, stacked)
        return self._asked.place(events, usable & asked & ~bad, order), labels

    def _empty_predictions(self, cells: Any) -> Mask:
        assert isinstance(self._columns, PredictionFeed)
        columns = [self._columns.prediction] if self._columns.prediction else []
        columns += self._columns.probabilities.values()
        empty = [as_text(cells[column]).is_null().to_numpy(False) for column in columns]
        return np.asarray(np.logical_and.reduce(empty), np.bool_)

    def _predictions(self, cells: Any) -> tuple[Floats, Mask]:
        """The prediction and its probabilities; and which rows have something that is no number."""
        columns = self._columns
        assert isinstance(columns, PredictionFeed)
        rows = len(cells[columns.id])
        bad = np.zeros(rows, np.bool_)
        parts: list[Floats] = []
        if columns.prediction is None:
            parts.append(np.full(rows, np.nan))
        elif self._regression:
            numbers, bad = _numbers(cells[columns.prediction])
            parts.append(numbers)
        else:
            codes = self._vocabularies.classes.encode(
                cells[columns.prediction], self._vocabularies.keep
            )
            parts.append(np.where(codes < 0, np.nan, codes.astype(np.float64)))
        for column in columns.probabilities.values():
            numbers, wrong = _numbers(cells[column])
            parts.append(numbers)
            bad |= wrong
        return np.column_stack(parts), bad

    def _labels(self, piece: Piece, name: str, usable: Mask) -> tuple[Targets, Mask, Mask]:
        """Labels, which of them are known, and which cells are no labels."""
        column = piece.columns[name]
        if self._regression:
            numbers, bad = _numbers(column)
            self._note_bad(piece, usable & bad, lambda i: f"a label {cell_text(column, i)}")
            return numbers, ~np.isnan(numbers) & ~bad, bad
        codes: Codes = self._vocabularies.classes.encode(column, self._vocabularies.keep)
        return codes, codes >= 0, np.zeros(len(codes), np.bool_)

    def _known_times(self, piece: Piece, name: str, usable: Mask) -> tuple[Longs, Mask]:
        """Times, NEVER where there is none, and where they can be read."""
        column = piece.columns[name]
        times, bad = self._times.read(column)
        self._note_bad(
            piece,
            usable & bad,
            lambda i: f"{name!r} is {cell_text(column, i)}; {self._times.expected}",
        )
        return times, ~bad

    def _in_time(self, times: Longs, usable: Mask) -> tuple[Mask, Order]:
        """Which events are neither too late nor ahead of our clock; and which count now."""
        if self._ahead is not None and self._times.clock != "integers":
            ahead = usable & (times > time.time_ns() + self._ahead)
            self._count(AHEAD, int(ahead.sum()))
            usable = usable & ~ahead
        rows = np.flatnonzero(usable)
        numbers = np.full(len(times), -1)
        numbers[rows] = np.arange(self.clock.seen, self.clock.seen + len(rows))
        placed = self.clock.place(times[rows])
        self._count(LATE[self.kind], placed.late_count)
        usable = usable.copy()
        usable[rows[placed.late]] = False
        found = placed.order
        as_read = len(found) == int(usable.sum()) and bool((np.diff(found) > 0).all())
        return usable, Order(numbers, found, as_read)

    def _note_bad(self, piece: Piece, bad: Mask, why: Callable[[int], str]) -> None:
        rows = np.flatnonzero(bad)
        examples = [f"{piece.where(i)}: {why(i)}" for i in rows[:MOST_EXAMPLES].tolist()]
        self._count(UNREADABLE, len(rows), examples)

    def _count(self, what: str, lines: int, examples: Sequence[str] = ()) -> None:
        if lines:
            self.counts[what] += lines
            new = list(map(printable, examples[: MOST_EXAMPLES - len(self.examples)]))
            self.examples += new
            self.remarks += new


def reached(feeds: Sequence[Feed]) -> int | None:
    """The time that all feeds have reached, but for those that have ended or are idle.

    None if there is no such time yet, or nothing more can come.
    """
    going = [feed for feed in feeds if not feed.source.ended]
    holding = [feed.newest for feed in going if not feed.idle]
    bound = min(holding) if holding else max((feed.newest for feed in going), default=_BEGINNING)
    return None if bound == _BEGINNING else bound


def _numbers(column: pa.Array) -> tuple[Floats, Mask]:
    """Numbers, NaN for missing cells; and which cells are not finite numbers."""
    if pa.types.is_floating(column.type) or pa.types.is_integer(column.type):
        numbers = to_floats(column)
        return numbers, np.isinf(numbers)
    texts = as_text(column)
    try:
        numbers = to_floats(texts)
    except pa.ArrowInvalid:
        spelt = [text if text and _NUMBER.fullmatch(text) else "nan" for text in texts.to_pylist()]
        numbers = np.array(spelt, object).astype(np.float64)
    missing = np.asarray(texts.is_null().to_numpy(zero_copy_only=False), np.bool_)
    return numbers, ~np.isfinite(numbers) & ~missing
