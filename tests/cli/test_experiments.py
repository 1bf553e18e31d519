"""streamgauge run, status and table: an experiment from its file to a table."""

from __future__ import annotations

import re
import sys
from pathlib import Path

import pytest

from tests.cli.running import Shell, Terminal, run
from tests.experiments.stores import write_spec

SPEC = """name = "mine"
seeds = 2
streams = [{read = "table.csv", target = "y", rows = 300}, {generate = "SEA(200)"}]
learners = ["NaiveBayes()", "Persistent()", "mine:Raising(after=250)"]
labels = ["Immediate()", "Delay(10)"]
modules = ["mine"]
"""


def test_experiment_from_file_to_table(shell: Shell, tmp_path: Path) -> None:
    write_spec(tmp_path, SPEC)
    code, out, err = shell("run", "bench.toml", "--workers", "0")
    assert (code, err) == (1, "")
    assert out.splitlines()[:2] == [
        "mine · 20 cells: 0 already done, 0 failed earlier, 20 to run",
        "mine: 16 of 20 cells are in results",
    ]
    assert out.count("failed (raised): mine:Raising(after=250) on table[:300], labels ") == 4
    assert "Failed cells are missing from tables" in out
    assert out.endswith("Next: streamgauge table results\n")
    assert "Traceback" not in out
    assert (
        shell("run", "bench.toml", "--workers", "0", "--debug").out.count("Traceback (most") == 8
    )  # and causes
    code, out, _ = shell("status", "results")
    assert code == 0
    assert out.startswith("mine · 20 cells: 16 done, 0 running, 4 failed, 0 waiting\n")
    assert "finished, except the failed cells" in out
    code, out, _ = shell("table", "results", "--where", "labels=Delay(10)", "--value", "accuracy")
    assert code == 0
    lines = out.splitlines()
    assert lines[0].split() == ["stream", "NaiveBayes", "Persistent", "mine:Raising(after=250)"]
    assert re.fullmatch(r"table\[:300\] +0\.\d{3}\*?▲ +0\.\d{3} ○ +failed", lines[1])
    code, out, _ = shell("table", "results", "--rows", "stream,labels", "--latex")
    assert code == 0
    assert "\\toprule" in out
    code, out, _ = shell("table", "results", "--rows", "stream,labels", "--csv")
    assert out.startswith("stream,labels,NaiveBayes,NaiveBayes sd,NaiveBayes runs,")
    code, out, _ = shell(
        "table", "results", "--rows", "labels", "--cols", "stream,learner", "--markdown"
    )
    assert out.startswith("| labels | table[:300] · NaiveBayes |")
    several = ("table", "results", "--where", "labels=Delay(10)", "--value", "accuracy, seconds")
    code, out, _ = shell(*several)
    assert code == 0
    assert out.splitlines()[0].split()[-3:] == ["references", "accuracy", "seconds"]
    assert "mine:Raising(after=250)" in out
    assert "Failed: mine:Raising(after=250) on table[:300] (2 seeds): " in " ".join(out.split())
    assert "Transition" in out
    assert "Transition" not in shell(*several, "--no-references").out
    assert "○" not in shell(*several, "--rows", "stream", "--no-verdicts").out
    code, out, _ = shell(*several, "--latex", "--caption", "A", "--label", "tab:a")
    assert "\\caption{A}\n\\label{tab:a}" in out
    write_spec(tmp_path, SPEC.replace(', "mine:Raising(after=250)"', ""))
    assert shell("run", "bench.toml", "--workers", "0").out.splitlines()[:2] == [
        "mine · 12 cells: 12 already done, 0 failed earlier, 0 to run",
        "mine: 12 of 12 cells are in results",
    ]


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["run", "no.toml"], "no.toml: cannot read the experiment"),
        (["run", "bad.toml"], "bad.toml, line 1: unknown key 'nam' (did you mean 'name'?)"),
        (["run", "table.csv"], "table.csv: invalid TOML"),
        (["status", "results"], "results: has no experiment"),
        (["table", "results"], "results: no such folder"),
        (["table", "results", "--latex", "--csv"], "exclude each other; give only one"),
        (["table", ".", "--where", "labels"], "expected KEY=VALUE"),
        (["table", ".", "--value", "kappa,,x"], "expected names separated by commas"),
        (["table", ".", "--value", "kappa,error", "--ranks"], "ranks of one value"),
        (["table", ".", "--caption", "x"], "--caption, --label and --width belong to --latex"),
    ],
)
def test_errors_are_named(shell: Shell, arguments: list[str], said: str) -> None:
    Path("bad.toml").write_text('nam = "x"\nstreams = []\nlearners = []\n')
    code, _, err = shell(*arguments)
    assert code == 2
    assert err.startswith("streamgauge: ")
    assert said in err


def test_status_loads_nothing_heavy(shell: Shell, tmp_path: Path) -> None:
    write_spec(tmp_path, SPEC.replace(', "mine:Raising(after=250)"', "").replace("300", "50"))
    assert shell("run", "bench.toml", "--workers", "0").code == 0
    heavy = ("numba", "pyarrow", "pandas", "river", "scipy", "duckdb")
    code = f"""
import sys
from streamgauge.cli import main
try:
    main()
except SystemExit as end:
    print("code", end.code)
print([name for name in {heavy} if name in sys.modules])
"""
    assert run(tmp_path, "status", code=code).out.splitlines()[-2:] == ["code 0", "[]"]


@pytest.mark.usefixtures("not_quiet")
def test_progress_counts_cells(
    shell: Shell, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    write_spec(tmp_path, SPEC.replace(', "mine:Raising(after=250)"', ', "mine:Slow(0.2)"'))
    terminal = Terminal()
    monkeypatch.setattr(sys, "stderr", terminal)
    monkeypatch.setattr("streamgauge._support.progress._SHOW_AFTER", 0.0)
    assert shell("run", "bench.toml", "--workers", "0").code == 0
    shown = re.findall(r"mine .*?(\d+)/20.*? ([\d.]+) cells/s", terminal.text)
    assert shown
    assert 0 < float(shown[-1][1]) < 100
