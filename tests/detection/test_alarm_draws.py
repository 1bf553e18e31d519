"""Random alarms beside detectors: mean and range, and how often chance is called better."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

import streamgauge as sg
from streamgauge._support.types import Drift, Longs
from streamgauge.detection.alarm_draws import as_frequent, draw_scores
from streamgauge.detection.alarms import score_run

N = 10_000
DRIFTS = (Drift(2_000, 0), Drift(5_000, 400), Drift(8_000, 0))


def test_mean_and_range_are_those_of_the_draws() -> None:
    """The range is from the fifth smallest to the fifth largest of 200."""
    drawn = draw_scores(sg.RandomAlarm(0.002), [(DRIFTS, N)], 500, seed=3)
    assert (len(drawn.scores), drawn.detector) == (200, "RandomAlarm(0.002)")
    rows, draw = sg.RandomAlarm(0.002).draws(N, 200, 3)
    alone = [score_run(rows[draw == i], DRIFTS, N, 500) for i in range(200)]
    for measure in ("alarms", "detections", "false_alarms", "mean_wait", "mtfa"):
        values = [getattr(score, measure) for score in alone]
        np.testing.assert_array_equal(drawn.values(measure), values)
        defined = sorted(value for value in values if not np.isnan(value))
        assert drawn.mean(measure) == pytest.approx(np.mean(defined))
        if len(defined) == 200:
            assert drawn.range(measure) == (defined[4], defined[-5])
    nothing = draw_scores(sg.RandomAlarm(0), [(DRIFTS, N)], None, seed=3)
    assert np.isnan([nothing.mean("mtd"), *nothing.range("mtd")]).all()
    assert nothing.range("misses") == (3, 3)
    with pytest.raises(sg.UsageError, match="no measure 'delay'; expected one of runs, rows"):
        drawn.mean("delay")


def test_many_alarms_are_drawn_in_parts(monkeypatch: pytest.MonkeyPatch) -> None:
    runs = [(DRIFTS, N), ((), 500)]
    whole = draw_scores(sg.RandomAlarm(0.01), runs, None, seed=1)
    monkeypatch.setattr("streamgauge.detection.alarm_draws._ALARMS_AT_ONCE", 500)
    parts = draw_scores(sg.RandomAlarm(0.01), runs, None, seed=1)
    for measure in ("runs", "alarms", "false_alarms", "mean_wait"):
        np.testing.assert_array_equal(whole.values(measure), parts.values(measure))


@pytest.mark.parametrize("alarms", [1, 10, 100, 300, 400, 1_000, 5_000, 10_000, 20_000])
def test_random_alarms_are_as_frequent_as_the_detector(alarms: int) -> None:
    """Also where it alarms more often than every 30 rows; several alarms in one row are one."""
    score = score_run(np.sort(np.arange(alarms) % N), DRIFTS, N, None)
    drawn = draw_scores(as_frequent(score), [(DRIFTS, N)], None, seed=1)
    expected = min(alarms, N)
    assert abs(drawn.mean("alarms") - expected) < 0.05 * expected + 0.3


def test_detector_beats_chance_by_detections_or_by_its_wait() -> None:
    exact = np.array([2_003, 4_803, 8_003])
    late = np.array([2_480, 5_280, 8_480])
    blind = draw_scores(as_frequent(score_run(exact, DRIFTS, N, 500)), [(DRIFTS, N)], 500, seed=1)
    assert blind.range("detections")[1] < 3
    assert blind.is_beaten_by(score_run(exact, DRIFTS, N, 500))
    assert blind.is_beaten_by(score_run(late, DRIFTS, N, 500))  # three of three
    for rows in ([2_003, 3_000, 7_000], [100, 4_000, 7_500], [1, 2, 3]):
        assert not blind.is_beaten_by(score_run(np.array(rows), DRIFTS, N, 500))
    one = score_run(exact, DRIFTS, N, 500)
    assert not blind.is_beaten_by(replace(one, missed_rows=9_999))  # beyond the other end


def by_chance(kind: str, alarms: int, n: int, random: np.random.Generator) -> Longs:
    """The alarms of a detector that ignores the errors, `alarms` of them on average."""
    if kind == "uniform":
        return np.sort(random.choice(n, random.poisson(alarms), replace=False)).astype(np.int64)
    detector = sg.RandomAlarm(1 / (n / alarms - 29))
    return detector.draws(n, 1, int(random.integers(1 << 40)))[0]


def called_better(
    kind: str, drifts: int, accept: int | None, alarms: int, n: int, streams: int
) -> float:
    """Fraction of streams on which a detector that alarms by chance is called better."""
    random = np.random.default_rng([alarms, drifts])
    better = tried = 0
    while tried < streams:
        rows = by_chance(kind, alarms, n, random)
        if not len(rows):
            continue
        starts = np.sort(random.choice(np.arange(n // 20, n), drifts, replace=False))
        truth = [Drift(int(start), 0) for start in starts]
        score = score_run(rows, truth, n, accept)
        seed = int(random.integers(1 << 40))
        drawn = draw_scores(as_frequent(score), [(truth, n)], accept, seed)
        better += drawn.is_beaten_by(score)
        tried += 1
    return better / streams


def test_chance_is_rarely_called_better() -> None:
    """Nominal: at most 5 %."""
    assert called_better("RandomAlarm", 2, 100, 10, 1_000, 100) <= 0.05


@pytest.mark.long
@pytest.mark.parametrize("kind", ["RandomAlarm", "uniform"])
@pytest.mark.parametrize("accept", [None, 300])
@pytest.mark.parametrize("drifts", [1, 5])
@pytest.mark.parametrize("alarms", [1, 10, 100])
def test_chance_is_called_better_in_at_most_5_percent(
    kind: str, drifts: int, accept: int | None, alarms: int
) -> None:
    assert called_better(kind, drifts, accept, alarms, N, 600) <= 0.05
