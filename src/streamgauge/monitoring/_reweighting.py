"""The score of rows whose labels are still to come: a Horvitz-Thompson estimate, with an interval.

A label that has come stands for those of its stratum, its class and whether it was predicted
correctly, that are still to come. Rows that have outlived the time-out say what share of a
stratum's labels comes within a wait, and how far off such estimates were (semantics §14).
"""

from __future__ import annotations

import math
from typing import Any, NamedTuple

import numpy as np

from streamgauge._support.types import Floats, Longs, Mask
from streamgauge.measures.batch_means import CONFIDENCE

_TOO_YOUNG = 0.05  # of the labels of a stratum
_FEW = 20  # labels of a stratum; with fewer, its share is that of all classes
_MIN_WINDOWS = 5  # of earlier cohorts, on which the estimate is tried


class Reweighted(NamedTuple):
    """The estimate and its 99 % interval; NaN if undefined."""

    score: float = math.nan
    low: float = math.nan
    high: float = math.nan


class Reweighting:
    """Estimates from cohorts: arrays of cohorts × classes × waits.

    Parameters
    ----------
    labels
        Number of labels by wait.
    hits
        Number of correct predictions among them; in regression the sum of absolute errors.
    mature
        Whether a cohort has outlived the time-out.
    alone
        Whether a mature cohort is one, not several that were merged.
    """

    def __init__(
        self, labels: Longs, hits: Floats, mature: Mask, alone: Mask, regression: bool
    ) -> None:
        strata = [labels] if regression else [hits, labels - hits]  # correct ones first
        self._groups = len(strata)
        self._counts: Floats = np.cumsum(np.concatenate(strata, axis=1, dtype=np.float64), axis=2)
        value = hits if regression else np.concatenate([hits, np.zeros(hits.shape)], axis=1)
        self._values: Floats = np.cumsum(value, axis=2)
        self._past = self._counts[mature].sum(axis=0)  # strata × waits
        self._tried = np.flatnonzero(mature & alone)
        every = self._past[:, -1] >= _FEW
        groups = self._past[:, -1].reshape(self._groups, -1).sum(axis=1) >= _FEW
        self._own, self._of_group = every, np.repeat(groups, len(every) // self._groups)

    def estimate(self, cohorts: Longs, waits: Longs) -> Reweighted:
        """The score of cohorts, once all labels are in, from labels within the `waits` they lived.

        `waits` are places in the third dimension; −1: the cohort has not lived through any.
        """
        if not len(cohorts) or not self._past[:, -1].sum():
            return Reweighted()
        lived = self._shares(self._past)[:, waits]
        used = (waits >= 0) & (lived.min(axis=0) >= _TOO_YOUNG)
        score = float(self._scores(cohorts[None, used], waits[used], lived[None, :, used])[0])
        errors = self._earlier_errors(len(cohorts), waits, used)
        if math.isnan(score) or len(errors) < _MIN_WINDOWS:
            return Reweighted(score)
        from scipy.special import stdtrit  # slow to import, and not every monitor needs it

        # Half the degrees of freedom: where labels come in runs, errors have long tails.
        quantile = float(stdtrit(len(errors) / 2, (1 + CONFIDENCE) / 2))
        reach = quantile * math.sqrt(float((errors**2).mean()))
        low, high = score - reach, score + reach
        ends = (max(0.0, low), high) if self._groups == 1 else (max(0.0, low), min(1.0, high))
        return Reweighted(score, *ends)

    def _earlier_errors(self, length: int, waits: Longs, used: Mask) -> Floats:
        """How far off the estimate was on earlier cohorts, as many at a time, at the same ages."""
        windows = len(self._tried) // length
        if not (windows and used.any()):
            return np.empty(0)
        place = self._tried[len(self._tried) - windows * length :].reshape(windows, length)
        own = self._counts[place].sum(axis=1)  # windows × strata × waits
        lived = self._shares(self._past - own)[:, :, waits[used]]  # from all other cohorts
        found = self._scores(place[:, used], waits[used], np.maximum(lived, _TOO_YOUNG))
        with np.errstate(invalid="ignore"):
            final = self._values[place, :, -1].sum(axis=(1, 2)) / own[:, :, -1].sum(axis=1)
        errors: Floats = found - final
        return errors[~np.isnan(errors)]

    def _scores(self, cohorts: Longs, waits: Longs, lived: Floats) -> Floats:
        """The estimate of each row of `cohorts`; `lived`: rows × strata × cohorts."""
        counts, values = (
            each[cohorts, :, waits].transpose(0, 2, 1) for each in (self._counts, self._values)
        )
        with np.errstate(invalid="ignore", divide="ignore"):
            found: Floats = (values / lived).sum(axis=(1, 2)) / (counts / lived).sum(axis=(1, 2))
        return found

    def _shares(self, counts: Floats) -> Floats:
        """The share of each stratum's labels that come within each wait: … × strata × waits.

        A stratum with few labels takes the share of all classes, or of all labels.
        """
        shape = counts.shape
        groups = counts.reshape(*shape[:-2], self._groups, -1, shape[-1]).sum(axis=-2)
        groups = np.repeat(groups, shape[-2] // self._groups, axis=-2)
        everything = counts.sum(axis=-2, keepdims=True)
        taken: Any = np.where(self._of_group[:, None], groups, everything)
        taken = np.where(self._own[:, None], counts, taken)
        with np.errstate(invalid="ignore", divide="ignore"):
            found: Floats = np.where(taken[..., -1:] > 0, taken / taken[..., -1:], 0.0)
        return found
