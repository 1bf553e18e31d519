"""Experiment files from elsewhere: reading one runs nothing, and no text reaches Python's own."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

import streamgauge as sg
from tests.experiments.stores import write_spec

SPEC = """name = "foreign"
streams = ["SEA(100)"]
learners = ["trap:Learner(1)", "SWT(trap:Learner(2))", "river:naive_bayes.GaussianNB()"]
modules = ["trap", "mine"]
"""
TRAP = """
from pathlib import Path
from typing import Any
from mine import Constant

HERE = Path(__file__).parent
(HERE / "imported").touch()

class Learner(Constant):
    def __init__(self, number):
        (HERE / f"called{number}").touch()
        super().__init__()
"""


def marks(folder: Path) -> list[str]:
    return sorted(each.name for each in folder.glob("*d*") if not each.suffix and each.is_file())


def write_trap(folder: Path) -> Path:
    (folder / "trap.py").write_text(TRAP)
    return write_spec(folder, SPEC)


def test_reading_an_experiment_imports_and_calls_nothing(tmp_path: Path) -> None:
    write_trap(tmp_path)
    code = (
        "import sys, streamgauge as sg\ngrid = sg.Grid.read('bench.toml')\nprint(grid)\n"
        "print({'trap', 'mine', 'river', 'capymoa'} & set(sys.modules))"
    )
    done = subprocess.run(
        [sys.executable, "-c", code], cwd=tmp_path, capture_output=True, text=True, check=True
    )
    assert done.stdout.splitlines()[-1] == "set()"
    assert marks(tmp_path) == []


def test_asking_for_the_cells_runs_the_modules(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    grid = sg.Grid.read(write_trap(tmp_path))
    assert marks(tmp_path) == []
    assert [cell.learner for cell in grid.cells] == [
        "trap:Learner(1)", "TemporallyAugmented(trap:Learner(2))", "river:naive_bayes.GaussianNB"
    ]  # fmt: skip
    assert marks(tmp_path) == ["called1", "called2", "imported"]


def test_reading_makes_no_stream(tmp_path: Path) -> None:
    heavy = "shuffled(SEA(100000000000))"  # would read all rows
    opens = "inject(read('none.csv', 'y'), order=1)"
    text = SPEC.replace('"SEA(100)"', f'"{opens}", "{heavy}", "load(\'x\')"')
    (tmp_path / "trap.py").write_text(TRAP)
    grid = sg.Grid.read(write_spec(tmp_path, text))
    with pytest.raises(sg.StreamgaugeError, match=r"none\.csv"):
        _ = grid.cells


@pytest.mark.parametrize(
    ("old", "new", "said"),
    [
        (
            '["trap", "mine"]',
            '["trap", "subprocess"]',
            "modules: 'subprocess' is a module of Python; exp",
        ),
        (
            '["trap", "mine"]',
            '["trap", "os"]',
            "modules: 'os' is a module of Python; expected one of your",
        ),
        ('["trap", "mine"]', '["trap", "numpy"]', "modules: no module 'numpy'; expected "),
        (
            '["trap", "mine"]',
            '["trap", "../trap"]',
            "modules: '../trap' is not the name of a module",
        ),
        ('["trap", "mine"]', '["trap", "/etc/x"]', "modules: '/etc/x' is not the name of a module"),
        ("trap:Learner(1)", "trap:Lerner(1)", "does not define a class or function 'Lerner'"),
        ("trap:Learner(1)", "trap:Path('x')", "does not define a class or function 'Path'"),
        ("trap:Learner(1)", "trap:Learner.__init__.__globals__()", "unknown name"),
        ("trap:Learner(1)", "trap:Learner(1).start(2)", "unknown name"),
        ("trap:Learner(1)", "trap.Learner.mro()", "unknown name"),
    ],
)
def test_bad_modules_are_errors_before_anything_runs(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, old: str, new: str, said: str
) -> None:
    monkeypatch.chdir(tmp_path)
    path = write_trap(tmp_path)
    path.write_text(SPEC.replace(old, new))
    with pytest.raises(sg.UsageError) as caught:
        sg.Grid.read(path)
    assert said in str(caught.value)
    assert str(caught.value).startswith(f"{path}, line ")
    assert marks(tmp_path) == []


CALLS = (
    "subprocess:Popen(['touch', 'called'])", "os:system('touch called')",
    "os.system('touch called')", "builtins:eval('1')", "eval('1')",
    "__import__('os').system('touch called')", "().__class__.__base__.__subclasses__()",
    "(lambda: 1)()", "[x for x in (1,)]", "open('called', 'w')",
    "NaiveBayes.__init__.__globals__['x']()", "NaiveBayes().__class__()", "f'{open(1)}'",
    "river:os.system('touch called')", "river:tree.os.system('touch called')",
    "river:..os.system('x')", "river:__builtins__.eval('1')", "river:stream.Cache('called')",
    "river:datasets.Elec2()", "river:base.importlib.import_module('x')",
    "SWT(subprocess:Popen('x'))", "SWT(os.system('touch called'))",
    "Majority(forget=os.system('x'))", "(" * 300 + ")" * 300, "-" * 100_000 + "1",
    "NaiveBayes(" * 2000, "a" + ".a" * 20_000, "\0", "", " ", "NaiveBayes(**{'x': 1})",
    "NaiveBayes(*[1])", "yield 1", "await x", "x := 1", "SEA(10**9999)", "{}",
)  # fmt: skip


@pytest.mark.parametrize("text", CALLS)
def test_no_text_calls_what_is_not_registered(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, text: str
) -> None:
    """In every field that takes a text, on every way in."""
    monkeypatch.chdir(tmp_path)
    if text.startswith("river"):
        pytest.importorskip("river")
    fields = ("learners", "labels", "forget", "detectors", "references", "metrics")
    values: dict[str, Any] = {"streams": ["SEA(100)"], "learners": ["NaiveBayes"]}
    for field in fields:
        with pytest.raises(sg.UsageError):
            _ = sg.Grid(**{**values, field: [text]}).cells
    for field in ("protocol", "reevaluate"):
        with pytest.raises(sg.UsageError):
            _ = sg.Grid(**{**values, field: text}).cells
    with pytest.raises(sg.UsageError):
        _ = sg.Grid([{"generate": text}], ["NaiveBayes"]).cells
    with pytest.raises(sg.UsageError):
        sg.evaluate(sg.SEA(100), text)
    with pytest.raises(sg.UsageError):
        sg.detect([0.0, 1.0], [text])
    assert os.listdir(tmp_path) == []
