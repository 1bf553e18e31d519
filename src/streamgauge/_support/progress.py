"""A progress bar for whatever takes over a second; silent when nobody watches."""

from __future__ import annotations

import sys
import time
from types import TracebackType
from typing import Any

_PATIENCE = 1.0  # seconds before a bar is shown


class Progress:
    """Rows (or `unit`s) done, so many per second, time left, on the terminal's error stream."""

    def __init__(
        self, what: str, total: int | None, shown: bool | None = None, unit: str = "rows"
    ) -> None:
        self._what, self._total, self._unit = what, total, unit
        self._shown = sys.stderr.isatty() if shown is None else shown
        self._began = time.monotonic()
        self._bar: Any = None
        self._task: Any = None

    def __enter__(self) -> Progress:
        return self

    def advance(self, done: int) -> None:
        """So many are done."""
        if not self._shown:
            return
        if self._bar is None:
            if time.monotonic() - self._began < _PATIENCE:
                return
            self._open()
        rate = done / max(time.monotonic() - self._began, 1e-9)
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


def say(what: str) -> None:
    """A line for whoever watches."""
    if sys.stderr.isatty():
        print(what, file=sys.stderr)
