"""Curves: metric values along the stream, exact at each sampled point."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

import numpy as np
import numpy.typing as npt
import pyarrow as pa

from streamgauge._support.arrow_numbers import arrow_numbers, arrow_texts, numbers
from streamgauge._support.clock import as_datetimes, clock_of, time_text
from streamgauge._support.errors import UsageError, instead_of
from streamgauge._support.types import Clock, Floats, Longs
from streamgauge.measures.forgetting import Forgetting, smooths_probabilities

_WHY = b"undefined"  # in a column's metadata: why the metric may be undefined
_TIME = "time"  # the column of times, which only runs with times have
_NOT_KEPT = "this estimator keeps only what the kappa family needs"


@dataclass(frozen=True)
class Curve:
    """Metric values along the stream, under each forgetting.

    `curve["kappa"]` is the metric under the first forgetting, `curve["kappa", Window(1000)]` under
    another. `rows` holds the number of scored rows at each point, `times` the time when the last
    of them was revealed.
    """

    rows: Longs
    metrics: tuple[str, ...]
    reasons: tuple[str, ...] = field(repr=False)  # for each metric, why it may be undefined
    forget: tuple[Forgetting, ...]
    values: tuple[Floats, ...] = field(repr=False)  # for each forgetting, points × metrics
    moments: Longs | None = field(default=None, repr=False)  # the times as integers
    clock: Clock = field(default="integers", repr=False)

    @property
    def times(self) -> npt.NDArray[Any] | None:
        """When the last row of each point was revealed: datetime64, in UTC if the stream's times
        have a time zone, or integers; None if rows have no times."""
        return None if self.moments is None else as_datetimes(self.moments, self.clock)

    @property
    def forgettings(self) -> tuple[str, ...]:
        """The forgettings as text, the keys of tables and JSON."""
        return tuple(map(repr, self.forget))

    def __getitem__(self, key: str | tuple[str, object]) -> Floats:
        name, forgetting = key if isinstance(key, tuple) else (key, self.forget[0])
        return self.values[self._forgetting(forgetting)][:, self._metric(name)]

    def __len__(self) -> int:
        return len(self.rows)

    def last(self, forgetting: object = None) -> dict[str, float]:
        """Every metric at the last point."""
        place = 0 if forgetting is None else self._forgetting(forgetting)
        if not len(self.rows):
            return dict.fromkeys(self.metrics, float("nan"))
        row = self.values[place][-1]
        return dict(zip(self.metrics, row.tolist(), strict=True))

    def undefined(self, forgetting: object = None) -> dict[str, tuple[int, str]]:
        """The metrics with undefined points: how many there are, and why."""
        place = 0 if forgetting is None else self._forgetting(forgetting)
        holes = np.isnan(self.values[place]).sum(axis=0)
        kept = self.forget[place]
        smoothed = smooths_probabilities(kept)
        return {
            name: (int(count), _NOT_KEPT if smoothed and count == len(self) else why)
            for name, why, count in zip(self.metrics, self.reasons, holes, strict=True)
            if count
        }

    def span(self) -> dict[str, int | str] | None:
        """The times of the first and the last point: ISO 8601 texts or integers."""
        if self.moments is None or not len(self):
            return None
        first, last = (
            time if self.clock == "integers" else time_text(time, self.clock)
            for time in self.moments[[0, -1]].tolist()
        )
        return {"first": first, "last": last}

    def to_arrow(self) -> pa.Table:
        """A long table: a row per forgetting and point, a column per metric."""
        columns: dict[str, pa.Array] = {
            "forgetting": arrow_texts(name for name in self.forgettings for _ in self.rows),
            "rows": arrow_numbers(np.tile(self.rows, len(self.forgettings))),
        }
        if self.times is not None:
            zone = pa.timestamp("ns", "UTC") if self.clock == "UTC" else None
            columns[_TIME] = pa.array(np.tile(self.times, len(self.forgettings)), zone)
        stacked = np.concatenate(self.values)
        columns |= {name: arrow_numbers(stacked[:, i]) for i, name in enumerate(self.metrics)}
        whys = {m: {_WHY: why.encode()} for m, why in zip(self.metrics, self.reasons, strict=True)}
        fields = [pa.field(name, each.type, True, whys.get(name)) for name, each in columns.items()]
        return pa.Table.from_arrays(list(columns.values()), schema=pa.schema(fields))

    @staticmethod
    def of_arrow(table: pa.Table, forget: tuple[Forgetting, ...]) -> Curve:
        """The curve whose `to_arrow` is this table."""
        fields = [each for each in table.schema if each.name not in ("forgetting", "rows", _TIME)]
        points = len(table) // len(forget)
        times = table[_TIME][:points] if _TIME in table.column_names else None
        columns = [numbers(table[field.name]) for field in fields]
        stacked = np.stack(columns, axis=1).astype(np.float64)
        return Curve(
            numbers(table["rows"][:points]),
            tuple(field.name for field in fields),
            tuple((field.metadata or {}).get(_WHY, b"").decode() for field in fields),
            forget,
            tuple(np.split(stacked, len(forget))),
            None if times is None else numbers(times.cast(pa.int64())),
            clock_in(table.schema) or "integers",
        )

    def _metric(self, name: str) -> int:
        if name not in self.metrics:
            hint = ": it needs probabilities: evaluate(..., metrics='all')"
            if name not in ("log_loss", "brier", "auc"):
                hint = instead_of(name, self.metrics)
            raise UsageError(f"this run has no metric {name!r}{hint}")
        return self.metrics.index(name)

    def _forgetting(self, wanted: object) -> int:
        kept: tuple[object, ...] = self.forgettings if isinstance(wanted, str) else self.forget
        if wanted not in kept:
            raise UsageError(
                f"this run did not keep {wanted}; it has {', '.join(self.forgettings)}; to keep "
                f"it: evaluate(..., forget=[{wanted}])"
            )
        return kept.index(wanted)


def clock_in(schema: pa.Schema) -> Clock | None:
    """The clock of the times in a table of `to_arrow`; None without times."""
    place = schema.get_field_index(_TIME)
    return None if place < 0 else clock_of(schema.types[place])


class Sampler:
    """Decides after which rows to take a point of the curve."""

    state_fields = ("seen",)

    def __init__(self, every: int) -> None:
        if every < 1:
            raise UsageError(f"every={every}: expected 1 or more rows between points of the curve")
        self._every = every
        self.seen = 0

    def cuts(self, rows: int) -> Longs:
        """The positions (from 1) in the next `rows` rows after which a point is due."""
        first = self._every - self.seen % self._every
        self.seen += rows
        return np.arange(first, rows + 1, self._every, dtype=np.int64)

    @property
    def last_is_due(self) -> bool:
        """Whether a point after the last row is still missing."""
        return self.seen == 0 or self.seen % self._every != 0
