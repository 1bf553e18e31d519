"""Odd surroundings: a command works, or fails with one clear line and a code, never a traceback."""

from __future__ import annotations

import os
import resource
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from tests.cli.running import ENTRY
from tests.experiments.stores import write_spec

EVALUATE = ("evaluate", "SEA(2000)", "--learner", "NaiveBayes")
LIGHT = ("data", "list")
PIPE = '| true; exit "${PIPESTATUS[0]}"'
ASCII = {"LC_ALL": "C", "PYTHONUTF8": "0", "PYTHONCOERCECLOCALE": "0"}


def shell(
    folder: Path, arguments: tuple[str, ...], redirect: str = "", before: str = "", **env: str
) -> tuple[int, str, str]:
    """Run a command in bash; return its exit code and what it printed."""
    line = f'{before} "$0" -c "{ENTRY}" "$@" {redirect}'
    done = subprocess.run(
        ["bash", "-c", line, sys.executable, *arguments],
        cwd=folder, env={**os.environ, **env}, capture_output=True, check=False, timeout=300,
        stdin=subprocess.DEVNULL,
    )  # fmt: skip
    out, err = (each.decode("utf-8", "surrogateescape") for each in (done.stdout, done.stderr))
    assert "Traceback" not in out + err
    assert "internal error" not in err
    return done.returncode, out, err


def test_closed_output_is_an_error_before_anything_runs(tmp_path: Path) -> None:
    code, out, err = shell(tmp_path, EVALUATE, ">&-")
    assert (code, out) == (1, "")
    assert err == (
        "streamgauge: standard output is closed; redirect it to a file, or to /dev/null to discard "
        "it\n"
    )
    assert shell(tmp_path, EVALUATE, "<&- >&- 2>&-")[0] == 1
    assert list(tmp_path.iterdir()) == []


@pytest.mark.long
def test_closed_stderr_leaves_the_exit_code(tmp_path: Path) -> None:
    code, out, err = shell(tmp_path, LIGHT, "2>&-")
    assert (code, err) == (0, "")
    assert "elec2" in out
    assert shell(tmp_path, ("evaluate", "nothing.csv"), "2>&-") == (2, "", "")


def test_lost_output_is_an_error(tmp_path: Path) -> None:
    code, _, err = shell(tmp_path, LIGHT, "> /dev/full")
    reason = "No space left on device"
    assert (code, err) == (1, f"streamgauge: cannot write to standard output: {reason}\n")


def test_a_reader_that_has_enough_is_no_error(tmp_path: Path) -> None:
    assert shell(tmp_path, LIGHT, '| true; exit "${PIPESTATUS[0]}"') == (0, "", "")


@pytest.mark.long
def test_lost_output_loses_no_results(tmp_path: Path) -> None:
    for number, redirect in enumerate(("> /dev/full", PIPE)):
        kept = (f"--save=kept{number}", f"--json={number}.json")
        code, _, err = shell(tmp_path, (*EVALUATE, *kept), redirect)
        assert (code, err.count("\n")) == ((0, 0) if redirect == PIPE else (1, 1))
        assert len(list((tmp_path / f"kept{number}").iterdir())) == 1
        assert (tmp_path / f"{number}.json").stat().st_size > 1000


@pytest.mark.parametrize("encoding", ["ascii", "latin-1"])
def test_any_encoding_of_the_terminal_works(tmp_path: Path, encoding: str) -> None:
    card = 'name="x"\ntitle="naïve − χ² ≥ 流"\nabout="−"\npaper="-"\nlicence="-"\ntarget="y"\n'
    (tmp_path / "x.toml").write_text(card + 'features=["a"]\n', encoding="utf-8")
    (tmp_path / "x.csv.gz").write_bytes(b"")
    code, out, err = shell(tmp_path, ("data", "info", "x.toml"), PYTHONIOENCODING=encoding, **ASCII)
    assert code == 0, err
    assert "x" in out


def test_ascii_locale_reads_files_as_utf_8(tmp_path: Path) -> None:
    (tmp_path / "naïve.toml").write_text('name = "naïve"\nlearnes = []\n', encoding="utf-8")
    code, _, err = shell(tmp_path, ("run", "naïve.toml"), **ASCII)
    assert code == 2
    assert "unknown key 'learnes' (did you mean 'learners'?)" in err


@pytest.mark.long
def test_ascii_locale_evaluates(tmp_path: Path) -> None:
    (tmp_path / "u.csv").write_text(
        "größe,y\n" + "".join(f"{i % 7},{'jä' if i // 5 % 2 else 'neïn'}\n" for i in range(500)),
        encoding="utf-8",
    )
    cold = {"STREAMGAUGE_CACHE": str(tmp_path / "cache")}  # compiling reads our sources
    code, out, err = shell(tmp_path, ("evaluate", "u.csv"), **ASCII, **cold)
    assert code == 0, err
    assert "Persistent" in out
    assert shell(tmp_path, ("inspect", "u.csv"), **ASCII, **cold)[0] == 0
    (tmp_path / "ü.csv").write_text("a,y\n1,0\n", encoding="utf-8")
    code, _, err = shell(tmp_path, ("evaluate", "ü.csv"), **ASCII)
    assert code == 2
    assert "the file's name is not UTF-8; rename it, or use a UTF-8 locale" in err


@pytest.mark.long
@pytest.mark.parametrize(
    "env",
    [{"HOME": "/proc/none"}, {"HOME": "/dev/null"}, {"HOME": ""}, {"TMPDIR": "/none"},
     {"HOME": "/proc/none", "TMPDIR": "/none", **ASCII}],
)  # fmt: skip
def test_missing_or_unwritable_home_and_temporary_folder(
    tmp_path: Path, env: dict[str, str]
) -> None:
    cache = {} if "HOME" not in env else {"STREAMGAUGE_CACHE": "", "XDG_CACHE_HOME": ""}
    code, out, err = shell(tmp_path, EVALUATE, **cache, **env)
    assert (code, err) == (0, "")
    assert "93.3 %" in out
    assert len(list((tmp_path / "results").iterdir())) == 1


@pytest.mark.long
@pytest.mark.parametrize(
    ("arguments", "code", "said"),
    [
        (("--version",), 0, ""),
        (LIGHT, 0, ""),
        (("inspect", "SEA(500)"), 0, ""),
        (EVALUATE, 2, "cannot write the results: "),
        (("run", "bench.toml"), 2, "cannot read the experiment"),
        (("status",), 2, "results"),
        (("table",), 2, "results: no such folder"),
        (("evaluate", "table.csv"), 2, "no such file: table.csv"),
    ],
)
def test_deleted_folder(tmp_path: Path, arguments: tuple[str, ...], code: int, said: str) -> None:
    folder = tmp_path / "gone"
    folder.mkdir()
    found, _, err = shell(folder, arguments, before='rmdir "$PWD" && ')
    assert err.count("\n") == (found > 0)
    if "the current folder no longer exists: change to another one" not in err:  # to compile
        assert found == code
        assert said in err


def limited(size: int) -> Any:
    """Let files have `size` bytes at most, as on a disk that is nearly full."""
    return lambda: resource.setrlimit(resource.RLIMIT_FSIZE, (size, size))


@pytest.mark.long
@pytest.mark.parametrize("size", [0, 2000, 9000])
def test_full_disk(tmp_path: Path, size: int) -> None:
    """Of the store, the JSON and the diagram; what was complete before stays."""
    write_spec(tmp_path, 'streams = ["SEA(9000)", "Sine1(9000)"]\nlearners = ["NaiveBayes"]\n')

    def run(*arguments: str) -> tuple[int, str, str]:
        done = subprocess.run(
            [sys.executable, "-c", ENTRY, *arguments],
            cwd=tmp_path, capture_output=True, encoding="utf-8", preexec_fn=limited(size),
            check=False,
        )  # fmt: skip
        assert "Traceback" not in done.stdout + done.stderr
        return done.returncode, done.stdout, done.stderr

    code, out, err = run(*EVALUATE, "--json", "o.json")
    assert code == 2
    assert "NaiveBayes is better than" in out
    assert err.startswith("streamgauge: cannot write the results: ")
    assert not (tmp_path / "o.json").exists()
    for workers in ("0", "1"):
        code, out, err = run("run", "bench.toml", "--store", f"s{workers}", "--workers", workers)
        assert code in (1, 2)
        assert ("failed (disk): " in out) or ("cannot write the plan: " in err)
    assert not [path for path in tmp_path.rglob("*") if ".writing" in path.name]
