"""Label maturity against the rows themselves."""

from __future__ import annotations

import numpy as np
import pytest

from streamgauge._support.types import Floats, Longs
from streamgauge.monitoring._maturity import Maturity

TIMEOUT, COHORT = 100, 50


def made(
    arrives: Longs, waits: Longs, y: Longs, errors: Floats, now: int, classes: int = 2
) -> Maturity:
    """A monitor's cohorts at a time; a wait of -1 never ends."""
    maturity = Maturity(COHORT, TIMEOUT, classes, False)
    seen = arrives < now
    known = seen & (waits >= 0) & (waits <= TIMEOUT) & (arrives + waits < now)
    maturity.add(
        arrives[seen], arrives[known], waits[known], y[known].astype(np.int32), errors[known]
    )
    return maturity


def rows(count: int, seed: int = 1) -> tuple[Longs, Longs, Longs, Floats]:
    """Labels of class 1 take longer, and are predicted worse; one row in ten has no label."""
    rng = np.random.default_rng(seed)
    arrives, y = np.sort(rng.integers(0, 2000, count)), rng.integers(0, 2, count)
    waits = np.where(y == 1, rng.integers(40, 100, count), rng.integers(0, 40, count))
    waits[rng.random(count) < 0.1] = -1
    errors = (rng.random(count) < np.where(y == 1, 0.5, 0.1)).astype(float)
    return arrives, waits, y, errors


def test_cohorts_count_rows_and_labels() -> None:
    arrives, waits, y, errors = rows(4000)
    now = 2000
    for cohort in made(arrives, waits, y, errors, now).cohorts(now):
        inside = arrives // COHORT * COHORT == cohort["start"]
        known = inside & (waits >= 0) & (arrives + waits < now)
        assert cohort["arrived"] == inside.sum()
        assert cohort["labelled"] == known.sum()
        hits = (1 - errors[known]).sum()
        assert cohort["worst"] == pytest.approx(hits / inside.sum())
        assert cohort["best"] == pytest.approx((hits + inside.sum() - known.sum()) / inside.sum())
        final = (1 - errors[inside]).mean()
        assert cohort["worst"] <= final <= cohort["best"]


def test_coverage_by_age_is_not_biased_by_young_rows() -> None:
    arrives, waits, y, errors = rows(20000)
    maturity = made(arrives, waits, y, errors, 2000)
    found = maturity.coverage_by_age(2000)
    for edge, share in zip(maturity.edges.tolist(), found.tolist(), strict=True):
        assert share == pytest.approx(((waits >= 0) & (waits <= edge)).mean(), abs=0.02)


def test_reweighting_by_class_corrects_what_early_labels_hide() -> None:
    arrives, waits, y, errors = rows(40000)
    recent = made(arrives, waits, y, errors, 2000).recent(2000)
    true = 1 - errors[arrives >= 1850].mean()  # of all rows that may still get their label
    assert abs(recent["score"] - true) > 0.04
    assert abs(recent["reweighted"] - true) < 0.015
    assert recent["worst"] < true < recent["best"]


def test_a_cohort_that_is_too_young_is_not_reweighted() -> None:
    young = made(*rows(4000), 1990).cohorts(1990)[-1]
    assert young["labelled"] > 0
    assert np.isnan(young["reweighted"])  # no label of class 1 can have come


def test_the_bias_of_early_labels_is_named() -> None:
    bias = made(*rows(20000), 2000).bias(2000)
    assert bias is not None
    assert bias["early"] > bias["late"] + 0.2
    arrives, waits, y, errors = rows(20000)
    fair = np.random.default_rng(3).permutation(errors)
    assert made(arrives, waits, y, fair, 2000).bias(2000) is None


def test_model_that_gets_worse_is_no_bias_of_early_labels() -> None:
    """While no row has outlived the time-out, the newest rows have early labels only."""
    rng = np.random.default_rng(2)
    arrives = np.sort(rng.integers(0, 100, 20000))
    errors = (rng.random(20000) < np.where(arrives < 50, 0.1, 0.6)).astype(float)
    waits, y = rng.integers(0, 100, 20000), rng.integers(0, 2, 20000)
    assert made(arrives, waits, y, errors, 110).bias(110) is None
    assert made(arrives, waits, y, errors, 400).bias(400) is None


def test_old_cohorts_are_merged(monkeypatch: pytest.MonkeyPatch) -> None:
    arrives, waits, y, errors = rows(4000)
    whole = made(arrives, waits, y, errors, 2000)
    monkeypatch.setattr("streamgauge.monitoring._maturity._MOST", 10)
    few = Maturity(COHORT, TIMEOUT, 2, False)
    for start in range(0, 2000, 100):
        part = (arrives >= start) & (arrives < start + 100)
        known = part & (waits >= 0) & (arrives + waits < 2000)
        few.add(
            arrives[part], arrives[known], waits[known], y[known].astype(np.int32), errors[known]
        )
    assert len(few.starts) == 10
    assert few.arrived.sum() == len(arrives)
    assert few.labels.sum() == whole.labels.sum()
