"""`compare`: what it takes, and what it says."""

from __future__ import annotations

import json
import math
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import polars as pl
import pytest

import streamgauge as sg
from tests.oracles import verdict as oracle

STREAM = sg.SEA(3000, seed=1, noise=0.1)


@pytest.fixture(scope="module")
def runs() -> list[sg.Run]:
    return sg.evaluate(STREAM, [sg.NaiveBayes(), sg.Majority(), sg.HoeffdingTree()])


def test_runs_saved_runs_and_columns_say_the_same(runs: list[sg.Run], tmp_path: Path) -> None:
    table = runs[0].predictions
    y = np.array(table["y"])
    columns = [np.array(run.predictions["prediction"]) for run in runs[:2]]
    of_runs = sg.compare(runs[0], runs[1])
    saved = sg.compare(str(runs[0].save(tmp_path)), runs[1].save(tmp_path))
    given = sg.compare(columns[0], columns[1], y=y, names=["NaiveBayes", "Majority"])
    for other in (saved, given):
        assert other.names == of_runs.names == ("NaiveBayes", "Majority")
        assert other.answer == of_runs.answer == "A"
        np.testing.assert_array_equal(other.curve["mcnemar"], of_runs.curve["mcnemar"])
        np.testing.assert_array_equal(other.anytime.low, of_runs.anytime.low)
        assert other.stretches == of_runs.stretches
        assert other.batch_means == of_runs.batch_means
    assert str(saved) == str(of_runs)
    assert str(sg.compare(runs[0], runs[1].save(tmp_path))) == str(of_runs)
    assert "labels taken to come at once" in str(given)
    lost = [(column != y).astype(float) for column in columns]
    losses = sg.compare(lost[0], lost[1], loss="given", bound=1)
    np.testing.assert_allclose(losses.anytime.low, of_runs.anytime.low)


def test_the_answer_in_words(runs: list[sg.Run]) -> None:
    pair = sg.compare(runs[0], runs[1], forget=[sg.Cumulative(), sg.Fading(0.99)])
    assert pair.better == "NaiveBayes"
    a, b = pair.pair.losses.mean(axis=1)
    answer, anytime, second, third, *_ = str(pair).split("\n\n")[1].splitlines()
    assert answer == (
        f"NaiveBayes is better than Majority: errors {100 * a:.2f} % against {100 * b:.2f} %."
    )
    assert anytime == (
        "Anytime bounds, 99 % at whatever row one looks: NaiveBayes loses less by "
        f"{-100 * pair.anytime.high[-1]:.2f} to {-100 * pair.anytime.low[-1]:.2f} points."
    )
    z, batches = oracle.batch_means_z(pair.pair.difference.tolist())
    assert pair.batch_means.z == pytest.approx(z)
    assert pair.batch_means.batches == batches
    assert f"{batches} batches" in second
    assert "NaiveBayes is better" in second
    assert third.startswith("McNemar's test, as if rows were independent, Cumulative(): M = −")
    assert "beyond ± 6.635" in third
    assert "a plus speaks for B" in str(pair)
    assert sg.compare(runs[1], runs[0]).answer == "B"


def test_several_against_one(runs: list[sg.Run]) -> None:
    pairs = sg.compare(runs[0], runs[1], runs[2], "Persistent")
    assert isinstance(pairs, sg.Comparisons)
    assert [pair.names[1] for pair in pairs] == ["Majority", "HoeffdingTree", "Persistent"]
    assert pairs["Persistent"].answer == "A"
    assert pairs[0].curve.last() == sg.compare(runs[0], runs[1]).curve.last()
    assert "3 comparisons, each at 99 %: the chance that one of them or more errs is up to 3 %" in (
        str(pairs)
    )
    frame = pairs.to_frame("curve", "arrow")
    assert frame.column_names[:3] == ["against", "forgetting", "rows"]
    assert len(frame) == 3 * len(pairs[0].to_frame("curve", "arrow"))
    with pytest.raises(sg.UsageError, match="was not compared with 'Nobody', but with Majority"):
        pairs["Nobody"]


def test_references_are_in_every_run(runs: list[sg.Run]) -> None:
    against = sg.compare(runs[0], "Majority")
    np.testing.assert_array_equal(against.pair.losses, sg.compare(runs[0], runs[1]).pair.losses)
    with pytest.raises(sg.UsageError, match="name the run first"):
        sg.compare("Persistent", runs[0])
    with pytest.raises(sg.UsageError, match="no reference 'mean': they have Majority"):
        sg.compare(runs[0], "Mean")


def test_frames_and_plain_values(runs: list[sg.Run]) -> None:
    pair = sg.compare(runs[0], runs[2], stretch=500)
    values = json.loads(json.dumps(pair.to_dict()))
    assert values["format"] == "streamgauge.comparison/1"
    assert (values["a"], values["b"]) == ("NaiveBayes", "HoeffdingTree")
    assert values["summary"]["Cumulative()"]["q"] == pair.summary["q"]
    assert values["anytime"]["low"] == pair.anytime.low[-1]
    assert values["text"] == str(pair) == repr(pair)
    assert sum(values["shares"].values()) == pytest.approx(1)
    assert isinstance(pair.to_frame(), pd.DataFrame)
    assert isinstance(pair.to_frame("anytime", "polars"), pl.DataFrame)
    frame = pair.to_frame("stretches", "arrow")
    assert frame["start"][0].as_py() == 0
    assert frame["stop"][-1].as_py() == len(pair) == 3000
    with pytest.raises(
        sg.UsageError, match=r"to_frame\('x'\): this comparison has curve, stretches"
    ):
        pair.to_frame("x")


def test_two_that_never_disagree(runs: list[sg.Run]) -> None:
    pair = sg.compare(runs[0], runs[0])
    assert pair.names == ("NaiveBayes", "NaiveBayes #2")
    assert pair.answer == "neither"
    assert pair.better is None
    assert pair.summary["q"] == 0
    assert (pair.summary["mcnemar"], pair.summary["p"]) == (0, 1)
    assert math.isnan(pair.batch_means.z)
    assert math.isnan(pair.autocorrelation)
    assert pair.anytime.low[-1] < 0 < pair.anytime.high[-1]
    assert [s.better for s in pair.stretches] == [None]
    assert "NaiveBayes and NaiveBayes #2 never differ" in str(pair)
    json.dumps(pair.to_dict(), allow_nan=False)


def test_one_row_is_compared_and_says_little() -> None:
    pair = sg.compare(["x"], ["y"], y=["x"])
    assert pair.answer == "neither"
    assert pair.batch_means.word == "too few rows to say"
    assert "too few rows to say" in str(pair)


def test_numbers_have_no_bound_unless_told() -> None:
    random = np.random.default_rng(0)
    y = random.normal(size=2000)
    a, b = y + random.normal(size=2000), y + 0.5 * random.normal(size=2000)
    a[:7] = np.nan  # no answer
    pair = sg.compare(a, b, y=y)
    assert pair.setting.loss == "absolute"
    assert (len(pair), pair.scored) == (1993, 2000)
    assert "7 rows left out that one of them did not answer" in str(pair)
    assert pair.answer == "B"  # by batch means
    assert pair.to_dict()["anytime"] is None
    assert "No anytime bounds: the loss 'absolute' is unbounded" in str(pair)
    with pytest.raises(sg.UsageError, match="no anytime bounds: the loss 'absolute' is unbounded"):
        _ = pair.anytime
    assert "McNemar" not in str(pair)
    bounded = sg.compare(a, b, y=y, bound=20.0)
    assert bounded.anytime.low[-1] < np.mean(bounded.pair.difference) < bounded.anytime.high[-1]
    with pytest.raises(
        sg.InputError, match=r"row \d+: the losses .* differ by more than bound=0.1"
    ):
        sg.compare(a, b, y=y, bound=0.1)
    squared = sg.compare(a, b, y=y, loss="squared")
    assert squared.pair.losses[1, 0] == pytest.approx((b[7] - y[7]) ** 2)


def test_costs_and_losses_of_ones_own() -> None:
    y = np.array(["cat", "dog", "dog", "cat"])
    a, b = np.array(["dog", "dog", "cat", "cat"]), np.array(["cat", None, "dog", "dog"])
    cost = [[0, 5], [1, 0]]
    pair = sg.compare(a, b, y=y, loss=cost)
    assert pair.pair.losses.tolist() == [[5, 0, 1, 0], [0, 1, 0, 5]]  # no answer: the worst one
    assert pair.setting.bound == 5
    assert pair.summary["only_a_wrong"] == 2  # right and wrong are as ever

    def dog_matters(true: Any, said: Any) -> Any:
        return ((true == "dog") & (said != "dog")).astype(float)

    own = sg.compare(a, b, y=y, loss=dog_matters, bound=1)
    assert own.pair.losses.tolist() == [[0, 0, 1, 0], [0, 1, 0, 0]]
    assert own.setting.loss == "dog_matters"
    assert own.why_not_anytime is None


def test_windows_of_time_follow_the_rows() -> None:
    """A tenth of the labels never comes: a window of time then holds fewer rows."""
    y = np.array([None if i % 10 == 0 else i % 3 for i in range(300)], object)
    random = np.random.default_rng(5)
    a, b = random.integers(0, 3, (2, 300))
    pair = sg.compare(a, b, y=y, forget=[sg.TimeWindow(20)], every=1)
    known = [i for i in range(300) if i % 10]
    assert len(pair) == len(known)
    rows = [i for i in known if known[100] - 20 < i <= known[100]]
    expected = np.mean([a[i] != y[i] for i in rows])
    assert pair.curve["loss_a"][100] == pytest.approx(expected)


def test_late_labels_of_the_data_themselves(tmp_path: Path) -> None:
    random = np.random.default_rng(1)
    y = random.integers(0, 2, 2000)
    arrives = np.arange(2000)
    revealed = arrives + random.integers(0, 6, 2000)
    runs = [
        sg.score(y, random.integers(0, 2, 2000), arrives=arrives, revealed=revealed, name=name)
        for name in ("columns", "columns")
    ]
    pair = sg.compare(runs[0], runs[1])
    with pytest.raises(sg.UsageError, match="labels come at the data's own times; say wait=n"):
        _ = pair.anytime
    assert "No anytime bounds: labels come at the data's own times" in str(pair)
    assert sg.compare(runs[0], runs[1], wait=7).anytime.wait == 7
    with pytest.raises(sg.UsageError, match=r"wait=2: the label of row .* came after that of row"):
        sg.compare(runs[0], runs[1], wait=2)
    with pytest.raises(sg.UsageError, match="does not tell when labels came by FromStream"):
        sg.compare(runs[0], runs[1], forget=[sg.TimeWindow(10)])


def test_labels_so_late_that_nothing_can_be_said() -> None:
    runs = sg.evaluate(STREAM, [sg.NaiveBayes(), sg.Majority()], labels=sg.Delay(400))
    pair = sg.compare(runs[0], runs[1])
    assert pair.why_not_anytime is not None
    assert "labels come up to 400 rows late" in pair.why_not_anytime
    assert pair.answer == "A"  # by batch means


def test_very_late_labels_have_bounds_at_fewer_points() -> None:
    d = np.random.default_rng(1).choice([0.0, 1.0], (2, 20_000))
    pair = sg.compare(d[0], d[1], loss="given", bound=1, wait=2000, every=100)
    assert len(pair.curve) == 200
    assert len(pair.anytime.rows) == 100
    assert pair.anytime.rows[-1] == 20_000
    assert (pair.anytime.low[-1], pair.anytime.high[-1]) == (-1, 1)


def test_a_test_set_asked_again_has_no_anytime_bounds() -> None:
    runs = sg.evaluate(
        STREAM, [sg.NaiveBayes(), sg.Majority()], protocol=sg.Holdout(500, 100, "first")
    )
    pair = sg.compare(runs[0], runs[1])
    assert "the same rows are asked again and again" in str(pair)
    assert "Holdout" in str(pair)


def test_models_of_a_cross_validation() -> None:
    a, b = sg.evaluate(
        sg.SEA(600, seed=1), [sg.NaiveBayes(), sg.Majority()], protocol=sg.PrequentialCV(2)
    )
    assert len(sg.compare(a[0], b[0])) == 300
    with pytest.raises(sg.UsageError, match=r"cross-validation: compare its models one by one"):
        sg.compare(a, b)
    with pytest.raises(sg.InputError, match="their protocols differ"):
        sg.compare(a[0], b[1])


def test_an_answer_needs_batch_means_too() -> None:
    """Runs of 20, one lot each: the anytime bounds are right about these rows, yet it is luck."""
    random = np.random.default_rng(0)
    clear = 0
    for _ in range(40):
        d = np.repeat(random.choice([-1.0, 1.0], 500), 20)
        pair = sg.compare(np.maximum(d, 0), np.maximum(-d, 0), loss="given", bound=1)
        if pair.anytime.sign and pair.answer == "neither":
            clear += 1
            assert "but the differences come in runs (autocorrelation 0.9" in str(pair)
            assert str(pair).splitlines()[2].startswith("No clear difference between A and B")
        assert pair.answer == "neither" or abs(pair.batch_means.z) > 2.58
    assert clear > 10


def test_stretches_find_the_change() -> None:
    random = np.random.default_rng(4)
    rates = np.repeat([[0.3, 0.1], [0.2, 0.2], [0.1, 0.3]], [4000, 4000, 4000], axis=0).T
    a, b = (random.random((2, 12_000)) < rates).astype(float)
    pair = sg.compare(a, b, loss="given", bound=1)
    assert [(s.better, s.start, s.stop) for s in pair.stretches] == [
        ("B", 0, 4000), (None, 4000, 8000), ("A", 8000, 12_000),
    ]  # fmt: skip
    assert pair.stretches[0].loss_a == pytest.approx(0.3, abs=0.03)
    assert pair.shares == {
        "A": pytest.approx(1 / 3),
        "B": pytest.approx(1 / 3),
        None: pytest.approx(1 / 3),
    }
    text = str(pair)
    assert "Along the stream: A is better on 33% of the rows, B on 33%" in text
    assert "4,000 to 7,999" in text
    many = sg.compare(a, b, loss="given", stretch=200)
    assert "more: comparison.to_frame" not in str(pair)
    assert len(many.stretches) > 2


def test_public_names_are_no_modules() -> None:
    """A package called `compare` would hide the function of that name."""
    import importlib
    import pkgutil
    from types import ModuleType

    for info in pkgutil.walk_packages(sg.__path__, "streamgauge."):
        importlib.import_module(info.name)
    for name in sg.__all__:
        assert not isinstance(getattr(sg, name), ModuleType), name
