"""streamgauge watch."""

from __future__ import annotations

import signal
import urllib.request
from pathlib import Path

import pytest

from tests.cli.running import Shell
from tests.experiments.stores import start


def test_errors_are_in_words(shell: Shell) -> None:
    code, _, err = shell("watch", "nowhere")
    assert code == 2
    assert "nowhere: no such folder; expected the one given to `run --store`" in err
    Path("store").mkdir()
    code, _, err = shell("watch", "store", "--port", "70000")
    assert code == 2
    assert "port 70000: expected a number from 0 (any free port) to 65535" in err


@pytest.mark.long
def test_serves_until_ctrl_c(tmp_path: Path) -> None:
    (tmp_path / "store").mkdir()
    process = start(tmp_path, "watch", "store", "--port", "0")
    assert process.stdout is not None
    line = process.stdout.readline().decode()
    address = next(word for word in line.split() if word.startswith("http://127.0.0.1:"))
    with urllib.request.urlopen(address, timeout=30) as answer:
        assert b"No run is complete yet." in answer.read()
    process.send_signal(signal.SIGINT)
    out, _ = process.communicate(timeout=30)
    assert process.returncode == 0, out
    assert out == b""
