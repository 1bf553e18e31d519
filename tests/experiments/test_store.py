"""The store: the plan file."""

from __future__ import annotations

import json

import pytest

import streamgauge as sg
from tests.experiments.stores import grid


def test_plan_file_holds_spec_and_cells(partial: sg.Results) -> None:
    (plan,) = (partial.folder / "grids").iterdir()
    values = json.loads(plan.read_text())
    assert values["format"] == "streamgauge.grid/1"
    assert values["sha256"] == grid().spec.sha256
    assert values["spec"]["learners"] == ["NaiveBayes()", "Majority()"]
    assert len(values["cells"]) == 8
    plan.rename(plan.with_suffix(".old"))
    (plan.parent / "small.json").write_text("[]")
    try:
        with pytest.raises(sg.InputError, match="not the plan of an experiment"):
            len(sg.results(partial.folder))
    finally:
        plan.with_suffix(".old").rename(plan)
