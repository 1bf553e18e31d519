"""One learner's performance per bin of the wait, as `run.bins` shows it."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

import numpy as np
import pyarrow as pa

from streamgauge._support.errors import UsageError, check_integer
from streamgauge._support.printable import printed
from streamgauge._support.types import Floats
from streamgauge.measures.bins import BinTable
from streamgauge.measures.curves import Curve
from streamgauge.measures.scale import Scale
from streamgauge.measures.verdict import Verdict
from streamgauge.runs.bins.bin_figures import draw_bins
from streamgauge.runs.bins.bin_text import show_bins
from streamgauge.runs.bins.outcome_log import OutcomeLog
from streamgauge.runs.bins.replay import BinReplay

if TYPE_CHECKING:
    from streamgauge.runs.run import Run


@dataclass(frozen=True, repr=False)
class Bins(BinTable):
    """The learner's table of bins at the end of the run; each reference has its own.

    `n_c`, `n_b`, `n_r`: extra predictions in the last 100 events, those held for waiting rows, and
    per labelled row. `verdicts`: for bin 0, the middle bin and bin B + 1. `effort`: rows (labels),
    n_c, n_b, n_r along the stream. `name` and `stream`: of the learner and of the stream.
    `scales`: direction and unit of each metric.
    """

    references: dict[str, BinTable] = field(default_factory=dict)
    n_c: float = math.nan
    n_b: float = math.nan
    n_r: float = math.nan
    verdicts: dict[int, Verdict] = field(default_factory=dict)
    effort: dict[str, Floats] = field(default_factory=dict)
    name: str = "learner"
    stream: str = ""
    scales: dict[str, Scale] = field(default_factory=dict)
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
        name: str = "learner",
        stream: str = "",
        scales: dict[str, Scale] | None = None,
    ) -> Bins:
        """Bins from the table of the learner and that of each reference."""
        own, *others = tables
        n_c, n_b, n_r = last_effort.tolist()
        return Bins(
            own.rows, own.bins, own.values, own.bands,
            dict(zip(references, others, strict=True)), n_c, n_b, n_r,
            verdicts or {}, effort or {}, name, stream, scales or {}, replay,
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

    def over_time(self, metric: str = "accuracy", parts: int = 40) -> pa.Table:
        """A metric in every bin of each part of the stream.

        Parameters
        ----------
        metric
            The metric.
        parts
            Number of parts of the stream, equal in labels; fewer if there are fewer labels.

        Returns
        -------
        pyarrow.Table
            Columns `first` and `last` (labels before the part and at its end), `bin`, `value`.
        """
        if self._replay is None:
            raise UsageError("bins_at() gives tables without time; use run.bins.over_time()")
        check_integer("parts", parts)
        if parts < 1:
            raise UsageError(f"parts={parts}: expected 1 or more parts of the stream")
        known = self[metric]  # an unknown metric is an error before the log is read
        edges = np.unique(np.linspace(0, self.rows, min(parts, self.rows) + 1).astype(np.int64))
        values = self._replay.values_between(edges, metric)
        shown = values.ravel()
        return pa.table(
            {
                "first": np.repeat(edges[:-1], len(known)),
                "last": np.repeat(edges[1:], len(known)),
                "bin": np.tile(np.arange(len(known)), len(values)),
                "value": pa.array(shown, mask=np.isnan(shown)),
            }
        )

    def plot(
        self,
        what: str = "wait",
        metric: str | None = None,
        *,
        others: Iterable[Run] | Mapping[str, Run] = (),
        references: bool = True,
        parts: int = 40,
    ) -> Any:
        """Draw the bins. Needs Altair: pip install 'streamgauge[plot]'.

        Parameters
        ----------
        what
            "wait": a metric over the bins, with 95 % bands, and who is best in each bin. "time":
            a heat map of the metric along the stream and over the bins. "effort": N_C and N_B
            along the stream.
        metric
            The metric; by default accuracy, or mae for regression.
        others
            Runs to draw beside this one ("wait", "effort"): a list, or a dict by the names to
            show. With another number of bins B they are stretched to the largest one.
        references
            Whether to draw the references ("wait").
        parts
            Number of parts of the stream ("time").

        Returns
        -------
        altair.Chart
            The chart: change it as you like; `.save("x.pdf")` also writes .svg, .png and .html.

        Examples
        --------
        >>> import streamgauge as sg
        >>> stream, again = sg.SEA(2000, seed=1), sg.Reevaluate(every=10, bins=5)
        >>> learners = [sg.NaiveBayes(), sg.HoeffdingTree()]
        >>> bayes, tree = sg.evaluate(stream, learners, labels=sg.Delay(100), reevaluate=again)
        >>> chart = bayes.bins.plot(metric="kappa", others=[tree], references=False)
        >>> print(*chart.to_dict()["title"]["text"])
        SEA(2000, seed=1): kappa while labels are awaited
        """
        return draw_bins(self, what, metric, others, references, parts)

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
        names = tuple(self.references)
        return Bins.of(
            tables, names, effort, name=self.name, stream=self.stream, scales=self.scales
        )

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
            "verdicts": {str(b): each.to_dict() for b, each in self.verdicts.items()},
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
