"""Label maturity: how many labels are in, how many will come, and what that does to the score.

Rows are kept in cohorts by their time of arrival. A cohort knows how many rows arrived, and for
every class and wait how many labels came and how many of them were predicted correctly.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from streamgauge._support.types import Floats, Longs, Mask, Targets
from streamgauge.measures.batch_means import TOO_FEW_ROWS, batch_means_test
from streamgauge.monitoring._reweighting import Reweighted, Reweighting

_BINS = 32  # of the wait, up to the time-out, equally far apart on a log scale
_FINEST = 10_000  # the first bin is this part of the time-out: nanoseconds do not matter
_MOST = 400  # cohorts; older ones are merged into one
_FEWEST_COHORTS, _FEWEST_LABELS = 20, 100  # of early and of late labels that are compared


class Maturity:
    """The cohorts of one model.

    Parameters
    ----------
    length
        The time that one cohort covers.
    timeout
        How long a row may wait for its label.
    classes
        Number of classes; 1 for regression.
    """

    state_fields = ("starts", "arrived", "labels", "hits", "merged")

    def __init__(self, length: int, timeout: int, classes: int, regression: bool) -> None:
        self.length, self.timeout, self._regression = length, timeout, regression
        edges = np.geomspace(max(1, timeout / _FINEST), max(2, timeout), _BINS)
        edges = np.unique(edges.astype(np.int64))
        edges[-1] = timeout
        self.edges = np.unique(np.concatenate([[0], edges]))  # a wait w is in the first bin ≥ w
        shape = (0, classes, len(self.edges))
        self.starts = np.empty(0, np.int64)
        self.arrived = np.empty(0, np.int64)
        self.labels = np.zeros(shape, np.int64)
        self.hits = np.zeros(shape)  # or summed absolute errors
        self.merged = 0  # cohorts that were merged into the first

    def add(
        self, arrivals: Longs, arrives: Longs, waits: Longs, y: Targets, errors: Floats
    ) -> None:
        """Count rows that arrive, and labels of rows that arrived at `arrives`."""
        self._make_room(arrivals)
        np.add.at(self.arrived, self._place(arrivals), 1)
        wait = np.searchsorted(self.edges, np.minimum(waits, self.timeout))
        code = np.zeros(len(y), np.int64) if self._regression else y.astype(np.int64)
        place = self._place(arrives)
        np.add.at(self.labels, (place, code, wait), 1)
        value = np.nan_to_num(errors) if self._regression else 1.0 - errors
        np.add.at(self.hits, (place, code, wait), value)

    def _make_room(self, arrivals: Longs) -> None:
        new = np.setdiff1d(np.unique(arrivals // self.length * self.length), self.starts)
        if self.merged and len(new):
            new = new[new > self.starts[0]]
        if len(new):
            starts = np.concatenate([self.starts, new])
            order = np.argsort(starts)
            self.starts = starts[order]
            for name in ("arrived", "labels", "hits"):
                column = getattr(self, name)
                more = np.zeros((len(new), *column.shape[1:]), column.dtype)
                setattr(self, name, np.concatenate([column, more])[order])
        extra = len(self.starts) - _MOST
        if extra > 0:
            for name in ("arrived", "labels", "hits"):
                column = getattr(self, name)
                first = column[: extra + 1].sum(axis=0, keepdims=True)
                setattr(self, name, np.concatenate([first, column[extra + 1 :]]))
            self.starts = self.starts[extra:].copy()
            self.merged += extra

    def _place(self, arrives: Longs) -> Longs:
        """The cohort of each row; those older than all are in the first."""
        return np.maximum(np.searchsorted(self.starts, arrives, side="right") - 1, 0)

    def coverage_by_age(self, now: int) -> Floats:
        """The share of rows whose label comes within each of `edges`, from past waits.

        A product-limit estimate (Kaplan-Meier): rows count for the waits that they have lived
        through, so that young rows do not bias it.
        """
        by_wait = self.labels.sum(axis=1)  # cohorts × bins
        before = np.cumsum(by_wait, axis=1) - by_wait
        age = now - (self.starts + self.length)
        lived = age[:, None] >= self.edges[None, :]
        due = np.where(lived, by_wait, 0).sum(axis=0)
        at_risk = np.where(lived, self.arrived[:, None] - before, 0).sum(axis=0)
        with np.errstate(invalid="ignore", divide="ignore"):
            share = np.where(at_risk > 0, due / at_risk, 0.0)
        found: Floats = 1 - np.cumprod(1 - share)
        return found

    def _outlived(self, now: int) -> Mask:
        found: Mask = now - (self.starts + self.length) > self.timeout
        return found

    def _alone(self) -> Mask:
        """Which cohorts are not merged ones."""
        return np.arange(len(self.starts)) >= min(1, self.merged)

    def _reweighting(self, now: int) -> Reweighting:
        old = self._outlived(now)
        return Reweighting(self.labels, self.hits, old, self._alone(), self._regression)

    def _lived(self, now: int) -> Longs:
        """The longest of `edges` that all rows of a cohort have lived through, by its place."""
        ages = now - (self.starts + self.length)
        return np.asarray(np.searchsorted(self.edges, ages, side="right") - 1)

    def cohorts(self, now: int, most: int = 24) -> list[dict[str, Any]]:
        """The last cohorts: coverage now and expected, the score so far, and its bounds."""
        coverage, lived = self.coverage_by_age(now), self._lived(now)
        estimate = self._reweighting(now).estimate
        shown = np.arange(len(self.starts))[-most:]
        counts, hits = self.labels.sum(axis=2), self.hits.sum(axis=2)
        labelled, right = counts.sum(axis=1), hits.sum(axis=1)
        ages = np.clip(now - self.starts - self.length // 2, 0, self.timeout)
        expected = np.interp(ages, self.edges, coverage)
        return [
            {
                "start": int(self.starts[i]),
                "arrived": int(self.arrived[i]),
                "labelled": int(labelled[i]),
                "coverage": _ratio(labelled[i], self.arrived[i]),
                "expected_coverage": float(expected[i]),
                "final_coverage": float(coverage[-1]),
                "score": _ratio(right[i], labelled[i]),
                **_reweighted(estimate(shown[place : place + 1], lived[i : i + 1])),
                "worst": self._bound(_ratio(right[i], self.arrived[i])),
                "best": self._bound(
                    _ratio(right[i] + self.arrived[i] - labelled[i], self.arrived[i])
                ),
            }
            for place, i in enumerate(shown.tolist())
        ]

    def _bound(self, value: float) -> float:
        """Errors of a regression have no bound."""
        return float("nan") if self._regression else float(value)

    def recent(self, now: int) -> dict[str, float]:
        """The rows that may still get their label: score so far, reweighted, and its bounds."""
        young = ~self._outlived(now)
        arrived = int(self.arrived[young].sum())
        labelled, right = int(self.labels[young].sum()), float(self.hits[young].sum())
        estimate = self._reweighting(now).estimate(np.flatnonzero(young), self._lived(now)[young])
        return {
            "arrived": arrived,
            "labelled": labelled,
            "score": _ratio(right, labelled),
            **_reweighted(estimate),
            "worst": self._bound(_ratio(right, arrived)),
            "best": self._bound(_ratio(right + arrived - labelled, arrived)),
        }

    def bias(self, now: int) -> dict[str, float] | None:
        """Labels that came by the median wait against those that came later, if they differ.

        Only rows that have outlived the time-out count, and early labels are compared with late
        ones of the same cohort: a model that gets worse is no bias of early labels. The test is
        that of the verdict, over the cohorts, since both waits and errors come in runs.
        """
        old = self._outlived(now) & self._alone()
        counts, hits = self.labels[old].sum(axis=1), self.hits[old].sum(axis=1)  # cohorts × waits
        total = counts.sum()
        if self._regression or len(counts) < _FEWEST_COHORTS or not total:
            return None
        middle = int(np.searchsorted(np.cumsum(counts.sum(axis=0)), total / 2))
        early, late = counts[:, : middle + 1].sum(axis=1), counts[:, middle + 1 :].sum(axis=1)
        if min(early.sum(), late.sum()) < _FEWEST_LABELS:
            return None
        weights = early * late / np.maximum(1, early + late)
        right_early = hits[:, : middle + 1].sum(axis=1) / np.maximum(1, early)
        right_late = hits[:, middle + 1 :].sum(axis=1) / np.maximum(1, late)
        repeats = -(-TOO_FEW_ROWS // len(weights))  # a cohort counts as that many rows
        test = batch_means_test(np.repeat(weights * (right_early - right_late), repeats))
        if test.word not in ("better", "worse"):
            return None
        shares = [float(weights @ each / weights.sum()) for each in (right_early, right_late)]
        return {"wait": int(self.edges[middle]), "early": shares[0], "late": shares[1]}


def _reweighted(found: Reweighted) -> dict[str, float]:
    return {
        "reweighted": found.score,
        "reweighted_low": found.low,
        "reweighted_high": found.high,
    }


def _ratio(part: float, whole: float) -> float:
    return float(part / whole) if whole else float("nan")
