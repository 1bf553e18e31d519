"""Options of an evaluation: one declaration for Python, command lines, experiments and runs."""

from __future__ import annotations

import inspect
import json
import os
import shlex
import shutil
import subprocess
import sys
from dataclasses import fields
from pathlib import Path

import streamgauge as sg
from streamgauge.evaluation.options import EvaluateArguments
from streamgauge.runs.identity import Settings
from streamgauge.runs.options import EXPERIMENT_OPTIONS, OPTIONS

SRC = Path(sg.__file__).parent
DECLARED = """    max_labels: int | None = field("""
NEW = """    colour: str | None = field(
        default=None, metadata=_written("text", "The colour of the run.", metavar="COLOUR")
    )
"""
USE = """
import json, shlex, sys
from pathlib import Path
import streamgauge as sg
from streamgauge.cli import main
from streamgauge.reports._provenance import command

run = sg.evaluate("SEA(200)", "NaiveBayes", colour="red")
Path("x.toml").write_text('streams = ["SEA(200)"]\\nlearners = ["NaiveBayes"]\\ncolour = "red"\\n')
(cell,) = sg.run_grid("x.toml", "store", workers=1, progress=False).cell_results
text = command(run)
sys.argv = shlex.split(text) + ["--save", "saved"]
try:
    main()
except SystemExit as done:
    assert done.code == 0
(saved,) = map(sg.open_run, Path("saved").iterdir())
print()
print(json.dumps([text, saved.settings.colour, run.id, saved.id, cell.cell.id]))
"""


def test_evaluate_has_the_declared_options_with_their_defaults() -> None:
    parameters = inspect.signature(sg.evaluate).parameters
    assert {option.name: parameters[option.name].default for option in OPTIONS} == {
        option.name: option.default for option in OPTIONS
    }
    others = {"stream", "learner", "target", "save", "predictions", "progress", "block_rows"}
    assert set(parameters) == others | {option.name for option in OPTIONS}
    for_checkers = EvaluateArguments.__annotations__
    assert set(parameters) - {"stream", "learner", "protocol"} == set(for_checkers)


def test_grid_has_every_key_of_an_experiment_with_its_default() -> None:
    parameters = inspect.signature(sg.Grid).parameters
    spec = sg.Grid(["SEA(9)"], ["NaiveBayes"]).spec
    assert set(parameters) == {*spec.__struct_fields__}
    for name in set(parameters) - {"streams", "learners"}:
        assert parameters[name].default == getattr(spec, name), name
        assert parameters[name].annotation not in (inspect.Parameter.empty, "Any"), name


def test_settings_and_experiments_have_every_option() -> None:
    facts = {"custom_metrics", "custom", "model", "longest_wait"}
    assert {each.name for each in fields(Settings)} - facts == {each.name for each in OPTIONS}
    spec = sg.Grid(["SEA(9)"], ["NaiveBayes"]).spec
    assert spec.options == {each.name: each.default for each in EXPERIMENT_OPTIONS}
    assert {"seeds", "labels"} < set(spec.__struct_fields__)


def test_new_option_appears_everywhere(tmp_path: Path) -> None:
    """In a copy of the project: one declaration, and the parameter of `evaluate`."""
    copy = tmp_path / "src" / "streamgauge"
    shutil.copytree(SRC, copy, ignore=shutil.ignore_patterns("__pycache__"))
    for name, old, new in (
        ("runs/options.py", DECLARED, NEW + DECLARED),
        ("evaluation/evaluate.py", "    max_labels: int | None = None,\n", "    colour=None,\n"),
    ):
        text = (copy / name).read_text()
        assert text.count(old) == 1
        added = new if new.endswith(old) else new + old
        (copy / name).write_text(text.replace(old, added))
    done = subprocess.run(
        [sys.executable, "-c", USE], cwd=tmp_path, capture_output=True, text=True, check=False,
        env=os.environ | {"PYTHONPATH": str(copy.parent)},
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    command, colour, *ids = json.loads(done.stdout.splitlines()[-1])
    assert colour == "red"
    words = shlex.split(command)
    assert words[words.index("--colour") + 1] == "red"
    assert len(set(ids)) == 1
    assert ids[0] != sg.evaluate("SEA(200)", "NaiveBayes").id
