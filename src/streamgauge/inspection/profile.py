"""The profile of a stream: what the order of its labels shows, with advice in words."""

from __future__ import annotations

import math
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

import numpy as np
import pyarrow as pa

from streamgauge._support.errors import UsageError
from streamgauge._support.printable import printable_lines, printed
from streamgauge._support.types import Floats, Longs
from streamgauge.inspection._advice import advise, window_advice
from streamgauge.inspection._answer import show_answer
from streamgauge.inspection._counts import Independence, LastLabel, ReferenceChoice, fractions
from streamgauge.inspection._lags import Autocorrelation
from streamgauge.inspection._leaks import Leak
from streamgauge.inspection._priors import Priors
from streamgauge.inspection._profile_figure import draw_profile
from streamgauge.inspection._text import profile_html, show_profile
from streamgauge.inspection._waits import QUANTILES, Waits
from streamgauge.rendering.frames import frame_of
from streamgauge.rendering.plain_values import plain
from streamgauge.streams.base import Stream

FORMAT = "streamgauge.profile/1"
_SIGNIFICANCE = 0.01


@dataclass(frozen=True)
class Repeats:
    """How the probability of a repeated label depends on the run length ℓ before it, from ℓ = 0.

    `given[ℓ, i]` = P(y_t = i | the ℓ labels before are i), over `rows[ℓ, i]` rows. `pooled[ℓ]` =
    P(y_t = y_{t−1} | the ℓ labels before are equal), for ℓ ≥ 1; `pooled[0]` = Σ P(i)², the
    fraction of repeats by chance.
    """

    rows: Longs = field(repr=False)
    given: Floats = field(repr=False)
    pooled_rows: Longs = field(repr=False)
    pooled: Floats = field(repr=False)

    @property
    def delta(self) -> Floats:
        """Δ(ℓ) per class [ℓ, i] (zliobaite2015 §6.8); negative if runs tend to go on."""
        return self.given[:-1] - self.given[1:]

    @property
    def pooled_delta(self) -> Floats:
        """Δ(ℓ) over all classes together."""
        return self.pooled[:-1] - self.pooled[1:]


@dataclass(frozen=True, repr=False)
class Profile:
    """The temporal dependence of a stream's labels; print it for the answer.

    For a regression stream, everything about classes is NaN or empty.

    Attributes
    ----------
    stream
        The stream.
    rows, labelled
        Number of rows, and of rows with a label.
    references
        Prequential accuracy of each reference; in regression its mean absolute error.
    choice
        The reference to beat, and the tests behind it.
    autocorrelation
        Autocorrelation of the labels by lag.
    counts
        Rows of each class.
    pairs
        [j, i]: how often label i follows label j.
    repeats
        How likely a label repeats after a run of equal labels.
    independence
        The test of first-order independence.
    last_label
        The test of whether the last label changes the best guess.
    priors
        Class priors along the stream.
    seasonal_lag
        The lag that the reference Seasonal took for more than half of the rows, if there is one.
    leaks
        Features that alone predict nearly every label; empty for regression.
    waits
        How long labels take to come, overall, by class and along the stream; None for a stream
        without reveal times.

    References
    ----------
    bifet2013, zliobaite2015 (docs/bibliography.md)

    Examples
    --------
    >>> import streamgauge as sg
    >>> profile = sg.inspect(sg.inject(sg.SEA(2000, seed=1), order=2))
    >>> profile.dependence, profile.to_beat
    ('positive', 'Persistent')
    >>> print(f"P(T) = {profile.p_temporal:.2f}, P(M) = {profile.p_majority:.2f}")
    P(T) = 0.82, P(M) = 0.76
    """

    stream: Stream
    rows: int
    labelled: int
    references: dict[str, float]  # prequential accuracy, or mean absolute error
    choice: ReferenceChoice
    autocorrelation: Autocorrelation
    counts: Longs  # rows of each class
    pairs: Longs  # [j, i]: how often label i follows label j
    repeats: Repeats
    independence: Independence
    last_label: LastLabel
    priors: Priors
    seasonal_lag: int | None = None
    leaks: tuple[Leak, ...] = ()
    waits: Waits | None = None  # None: the stream has no reveal times

    @property
    def classes(self) -> tuple[Any, ...]:
        """The classes, in the order of all arrays; () for regression."""
        return self.stream.schema.classes

    @property
    def regression(self) -> bool:
        """Whether the stream is a regression stream."""
        return self.stream.schema.regression

    @property
    def unlabelled(self) -> int:
        """Rows without a label, which are skipped."""
        return self.rows - self.labelled

    @property
    def prior(self) -> Floats:
        """P(i), the fraction of each class."""
        return fractions(self.counts, self.counts.sum())

    @property
    def joint(self) -> Floats:
        """P(j, i), the fraction of each pair of successive labels."""
        return fractions(self.pairs, self.pairs.sum())

    @property
    def transition(self) -> Floats:
        """P(i | j) as [j, i], the next label given the last one; NaN if j has no successor."""
        return fractions(self.pairs, self.pairs.sum(axis=1, keepdims=True))

    @property
    def stays(self) -> Floats:
        """P(i | i), the probability that a class repeats."""
        return np.diagonal(self.transition).copy()

    @property
    def p_majority(self) -> float:
        """P(M), the fraction of the most frequent class."""
        return float(self.prior.max()) if self.labelled and len(self.counts) else math.nan

    @property
    def p_temporal(self) -> float:
        """P(T) = Σ P(i, i), the fraction of rows with the same label as the row before."""
        return float(np.trace(self.joint)) if self.pairs.any() else math.nan

    @property
    def p_first_order(self) -> float:
        """Σ_j max_i P(j, i), the accuracy of the best guess from the last label in hindsight."""
        return float(self.joint.max(axis=1).sum()) if self.pairs.any() else math.nan

    @property
    def p_chance(self) -> float:
        """Σ P(i)², the value of P(T) if labels were independent."""
        return float((self.prior**2).sum()) if len(self.counts) else math.nan

    @property
    def dependent(self) -> bool:
        """Whether the test of first-order independence rejects."""
        return self.independence.p < _SIGNIFICANCE

    @property
    def worth_using(self) -> bool:
        """Whether knowing the last label, or the last value, improves the best guess.

        Classification: after some label another one than the most frequent is usual, by more than
        chance. Regression: LastValue has the smaller error, by more than chance.
        """
        if self.regression:
            return self.to_beat == "LastValue"
        return self.last_label.helps

    @property
    def dependence(self) -> str:
        """The kind of dependence: "none", "positive", "weakly positive" or "other".

        positive: P(T) > P(M). weakly positive: labels repeat more often than by chance, but P(T) ≤
        P(M). other: labels do not repeat more often than by chance, e.g. in cycles.
        """
        if not self.dependent:
            return "none"
        if self.p_temporal > self.p_majority:
            return "positive"
        return "weakly positive" if self.p_temporal > self.p_chance else "other"

    @property
    def to_beat(self) -> str | None:
        """The simplest reference unless another is better by more than chance.

        None if fewer than two rows have labels.
        """
        return None if self.labelled < 2 else self.choice.to_beat

    @property
    def declared_leaks(self) -> dict[str, str]:
        """Features of which the data set's card says that they give the label away, and how."""
        features = self.stream.schema.features
        return {name: how for name, how in self.stream.leaks.items() if name in features}

    @cached_property
    def advice(self) -> tuple[str, ...]:
        """The advice, one sentence per item."""
        return advise(self)

    def frames(self) -> dict[str, pa.Table]:
        """Arrow tables for figures; docs/inspect.md explains their columns."""
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
        if self.waits is not None:
            frames["waits"] = pa.table(self.waits.parts)
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
        """One of `frames` as "pandas", "polars" or "arrow"; default: the first one installed."""
        frames = self.frames()
        if what not in frames:
            raise UsageError(f"to_frame({what!r}): expected one of {', '.join(frames)}")
        return frame_of(frames[what], kind)

    def plot(self, what: str | None = None) -> Any:
        """Draw the profile. Needs Altair: pip install 'streamgauge[plot]'.

        Parameters
        ----------
        what
            "priors" (classes along the stream), "autocorrelation", "transitions", "repeats" (Δ(ℓ))
            or "waits"; by default the first four together.

        Returns
        -------
        altair.Chart
            The chart: change it as you like; `.save("x.pdf")` also writes .svg, .png and .html.

        Examples
        --------
        >>> import streamgauge as sg
        >>> chart = sg.inspect(sg.SEA(2000, seed=1)).plot()
        >>> for panel in chart.to_dict()["concat"]:
        ...     print(panel["title"]["text"])
        Classes among the last 200 labels
        Are rows this far apart alike? Grey: by chance
        How likely is each next label?
        Δ(ℓ); below 0: runs of equal labels go on
        """
        return draw_profile(self, what)

    def to_dict(self) -> dict[str, Any]:
        """The profile as plain values, as `--json` writes it (docs/inspect.md)."""
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
                "reference_tests": {
                    name: {"word": test.word, "t": test.t, "p": test.p}
                    for name, test in self.choice.against.items()
                },
                "seasonal_lag": self.seasonal_lag,
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
                "last_label_p": self.last_label.p,
                "peaks": [vars(peak) for peak in lags.peaks],
                "autocorrelation": lags.values.tolist(),
                "window": None if self.regression else self.priors.window,
                "lowest_prior": self.priors.low.tolist(),
                "highest_prior": self.priors.high.tolist(),
                "priors_change": None if self.regression else self.priors.change.clear,
                "leaks": [leak._asdict() for leak in self.leaks],
                "declared_leaks": self.declared_leaks,
                "window_advice": None if windows is None else vars(windows),
                "waits": self._waits_to_dict(),
            }
        )
        return values

    def _waits_to_dict(self) -> dict[str, Any] | None:
        waits = self.waits
        if waits is None:
            return None
        shares = ("first_revealed", "first_arrived", "last_revealed", "last_arrived")
        return {
            "labelled": waits.labelled,
            "never": waits.never,
            "quantiles": {str(q): v for q, v in zip(QUANTILES, waits.quantiles, strict=True)},
            "depend_on_class": waits.depend_on_class,
            "classes": [vars(each) for each in waits.classes],
            "window": waits.window,
            **{name: getattr(waits, name).tolist() for name in shares},
            "parts": {name: column.tolist() for name, column in waits.parts.items()},
        }

    @property
    def details(self) -> str:
        """Everything there is to say of the stream, as text; printing shows the answer only."""
        return printable_lines(show_profile(self))

    @printed
    def __str__(self) -> str:
        return show_answer(self)

    __repr__ = __str__

    def _repr_html_(self) -> str:
        return profile_html(self)
