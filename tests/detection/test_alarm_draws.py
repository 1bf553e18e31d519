"""Random alarms, and shifts of a detector's own: how often chance is called better."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import streamgauge as sg
from streamgauge._support.types import Drift
from streamgauge.detection.alarm_draws import AlarmDraws, as_frequent, draw_scores, shift_scores
from streamgauge.detection.alarms import as_drifts, score_run
from tests.oracles import alarms as oracle

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


@given(
    st.lists(st.integers(0, 39), min_size=1, max_size=6),
    st.lists(st.integers(0, 39), min_size=1, max_size=3, unique=True),
    st.sampled_from([None, 5]),
    st.integers(0, 9),
)
def test_place_of_drifts_between_alarms_matches_oracle(
    rows: list[int], positions: list[int], accept: int | None, width: int
) -> None:
    alarms, drifts = np.sort(rows), as_drifts([(each, width) for each in positions], 40)
    shifted = shift_scores("x", [(alarms, drifts, 40)], accept, seed=1)
    found = oracle.closeness(rows, [(each.position, each.width) for each in drifts], 40, accept)
    moved = [[(row + shift) % 40 for row in rows] for shift in range(40)]
    pairs = [(each.position, each.width) for each in drifts]
    every = [oracle.closeness(each, pairs, 40, accept)[0] for each in moved]
    as_close = np.mean([each <= found[0] + 1e-9 for each in every])
    assert abs(shifted.p - as_close) < 5 * np.sqrt(0.25 / 2000)  # of 1,999 random shifts
    assert shifted.early == found[1]


def test_shifts_keep_the_gaps_between_alarms() -> None:
    alarms = np.array([2_003, 4_803, 8_003])
    shifted = shift_scores("quick", [(alarms, DRIFTS, N)], 500, seed=1)
    assert (len(shifted.scores), shifted.detector) == (200, "quick")
    assert set(shifted.values("alarms")) == {3}
    again, other = (shift_scores("quick", [(alarms, DRIFTS, N)], 500, seed) for seed in (1, 2))
    assert shifted.to_dict() == again.to_dict() != other.to_dict()


def test_detector_is_better_if_its_alarms_follow_the_drifts_closely() -> None:
    def found(rows: list[int], accept: int | None = 500) -> AlarmDraws:
        return shift_scores("x", [(np.array(rows), DRIFTS, N)], accept, seed=1)

    assert found([2_003, 4_803, 8_003]).beaten
    assert found([2_003, 4_803, 8_003]).early == 0
    assert found([900, 2_050, 3_500, 4_850, 6_500, 8_050], None).beaten
    for rows in ([2_203, 3_000, 7_000], [100, 4_000, 7_500], [1, 2, 3]):
        assert not found(rows).beaten
    early = found([1_990, 2_020, 4_790, 4_820, 7_990, 8_020])
    assert (early.beaten, early.early) == (False, 3)


def test_dense_alarms_at_the_start_are_no_evidence() -> None:
    """Random alarms at the same rate over all rows are far fewer around an early drift."""
    rows = np.arange(0, 1_000, 5)
    truth = [Drift(row, 0) for row in (203, 503, 803)]
    assert score_run(rows, truth, N, None).mtd == 2
    blind = draw_scores(as_frequent(score_run(rows, truth, N, None)), [(truth, N)], None, seed=1)
    assert blind.range("mean_wait")[0] > 2
    assert not shift_scores("x", [(rows, truth, N)], None, seed=1).beaten


def called_better(
    kind: str, drifts: int, accept: int | None, alarms: int, n: int, streams: int
) -> float:
    """Fraction of streams on which alarms that ignore the drifts are called better than chance."""
    random = np.random.default_rng([alarms, drifts])
    better = 0
    for _ in range(streams):
        rows = np.sort(random.choice(n, alarms, replace=False))
        if kind == "periodic":
            every = int(random.integers(n // alarms // 2 + 1, 2 * n // alarms))
            rows = np.arange(every - 1, n, every)
        starts = np.sort(random.choice(np.arange(n // 20, n), drifts, replace=False))
        truth = [Drift(int(start), 0) for start in starts]
        better += shift_scores("x", [(rows, truth, n)], accept, 1, draws=1).beaten
    return better / streams


@pytest.mark.parametrize("kind", ["periodic", "uniform"])
def test_chance_is_rarely_called_better(kind: str) -> None:
    """Nominal: 1 %; docs/calibration.md has more."""
    assert called_better(kind, 2, 100, 10, 1_000, 300) <= 0.03
