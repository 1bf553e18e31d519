"""The result of `compare`: two participants over one stream, or one against several."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
import pyarrow as pa

from streamgauge._support.errors import UsageError, check_integer
from streamgauge._support.printable import printable_lines, printed
from streamgauge._support.types import Longs
from streamgauge.comparison._answer import show_pair, show_pairs
from streamgauge.comparison._anytime import Anytime, confidence_sequence
from streamgauge.comparison._outlets import comparisons_html, comparisons_latex
from streamgauge.comparison._pair_figure import pair_figure
from streamgauge.comparison._pairs import PairedLosses, mcnemar_threshold, pair_curve
from streamgauge.comparison._stretches import Stretch, find_stretches, shares, stretches_table
from streamgauge.comparison._text import show_comparison, show_comparisons
from streamgauge.comparison.options import Options
from streamgauge.figures.saving import stacked
from streamgauge.measures.batch_means import BatchMeansTest, batch_means_test
from streamgauge.measures.curves import Curve
from streamgauge.measures.forgetting import Window
from streamgauge.prequential.labels import Chunks
from streamgauge.rendering.frames import frame_of
from streamgauge.rendering.layout import wide
from streamgauge.rendering.plain_values import plain
from streamgauge.runs.conditions import Conditions

FORMAT = "streamgauge.comparison/2"
_MAX_POINTS = 200_000  # of the anytime bounds, which take longer than the curve
_MIN_BLOCKS = 10  # of rows that do not wait for each other
_WINDOW, _MIN_WINDOW = 1000, 100  # rows
_WINDOW_BLOCKS = 50  # in fewer, the bounds of a window exclude nothing


@dataclass(frozen=True, repr=False)
class Comparison:
    """Comparison of two participants, A and B, over one stream; print it for the answer.

    Positive values favour B: the loss of A is larger.

    Attributes
    ----------
    names
        The names of A and B.
    conditions
        The stream and the label policy.
    options
        The options of `compare`.
    pair
        The losses of A and B on each row.
    ids
        Numbers of the rows compared, in reveal order.
    wait
        Rows until every label is known; a text says why that is unknown.
    scored
        Number of rows scored, including those that A or B did not predict.

    References
    ----------
    gama2013, howard2021, choe2024 (docs/bibliography.md)

    Examples
    --------
    >>> import streamgauge as sg
    >>> run = sg.evaluate(sg.SEA(2000, seed=1), sg.NaiveBayes())
    >>> comparison = sg.compare(run, "Majority")
    >>> comparison.answer, comparison.better
    ('A', 'NaiveBayes')
    >>> print(f"McNemar {comparison.summary['mcnemar']:.1f}")
    McNemar -497.1
    """

    names: tuple[str, str]
    conditions: Conditions
    options: Options
    pair: PairedLosses
    ids: Longs  # numbers of the rows compared, in reveal order
    wait: int | str  # rows until every label is known; a text: why that is unknown
    scored: int  # rows scored, with those that one of the two did not predict

    def __len__(self) -> int:
        return len(self.ids)

    @property
    def loss(self) -> str:
        """The name of the loss."""
        return self.pair.loss

    @property
    def bound(self) -> float | None:
        """Two losses never differ by more; None if unbounded."""
        return self.pair.bound

    @property
    def answer(self) -> str:
        """Which one is better: "A", "B" or "neither", by the batch means, at the end of the rows.

        The anytime bounds hold at every row, but they are about these rows alone, and too wide to
        decide when labels come late.
        """
        return {"better": "B", "worse": "A"}.get(self.batch_means.word, "neither")

    @property
    def better(self) -> str | None:
        """The name of the better participant; None if neither is clearly better."""
        return {"A": self.names[0], "B": self.names[1]}.get(self.answer)

    @property
    def equivalent(self) -> bool | None:
        """Whether the two are equal within ± `equal_within`; None if that was not asked.

        They are if the interval of the batch means is within it. The anytime bounds are about
        these rows alone, so they do not show it.
        """
        margin = self.options.equal_within
        if margin is None:
            return None
        return self.batch_means.is_within(margin, self.interval_level)

    @property
    def interval_level(self) -> float:
        """Level of the interval of the batch means."""
        return self.options.confidence

    @cached_property
    def curve(self) -> Curve:
        """Losses, Q, McNemar's statistic and its p along the stream: `curve["q", Window(1000)]`."""
        return pair_curve(self.pair, self.options)

    @property
    def summary(self) -> dict[str, float]:
        """All metrics of the curve at the end, under the first forgetting."""
        return self.curve.last()

    @property
    def threshold(self) -> float:
        """The value that |McNemar| exceeds if it is significant, assuming independent rows."""
        return mcnemar_threshold(self.options.confidence)

    @property
    def why_not_anytime(self) -> str | None:
        """Why this comparison has no anytime bounds; None if it has them."""
        if isinstance(self.wait, str):
            return self.wait
        if self.bound is None:
            return (
                f"the loss {self.loss!r} is unbounded, so the rows seen do not limit the next "
                "loss; if two losses never differ by more than b, pass bound=b"
            )
        if self.wait > 1 and self.wait * _MIN_BLOCKS > len(self):
            return (
                f"labels come up to {self.wait:,} rows late, which splits {len(self):,} rows "
                f"into fewer than {_MIN_BLOCKS} blocks"
            )
        return None

    @cached_property
    def anytime(self) -> Anytime:
        """Bounds on the mean difference that hold at all rows together."""
        return self._bounds(None)

    @property
    def window(self) -> int:
        """Rows of `now` by default: those of the first `Window` of 100 or more, or 1000."""
        windows = [each.w for each in self.options.forget if isinstance(each, Window)]
        return next((w for w in windows if w >= _MIN_WINDOW), _WINDOW)

    @property
    def has_now(self) -> bool:
        """Whether the report says who is better now: the rows fill the window twice."""
        fits = self._fewest_now() <= self.window and 2 * self.window <= len(self)
        return self.why_not_anytime is None and fits

    def _fewest_now(self) -> int:
        return _WINDOW_BLOCKS * (self.wait if isinstance(self.wait, int) else 1)

    def now(self, window: int | None = None) -> Anytime:
        """Bounds on the mean difference over the newest rows, for who is better now.

        At each point they are about the last `window` to 2 · `window` rows: those since
        `now().since`. They hold at all rows together, however often you look.

        Examples
        --------
        >>> import numpy as np
        >>> import streamgauge as sg
        >>> a, b = np.random.default_rng(1).random((2, 8000)) < [[0.2], [0.1]]
        >>> pair = sg.compare(np.r_[a, b], np.r_[b, a], loss="given", bound=1)
        >>> pair.answer, pair.now(2000).sign  # A is better now, not over all rows
        ('neither', -1)
        """
        window = self.window if window is None else window
        check_integer("window", window)
        if window < (fewest := self._fewest_now()):
            late = self.wait if isinstance(self.wait, int) else 1
            why = f", since labels come up to {late:,} rows late" if late > 1 else ""
            raise UsageError(f"now(window={window}): expected {fewest:,} rows or more{why}")
        return self._bounds(window)

    def _bounds(self, window: int | None) -> Anytime:
        why = self.why_not_anytime
        if why is not None or isinstance(self.wait, str) or self.bound is None:
            raise UsageError(f"no anytime bounds: {why}")
        every = -(-len(self.curve) // _MAX_POINTS)
        points = self.curve.rows[::-1][::every][::-1].copy()  # always with the last point
        labels = self.conditions.labels
        return confidence_sequence(
            self.pair.difference, self.ids, points, self.bound, self.wait, self.options.confidence,
            together=isinstance(labels, Chunks) and labels.n == self.wait, window=window,
        )  # fmt: skip

    @cached_property
    def batch_means(self) -> BatchMeansTest:
        """Test of the mean difference, which allows for differences that come in runs.

        t > 0 favours B, and `word` is about B.
        """
        return batch_means_test(self.pair.difference, self.options.confidence, bound=self.bound)

    @cached_property
    def stretches(self) -> tuple[Stretch, ...]:
        """Stretches of the stream where A, B or neither is better."""
        return find_stretches(
            self.pair.losses, self.options.stretch, self.options.confidence, self.bound
        )

    @property
    @np.errstate(over="ignore", invalid="ignore")  # infinite losses are data, too
    def autocorrelation(self) -> float:
        """Lag-1 autocorrelation of the differences; above 0, McNemar's test is overconfident."""
        d = self.pair.difference
        d = d - d.mean()
        spread = float(d @ d)
        return float(d[1:] @ d[:-1]) / spread if spread > 0 else float("nan")

    def frames(self) -> dict[str, pa.Table]:
        """Arrow tables: curve, stretches and, if available, the anytime bounds and those of now."""
        frames = {"curve": self.curve.to_arrow(), "stretches": stretches_table(self.stretches)}
        if self.why_not_anytime is None:
            frames["anytime"] = _bounds_table(self.anytime)
        if self.has_now:
            frames["now"] = _bounds_table(self.now())
        return frames

    def plot(self, forget: Any = None) -> Any:
        """Draw the difference, Q and McNemar's statistic: an Altair chart (docs/figures.md).

        On stretches where one is clearly better, the background has its colour. `forget` is a
        forgetting of the comparison, for Q and McNemar's test; by default the first that forgets.
        """
        return pair_figure(self, forget)

    def to_frame(self, what: str = "curve", kind: str | None = None) -> Any:
        """One of `frames` as "pandas", "polars" or "arrow"; default: the first one installed."""
        frames = self.frames()
        if what not in frames:
            raise UsageError(f"to_frame({what!r}): expected one of {', '.join(frames)}")
        return frame_of(frames[what], kind)

    def to_dict(self) -> dict[str, Any]:
        """The comparison as plain values, as `--json` writes it (docs/json.md)."""
        options, why = self.options, self.why_not_anytime
        with wide(None):
            text = self.details
        values: dict[str, Any] = plain(
            {
                "format": FORMAT,
                "a": self.names[0],
                "b": self.names[1],
                "answer": self.answer,
                "text": text,
                "stream": self.conditions.stream,
                "labels": self.conditions.labels_text(),
                "rows": len(self),
                "left_out": self.scored - len(self),
                "loss": self.loss,
                "bound": self.bound,
                "confidence": options.confidence,
                "smooth": options.smooth,
                "compat": options.compat,
                "anytime": None if why else _last_bounds(self.anytime),
                "why_not_anytime": why,
                "now": _last_bounds(self.now()) if self.has_now else None,
                "batch_means": {
                    **plain(self.batch_means),
                    "interval": self.batch_means.interval(self.interval_level),
                    "interval_level": self.interval_level,
                },
                "equal_within": options.equal_within,
                "equivalent": self.equivalent,
                "autocorrelation": self.autocorrelation,
                "mcnemar_threshold": self.threshold,
                "summary": {str(f): self.curve.last(f) for f in options.forget},
                "undefined": {
                    str(f): {
                        metric: {"points": points, "why": reason}
                        for metric, (points, reason) in self.curve.undefined(f).items()
                    }
                    for f in options.forget
                },
                "points": len(self.curve),
                "stretches": [stretch._asdict() for stretch in self.stretches],
                "shares": {who or "neither": share for who, share in self.shares.items()},
            }
        )
        return values

    @property
    def shares(self) -> dict[str | None, float]:
        """The fraction of rows in stretches where A, B or neither (None) is better."""
        return shares(self.stretches)

    def to_latex(self, *, caption: str | None = None, label: str = "tab:comparison") -> str:
        """The numbers as a LaTeX table (booktabs, siunitx); the caption is LaTeX, too."""
        return comparisons_latex([self], caption, label)

    @property
    def details(self) -> str:
        """Everything there is to say of the comparison, as text; printing shows the answer only."""
        return printable_lines(show_comparison(self))

    @printed
    def __str__(self) -> str:
        return show_pair(self)

    __repr__ = __str__

    def _repr_html_(self) -> str:
        return comparisons_html([self], self)


def _bounds_table(bounds: Anytime) -> pa.Table:
    names = ("rows", "since", "mean", "low", "high")
    return pa.table({name: getattr(bounds, name) for name in names})


def _last_bounds(bounds: Anytime) -> dict[str, Any]:
    return {
        "rows": int(bounds.rows[-1]),
        "since": int(bounds.since[-1]),
        "mean": float(bounds.mean[-1]),
        "low": float(bounds.low[-1]),
        "high": float(bounds.high[-1]),
        "first_clear": bounds.first_clear,
        "wait": bounds.wait,
    }


class Comparisons(Sequence[Comparison]):
    """Comparisons of one participant with several others; print it for the answer.

    Parameters
    ----------
    pairs
        The comparisons, all with the same participant A.

    Examples
    --------
    >>> import streamgauge as sg
    >>> run = sg.evaluate(sg.SEA(2000, seed=1), sg.NaiveBayes())
    >>> comparisons = sg.compare(run, "Majority", "Persistent")
    >>> [pair.better for pair in comparisons]
    ['NaiveBayes', 'NaiveBayes']
    >>> print(f"Q = {comparisons['Persistent'].summary['q']:.2f}")
    Q = -1.87
    """

    def __init__(self, pairs: Sequence[Comparison]) -> None:
        self.pairs = tuple(pairs)

    def __getitem__(self, key: Any) -> Any:
        """The comparison at an index, or with the participant of this name."""
        if isinstance(key, str):
            for pair in self.pairs:
                if pair.names[1] == key:
                    return pair
            raise UsageError(
                f"{self.pairs[0].names[0]} was not compared with {key!r}; expected one of "
                f"{', '.join(pair.names[1] for pair in self.pairs)}"
            )
        return self.pairs[key]

    def __len__(self) -> int:
        return len(self.pairs)

    def __iter__(self) -> Iterator[Comparison]:
        return iter(self.pairs)

    def plot(self, forget: Any = None) -> Any:
        """Draw the figures of all pairs one below the other: an Altair chart."""
        return stacked(pair.plot(forget) for pair in self.pairs)

    def to_frame(self, what: str = "curve", kind: str | None = None) -> Any:
        """The frames of all pairs, stacked; the column `against` names the other participant."""
        tables = []
        for pair in self.pairs:
            table = pair.to_frame(what, "arrow")
            name = pa.array(np.repeat(pair.names[1], len(table)))
            tables.append(table.add_column(0, "against", name))
        return frame_of(pa.concat_tables(tables, promote_options="default"), kind)

    def to_dict(self) -> list[dict[str, Any]]:
        """A list of plain values, as `--json` writes it."""
        return [pair.to_dict() for pair in self.pairs]

    def to_latex(self, *, caption: str | None = None, label: str = "tab:comparisons") -> str:
        """The numbers of all pairs as a LaTeX table (booktabs, siunitx)."""
        return comparisons_latex(self.pairs, caption, label)

    @property
    def details(self) -> str:
        """Everything there is to say of the pairs, as text; printing shows the answer only."""
        return printable_lines(show_comparisons(self.pairs))

    @printed
    def __str__(self) -> str:
        return show_pairs(self.pairs)

    __repr__ = __str__

    def _repr_html_(self) -> str:
        return comparisons_html(self.pairs, self)
