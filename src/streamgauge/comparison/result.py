"""What a comparison is: everything that tells two learners over one stream apart."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any, NamedTuple

import numpy as np
import pyarrow as pa
from scipy.special import ndtri

from streamgauge._support.errors import UsageError
from streamgauge._support.types import Longs
from streamgauge.comparison._anytime import Anytime, confidence_sequence
from streamgauge.comparison._pairs import Pair, mcnemar_threshold, pair_curve
from streamgauge.comparison._stretches import Stretch, find_stretches, shares
from streamgauge.comparison.options import Setting
from streamgauge.measures.batch_means import batch_means_of, word_of, z_of
from streamgauge.measures.curves import Curve
from streamgauge.runs.run import frame_of, plain

FORMAT = "streamgauge.comparison/1"
_MOST_BOUNDS = 200_000  # points × subsequences: with very late labels there are fewer points
_FEWEST_ROWS = 10  # of a subsequence of rows that do not wait for each other


class BatchMeans(NamedTuple):
    """The test for differences that come in runs. z > 0: B is better."""

    z: float
    batches: int
    word: str  # of B: better, worse, no clear difference, too few rows to say


@dataclass(frozen=True, repr=False)
class Comparison:
    """Two learners, A and B, over one stream. Printing it shows the answer and its numbers.

    In every number a plus speaks for B: A has lost more.
    """

    names: tuple[str, str]
    setting: Setting
    pair: Pair
    ids: Longs  # the rows compared, by number, in the order their labels came
    wait: int | str  # rows until a label is known for sure, or why nobody can say
    every: int
    scored: int  # rows scored, also those that one of them did not answer

    def __len__(self) -> int:
        return len(self.ids)

    @property
    def answer(self) -> str:
        """Who is better: "A", "B" or "neither".

        Somebody is if the anytime bounds say so, and batch means too: the bounds hold at every row
        looked at, but of these rows alone; batch means allow for differences that come in runs.
        Without bounds batch means decide.
        """
        sign = {"better": 1, "worse": -1}.get(self.batch_means.word, 0)
        if self.why_not_anytime is None and self.anytime.sign != sign:
            sign = 0
        return ("neither", "B", "A")[sign]

    @property
    def better(self) -> str | None:
        """The name of the better one; None if that is not clear."""
        return {"A": self.names[0], "B": self.names[1]}.get(self.answer)

    @cached_property
    def curve(self) -> Curve:
        """Losses, q, McNemar and its p along the stream: `curve["q", Window(1000)]`."""
        setting = self.setting
        return pair_curve(self.pair, setting.forget, self.every, setting.smooth, setting.compat)

    @property
    def summary(self) -> dict[str, float]:
        """All numbers of the curve at the end, under the first forgetting asked for."""
        return self.curve.last()

    @property
    def threshold(self) -> float:
        """|McNemar| beyond this is significant, to whom takes rows as independent."""
        return mcnemar_threshold(self.setting.confidence)

    @property
    def why_not_anytime(self) -> str | None:
        """The reason there are no anytime bounds; None if there are."""
        if isinstance(self.wait, str):
            return self.wait
        if self.setting.bound is None:
            return (
                f"the loss {self.setting.loss!r} is unbounded, and no number of rows tells "
                "anything of the next; if two losses can never differ by more than b: bound=b"
            )
        if self.wait > 1 and self.wait * _FEWEST_ROWS > len(self):
            return (
                f"labels come up to {self.wait:,} rows late, and of {len(self):,} rows fewer than "
                f"{_FEWEST_ROWS} in turn do not wait for each other"
            )
        return None

    @cached_property
    def anytime(self) -> Anytime:
        """Bounds on the mean difference that hold at every row at once."""
        why = self.why_not_anytime
        if why is not None or isinstance(self.wait, str) or self.setting.bound is None:
            raise UsageError(f"no anytime bounds: {why}")
        every = -(-len(self.curve) * self.wait // _MOST_BOUNDS)
        points = self.curve.rows[::-1][::every][::-1].copy()  # the last one always
        return confidence_sequence(
            self.pair.difference, self.ids, points, self.setting.bound, self.wait,
            self.setting.confidence,
        )  # fmt: skip

    @cached_property
    def batch_means(self) -> BatchMeans:
        """The test of §4's kind: z of non-overlapping batch means of length ⌊√n⌋."""
        means = batch_means_of(self.pair.difference)
        z = z_of(means)
        clear = round(float(ndtri(1 - (1 - self.setting.confidence) / 2)), 2)
        return BatchMeans(z, len(means), word_of(z, len(means), clear))

    @cached_property
    def stretches(self) -> tuple[Stretch, ...]:
        """Where A, B or neither was better."""
        return find_stretches(self.pair.losses, self.setting.stretch, self.setting.confidence)

    @property
    def autocorrelation(self) -> float:
        """Of the differences, lag 1: above 0 they come in runs and McNemar's test is too sure."""
        d = self.pair.difference
        d = d - d.mean()
        spread = float(d @ d)
        return float(d[1:] @ d[:-1]) / spread if spread > 0 else float("nan")

    def frames(self) -> dict[str, pa.Table]:
        """Arrow tables: curve, stretches and, where there are any, the anytime bounds."""
        columns = zip(*self.stretches, strict=True)
        frames = {
            "curve": self.curve.to_arrow(),
            "stretches": pa.table(
                [pa.array(list(column)) for column in columns], names=list(Stretch._fields)
            ),
        }
        if self.why_not_anytime is None:
            bounds = self.anytime
            frames["anytime"] = pa.table(
                {
                    "rows": bounds.rows,
                    "mean": bounds.mean,
                    "low": bounds.low,
                    "high": bounds.high,
                }
            )
        return frames

    def to_frame(self, what: str = "curve", kind: str | None = None) -> Any:
        """One of `frames` as "pandas", "polars" or "arrow"; by default the first there is."""
        frames = self.frames()
        if what not in frames:
            raise UsageError(f"to_frame({what!r}): this comparison has {', '.join(frames)}")
        return frame_of(frames[what], kind)

    def to_dict(self) -> dict[str, Any]:
        """The comparison as plain values, as `--json` writes it (docs/json.md)."""
        setting, why = self.setting, self.why_not_anytime
        values: dict[str, Any] = plain(
            {
                "format": FORMAT,
                "a": self.names[0],
                "b": self.names[1],
                "answer": self.answer,
                "text": str(self),
                "stream": setting.stream,
                "labels": setting.labels,
                "rows": len(self),
                "left_out": self.scored - len(self),
                "loss": setting.loss,
                "bound": setting.bound,
                "confidence": setting.confidence,
                "smooth": setting.smooth,
                "compat": setting.compat,
                "anytime": None if why else self._bounds(),
                "why_not_anytime": why,
                "batch_means": self.batch_means._asdict(),
                "autocorrelation": self.autocorrelation,
                "mcnemar_threshold": self.threshold,
                "summary": {f: self.curve.last(f) for f in self.curve.forgettings},
                "undefined": {
                    f: {
                        metric: {"points": points, "why": reason}
                        for metric, (points, reason) in self.curve.undefined(f).items()
                    }
                    for f in self.curve.forgettings
                },
                "points": len(self.curve),
                "stretches": [stretch._asdict() for stretch in self.stretches],
                "shares": {who or "neither": share for who, share in self.shares.items()},
            }
        )
        return values

    @property
    def shares(self) -> dict[str | None, float]:
        """Of A, B and None: the share of the rows in stretches where it is better."""
        return shares(self.stretches)

    def _bounds(self) -> dict[str, Any]:
        last = self.anytime
        return {
            "mean": float(last.mean[-1]),
            "low": float(last.low[-1]),
            "high": float(last.high[-1]),
            "first_clear": last.first_clear,
            "wait": last.wait,
        }

    def __str__(self) -> str:
        from streamgauge.comparison.text import show_comparison

        return show_comparison(self)

    __repr__ = __str__


class Comparisons(Sequence[Comparison]):
    """One learner against several. Printing it shows each answer, then all numbers in one table."""

    def __init__(self, pairs: Sequence[Comparison]) -> None:
        self.pairs = tuple(pairs)

    def __getitem__(self, key: Any) -> Any:
        """By place, or by the other's name."""
        if isinstance(key, str):
            for pair in self.pairs:
                if pair.names[1] == key:
                    return pair
            raise UsageError(
                f"{self.pairs[0].names[0]} was not compared with {key!r}, but with "
                f"{', '.join(pair.names[1] for pair in self.pairs)}"
            )
        return self.pairs[key]

    def __len__(self) -> int:
        return len(self.pairs)

    def __iter__(self) -> Iterator[Comparison]:
        return iter(self.pairs)

    def to_frame(self, what: str = "curve", kind: str | None = None) -> Any:
        """The pairs' frames under each other, the other's name in front."""
        tables = []
        for pair in self.pairs:
            table = pair.to_frame(what, "arrow")
            name = pa.array(np.repeat(pair.names[1], len(table)))
            tables.append(table.add_column(0, "against", name))
        return frame_of(pa.concat_tables(tables, promote_options="default"), kind)

    def to_dict(self) -> list[dict[str, Any]]:
        """As `--json` writes it: a list."""
        return [pair.to_dict() for pair in self.pairs]

    def __str__(self) -> str:
        from streamgauge.comparison.text import show_comparisons

        return show_comparisons(self.pairs)

    __repr__ = __str__
