"""The claims that figures show, judged on curves that are made up."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from streamgauge.papers.gama2013 import figure_claims as claims
from streamgauge.papers.gama2013.series import PaperCurve

ROWS = np.arange(100, 10_001, 100)


def line(values: npt.ArrayLike) -> PaperCurve:
    return PaperCurve(ROWS, np.broadcast_to(np.asarray(values, float), ROWS.shape).copy())


def estimates(holdout: float, all_rows: float, window: float) -> dict[str, PaperCurve]:
    return {"holdout": line(holdout), "all rows": line(all_rows), "Window(9)": line(window)}


def test_accuracy_grows_and_then_stays() -> None:
    risen = line(np.where(ROWS < 3000, 0.6, 0.8))
    assert [each.word for each in claims.grows_then_stays(risen, 10_000)] == ["holds"] * 2
    rising = line(ROWS / 20_000)
    assert claims.grows_then_stays(rising, 10_000)[1].word == "does not hold"
    assert claims.grows_then_stays(line(0.8), 10_000)[0].word == "does not hold"


def test_batch_tree_is_exceeded_in_the_end() -> None:
    growing, frozen = line(0.6 + ROWS / 50_000), line(np.where(ROWS < 1000, np.nan, 0.7))
    assert claims.exceeds_batch(growing, frozen, 10_000).word == "holds"
    assert claims.exceeds_batch(frozen, growing, 10_000).word == "does not hold"
    assert claims.exceeds_batch(growing, None, 10_000).word == "cannot be told"


def test_prequential_error_is_pessimistic_above_the_holdout() -> None:
    assert claims.pessimistic(estimates(0.1, 0.12, 0)).word == "holds"
    assert claims.pessimistic(estimates(0.12, 0.1, 0)).word == "does not hold"


def test_forgetting_is_no_higher_and_close_to_the_holdout() -> None:
    good = {"LED": estimates(0.26, 0.27, 0.262)}
    assert claims.no_lower_than_forgetting(good).word == "holds"
    assert claims.converge_to_holdout(good).word == "holds"
    assert claims.converge_to_bayes(good, {"LED": 0.26}).word == "holds"
    bad = {"LED": estimates(0.26, 0.27, 0.3), "RBF": estimates(0.1, 0.2, 0.1)}
    found = claims.no_lower_than_forgetting(bad)
    assert found.word == "does not hold"
    assert found.reason == "In 3 of 4 cases; the least difference is -0.0300 (LED, Window(9))."
    assert claims.converge_to_holdout(bad).reason.endswith("at most 0.0400 (LED, Window(9)).")
    assert claims.converge_to_bayes(bad, {"LED": 0.26}).word == "does not hold"


def test_q_over_all_rows_keeps_its_sign_and_forgetting_changes_it() -> None:
    waves = np.sin(ROWS / 500)
    assert claims.q_keeps_its_sign(line(-0.2), 10_000).word == "holds"
    assert claims.q_keeps_its_sign(line(waves), 10_000).word == "does not hold"
    assert claims.q_captures_changes(line(waves), line(waves), 10_000).word == "holds"
    assert claims.q_captures_changes(line(waves), line(1), 10_000).word == "does not hold"
    assert claims.q_alike(line(waves), line(2 * waves), 10_000).word == "holds"
    assert claims.q_alike(line(waves), line(np.cos(ROWS / 500)), 10_000).word == "does not hold"


def test_statistic_that_falls_below_its_level_again_is_not_significant_for_good() -> None:
    rising = line(np.linspace(-1, 50, len(ROWS)))
    assert claims.stays_significant(rising).word == "holds"
    assert claims.stays_significant(line(20 * np.sin(ROWS / 500))).word == "does not hold"
    assert claims.stays_significant(line(0)).reason.startswith("It first exceeds it never")


def test_rejections_farther_apart_than_the_window_are_not_the_same_point() -> None:
    early, late = line(np.where(ROWS < 1000, 0, 9)), line(np.where(ROWS < 1500, 0, -9))
    assert claims.rejects_at_the_same_point({"a": (early, late, 500)}).word == "holds"
    assert claims.rejects_at_the_same_point({"a": (early, late, 400)}).word == "does not hold"
    assert claims.fading_factors_disagree(early, line(0)).word == "holds"
    assert claims.fading_factors_disagree(early, early).word == "does not hold"


def test_alarm_before_the_drift_or_none_after_it_is_no_detection() -> None:
    assert claims.detects_first_drift(np.array([160.0]), 100).word == "holds"
    assert claims.detects_first_drift(np.array([50.0, 160.0]), 100).word == "does not hold"
    assert claims.detects_first_drift(np.array([250.0]), 100).word == "does not hold"


def test_fading_is_fastest_only_if_it_is_first_on_every_stream() -> None:
    delays = {"LED": {"fading": 10.0, "window": 20.0, "all": np.nan}}
    assert claims.fading_is_fastest(delays, "fading", "the ratio").word == "holds"
    delays["RBF"] = {"fading": np.nan, "window": 20.0, "all": np.nan}
    assert claims.fading_is_fastest(delays, "fading", "the ratio").word == "does not hold"
