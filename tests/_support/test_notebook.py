"""A line of a notebook that is updated in place."""

from __future__ import annotations

import contextlib
import sys
import time
from types import ModuleType, SimpleNamespace
from typing import Any

import pytest

from streamgauge._support.notebook import in_notebook
from streamgauge._support.progress import Progress
from tests._support.test_progress import Clock
from tests.hostile_text import HOSTILE, problems


class Notebook(ModuleType):
    """IPython in a kernel: keeps every state of every output."""

    def __init__(self, kernel: object) -> None:
        super().__init__("IPython")
        self.outputs: list[list[dict[str, str]]] = []
        self.display = ModuleType("IPython.display")
        self.display.display = self._display  # type: ignore[attr-defined]
        self._shell = SimpleNamespace(kernel=kernel)

    def get_ipython(self) -> Any:
        return self._shell

    def _display(self, data: dict[str, str], raw: bool, display_id: bool) -> Any:
        assert raw
        assert display_id
        states = [data]
        self.outputs.append(states)
        return SimpleNamespace(update=lambda data, raw: states.append(data))


@pytest.fixture
def notebook(monkeypatch: pytest.MonkeyPatch) -> Notebook:
    made = Notebook(object())
    monkeypatch.setitem(sys.modules, "IPython", made)
    monkeypatch.setitem(sys.modules, "IPython.display", made.display)
    monkeypatch.setenv("STREAMGAUGE_QUIET", "0")
    return made


@pytest.fixture
def clock(monkeypatch: pytest.MonkeyPatch) -> Clock:
    clock = Clock()
    monkeypatch.setattr(time, "monotonic", clock)
    return clock


def test_one_output_is_updated_in_place(
    notebook: Notebook, clock: Clock, capsys: pytest.CaptureFixture[str]
) -> None:
    with Progress("elec2", 45_000) as bar:
        for tenth in range(60):
            clock.now = 100.0 + tenth / 10
            bar.advance(tenth * 500)
    (states,) = notebook.outputs
    assert len(states) < 30  # not a message per block
    assert states[0]["text/plain"] == (
        "elec2: 5,000 of 45,000 rows (11%), 5,000 rows/s, about 8 s left"
    )
    assert '<progress value="0.1111" max="1"></progress>' in states[0]["text/html"]
    assert states[-1]["text/plain"] == "elec2: 29,500 rows in 6 s"
    assert "progress" not in states[-1]["text/html"]
    assert capsys.readouterr().err == ""


def test_short_and_quiet_tasks_show_nothing(
    notebook: Notebook, clock: Clock, monkeypatch: pytest.MonkeyPatch
) -> None:
    with Progress("short", 10) as bar:
        clock.now += 0.9
        bar.advance(10)
    for shown in (False, None):
        monkeypatch.setenv("STREAMGAUGE_QUIET", "1")
        with Progress("quiet", 10, shown) as bar:
            clock.now += 5
            bar.advance(5)
    assert notebook.outputs == []


def test_interrupted_task_says_so_and_hostile_names_stay_text(
    notebook: Notebook, clock: Clock
) -> None:
    with contextlib.suppress(KeyboardInterrupt), Progress(HOSTILE, None) as bar:
        clock.now += 5
        bar.advance(70)
        raise KeyboardInterrupt
    (states,) = notebook.outputs
    assert states[-1]["text/plain"].endswith(": stopped after 70 rows in 5 s")
    for state in states:
        assert "<script" not in state["text/html"]
        assert problems("".join(state.values())) == []


def test_terminal_of_ipython_and_plain_python_are_no_notebooks(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.delitem(sys.modules, "IPython", raising=False)
    assert not in_notebook()
    monkeypatch.setitem(sys.modules, "IPython", Notebook(None))
    assert not in_notebook()
    monkeypatch.setitem(sys.modules, "IPython", Notebook(object()))
    assert in_notebook()
