"""Replays a log into growing files: every line is written when its time has come."""

from __future__ import annotations

from pathlib import Path
from typing import IO

import numpy as np

from streamgauge._support.types import NEVER
from streamgauge.monitoring.demo._logs import DemoLog

ASKED, ANSWERS = "predictions.csv", "labels.csv"


class Replay:
    """The files of a log up to a moment of its time."""

    def __init__(self, log: DemoLog, folder: Path) -> None:
        self._log = log
        self._asked: IO[str] = (folder / ASKED).open("w", encoding="utf-8")
        self._answers: IO[str] = (folder / ANSWERS).open("w", encoding="utf-8")
        segment = "" if log.segments is None else ",origin"
        self._asked.write(f"id,time,model,prediction{segment}\n")
        self._answers.write("id,time,label\n")
        self._order = np.argsort(log.revealed, kind="stable")
        self._came = log.revealed[self._order]
        self._rows, self._labels = 0, 0

    @property
    def start(self) -> int:
        """When the log begins."""
        return int(self._log.arrives[0])

    @property
    def end(self) -> int:
        """When the last row has arrived and the last label has come."""
        known = self._came[self._came != NEVER]
        return int(max([self._log.arrives[-1], *known[-1:]])) + 1

    @property
    def done(self) -> bool:
        """Whether everything has been written."""
        labels = int(np.searchsorted(self._came, NEVER))
        return self._rows == len(self._log) and self._labels == labels

    def write_until(self, now: int) -> None:
        """Write all lines before a moment: labels last, as they come after their predictions."""
        rows = int(np.searchsorted(self._log.arrives, now))
        if rows > self._rows:
            self._asked.writelines(map(self._predictions, range(self._rows, rows)))
            self._asked.flush()
            self._rows = rows
        labels = int(np.searchsorted(self._came, min(now, NEVER)))
        if labels > self._labels:
            due = self._order[self._labels : labels].tolist()
            self._answers.writelines(map(self._label, due))
            self._answers.flush()
            self._labels = labels

    def _predictions(self, row: int) -> str:
        log = self._log
        time = _text(log.arrives[row])
        segment = "" if log.segments is None else f",{log.segments[row]}"
        return "".join(
            f"{row},{time},{model},{texts[row]}{segment}\n"
            for model, texts in log.predictions.items()
        )

    def _label(self, row: int) -> str:
        return f"{row},{_text(self._log.revealed[row])},{self._log.labels[row]}\n"

    def close(self) -> None:
        """Close the files."""
        self._asked.close()
        self._answers.close()


def _text(time: np.int64) -> str:
    return f"{np.datetime64(int(time), 'ns').astype('datetime64[s]')}Z"
