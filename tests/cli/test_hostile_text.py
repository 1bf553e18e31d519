"""Names from data and files never reach a terminal, a page or a document in effect."""

from __future__ import annotations

import csv
import json
from pathlib import Path
from xml.etree import ElementTree

import numpy as np
import pytest

import streamgauge as sg
from streamgauge.runs.integrity import sealed
from tests.cli.running import Shell
from tests.hostile_text import FORGED, HOSTILE, hostile, problems

LATE = ["--arrives", hostile("t"), "--revealed", hostile("r")]


def write_hostile(path: Path, rows: int = 1500) -> Path:
    """Write a table whose file name, columns, nominal values and labels are hostile."""
    random = np.random.default_rng(1)
    code = np.repeat(np.arange(rows // 20 + 1) % 3, 20)[:rows]
    colours = random.integers(0, 3, rows)
    with path.open("w", newline="", encoding="utf-8") as file:
        table = csv.writer(file)
        table.writerow([hostile(name) for name in ("a", "colour", "t", "r", "y")])
        for i in range(rows):
            row = [code[i] + random.normal(), hostile(f"c{colours[i]}"), i, i + 1 + i % 7]
            table.writerow([*row, hostile(f"label{code[i]}")])
    return path


@pytest.fixture
def table(tmp_path: Path) -> str:
    return str(write_hostile(tmp_path / (hostile("t", without="/\0") + ".csv")))


def assert_clean(text: str) -> None:
    assert problems(text) == []


def test_verbs_on_a_hostile_table(shell: Shell, table: str) -> None:
    target = ["--target", hostile("y")]
    for arguments in (
        ["evaluate", table, *target, *LATE, "--learner", "NaiveBayes", "--learner", "Majority"],
        ["evaluate", table, *target, "--ablate", "--save", "kept"],
        ["inspect", table, *target, *LATE],
        ["detect", table, *target],
    ):
        code, out, err = shell(*arguments)
        assert code == 0, err
        assert "x\\x1b[31m" in out
        assert_clean(out)
        assert_clean(err)
    runs = [str(path) for path in Path("results").iterdir()]
    code, out, err = shell("compare", *runs[:2])
    assert code == 0, err
    assert_clean(out)


@pytest.mark.parametrize(
    "arguments",
    [
        ["evaluate", hostile("no") + ".csv"],
        ["evaluate", "table.csv", "--target", HOSTILE],
        ["evaluate", "table.csv", "--learner", HOSTILE],
        ["evaluate", "table.csv", "--labels", HOSTILE],
        ["evaluate", "table.csv", HOSTILE],
        ["evaluate", "table.csv", f"--{HOSTILE}"],
        ["evaluate", "table.csv", "--seed", HOSTILE],
        [HOSTILE],
        ["run", HOSTILE],
        ["status", HOSTILE],
        ["data", "info", HOSTILE],
        ["table", ".", "--where", HOSTILE],
    ],
)
def test_errors_show_hostile_arguments_in_one_line(shell: Shell, arguments: list[str]) -> None:
    without_nul = [each.replace("\0", "") for each in arguments]
    code, out, err = shell(*without_nul)
    assert (code, out) == (2, "")
    assert "Traceback" not in err
    assert_clean(err)


def write_experiment(folder: Path) -> Path:
    """An experiment with hostile names and a learner that fails with a hostile message."""
    (folder / "bad.py").write_text(
        f"MESSAGE = {HOSTILE!r}\nclass Learner:\n    name = MESSAGE\n"
        "    def __init__(self, x): pass\n    def start(self, schema, seed): pass\n"
        "    def predict(self, X): raise ArithmeticError(MESSAGE)\n"
        "    def learn(self, X, y, w): pass\n"
    )
    learners = {hostile("NB"): "NaiveBayes()", hostile("P"): "Persistent()",
                hostile("bad"): "bad:Learner(1)"}  # fmt: skip
    streams = [{"generate": f"SEA({n})", "name": hostile(f"s{n}")} for n in (200, 300)]
    lines = [f"name = {json.dumps(hostile('study'))}", 'modules = ["bad"]']
    lines += [f"learners = {_inline(learners)}"]
    lines += [f"streams = [{', '.join(map(_inline, streams))}]"]
    path = folder / "bench.toml"
    path.write_text("\n".join(lines), encoding="utf-8")
    return path


def _inline(table: dict[str, str]) -> str:
    pairs = (f"{json.dumps(key)} = {json.dumps(value)}" for key, value in table.items())
    return "{" + ", ".join(pairs).replace("\x7f", "\\u007f") + "}"


def test_experiment_with_hostile_names(shell: Shell, tmp_path: Path) -> None:
    write_experiment(tmp_path)
    code, out, err = shell("run", "bench.toml", "--workers", "0")
    assert code == 1, err
    assert "failed (raised)" in out
    assert_clean(out)
    learners = ["--where", f"learner={hostile('NB')}", "--where", f"learner={hostile('P')}"]
    for arguments in (
        ["run", "bench.toml", "--workers", "0", "--debug"],
        ["status", "results"],
        ["table", "results"],
        ["table", "results", "--latex"],
        ["table", "results", "--markdown"],
        ["rank", "results", *learners, "--plot", "ranks.svg"],
        ["rank", "results", *learners, "--plot", "ranks.png"],
    ):
        code, out, err = shell(*arguments)
        assert code == (1 if arguments[0] == "run" else 0), err
        if "--debug" in arguments:  # a traceback has the lines of its message
            out = out.replace(f"\n{FORGED}", "")
        assert_clean(out)
        assert_clean(err)
        if "--latex" in arguments:
            assert "\\input" not in out
            assert "\\textbackslash{}input\\{x\\}" in out
        if "--markdown" in arguments:
            assert "<script>" not in out.replace("\\<", "")
            assert "](javascript" not in out.replace("\\]", "")
            assert all(line.count(" | ") == 3 for line in out.splitlines()[:4])
    ElementTree.parse("ranks.svg")  # well-formed, so that no name is markup
    svg = Path("ranks.svg").read_text(encoding="utf-8")
    assert_clean(svg)
    assert "<script>" not in svg


def test_objects_show_hostile_names_in_python(table: str, tmp_path: Path) -> None:
    stream = sg.read(table, hostile("y"), drop=[hostile("t"), hostile("r")])
    runs = sg.evaluate(stream, [sg.NaiveBayes(), sg.HoeffdingTree()])
    opened = sg.open_run(runs[0].save(tmp_path))
    shown = [stream, *runs, opened, runs[0].verdict, sg.inspect(stream), sg.compare(runs),
             sg.detect(runs[0], ["DDM"]), sg.ablate(stream, sg.NaiveBayes())]  # fmt: skip
    for each in shown:
        assert_clean(str(each))
        assert_clean(repr(each))
    with pytest.raises(sg.StreamgaugeError) as caught:
        sg.read(table, "no")
    assert_clean(str(caught.value))


def test_foreign_run_is_shown_without_its_controls(tmp_path: Path) -> None:
    path = sg.evaluate(sg.SEA(300, seed=1), sg.NaiveBayes()).save(tmp_path)
    file = path / "run.json"
    text = file.read_text(encoding="utf-8")
    values = json.loads(text.replace('"NaiveBayes"', json.dumps(hostile("NaiveBayes"))))
    del values["checksum"]
    file.write_bytes(sealed(values))
    controls = [each for each in problems(str(sg.open_run(path))) if FORGED not in each]
    assert controls == []
