"""Several runs over one stream, as `evaluate` returns them: printing them shows one table."""

from __future__ import annotations

from streamgauge._support.printable import printed
from streamgauge.runs.run import Run
from streamgauge.runs.text import show_runs


class RunList(list[Run]):
    """A list of runs."""

    @printed
    def __str__(self) -> str:
        return show_runs(self)

    __repr__ = __str__


class RunDict(dict[str, Run]):
    """Runs by name."""

    @printed
    def __str__(self) -> str:
        return show_runs(list(self.values()))

    __repr__ = __str__
