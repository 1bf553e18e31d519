"""streamgauge monitor: follows files, says so in its exit code."""

from __future__ import annotations

import json
from pathlib import Path

from tests.cli.running import Shell
from tests.monitoring.loans import CONFIG as LOANS
from tests.monitoring.loans import write_loans
from tests.monitoring.logs import random_log, write_events

CONFIG = """
classes = ["a", "b", "c"]
snapshot = "10ms"
[predictions]
path = "p.csv"
prediction = "prediction"
[labels]
path = "l.csv"
[join]
timeout = 50
remember = 20
[scores]
forget = ["Cumulative()", "Window(20)", "Fading(0.9)", "TimeWindow(30)"]
every = 10
[[alarms]]
over = "Window(20)"
below = {below}
rows = 20
"""


def write(folder: Path, below: float = 0.1, rows: int = 200) -> None:
    (folder / "monitor.toml").write_text(CONFIG.replace("{below}", str(below)))
    predictions, labels = random_log(rows, seed=1)
    write_events(folder / "p.csv", predictions, "prediction")
    write_events(folder / "l.csv", labels, "label")


def unwrapped(text: str) -> str:
    return " ".join(text.split())


def test_init_writes_a_configuration_that_runs(shell: Shell, tmp_path: Path) -> None:
    write(tmp_path)
    assert shell("monitor", "init", "p.csv", "l.csv", "-o", "first.toml").code == 0
    code, out, _ = shell("monitor", "first.toml", "--once")
    assert code in (0, 3)
    assert "lines read: 200 (predictions), 183 (labels)" in unwrapped(out)
    again = shell("monitor", "init", "p.csv", "l.csv", "-o", "first.toml")
    assert (again.code, "exists; give another name" in unwrapped(again.err)) == (2, True)


def test_once_prints_the_status_and_keeps_the_state(shell: Shell, tmp_path: Path) -> None:
    write(tmp_path)
    code, out, err = shell("monitor", "monitor.toml", "--once")
    assert (code, err) == (0, "")
    assert "No alarm (1 rule)." in out
    assert "lines read: 200 (predictions), 183 (labels)" in out
    assert "Estimate: 91.8% of rows get a label, half of these within 20." in out
    assert (tmp_path / "monitor-state" / "snapshot").exists()
    again = shell("monitor", "status", "monitor.toml", "--json")
    assert json.loads(again.out)["lines"]["predictions"] == 200


def test_there_is_no_status_before_the_first_start(shell: Shell, tmp_path: Path) -> None:
    write(tmp_path)
    code, _, err = shell("monitor", "status", "monitor.toml")
    assert code == 2
    assert "monitor-state: no state yet; start it: streamgauge monitor monitor.toml" in unwrapped(
        err
    )


def test_an_alarm_is_an_exit_code(shell: Shell, tmp_path: Path) -> None:
    write(tmp_path, below=0.99)
    code, out, _ = shell("monitor", "run", "monitor.toml", "--once")
    assert code == 3
    assert "ALARM accuracy over Window(20) below 0.99 (monitor) since time " in unwrapped(out)
    assert " at the last check " in unwrapped(out)


def test_segments_say_over_what_they_are_measured(shell: Shell, tmp_path: Path) -> None:
    write_loans(tmp_path, 400)
    (tmp_path / "loans.toml").write_text(LOANS)
    out = shell("monitor", "loans.toml", "--once").out
    assert " region=n, Window(200) (n = 1" in unwrapped(out)


def test_a_misspelt_command_is_suggested(shell: Shell, tmp_path: Path) -> None:
    write(tmp_path)
    code, out, err = shell("monitor", "statu", "monitor.toml")
    assert (code, out) == (2, "")
    assert "no file or command 'statu' (did you mean 'status'?)" in err
    (tmp_path / "statu").write_text((tmp_path / "monitor.toml").read_text())
    assert shell("monitor", "statu", "--once").code == 0  # a configuration may have any name


def test_help_shows_the_short_form_and_once(shell: Shell) -> None:
    out = shell("monitor", "--help").out
    assert "Usage: streamgauge monitor [OPTIONS] FILE|COMMAND" in out
    assert "streamgauge monitor monitor.toml --once" in out


def test_final_counts_what_waits_its_turn_and_changes_no_state(
    shell: Shell, tmp_path: Path
) -> None:
    write(tmp_path)
    shell("monitor", "monitor.toml", "--once")
    held = json.loads(shell("monitor", "status", "monitor.toml", "--json").out)["held"]
    final = json.loads(shell("monitor", "monitor.toml", "--final", "--json").out)
    assert final["held"] == 0 < held
    assert json.loads(shell("monitor", "status", "monitor.toml", "--json").out)["held"] == held


def test_a_mistake_in_the_file_is_one_line(shell: Shell, tmp_path: Path) -> None:
    write(tmp_path)
    text = (tmp_path / "monitor.toml").read_text().replace("timeout", "timeuot")
    (tmp_path / "monitor.toml").write_text(text)
    code, out, err = shell("monitor", "monitor.toml")
    assert (code, out) == (2, "")
    assert "line 10: join: unknown key 'timeuot' (did you mean 'timeout'?)" in unwrapped(err)
