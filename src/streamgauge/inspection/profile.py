"""What a profile is: everything the order of a stream's labels shows, with its advice in words."""

from __future__ import annotations

import math
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

import numpy as np
import pyarrow as pa

from streamgauge._support.errors import UsageError
from streamgauge._support.types import Floats, Longs
from streamgauge.inspection._counts import Independence, shares
from streamgauge.inspection._lags import Autocorrelation
from streamgauge.inspection._priors import Priors
from streamgauge.runs.run import frame_of, plain
from streamgauge.streams.base import Stream

FORMAT = "streamgauge.profile/1"
_CHANCE = 0.01  # a p-value below this is no chance


@dataclass(frozen=True)
class Repeats:
    """Does a longer run make one more of the same likelier? By ℓ, from 0 on.

    `given[ℓ, i]` = P(y_t = i | the ℓ labels before are i), over `rows[ℓ, i]` rows; `pooled[ℓ]` =
    P(y_t = y_{t−1} | the ℓ labels before are the same), from ℓ = 1 on; at 0 it is Σ P(i)², what
    chance would repeat.
    """

    rows: Longs = field(repr=False)
    given: Floats = field(repr=False)
    pooled_rows: Longs = field(repr=False)
    pooled: Floats = field(repr=False)

    @property
    def delta(self) -> Floats:
        """Δ(ℓ) of each class [ℓ, i] (zliobaite2015 §6.8): below 0 if one more makes it likelier."""
        return self.given[:-1] - self.given[1:]

    @property
    def pooled_delta(self) -> Floats:
        """Δ(ℓ) of all classes together."""
        return self.pooled[:-1] - self.pooled[1:]


@dataclass(frozen=True, repr=False)
class Profile:
    """The temporal dependence of a stream's labels. Printing it shows the advice and the tables.

    Of a regression stream, whatever is about classes is NaN or empty.
    """

    stream: Stream
    rows: int
    labelled: int
    references: dict[str, float]  # accuracy of each, or mean absolute error, learning as it goes
    autocorrelation: Autocorrelation
    counts: Longs  # rows of each class
    pairs: Longs  # [j, i]: how often i came right after j
    repeats: Repeats
    independence: Independence
    priors: Priors

    @property
    def classes(self) -> tuple[Any, ...]:
        """The classes, in the order of every array here; () for regression."""
        return self.stream.schema.classes

    @property
    def regression(self) -> bool:
        """Is the target a number?"""
        return self.stream.schema.regression

    @property
    def unlabelled(self) -> int:
        """Rows without a label: skipped."""
        return self.rows - self.labelled

    @property
    def prior(self) -> Floats:
        """P(i)."""
        return shares(self.counts, self.counts.sum())

    @property
    def joint(self) -> Floats:
        """P(j, i): shares of the pairs."""
        return shares(self.pairs, self.pairs.sum())

    @property
    def transition(self) -> Floats:
        """[j, i]: P(i | j), the next label given the last one; NaN where j has no successor."""
        return shares(self.pairs, self.pairs.sum(axis=1, keepdims=True))

    @property
    def stays(self) -> Floats:
        """P(i | i)."""
        return np.diagonal(self.transition).copy()

    @property
    def p_majority(self) -> float:
        """P(M): share of the most frequent class."""
        return float(self.prior.max()) if self.labelled and len(self.counts) else math.nan

    @property
    def p_temporal(self) -> float:
        """P(T) = Σ P(i, i): share of rows with the label of the row before."""
        return float(np.trace(self.joint)) if self.pairs.any() else math.nan

    @property
    def p_first_order(self) -> float:
        """Σ_j max_i P(j, i): accuracy of the best guess from the last label, known beforehand."""
        return float(self.joint.max(axis=1).sum()) if self.pairs.any() else math.nan

    @property
    def p_chance(self) -> float:
        """Σ P(i)²: what P(T) would be if the order said nothing."""
        return float((self.prior**2).sum()) if len(self.counts) else math.nan

    @property
    def dependent(self) -> bool:
        """Does the first-order test of independence reject?"""
        return self.independence.p < _CHANCE

    @property
    def worth_using(self) -> bool:
        """Is the order worth using: does knowing the last label, or value, improve the guess?

        For labels: Σ_j max_i P(j, i) > P(M), both over the rows that have one before them, and
        independence rejected, for with many classes that sum is larger by chance alone.
        For numbers: LastValue has the smaller error.
        """
        if self.regression:
            return self.to_beat == "LastValue"
        with_it, without = self.pairs.max(axis=1, initial=0).sum(), self.pairs.sum(axis=0)
        return bool(self.dependent and with_it > without.max(initial=0))

    @property
    def dependence(self) -> str:
        """none, positive, weakly positive or other.

        positive: P(T) > P(M). weakly positive: labels repeat more often than by chance, too rarely
        for that. other: they do not even do that, e.g. cycles.
        """
        if not self.dependent:
            return "none"
        if self.p_temporal > self.p_majority:
            return "positive"
        return "weakly positive" if self.p_temporal > self.p_chance else "other"

    @property
    def to_beat(self) -> str | None:
        """The best of the references; None if no two rows have labels."""
        if self.labelled < 2:
            return None
        best = min if self.regression else max
        return best(self.references, key=lambda name: self.references[name])

    @cached_property
    def advice(self) -> tuple[str, ...]:
        """What to make of it, in words."""
        from streamgauge.inspection._advice import advise

        return advise(self)

    def frames(self) -> dict[str, pa.Table]:
        """Arrow tables, ready for figures; their columns are explained in docs/inspect.md."""
        lags = self.autocorrelation
        frames = {
            "autocorrelation": pa.table(
                {
                    "lag": np.arange(len(lags)),
                    "pairs": lags.pairs,
                    "same": lags.same,
                    "autocorrelation": lags.values,
                    "band": lags.band,
                }
            )
        }
        if self.regression:
            return frames
        names, k, repeats = list(self.classes), len(self.classes), self.repeats
        steps = len(repeats.delta)
        return frames | {
            "classes": pa.table(
                {
                    "class": names,
                    "rows": self.counts,
                    "prior": self.prior,
                    "stays": self.stays,
                    "low": self.priors.low,
                    "high": self.priors.high,
                }
            ),
            "transitions": pa.table(
                {
                    "last": [name for name in names for _ in names],
                    "next": names * k,
                    "pairs": self.pairs.ravel(),
                    "joint": self.joint.ravel(),
                    "given_last": self.transition.ravel(),
                }
            ),
            "repeats": pa.table(
                {
                    "class": [*names, None] * steps,
                    "times": np.repeat(np.arange(steps), k + 1),
                    "rows": np.column_stack([repeats.rows, repeats.pooled_rows])[:-1].ravel(),
                    "given": np.column_stack([repeats.given, repeats.pooled])[:-1].ravel(),
                    "delta": np.column_stack([repeats.delta, repeats.pooled_delta]).ravel(),
                }
            ),
            "priors": pa.table(
                {
                    "rows": np.repeat(self.priors.rows, k),
                    "class": names * len(self.priors.rows),
                    "share": self.priors.shares.ravel(),
                }
            ),
        }

    def to_frame(self, what: str, kind: str | None = None) -> Any:
        """One of `frames` as "pandas", "polars" or "arrow"; by default the first there is."""
        frames = self.frames()
        if what not in frames:
            raise UsageError(f"to_frame({what!r}): this profile has {', '.join(frames)}")
        return frame_of(frames[what], kind)

    def to_dict(self) -> dict[str, Any]:
        """The profile as plain values, as `--json` writes it (docs/inspect.md)."""
        from streamgauge.inspection._advice import window_advice

        lags, windows = self.autocorrelation, window_advice(self)
        values: dict[str, Any] = plain(
            {
                "format": FORMAT,
                "stream": self.stream.name,
                "rows": self.rows,
                "labelled": self.labelled,
                "unlabelled": self.unlabelled,
                "classes": list(self.classes),
                "advice": list(self.advice),
                "to_beat": self.to_beat,
                "references": self.references,
                "worth_using": self.worth_using,
                "dependence": None if self.regression else self.dependence,
                "p_majority": self.p_majority,
                "p_temporal": self.p_temporal,
                "p_first_order": self.p_first_order,
                "p_chance": self.p_chance,
                "prior": self.prior.tolist(),
                "stays": self.stays.tolist(),
                "pairs": self.pairs.tolist(),
                "delta": self.repeats.delta.tolist(),
                "pooled_delta": self.repeats.pooled_delta.tolist(),
                "independence": self.independence._asdict(),
                "peaks": [vars(peak) for peak in lags.peaks],
                "autocorrelation": lags.values.tolist(),
                "window": None if self.regression else self.priors.window,
                "lowest_prior": self.priors.low.tolist(),
                "highest_prior": self.priors.high.tolist(),
                "window_advice": None if windows is None else vars(windows),
            }
        )
        return values

    def __str__(self) -> str:
        from streamgauge.inspection._text import show_profile

        return show_profile(self)

    __repr__ = __str__
