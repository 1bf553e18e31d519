"""The times of events: of one kind in all feeds, within a range in which sums do not overflow."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from streamgauge._support.clock import clock_of, clock_words
from streamgauge._support.types import NEVER, Clock, Longs, Mask
from streamgauge.monitoring._spans import unit_rule
from streamgauge.monitoring.config import JoinRules
from streamgauge.streams.formats.arrow_cells import TIME_KINDS, as_text, cast_times, is_text

_FARTHEST = 1 << 62  # differences of two times fit in 64 bits; as a date, 1823 and 2116
_LIKE_A_TIME = "^-?[0-9]"  # no other text is one


class Times:
    """Reads cells as times. The configuration or the first time says what they count.

    Parameters
    ----------
    rules
        Durations are numbers if times are integers, else texts.
    """

    state_fields = ("clock",)

    def __init__(self, rules: JoinRules) -> None:
        self._rule = unit_rule(rules)
        self._kinds = [
            kind
            for kind in TIME_KINDS
            if self._rule is None or isinstance(self._rule[1], str) == (kind != pa.int64())
        ]
        self.clock: Clock | None = None

    def load_state(self, state: Mapping[str, Clock | None]) -> None:
        """Go on with the clock of a snapshot."""
        clock = state["clock"]
        if clock is not None:
            self._decide(next(kind for kind in TIME_KINDS if clock_of(kind) == clock))

    def read(self, column: pa.Array) -> tuple[Longs, Mask]:
        """Times as integers, NEVER where there is none; and which cells cannot be read."""
        column = column.dictionary_decode() if pa.types.is_dictionary(column.type) else column
        column = column if _is_time(column.type) else as_text(column)
        missing = np.asarray(column.is_null().to_numpy(zero_copy_only=False), np.bool_)
        times = self._convert(column)
        times[(times >= _FARTHEST) | (times <= -_FARTHEST)] = NEVER
        return times, (times == NEVER) & ~missing

    @property
    def expected(self) -> str:
        """What a time should be, for messages."""
        if self.clock in ("UTC", "local") or (self.clock is not None and self._rule is None):
            return f"expected {clock_words(self.clock)}, as before"
        if self._rule is None:
            return "expected an integer, or a time such as 2013-01-01T11:00Z"
        what, given = self._rule
        kind = "a time such as 2013-01-01T11:00Z" if isinstance(given, str) else "an integer"
        return f"expected {kind}, since {what} = {given!r}"

    def _decide(self, kind: pa.DataType) -> None:
        self._kinds, self.clock = [kind], clock_of(kind)

    def _convert(self, column: pa.Array, first: bool = True) -> Longs:
        for kind in self._kinds:
            found = cast_times(column, kind) if _fits(column.type, kind) else None
            if found is not None:
                if found.null_count < len(found):
                    self._decide(kind)
                return np.array(pc.fill_null(found, NEVER).to_numpy(), np.int64)
        if len(column) <= 1 or not any(_fits(column.type, kind) for kind in self._kinds):
            return np.full(len(column), NEVER)
        if first and is_text(column.type):  # most that are no times do not look like one
            like = pc.match_substring_regex(column, _LIKE_A_TIME)
            return self._convert(pc.if_else(like, column, pa.scalar(None, column.type)), False)
        half = len(column) // 2
        return np.concatenate(
            [self._convert(column[:half], False), self._convert(column[half:], False)]
        )


def _is_time(kind: pa.DataType) -> bool:
    checks = (pa.types.is_integer, pa.types.is_timestamp, pa.types.is_date)
    return any(check(kind) for check in checks)


def _fits(given: pa.DataType, kind: pa.DataType) -> bool:
    """Whether a column may hold times of a kind; Arrow would make timestamps of integers."""
    if is_text(given):
        return True
    if pa.types.is_integer(given) or pa.types.is_integer(kind):
        return bool(pa.types.is_integer(given) and pa.types.is_integer(kind))
    return bool((getattr(given, "tz", None) is None) == (kind.tz is None))
