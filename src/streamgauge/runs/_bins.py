"""One learner's performance per bin of the wait, as `run.bins` shows it."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np
import pyarrow as pa

from streamgauge._support.errors import UsageError
from streamgauge._support.printable import printed
from streamgauge._support.types import Floats
from streamgauge.measures.bins import BinTable
from streamgauge.measures.curves import Curve
from streamgauge.measures.verdict import Verdict
from streamgauge.runs._bin_outcomes import OutcomeLog
from streamgauge.runs._bin_replay import BinReplay
from streamgauge.runs._bin_text import show_bins
from streamgauge.runs.document import verdict_to_dict


@dataclass(frozen=True, repr=False)
class Bins(BinTable):
    """The learner's table of bins at the end of the run; each reference has its own.

    `n_c`, `n_b`, `n_r`: extra predictions in the last 100 events, those held for waiting rows, and
    per labelled row. `verdicts`: for bin 0, the middle bin and bin B + 1. `effort`: rows (labels),
    n_c, n_b, n_r along the stream.
    """

    references: dict[str, BinTable] = field(default_factory=dict)
    n_c: float = math.nan
    n_b: float = math.nan
    n_r: float = math.nan
    verdicts: dict[int, Verdict] = field(default_factory=dict)
    effort: dict[str, Floats] = field(default_factory=dict)
    _replay: BinReplay | None = None
    _curves: dict[int, Curve] = field(default_factory=dict)

    @staticmethod
    def of(
        tables: Sequence[BinTable],
        references: Sequence[str],
        last_effort: Floats,
        verdicts: dict[int, Verdict] | None = None,
        effort: dict[str, Floats] | None = None,
        replay: BinReplay | None = None,
    ) -> Bins:
        """Bins from the table of the learner and that of each reference."""
        own, *others = tables
        n_c, n_b, n_r = last_effort.tolist()
        return Bins(
            own.rows, own.bins, own.values, own.bands,
            dict(zip(references, others, strict=True)), n_c, n_b, n_r,
            verdicts or {}, effort or {}, replay,
        )  # fmt: skip

    def curve(self, b: int) -> Curve:
        """Every metric in bin b along the stream, under every forgetting; -1 is the final bin."""
        if self._replay is None:
            raise UsageError("bins_at() gives tables without curves; use run.bins.curve(b)")
        if not -len(self) <= b < len(self):
            raise UsageError(f"bin {b}: expected 0 to {len(self) - 1}")
        b %= len(self)
        if b not in self._curves:  # computed on demand: each takes time, few are used
            self._curves[b] = self._replay.curve(b, self.rows)
        return self._curves[b]

    @property
    def _outcomes(self) -> OutcomeLog:
        assert self._replay is not None
        return self._replay.log

    def _after(self, labels: int) -> Bins:
        """The bins as they stood after the first `labels` labels."""
        assert self._replay is not None
        if not 1 <= labels <= self.rows:
            raise UsageError(
                f"labels={labels}: expected 1 to {self.rows:,}, the number of labels scored"
            )
        tables, effort = self._replay.tables_after(labels)
        return Bins.of(tables, tuple(self.references), effort)

    def to_dict(self) -> dict[str, Any]:
        """The bins as plain values (docs/json.md)."""
        return {
            "bins": self.bins,
            "labels": self.rows,
            "metrics": {name: self[name].tolist() for name in self.metrics},
            "bands": {
                name: band.tolist() for name, band in self.bands.items() if not np.isnan(band).all()
            },
            "references": {
                who: {name: table[name].tolist() for name in table.metrics}
                for who, table in self.references.items()
            },
            "n_c": self.n_c,
            "n_b": self.n_b,
            "n_r": self.n_r,
            "verdicts": {str(b): verdict_to_dict(each) for b, each in self.verdicts.items()},
        }

    def to_arrow(self) -> pa.Table:
        """A row per participant and bin: the learner ("learner"), then the references."""
        own = BinTable(self.rows, self.bins, self.values, self.bands)
        return pa.concat_tables(
            table.to_arrow().add_column(0, "participant", pa.array([who] * len(table)))
            for who, table in {"learner": own, **self.references}.items()
        )

    @property
    def middle(self) -> int:
        """The bin in the middle of the wait."""
        return (self.bins + 1) // 2

    @printed
    def __str__(self) -> str:
        return show_bins(self)

    __repr__ = __str__
