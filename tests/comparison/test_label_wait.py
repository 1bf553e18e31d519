"""Late labels: how long the anytime bounds wait, and when time windows are possible."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

import streamgauge as sg

STREAM = sg.SEA(3000, seed=1, noise=0.1)


def test_time_window_skips_rows_without_label() -> None:
    """A tenth of the labels is missing: a time window then holds fewer rows."""
    y = np.array([None if i % 10 == 0 else i % 3 for i in range(300)], object)
    random = np.random.default_rng(5)
    a, b = random.integers(0, 3, (2, 300))
    pair = sg.compare(a, b, y=y, forget=[sg.TimeWindow(20)], every=1)
    known = [i for i in range(300) if i % 10]
    assert len(pair) == len(known)
    rows = [i for i in known if known[100] - 20 < i <= known[100]]
    expected = np.mean([a[i] != y[i] for i in rows])
    assert pair.curve["loss_a"][100] == pytest.approx(expected)


def test_recorded_label_times_need_a_wait(tmp_path: Path) -> None:
    random = np.random.default_rng(1)
    y = random.integers(0, 2, 2000)
    arrives = np.arange(2000)
    revealed = arrives + random.integers(0, 6, 2000)
    runs = [
        sg.score(y, random.integers(0, 2, 2000), arrives=arrives, revealed=revealed, name=name)
        for name in ("columns", "columns")
    ]
    pair = sg.compare(runs[0], runs[1])
    with pytest.raises(
        sg.UsageError, match=r"FromStream\(\) does not say how late a label may come; pass wait=n"
    ):
        _ = pair.anytime
    assert "No anytime bounds: FromStream() does not say" in pair.details
    assert sg.compare(runs[0], runs[1], wait=7).anytime.wait == 7
    with pytest.raises(sg.UsageError, match=r"wait=2: the label of row .* at least 6 rows"):
        sg.compare(runs[0], runs[1], wait=2)
    with pytest.raises(
        sg.UsageError, match="does not record when labels are revealed under FromStream"
    ):
        sg.compare(runs[0], runs[1], forget=[sg.TimeWindow(10)])


def test_very_late_labels_have_no_bounds() -> None:
    runs = sg.evaluate(STREAM, [sg.NaiveBayes(), sg.Majority()], labels=sg.Delay(400))
    pair = sg.compare(runs[0], runs[1])
    assert pair.why_not_anytime is not None
    assert "labels come up to 400 rows late" in pair.why_not_anytime
    assert pair.batch_means.t < -3
    assert "Majority" in pair.details


def test_late_labels_have_bounds_at_whole_blocks() -> None:
    d = np.random.default_rng(1).choice([0.0, 1.0], (2, 20_000))
    pair = sg.compare(d[0], d[1], loss="given", bound=1, wait=2000, every=100)
    assert len(pair.curve) == 200
    assert pair.anytime.rows.tolist() == list(range(1999, 20_000, 1999))  # whole blocks
    assert (pair.anytime.low[-1], pair.anytime.high[-1]) == (-1, 1)


def test_fixed_test_set_has_no_bounds() -> None:
    runs = sg.evaluate(
        STREAM, [sg.NaiveBayes(), sg.Majority()], protocol=sg.Holdout(500, 100, "first")
    )
    pair = sg.compare(runs[0], runs[1])
    assert "the same rows are predicted repeatedly" in pair.details
    assert "Holdout" in pair.details


@pytest.mark.parametrize(
    ("policy", "wait"),
    [
        (sg.Sampled(0.9), 1),
        (sg.Sampled(0.9, labels=sg.Delay(3)), 3),
        (sg.Sampled(0.9, labels=sg.Chunks(4)), 4),
        (sg.RandomDelay([1, 2, 5], seed=1), 5),
        (sg.RandomDelay([1, 2, 50], seed=1, timeout=6), 6),
        (sg.RandomDelay("geometric(0.5)", seed=1, timeout=6), 6),
    ],
    ids=repr,
)
def test_bounded_waits_of_a_policy_are_known(policy: sg.LabelPolicy, wait: int) -> None:
    runs = sg.evaluate(STREAM, [sg.NaiveBayes(), sg.Majority()], labels=policy)
    assert sg.compare(runs[0], runs[1]).anytime.wait == wait


def test_random_waits_without_a_bound_need_a_wait() -> None:
    policy = sg.RandomDelay("geometric(0.5)", seed=1)
    runs = sg.evaluate(STREAM, [sg.NaiveBayes(), sg.Majority()], labels=policy)
    with pytest.raises(sg.UsageError, match="does not say how late a label may come; pass wait=n"):
        _ = sg.compare(runs[0], runs[1]).anytime
    assert sg.compare(runs[0], runs[1], wait=30).anytime.wait == 30
    sg.compare(runs[0], runs[1], forget=[sg.TimeWindow(50)])  # the policy gives the times
    late = sg.Sampled(0.5, labels=sg.FromStream())
    timed = sg.from_arrays(np.zeros((400, 1)), np.arange(400) % 2, revealed=np.arange(400) + 3)
    runs = sg.evaluate(timed, [sg.NaiveBayes(), sg.Majority()], labels=late)
    with pytest.raises(sg.UsageError, match="does not record when labels are revealed"):
        sg.compare(runs[0], runs[1], forget=[sg.TimeWindow(10)])


class Nightly:
    """A policy of the user's: all labels of 20 rows come before the next row."""

    labels_first = True

    def __init__(self, **declared: int) -> None:
        vars(self).update(declared)

    def __repr__(self) -> str:
        return "Nightly()"

    def timetable(self, block: sg.Block) -> sg.Timetable:
        rows = np.arange(block.start, block.start + len(block))
        return sg.Timetable(rows, (rows // 20 + 1) * 20, np.ones(len(block)))


def _compared(policy: sg.LabelPolicy, wait: int | None = None) -> sg.Comparison:
    runs = sg.evaluate(STREAM, [sg.NaiveBayes(), sg.Majority()], labels=policy)
    return sg.compare(runs[0], runs[1], wait=wait)


def test_policy_of_ones_own_has_no_bounds_unless_it_declares_its_longest_wait(
    tmp_path: Path,
) -> None:
    silent = _compared(Nightly())
    assert silent.why_not_anytime is not None
    assert "Nightly() does not say how late a label may come" in silent.why_not_anytime
    assert _compared(Nightly(), wait=20).anytime.wait == 20
    assert _compared(Nightly(longest_wait=20)).anytime.wait == 20
    runs = sg.evaluate(STREAM, [sg.NaiveBayes(), sg.Majority()], labels=Nightly(longest_wait=20))
    saved = [run.save(tmp_path) for run in runs]
    assert sg.compare(saved[0], saved[1]).anytime.wait == 20


def test_longest_wait_is_checked_against_the_reveals() -> None:
    with pytest.raises(sg.UsageError, match=r"Nightly\(\) declares longest_wait=7: .* at least 20"):
        _compared(Nightly(longest_wait=7))
    with pytest.raises(sg.UsageError, match=r"Nightly\(\): longest_wait is 0; expected 1 or more"):
        _compared(Nightly(longest_wait=0))
    with pytest.raises(sg.UsageError, match=r"Nightly\(\): longest_wait: expected an integer"):
        _compared(Nightly(longest_wait="long"))  # type: ignore[arg-type]
