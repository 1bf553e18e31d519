"""The error along the stream and what each detector made of it."""

from __future__ import annotations

from typing import Any

import pyarrow as pa

from streamgauge.figures.detector_trace import detector_trace
from tests.figures.specs import datasets, mark_kinds, rows_with

ERRORS = pa.table({"row": [10, 20, 30], "value": [0.1, 0.2, 0.3]})
STATISTIC = pa.table(
    {
        "detector": ["DDM()"] * 2 + ["EDDM()"] * 2,
        "row": [10, 20, 10, 20],
        "value": [0.2, None, 0.95, 0.97],
        "threshold": [0.3, None, 0.9, 0.9],
        "alarms_below": [False, False, True, True],
    }
)


def draw(*detectors: str, **options: Any) -> Any:
    alarms = pa.table({"detector": ["DDM()", "Blind()"], "row": [25, 27]})
    return detector_trace(ERRORS, STATISTIC, alarms, detectors, title="t", **options)


def headings(chart: Any) -> list[str]:
    return [each["title"]["text"] for each in chart.to_dict()["vconcat"]]


def test_a_panel_for_the_error_and_for_each_detector() -> None:
    chart = draw("DDM()", "EDDM()", error="Error, mean of the last 5 errors")
    assert headings(chart) == [
        "Error, mean of the last 5 errors",
        "DDM(): 1 alarm",
        "EDDM(): 0 alarms, below the dashed line",
    ]
    assert mark_kinds(chart) == ["line", "line", "line", "tick", "line", "line"]
    shown = rows_with(chart, "rows", "value", "threshold")
    assert shown[0] == {"rows": 10, "value": 0.2, "threshold": 0.3}
    assert [{"rows": 25.0}] in datasets(chart)


def test_drifts_are_in_every_panel() -> None:
    assert mark_kinds(draw("DDM()", drifts=[(15, 15)])).count("rule") == 2


def test_detector_without_a_statistic_shows_its_alarms() -> None:
    chart = draw("Blind()")
    assert headings(chart)[1] == "Blind(): 1 alarm; its statistic is not known"
    assert mark_kinds(chart) == ["line", "tick"]


def test_no_error_says_so() -> None:
    chart = detector_trace(ERRORS[:0], STATISTIC, STATISTIC, [], title="t")
    assert "no row has been scored" in rows_with(chart, "line", "why")[0]["why"]
