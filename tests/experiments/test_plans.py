"""The plan of an experiment as a TOML file."""

from __future__ import annotations

from pathlib import Path

import pytest

import streamgauge as sg
from streamgauge.experiments.plans import plan_to_toml, plans
from tests.experiments.stores import grid, write_plan


@pytest.mark.parametrize(
    "options",
    [
        {},
        {"learners": {'bayes "one" ü\x7f': "NaiveBayes()"}, "labels": ["Delay(5)"], "seeds": [3]},
        {"streams": [{"generate": "SEA(50)", "name": "a \\ b", "inject": [0, 2]}], "warmup": 3},
    ],
)
def test_file_gives_the_same_cells(tmp_path: Path, options: dict[str, object]) -> None:
    made = grid(**options)
    write_plan(made, tmp_path)
    text = plan_to_toml(plans(tmp_path)[0])
    assert text is not None
    file = tmp_path / "again.toml"
    file.write_text(text, encoding="utf-8")
    assert sg.Grid.read(file).cells == made.cells


def test_rows_in_memory_have_no_file(tmp_path: Path) -> None:
    stream = sg.from_arrays([[0.0], [1.0]] * 20, [0, 1] * 20)
    sg.run_grid(sg.Grid([stream], ["Majority"]), tmp_path, workers=0)
    assert plan_to_toml(plans(tmp_path)[0]) is None
