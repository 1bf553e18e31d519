"""`detect`: what detectors are fed, late labels, saved runs, invalid input."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import streamgauge as sg
from streamgauge._support.types import Floats
from streamgauge.prequential.labels import LabelPolicy
from tests.conftest import real_data
from tests.figures.specs import caption, rows_with

DETECTORS: list[Any] = [
    sg.DDM(5, 0.5, 1.0), sg.EDDM(5, 0.99, 0.98), sg.ADWIN(0.9), sg.PageHinkley(0.01, 3),
    sg.PageHinkley(0.01, 2, sg.Fading(0.9)), sg.RatioPageHinkley(sg.Window(9), sg.Window(50), 0, 5),
    sg.RandomAlarm(0.05), sg.PeriodicAlarm(37),
]  # fmt: skip


class Erratic:
    """Wrong at random, more often from row 600 on, with some abstentions.

    It learns nothing, so that its errors do not depend on when labels are revealed.
    """

    name = "Erratic"

    def start(self, schema: sg.Schema, seed: int) -> None:
        pass

    def predict(self, X: Floats) -> Floats:
        right, draw = X[:, 0], X[:, 1]
        wrong = draw < np.where(X[:, 2] < 600, 0.1, 0.5)
        sure = np.where(wrong, 1 - right, right)
        probabilities = np.column_stack([1 - sure, sure])
        probabilities[draw > 0.95] = np.nan
        return probabilities

    def learn(self, X: Floats, y: Any, w: Floats) -> None:
        pass


def rows_with_errors(seed: int = 0, rows: int = 1000) -> tuple[Floats, Any]:
    random = np.random.default_rng(seed)
    y = random.integers(0, 2, rows)
    return np.column_stack([y, random.random(rows), np.arange(rows)]), y


def errors_by_hand(X: Floats) -> Floats:
    """The error of each row; abstentions are wrong."""
    wrong = X[:, 1] < np.where(X[:, 2] < 600, 0.1, 0.5)
    return (wrong | (X[:, 1] > 0.95)).astype(float)


def test_array_of_errors_gives_the_alarms_of_each_detector() -> None:
    """The alarms are those of each detector alone; the given detectors do not change."""
    errors = errors_by_hand(rows_with_errors()[0])
    found = sg.detect(errors, DETECTORS, seed=3)
    for detector in DETECTORS:
        expected = detector.detect(errors, 3).tolist()
        for each in (found.alarms, found.error_positions, found.error_rows):
            assert each[repr(detector)].tolist() == expected
        assert repr(detector) in found.details
    assert sum(map(len, found.alarms.values())) > 30
    assert (found.n, found.n_errors, found.mean_error) == (1000, 1000, errors.mean())
    assert found.drifts is None
    assert "The true drifts are unknown: no alarm can be called right or wrong" in found.details
    assert sg.detect(errors.astype(bool), ["DDM"]).n_errors == 1000
    assert "mean error 0.5" in str(sg.detect([0.5, 0.25, 0.75], ["ADWIN"]))


POLICIES: list[tuple[LabelPolicy, Any]] = [  # and the latest row when the label of row i arrives
    (sg.Immediate(), lambda i, n: i),
    (sg.Delay(1), lambda i, n: i),
    (sg.Delay(90), lambda i, n: np.minimum(i + 89, n - 1)),
    (sg.Chunks(64), lambda i, n: np.minimum(i // 64 * 64 + 63, n - 1)),
]


@settings(max_examples=8)
@given(st.sampled_from(range(len(POLICIES))), st.integers(1, 700), st.integers(0, 99))
def test_late_labels_delay_alarms(which: int, block_rows: int, seed: int) -> None:
    """Errors of first predictions are fed when labels are revealed; alarms name the latest row."""
    policy, comes = POLICIES[which]
    X, y = rows_with_errors(seed)
    run = sg.evaluate(sg.from_arrays(X, y), Erratic(), labels=policy, block_rows=block_rows)
    rows = np.arange(1000)
    assert run.predictions["revealed_at"].to_pylist() == comes(rows, 1000).tolist()
    found = sg.detect(run, DETECTORS)
    for detector in DETECTORS:
        places = detector.detect(errors_by_hand(X))
        assert found.error_positions[repr(detector)].tolist() == places.tolist()
        assert found.error_rows[repr(detector)].tolist() == places.tolist()
        assert found.alarms[repr(detector)].tolist() == comes(places, 1000).tolist()


def test_errors_are_fed_in_the_order_labels_arrive() -> None:
    """Not in the order of the rows; some labels never arrive."""
    X, y = rows_with_errors()
    random = np.random.default_rng(5)
    revealed = np.arange(1000) * 10 + random.integers(0, 3000, 1000)
    labels = y.astype(float)
    labels[::50] = np.nan
    stream = sg.from_arrays(X, labels, arrives=np.arange(1000) * 10, revealed=revealed)
    run = sg.evaluate(stream, Erratic(), block_rows=77)
    order = [i for i in np.lexsort([np.arange(1000), revealed]) if i % 50]
    found = sg.detect(run, [sg.PeriodicAlarm(100), sg.PageHinkley(0.01, 3)])
    assert found.error_rows["PeriodicAlarm(100)"].tolist() == order[99::100]
    came = [int(min(revealed[i] // 10, 999)) for i in order]
    assert found.alarms["PeriodicAlarm(100)"].tolist() == came[99::100]
    fed = errors_by_hand(X)[order]
    places = sg.PageHinkley(0.01, 3).detect(fed)
    assert found.error_rows["PageHinkley(delta=0.01, threshold=3)"].tolist() == [
        order[p] for p in places
    ]
    assert (found.n, found.n_errors) == (1000, 980)


def test_known_drifts_of_the_stream_are_scored() -> None:
    concepts = [sg.SEA(20_000, variant=0), sg.SEA(20_000, seed=1, variant=3)]
    stream = sg.splice(concepts, at=[10_000], width=500)
    late = {}
    for delay in (1, 1000):
        run = sg.evaluate(stream, sg.NaiveBayes(), labels=sg.Delay(delay))
        found = sg.detect(run, ["DDM", sg.ADWIN()])
        assert found.drifts == stream.drifts
        card = found.score()
        rows = found.alarms["ADWIN()"]
        assert card["ADWIN()"].delays.tolist() == [rows[rows >= 9_750][0] - 9_750]
        assert card.details in found.details
        assert "PeriodicAlarm(" in found.details
        late[delay] = card["ADWIN()"].mtd
        assert found.score(drifts=[])["ADWIN()"].false_alarms == len(rows)
        assert found.score(accept=1)["ADWIN()"].misses == 1
    assert late[1000] > late[1] + 900  # the wait for labels is part of the delay
    both = sg.score_detectors([found, found])
    assert both.runs == 2
    assert both["DDM()"].detections == 2 * found.score()["DDM()"].detections
    assert both.dependence.pairs == 2 * found.dependence.pairs


def test_unknown_drifts_are_not_scored() -> None:
    found = sg.detect(np.zeros(50), [sg.PeriodicAlarm(9)])
    with pytest.raises(sg.UsageError, match="the true drifts are unknown; pass their rows"):
        found.score()
    said = sg.detect(np.zeros(50), [sg.PeriodicAlarm(9)], drifts=[])
    assert said.score()["PeriodicAlarm(9)"].false_alarms == 5
    assert "without a drift: every alarm is false" in str(said)


def test_saved_run_gives_the_same_alarms(tmp_path: Path) -> None:
    stream = sg.splice([sg.SEA(9000), sg.SEA(9000, variant=2)], at=[4000], width=100)
    run = sg.evaluate(stream, sg.NaiveBayes(), labels=sg.Delay(50))
    place = run.save(tmp_path)
    for saved in (place, str(place)):
        found = sg.detect(saved, DETECTORS)
        assert found.details == sg.detect(run, DETECTORS).details
        assert found.drifts == stream.drifts
    names = sg.detect(place, ["DDM", "DDM()", sg.DDM(warm_start=5)]).alarms
    assert list(names) == ["DDM()", "DDM() #2", "DDM(warm_start=5)"]


def test_class_names_and_predictions_on_disk(tmp_path: Path) -> None:
    X, y = rows_with_errors()
    named = sg.from_arrays(X, np.array(["no", "yes"])[y])
    in_memory = sg.detect(sg.evaluate(named, Erratic()), DETECTORS)
    on_disk = sg.detect(sg.evaluate(named, Erratic(), save=tmp_path), DETECTORS)
    assert in_memory.to_dict() == on_disk.to_dict()
    assert in_memory.mean_error == errors_by_hand(X).mean()


def test_regression_feeds_absolute_errors() -> None:
    """Rows before the first label have no prediction and no error."""
    y = np.repeat([1.0, 9.0, 1.0], 300) + np.random.default_rng(0).normal(size=900)
    run = sg.evaluate(sg.from_arrays(np.zeros((900, 1)), y), sg.LastValue())
    found = sg.detect(run, [sg.PageHinkley(1.0, 5), sg.PeriodicAlarm(1)])
    assert found.n_errors == 899
    assert found.error_rows["PeriodicAlarm(1)"].tolist() == list(range(1, 900))
    distances = np.abs(np.diff(y))
    alarms = sg.PageHinkley(1.0, 5).detect(distances)
    assert found.error_rows["PageHinkley(delta=1.0, threshold=5)"].tolist() == (alarms + 1).tolist()
    assert "mean error" in found.details
    with pytest.raises(sg.InputError, match="expected 0 or 1; PageHinkley and ADWIN accept"):
        sg.detect(run, [sg.EDDM()])


def test_detections_as_frame_and_json() -> None:
    errors = errors_by_hand(rows_with_errors()[0])
    found = sg.detect(errors, ["DDM(5, 0.5, 1.0)", "NeverAlarm"], drifts=[(600, 20)])
    frame = found.to_frame("pandas")
    assert frame["detector"].unique().tolist() == [
        "DDM(warm_start=5, warning_threshold=0.5, drift_threshold=1.0)"
    ]
    assert (
        frame["row"].tolist()
        == found.alarms["DDM(warm_start=5, warning_threshold=0.5, drift_threshold=1.0)"].tolist()
    )
    written = json.loads(json.dumps(found.to_dict()))
    assert written["format"] == "streamgauge.detections/1"
    assert written["drifts"] == [{"position": 600, "width": 20}]
    assert written["alarms"]["NeverAlarm()"] == {"row": [], "error": [], "error_of_row": []}
    nothing = sg.detect(errors, ["NeverAlarm"])
    assert len(nothing.to_frame("arrow")) == 0
    assert nothing.to_dict()["drifts"] is None


def test_river_detectors_by_text_and_as_objects() -> None:
    from river import drift

    errors = errors_by_hand(rows_with_errors()[0])
    text, other = "river:drift.ADWIN(delta=0.9)", drift.PageHinkley(threshold=5)
    found = sg.detect(errors, [text, drift.ADWIN(0.9), sg.from_river(other)])
    assert list(found.alarms) == [text, f"{text} #2", "river:drift.PageHinkley(threshold=5)"]
    expected = sg.ADWIN(0.9).detect(errors).tolist()
    assert [each.tolist() for each in found.alarms.values()][:2] == [expected, expected]


def test_interleaved_holdout_is_allowed_and_fixed_test_sets_are_not() -> None:
    stream = sg.SEA(3000)
    run = sg.evaluate(stream, sg.NaiveBayes(), protocol=sg.Holdout(100, 50))
    tested = sg.detect(run, [sg.PeriodicAlarm(50)]).alarms["PeriodicAlarm(50)"]
    assert (tested % 150 == 149).all()
    for test in ("first", sg.SEA(50, seed=2)):
        run = sg.evaluate(stream, sg.NaiveBayes(), protocol=sg.Holdout(100, 50, test))
        with pytest.raises(sg.UsageError, match="scores the same test set repeatedly"):
            sg.detect(run, ["DDM"])


@pytest.mark.parametrize(
    ("wrong", "error", "complaint"),
    [
        (lambda: sg.detect([0, np.nan], ["DDM"]), sg.InputError, r"error 1 is nan \(DDM\(\)\)"),
        (lambda: sg.detect([0, np.inf], ["NeverAlarm"]), sg.InputError, "expected a finite number"),
        (lambda: sg.detect([], ["DDM"]), sg.InputError, r"shape \(0,\)"),
        (lambda: sg.detect([[0, 1]], ["DDM"]), sg.InputError, "one number per row"),
        (lambda: sg.detect(["a"], ["DDM"]), sg.UsageError, "expected a run of sg.evaluate"),
        (lambda: sg.detect(object(), ["DDM"]), sg.UsageError, "expected a run of sg.evaluate"),  # type: ignore[arg-type]
        (lambda: sg.detect([0], []), sg.UsageError, "at least one"),
        (lambda: sg.detect([0], "DDM"), sg.UsageError, "expected a list of detectors"),
        (lambda: sg.detect([0], sg.DDM()), sg.UsageError, "expected a list of detectors"),  # type: ignore[arg-type]
        (lambda: sg.detect([0], [sg.DDM]), sg.UsageError, r"expected an object: DDM\(\)"),
        (lambda: sg.detect([0], ["DMD"]), sg.UsageError, "unknown name 'DMD' .did you mean 'DDM'"),
        (lambda: sg.detect([0], ["ddm"]), sg.UsageError, "unknown name 'ddm' .did you mean 'DDM'"),
        (
            lambda: sg.detect([0], ["DDM(warmstart=3)"]), sg.UsageError,
            "DDM has no parameter 'warmstart' .did you mean 'warm_start'",
        ),
        (
            lambda: sg.detect([0], ["river:drift.Kswin()"]), sg.UsageError,
            "'drift' has no class 'Kswin' .did you mean 'KSWIN'",
        ),
        (lambda: sg.detect([0], ["NaiveBayes"]), sg.UsageError, "expected a detector, got"),
        (lambda: sg.detect([0], ["DDM"], drifts=[1]), sg.UsageError, "in a stream of 1 rows"),
        (lambda: sg.detect("nowhere", ["DDM"]), sg.InputError, "not a saved run"),
    ],
)  # fmt: skip
def test_invalid_input_is_refused(wrong: Any, error: type[Exception], complaint: str) -> None:
    with pytest.raises(error, match=complaint):
        wrong()


def test_cross_validation_is_refused() -> None:
    folds = sg.evaluate(sg.SEA(500), sg.NaiveBayes(), protocol=sg.PrequentialCV(2, "split"))
    with pytest.raises(sg.UsageError, match=r"got 2 runs; pass one of them, e.g. runs\[0\]"):
        sg.detect(folds, ["DDM"])  # type: ignore[arg-type]
    assert sg.detect(folds[0], ["DDM"]).n_errors == folds[0].counts.scored


def test_run_without_predictions_is_refused() -> None:
    run = sg.evaluate(sg.SEA(500), sg.NaiveBayes(), predictions=False)
    with pytest.raises(sg.UsageError, match="did not keep its predictions"):
        sg.detect(run, ["DDM"])


def test_alarms_on_elec2_and_airlines() -> None:
    """Dependent errors give a warning; airline labels come hours later."""
    real_data("airlines_atl_2008w1")
    run = sg.evaluate(sg.load("airlines_atl_2008w1"), sg.NaiveBayes())
    found = sg.detect(run, [sg.EDDM(), sg.PeriodicAlarm(500)])
    waits = found.alarms["PeriodicAlarm(500)"] - found.error_rows["PeriodicAlarm(500)"]
    assert (waits > 0).all()
    assert found.n_errors == run.counts.scored
    run = sg.evaluate(sg.load("elec2"), sg.NaiveBayes())
    found = sg.detect(run, [sg.DDM()])
    assert "Errors are not independent" in found.details
    wrong = np.not_equal(*(run.predictions[name].to_numpy() for name in ("y", "prediction")))
    off = [part - part.mean() for part in np.array_split(wrong.astype(float), 20)]
    products, squares = sum(o[1:] @ o[:-1] for o in off), sum(o @ o for o in off)
    assert found.dependence.autocorrelation == pytest.approx(products / squares, abs=1e-3)


def test_custom_detector_is_never_fed_nan() -> None:
    class Counts:
        """Alarms at every third error."""

        def start(self, seed: int) -> None:
            self.seen = 0

        def update(self, errors: Floats, warned: Any = None) -> int:
            for i, error in enumerate(errors):
                self.seen += int(error)
                if self.seen == 3:
                    self.seen = 0
                    return i
            return -1

        def __repr__(self) -> str:
            return "Counts()"

    assert sg.detect([1, 0, 1, 1, 1, 1, 0, 1], [Counts()]).alarms["Counts()"].tolist() == [3, 7]
    with pytest.raises(sg.InputError, match=r"error 9,001 is nan \(Counts\(\)\); expected a fin"):
        sg.detect(np.r_[np.zeros(9_001), np.nan], [Counts()])


def test_figure_shows_errors_statistics_alarms_and_drifts() -> None:
    errors = (np.random.default_rng(1).random(2000) < np.repeat([0.1, 0.6], 1000)).astype(float)
    found = sg.detect(errors, [sg.DDM(), sg.PeriodicAlarm(500)], drifts=[1000])
    chart = found.plot()
    first, ddm, blind = (each["title"]["text"] for each in chart.to_dict()["vconcat"])
    assert first == "Error, mean of the last 100 errors"
    assert ddm == f"DDM(): {len(found.alarms['DDM()'])} alarms"
    assert blind == "PeriodicAlarm(500): 4 alarms; its statistic is not known"
    assert "DDM(): 1 of 1 drift detected after" in caption(chart)
    assert len(found.plot("DDM()").to_dict()["vconcat"]) == 2
    shown = [row["value"] for row in rows_with(chart, "rows", "value", "threshold")]
    assert shown == found.statistic["value"].to_pylist()
    with pytest.raises(sg.UsageError, match=r"no detector 'DDM' \(did you mean 'DDM\(\)'\?\)"):
        found.plot("DDM")
    unknown = sg.detect(errors, [sg.DDM()]).plot()
    assert "The true drifts are unknown" in caption(unknown)
