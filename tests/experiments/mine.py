"""Learners of a user's own, each with a vice; copied beside the specs of tests."""

from __future__ import annotations

import os
import signal
import time
from pathlib import Path
from typing import Any

import numpy as np


class Calm:
    """Predicts the class it was told to; `log`: a file that gets a line for every start."""

    def __init__(self, code: int = 0, log: str | None = None) -> None:
        self.code, self.log = code, log

    def start(self, schema: Any, seed: int) -> None:
        self.k = len(schema.classes)
        if self.log is not None:
            with Path(self.log).open("a") as file:
                file.write(f"{seed}\n")

    def predict(self, X: Any) -> Any:
        return np.tile(np.arange(self.k) == self.code, (len(X), 1)).astype(float)

    def learn(self, X: Any, y: Any, w: Any) -> None:
        pass


class Slow(Calm):
    """Takes so many seconds to start."""

    def __init__(self, seconds: float, log: str | None = None) -> None:
        super().__init__(0, log)
        self.seconds = seconds

    def start(self, schema: Any, seed: int) -> None:
        super().start(schema, seed)
        print("what learners print is no answer")
        time.sleep(self.seconds)


class Raising(Calm):
    """Raises after so many lessons."""

    def __init__(self, after: int, log: str | None = None) -> None:
        super().__init__(0, log)
        self.after = after

    def learn(self, X: Any, y: Any, w: Any) -> None:
        self.after -= len(X)
        if self.after < 0:
            raise ArithmeticError("too many lessons")


class Greedy(Calm):
    """Fills so many bytes, and waits."""

    def __init__(self, size: int) -> None:
        super().__init__()
        self.size = size

    def start(self, schema: Any, seed: int) -> None:
        super().start(schema, seed)
        held = np.ones(self.size // 8)
        time.sleep(30)
        assert held.all()


class Mortal(Calm):
    """Its process is killed; `log` says how often."""

    def start(self, schema: Any, seed: int) -> None:
        super().start(schema, seed)
        os.kill(os.getpid(), signal.SIGKILL)
