"""The command that repeats a run gives the same id; so do its TOML file and its saved files."""

from __future__ import annotations

import shlex
import sys
import tempfile
from pathlib import Path
from typing import Any
from unittest.mock import patch

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import streamgauge as sg
from streamgauge.cli import main
from streamgauge.experiments.plans import plan_to_toml, plans
from streamgauge.reports._provenance import command
from streamgauge.runs.options import EXPERIMENT_OPTIONS, OPTIONS

STREAM = "SEA(60, seed=4)"
NUMBERS = st.floats(0, 9, allow_subnormal=False)
LEARNERS = st.sampled_from(
    ["NaiveBayes()", "Persistent()", "Majority(forget=Window(20))", "SWT(NaiveBayes(), order=2)"]
)
FORGETTINGS = st.sampled_from(
    ["Cumulative()", "Window(7)", "Fading(0.9)", "TimeWindow(20)",
     "Fading(0.99, estimator='zliobaite2015')"]
)  # fmt: skip
LABELS = st.sampled_from(
    ["Immediate()", "Delay(3)", "Chunks(5)", "Sampled(0.5)", "Sampled(0.5, seed=9)",
     "RandomDelay('geometric(0.2)')"]
)  # fmt: skip
METRICS = st.sampled_from(["labels", "all", "accuracy", "kappa", "brier", "recall[1]"])
VALUES: dict[str, st.SearchStrategy[Any]] = {
    "protocol": st.sampled_from(["Holdout(every=20, size=10)", "PrequentialCV(2, 'bootstrap')"]),
    "labels": LABELS,
    "forget": st.lists(FORGETTINGS, min_size=1, max_size=3, unique=True),
    "seed": st.integers(0, 2**31 - 1),
    "warmup": st.integers(0, 20),
    "metrics": st.sampled_from(["labels", "all"]) | st.lists(METRICS, min_size=1, max_size=4),
    "references": st.lists(st.sampled_from(["KNN()", "Majority(forget=Window(9))"]), unique=True),
    "cost": st.lists(st.lists(NUMBERS, min_size=2, max_size=2), min_size=2, max_size=2),
    "every": st.integers(1, 70),
    "oracle": st.booleans(),
    "reevaluate": st.sampled_from(["Reevaluate(every=5, bins=4)", "Reevaluate(every=9, bins=2)"]),
    "max_labels": st.integers(21, 90),
}  # fmt: skip


def test_every_option_is_drawn() -> None:
    assert [*VALUES] == [option.name for option in OPTIONS]


def saved_by(*words: str) -> list[str]:
    """The ids of the runs that a command saves."""
    with tempfile.TemporaryDirectory() as folder:
        with (
            patch.object(sys, "argv", [*words, "--save", folder]),
            pytest.raises(SystemExit) as end,
        ):
            main()
        assert end.value.code == 0
        return sorted(sg.open_run(path).id for path in Path(folder).iterdir())


@settings(max_examples=25, deadline=None)
@given(LEARNERS, st.fixed_dictionaries({}, optional=VALUES))
def test_command_toml_and_saved_run_have_the_same_id(learner: str, options: dict[str, Any]) -> None:
    try:
        found: Any = sg.evaluate(STREAM, learner, progress=False, **options)
    except sg.UsageError:  # options that do not fit together
        return
    runs = list(found) if isinstance(found, sg.Runs) else [found]
    ids = sorted(run.id for run in runs)
    for run in runs:
        text = command(run)
        assert text is not None
        assert saved_by(*shlex.split(text)) == ids
    with tempfile.TemporaryDirectory() as folder:
        assert sg.open_run(runs[0].save(folder)).id == runs[0].id
        written = sg.open_run(runs[0].save(folder)).settings
        assert written == runs[0].settings
        keys = {each.name: getattr(written, each.name) for each in EXPERIMENT_OPTIONS}
        keys["references"] = options.get("references", [])  # those of a run are identities
        grid = sg.Grid([STREAM], [learner], labels=[written.labels], seeds=[written.seed], **keys)
        assert sorted(cell.id for cell in grid.cells) == ids
        sg.run_grid(grid, folder, workers=0, progress=False)
        (plan,) = plans(folder)
        toml = plan_to_toml(plan)
        assert toml is not None
        (Path(folder) / "again.toml").write_text(toml)
        again = sg.Grid.read(Path(folder) / "again.toml")
        assert sorted(cell.id for cell in again.cells) == ids
