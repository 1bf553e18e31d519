"""Every verb at several widths of the terminal, into a pipe that closes, and on a terminal."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from streamgauge._support import registry
from tests.cli.running import ENTRY, Outcome, Shell, write_table
from tests.cli.test_monitor import write as write_monitor

SPEC = """name = "small"
seeds = 1
streams = [{generate = "SEA(400)"}, {generate = "Sine1(400)"}, {generate = "STAGGER(400)"}]
learners = ["NaiveBayes()", "Majority()", "Persistent()"]
labels = ["Immediate()"]
"""
EVALUATE = ["evaluate", "table.csv", "--target", "y", "--learner", "NaiveBayes", "--learner", "KNN"]
SCORE = ["score", "log.csv", "--true", "y", "--pred", "p", "--pred", "q"]
# A command or more of each verb; {0} and {1} are saved runs.
COMMANDS = {
    "evaluate": [EVALUATE, [*EVALUATE, "-v"]],
    "score": [SCORE],
    "inspect": [["inspect", "table.csv", "--target", "y"]],
    "compare": [["compare", "{0}", "{1}"]],
    "rank": [["rank", "store"]],
    "plot": [["plot", "{0}", "-o", "curve.html"]],
    "detect": [["detect", "table.csv", "--target", "y", "--drift-at", "1000"]],
    "run": [["run", "small.toml", "--store", "store", "--workers", "0"]],
    "status": [["status", "store"]],
    "table": [["table", "store"]],
    "report": [["report", "store"]],
    "monitor": [["monitor", "monitor.toml", "--once"], ["monitor", "status", "monitor.toml"]],
    "data": [["data", "list"], ["data", "info", "elec2"]],
    "names": [["names"]],
}
LONG = {"demo", "reproduce", "watch"}  # minutes or a server; they print as evaluate and table do
JSON = {
    "evaluate": EVALUATE, "score": SCORE, "inspect": COMMANDS["inspect"][0],
    "compare": COMMANDS["compare"][0], "rank": COMMANDS["rank"][0],
    "detect": COMMANDS["detect"][0],
}  # fmt: skip


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with what the commands read."""
    made = tmp_path_factory.mktemp("widths")
    write_table(made / "table.csv")
    lines = [f"{i % 2},{i % 3 % 2},{i // 5 % 2}\n" for i in range(300)]
    (made / "log.csv").write_text("y,p,q\n" + "".join(lines))
    (made / "small.toml").write_text(SPEC)
    write_monitor(made)
    for command in ([*EVALUATE, "--save", "saved"], COMMANDS["run"][0], COMMANDS["monitor"][0]):
        done = in_process(made, *command)
        assert done.code == 0, done.err
    return made


def in_process(folder: Path, *arguments: str, **environment: str) -> Outcome:
    """Run a command in a new process, with these variables."""
    done = subprocess.run(
        [sys.executable, "-c", ENTRY, *arguments], cwd=folder, capture_output=True,
        env=os.environ | {"PYTHONUTF8": "1", **environment}, encoding="utf-8", check=False,
    )  # fmt: skip
    return Outcome(done.returncode, done.stdout, done.stderr)


def filled(command: list[str], folder: Path) -> list[str]:
    """The command with the names of the saved runs in it."""
    runs = [os.path.join("saved", path.name) for path in sorted((folder / "saved").iterdir())]
    return [word.format(*runs) if re.fullmatch(r"\{\d\}", word) else word for word in command]


def too_long(text: str, width: int) -> list[str]:
    """The lines that do not fit, although they have a place to break."""
    return [line for line in text.splitlines() if len(line) > width and len(line.split()) > 1]


def all_commands() -> Iterator[tuple[str, list[str]]]:
    for verb, commands in COMMANDS.items():
        for command in commands:
            yield verb, command


def test_every_verb_is_tried() -> None:
    assert {*COMMANDS, *LONG} == set(registry.own_names("verb"))


@pytest.mark.parametrize(("verb", "command"), list(all_commands()))
@pytest.mark.parametrize("width", [40, 60, 80, 120])
def test_no_line_is_wider_than_the_terminal(
    shell: Shell, folder: Path, monkeypatch: pytest.MonkeyPatch, verb: str, command: list[str],
    width: int,
) -> None:  # fmt: skip
    monkeypatch.chdir(folder)
    monkeypatch.setenv("COLUMNS", str(width))
    code, out, err = shell(*filled(command, folder))
    assert (code, err) == (0, "")
    assert out
    assert too_long(out, width) == []


@pytest.mark.parametrize("verb", JSON)
def test_json_on_standard_output_is_alone(
    shell: Shell, folder: Path, monkeypatch: pytest.MonkeyPatch, verb: str
) -> None:
    monkeypatch.chdir(folder)
    monkeypatch.setenv("COLUMNS", "40")
    command = filled(JSON[verb], folder)
    code, out, err = shell(*command, "--json", "-")
    assert (code, err) == (0, "")
    assert json.loads(out)
    if verb != "score":
        code, drawn, err = shell(*command, "--json", "-", "--plot", f"{verb}.html")
        assert (code, err) == (0, "")
        assert json.loads(drawn).__class__ is json.loads(out).__class__
        assert Path(f"{verb}.html").exists()


def test_json_of_a_failed_command_is_empty(shell: Shell) -> None:
    code, out, err = shell("evaluate", "nowhere.csv", "--json", "-")
    assert (code, out) == (2, "")
    assert "nowhere.csv" in err


def test_data_for_programs_is_not_wrapped(
    shell: Shell, folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(folder)
    commands = [["table", "store", f"--{form}"] for form in ("csv", "markdown", "latex")]
    commands += [["monitor", "export", what, "monitor.toml"] for what in ("rules", "grafana")]
    commands += [["monitor", "status", "monitor.toml", "--json"]]
    for command in commands:
        shown = set()
        for width in ("40", "2000"):
            monkeypatch.setenv("COLUMNS", width)
            code, out, err = shell(*command)
            assert (code, err) == (0, "")
            shown.add(re.sub(r'"(written|now|uptime)[^,]*', "", out))
        assert len(shown) == 1, command


@pytest.mark.skipif(os.name == "nt", reason="needs a shell")
@pytest.mark.parametrize(("verb", "command"), list(all_commands()))
def test_a_closed_pipe_is_silent(folder: Path, verb: str, command: list[str]) -> None:
    program = [sys.executable, "-c", ENTRY, *filled(command, folder)]
    for arguments in (program, [*program[:4], "--help"]):
        done = subprocess.Popen(
            arguments, cwd=folder, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
            env=os.environ | {"PYTHONUTF8": "1", "PYTHONUNBUFFERED": "1"},
        )  # fmt: skip
        assert done.stdout is not None
        assert done.stderr is not None
        done.stdout.close()
        assert done.stderr.read() == ""
        assert done.wait() == 0
        done.stderr.close()


@pytest.mark.skipif(os.name == "nt", reason="needs a pseudo-terminal")
def test_marks_are_coloured_on_a_terminal_only(folder: Path) -> None:
    command = [*EVALUATE, "--save", "colours"]
    piped = in_process(folder, *command, TERM="xterm")
    plain = on_terminal(folder, *command, NO_COLOR="1")
    coloured = on_terminal(folder, *command)
    assert "\x1b" not in piped.out
    assert "\x1b" not in plain
    assert re.search("\x1b\\[3[123]m[▲▼○▀▔▄▁]+\x1b\\[0m", coloured)
    assert re.sub("\x1b\\[[0-9;]*m", "", coloured) == plain


def on_terminal(folder: Path, *arguments: str, **environment: str) -> str:
    """What a command prints to a terminal of 80 columns."""
    import pty

    ours, its = pty.openpty()
    set_aside = {"NO_COLOR", "COLUMNS"}
    env = {key: value for key, value in os.environ.items() if key not in set_aside}
    with subprocess.Popen(
        [sys.executable, "-c", ENTRY, *arguments], cwd=folder, stdout=its,
        stderr=subprocess.DEVNULL, stdin=subprocess.DEVNULL,
        env=env | {"PYTHONUTF8": "1", "TERM": "xterm", "COLUMNS": "80", **environment},
    ):  # fmt: skip
        os.close(its)
        shown = b""
        while True:
            try:
                part = os.read(ours, 4096)
            except OSError:  # its end is closed
                part = b""
            if not part:
                break
            shown += part
    os.close(ours)
    return shown.decode().replace("\r\n", "\n")
