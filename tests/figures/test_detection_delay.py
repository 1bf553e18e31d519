"""Detection delay against false alarms."""

from __future__ import annotations

from typing import Any

import pyarrow as pa

from streamgauge.figures.colours import GREY
from streamgauge.figures.detection_delay import detection_delay
from tests.figures.specs import caption, datasets, mark_kinds, rows_with, units


def row(name: str, false_alarms: float | None, wait: float | None) -> dict[str, Any]:
    ranges = {"false_low": false_alarms, "false_high": false_alarms}
    ranges |= {"wait_low": wait, "wait_high": wait}
    return {"series": name, "false_alarms": false_alarms, "wait": wait, **ranges}


def draw(*rows: dict[str, Any]) -> Any:
    return detection_delay(pa.Table.from_pylist(list(rows)), title="t", dummies=["NeverAlarm()"])


def test_detectors_are_filled_and_dummies_hollow() -> None:
    rows = [row("DDM()", 2.0, 300.0), row("NeverAlarm()", 0.0, 9000.0)]
    chart = draw(*rows)
    assert mark_kinds(chart) == ["rule", "rule", "point", "point"]
    assert rows in datasets(chart)
    hollow, filled = list(units(chart.to_dict()))[2:]
    assert (hollow["mark"]["filled"], filled["mark"]["filled"]) == (False, True)
    assert hollow["encoding"]["color"]["scale"]["range"][1] == GREY


def test_undefined_ones_are_named() -> None:
    assert "not drawn: ADWIN()" in caption(draw(row("DDM()", 2.0, 3.0), row("ADWIN()", None, 3.0)))
    nothing = draw(row("DDM()", None, None))
    assert "the runs have no drift" in " ".join(
        each["why"] for each in rows_with(nothing, "line", "why")
    )


def test_it_can_be_combined_with_other_charts() -> None:
    chart = draw(row("DDM()", 2.0, 300.0))
    assert len((chart & chart).to_dict()["vconcat"]) == 2
