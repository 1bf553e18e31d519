"""Progress and messages: a bar on a terminal or in a notebook, a line every 30 seconds elsewhere.

STREAMGAUGE_QUIET=1 in the environment silences both.
"""

from __future__ import annotations

import math
import os
import sys
import time
from types import TracebackType
from typing import Any

from streamgauge._support.notebook import NotebookLine, in_notebook
from streamgauge._support.printable import printable

_SHOW_AFTER = 1.0  # seconds; shorter tasks show no bar
_LINE_EVERY = 30.0  # seconds
_UPDATE_EVERY = 0.2  # seconds, in a notebook: each update is a message to the browser


class Progress:
    """Progress on stderr or in a notebook: rows (or `unit`) done, rate and time left.

    Parameters
    ----------
    what
        Description of the task.
    total
        Units in all; None if unknown.
    shown
        True shows a bar, False nothing; by default a bar on a terminal or in a notebook, elsewhere
        lines.
    unit
        What is counted.
    """

    def __init__(
        self, what: str, total: int | None, shown: bool | None = None, unit: str = "rows"
    ) -> None:
        self._what, self._total, self._unit = printable(what), total, unit
        silent = shown is False or (shown is None and _is_quiet()) or sys.stderr is None
        self._notebook = NotebookLine() if in_notebook() and not silent else None
        silent = silent or self._notebook is not None
        self._has_bar = not silent and (bool(shown) or sys.stderr.isatty())
        self._has_lines = not silent and not self._has_bar
        self._started = self._line_at = time.monotonic()
        self._bar: Any = None
        self._task: Any = None
        self._done = 0
        self._shown_at = -math.inf  # in a notebook

    def __enter__(self) -> Progress:
        return self

    def advance(self, done: int) -> None:
        """Set the number of units done so far."""
        self._done = done
        if self._notebook is not None:
            self._advance_notebook(done)
        elif self._has_bar:
            self._advance_bar(done)
        elif self._has_lines and time.monotonic() - self._line_at >= _LINE_EVERY:
            self._line_at = time.monotonic()
            show_message(self._line(done))

    def _advance_bar(self, done: int) -> None:
        if self._bar is None:
            if time.monotonic() - self._started < _SHOW_AFTER:
                return
            self._open()
        self._bar.update(self._task, completed=done, rate=self._rate(done)[1])

    def _advance_notebook(self, done: int) -> None:
        now = time.monotonic()
        if self._notebook is None or now - self._started < _SHOW_AFTER:
            return
        if now - self._shown_at >= _UPDATE_EVERY:
            self._shown_at = now
            fraction = done / self._total if self._total else None
            self._notebook.show(self._line(done), fraction)

    def _rate(self, done: int) -> tuple[float, str]:
        rate = done / max(time.monotonic() - self._started, 1e-9)
        shown = f"{rate:,.0f}" if rate >= 10 else f"{rate:.2g}"
        return rate, f"{shown} {self._unit}/s"

    def _line(self, done: int) -> str:
        """What a bar shows, in a line."""
        rate, shown = self._rate(done)
        if self._total is None:
            return f"{self._what}: {done:,} {self._unit}, {shown}"
        left = f", about {duration((self._total - done) / rate)} left" if done else ""
        part = f"{done:,} of {self._total:,} {self._unit} ({done / self._total:.0%})"
        return f"{self._what}: {part}, {shown}{left}"

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        if self._bar is not None:
            self._bar.stop()
        if self._notebook is not None and self._shown_at > -math.inf:
            seconds = duration(time.monotonic() - self._started)
            ended = "stopped after " if error is not None else ""
            text = f"{self._what}: {ended}{self._done:,} {self._unit} in {seconds}"
            self._notebook.show(text, None)

    def _open(self) -> None:
        # Deferred: rich takes a tenth of a second to import, and most runs never show a bar.
        from rich.console import Console
        from rich.progress import BarColumn, MofNCompleteColumn, TextColumn, TimeRemainingColumn
        from rich.progress import Progress as RichProgress

        self._bar = RichProgress(
            TextColumn("{task.description}", markup=False),
            BarColumn(),
            MofNCompleteColumn(),
            TextColumn("{task.fields[rate]}"),
            TimeRemainingColumn(),
            console=Console(stderr=True),
            transient=True,
        )
        self._task = self._bar.add_task(self._what, total=self._total, rate="")
        self._bar.start()


def show_message(text: str) -> None:
    """Print a line to stderr."""
    if not _is_quiet() and sys.stderr is not None:  # None if it is closed
        print(printable(text), file=sys.stderr, flush=True)


def _is_quiet() -> bool:
    return os.environ.get("STREAMGAUGE_QUIET", "") not in ("", "0")


def duration(seconds: float) -> str:
    """Format seconds: 40 s, 12 min, 3.5 h, 2.1 days."""
    for unit, size, limit in (("s", 1, 120), ("min", 60, 7200), ("h", 3600, 172800)):
        if seconds < limit:
            shown = seconds / size
            return f"{shown:.0f} {unit}" if unit != "h" else f"{shown:.1f} {unit}"
    return f"{seconds / 86400:.1f} days"
