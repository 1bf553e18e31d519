"""Label maturity against the rows themselves."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import pytest

from streamgauge._support.types import Floats, Longs
from streamgauge.monitoring._maturity import Maturity
from tests.oracles import monitor_figures as oracle

Maker = Callable[[int, int], tuple[Longs, Longs, Longs, Floats]]
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


def informative(count: int, seed: int) -> tuple[Longs, Longs, Longs, Floats]:
    """Labels of errors come sooner than others of their class, as complaints do."""
    rng = np.random.default_rng(seed)
    arrives, y = np.sort(rng.integers(0, 2000, count)), rng.integers(0, 2, count)
    errors = (rng.random(count) < 0.3).astype(float)
    mean = np.where(errors == 1, 10, 30) * (1 + y)
    waits = np.minimum(rng.exponential(mean), TIMEOUT).astype(np.int64)
    return arrives, waits, y, errors


def test_informative_waits_are_corrected_within_an_interval() -> None:
    """Strata of the class alone were 4 points off; 99 % intervals hold the final score."""
    off, held = [], []
    for seed in range(40):
        arrives, waits, y, errors = informative(20000, seed)
        recent = made(arrives, waits, y, errors, 2000).recent(2000)
        true = 1 - errors[arrives >= 1850].mean()
        off.append([recent["score"] - true, recent["reweighted"] - true])
        held.append(recent["reweighted_low"] <= true <= recent["reweighted_high"])
        assert recent["reweighted_high"] - recent["reweighted_low"] < 0.15
    raw, reweighted = np.mean(off, axis=0)
    assert raw < -0.04
    assert abs(reweighted) < 0.005
    assert np.mean(held) >= 0.95


@pytest.mark.parametrize("make", [rows, informative])
@pytest.mark.parametrize("count", [60, 3000])
def test_reweighted_score_matches_oracle(make: Maker, count: int) -> None:
    arrives, waits, y, errors = make(count, 5)
    now = 2000
    maturity = made(arrives, waits, y, errors, now)
    known = (waits >= 0) & (arrives + waits < now)
    seen = [
        oracle.Labelled(*map(int, row))
        for row in zip(arrives[known], waits[known], y[known], 1 - errors[known], strict=True)
    ]
    cohorts = sorted({int(each) for each in arrives // COHORT * COHORT})
    edges = maturity.edges.tolist()
    found = maturity.recent(now)
    expected = oracle.reweighted(seen, cohorts, COHORT, edges, now)
    names = ("reweighted", "reweighted_low", "reweighted_high")
    np.testing.assert_allclose([found[name] for name in names], expected, atol=1e-9)


def test_without_mature_rows_nothing_is_reweighted() -> None:
    young = made(*rows(4000), 90).recent(90)
    assert young["labelled"] > 0
    assert np.isnan(young["reweighted"])
    few = made(*rows(4000), 500).recent(500)  # too few earlier cohorts to try it on
    assert not np.isnan(few["reweighted"])
    assert np.isnan(few["reweighted_low"])


def test_waits_and_errors_in_runs_are_no_bias_of_early_labels() -> None:
    """Both come in runs of 100 rows, and have nothing to do with each other."""
    said = 0
    for seed in range(60):
        rng = np.random.default_rng(seed)
        arrives = np.arange(20000) // 10
        waits = np.repeat(rng.integers(0, 100, 200), 100)
        errors = np.repeat(rng.random(200) < 0.3, 100).astype(float)
        said += made(arrives, waits, np.zeros(20000, np.int64), errors, 2000).bias(2000) is not None
    assert said <= 3


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
