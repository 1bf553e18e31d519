"""Label maturity: how many labels are in, how many will come, and what that does to the score.

Rows are kept in cohorts by their time of arrival. A cohort knows how many rows arrived, and for
every class and wait how many labels came and how many of them were predicted correctly.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from streamgauge._support.types import Floats, Longs, Targets

_BINS = 32  # of the wait, up to the time-out, equally far apart on a log scale
_FINEST = 10_000  # the first bin is this part of the time-out: nanoseconds do not matter
_MOST = 400  # cohorts; older ones are merged into one
_AGES = 16  # at which the rows of a cohort are taken to be
_TOO_YOUNG = 0.05  # of the labels of a class
_CLEAR = 3.0  # standard errors, from which on a difference is named


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

    def mature(self, now: int) -> Any:
        """Which cohorts have outlived the time-out; all of them if none has."""
        old = self._outlived(now)
        return old if old.any() else np.ones(len(old), np.bool_)

    def _outlived(self, now: int) -> Any:
        return now - (self.starts + self.length) > self.timeout

    def waits_by_class(self, now: int) -> Floats:
        """For each class, the share of its labels that come within each of `edges`."""
        counts = self.labels[self.mature(now)].sum(axis=0)
        total = counts.sum(axis=1, keepdims=True)
        pooled = np.cumsum(counts.sum(axis=0)) / max(1, counts.sum())
        with np.errstate(invalid="ignore", divide="ignore"):
            found: Floats = np.where(total > 0, np.cumsum(counts, axis=1) / total, pooled)
        return found

    def _lived(self, now: int) -> Floats:
        """For each cohort and class, the share of the labels that have had time to come.

        NaN where that is too small for some class: then the others cannot be estimated.
        """
        waits = self.waits_by_class(now)
        part = (np.arange(_AGES) + 0.5) / _AGES * self.length
        ages = np.clip(now - self.starts[:, None] - part, 0, self.timeout)
        shares = [np.interp(ages, self.edges, of_class).mean(axis=1) for of_class in waits]
        lived: Floats = np.column_stack(shares)
        return np.where(lived.min(axis=1, keepdims=True) < _TOO_YOUNG, np.nan, lived)

    def cohorts(self, now: int, most: int = 24) -> list[dict[str, Any]]:
        """The last cohorts: coverage now and expected, the score so far, and its bounds."""
        coverage, lived = self.coverage_by_age(now), self._lived(now)
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
                "reweighted": _ratio((hits[i] / lived[i]).sum(), (counts[i] / lived[i]).sum()),
                "worst": self._bound(_ratio(right[i], self.arrived[i])),
                "best": self._bound(
                    _ratio(right[i] + self.arrived[i] - labelled[i], self.arrived[i])
                ),
            }
            for i in range(max(0, len(self.starts) - most), len(self.starts))
        ]

    def _bound(self, value: float) -> float:
        """Errors of a regression have no bound."""
        return float("nan") if self._regression else float(value)

    def recent(self, now: int) -> dict[str, float]:
        """The rows that may still get their label: score so far, reweighted, and its bounds.

        The reweighted score leaves out cohorts that are too young for it.
        """
        young = ~(now - (self.starts + self.length) > self.timeout)
        arrived = int(self.arrived[young].sum())
        counts, hits = self.labels[young].sum(axis=2), self.hits[young].sum(axis=2)
        lived = self._lived(now)[young]
        labelled, right = int(counts.sum()), float(hits.sum())
        return {
            "arrived": arrived,
            "labelled": labelled,
            "score": _ratio(right, labelled),
            "reweighted": _ratio(np.nansum(hits / lived), np.nansum(counts / lived)),
            "worst": self._bound(_ratio(right, arrived)),
            "best": self._bound(_ratio(right + arrived - labelled, arrived)),
        }

    def bias(self, now: int) -> dict[str, float] | None:
        """Labels that came by the median wait against those that came later, if they differ.

        Only rows that have outlived the time-out count: younger ones have early labels only, so
        that a model that gets worse would seem to be worse on early labels.
        """
        old = self._outlived(now)
        counts = self.labels[old].sum(axis=(0, 1))
        hits = self.hits[old].sum(axis=(0, 1))
        total = counts.sum()
        if self._regression or not total:
            return None
        middle = int(np.searchsorted(np.cumsum(counts), total / 2))
        early, late = counts[: middle + 1].sum(), counts[middle + 1 :].sum()
        if min(early, late) < 100:
            return None
        p, q = hits[: middle + 1].sum() / early, hits[middle + 1 :].sum() / late
        error = np.sqrt(p * (1 - p) / early + q * (1 - q) / late)
        if abs(p - q) <= _CLEAR * max(float(error), 1e-12):
            return None
        return {"wait": int(self.edges[middle]), "early": float(p), "late": float(q)}


def _ratio(part: float, whole: float) -> float:
    return float(part / whole) if whole else float("nan")
