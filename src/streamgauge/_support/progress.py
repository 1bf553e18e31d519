"""Progress bars and messages on the terminal's error stream; silent without a terminal."""

from __future__ import annotations

import sys
import time
from types import TracebackType
from typing import Any

_SHOW_AFTER = 1.0  # seconds; shorter tasks show no bar


class Progress:
    """A progress bar on stderr: rows (or `unit`) done, rate and time left.

    Parameters
    ----------
    what
        Description shown beside the bar.
    total
        Units in all; None if unknown.
    shown
        Whether to show the bar; by default on a terminal.
    unit
        What is counted.
    """

    def __init__(
        self, what: str, total: int | None, shown: bool | None = None, unit: str = "rows"
    ) -> None:
        self._what, self._total, self._unit = what, total, unit
        self._shown = sys.stderr.isatty() if shown is None else shown
        self._started = time.monotonic()
        self._bar: Any = None
        self._task: Any = None

    def __enter__(self) -> Progress:
        return self

    def advance(self, done: int) -> None:
        """Set the number of units done so far."""
        if not self._shown:
            return
        if self._bar is None:
            if time.monotonic() - self._started < _SHOW_AFTER:
                return
            self._open()
        rate = done / max(time.monotonic() - self._started, 1e-9)
        shown = f"{rate:,.0f}" if rate >= 10 else f"{rate:.2g}"
        self._bar.update(self._task, completed=done, rate=f"{shown} {self._unit}/s")

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        if self._bar is not None:
            self._bar.stop()

    def _open(self) -> None:
        # Deferred: rich takes a tenth of a second to import, and most runs never show a bar.
        from rich.console import Console
        from rich.progress import BarColumn, MofNCompleteColumn, TextColumn, TimeRemainingColumn
        from rich.progress import Progress as RichProgress

        self._bar = RichProgress(
            TextColumn("{task.description}"),
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
    """Print a line to stderr if it is a terminal."""
    if sys.stderr.isatty():
        print(text, file=sys.stderr)
