"""A user's module of learners, each with a flaw; tests copy it beside their specs."""

from __future__ import annotations

import os
import signal
import time
from pathlib import Path
from typing import Any

import numpy as np


class Constant:
    """Predicts one class; writes a line to the file `log` at every start."""

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


class Slow(Constant):
    """Takes `seconds` to start, and prints."""

    def __init__(self, seconds: float, log: str | None = None) -> None:
        super().__init__(0, log)
        self.seconds = seconds

    def start(self, schema: Any, seed: int) -> None:
        super().start(schema, seed)
        print("a learner's output must not reach the replies")
        time.sleep(self.seconds)


class Raising(Constant):
    """Raises after learning `after` rows."""

    def __init__(self, after: int, log: str | None = None) -> None:
        super().__init__(0, log)
        self.after = after

    def learn(self, X: Any, y: Any, w: Any) -> None:
        self.after -= len(X)
        if self.after < 0:
            raise ArithmeticError("too many rows")


class MemoryHungry(Constant):
    """Allocates `size` bytes, then waits."""

    def __init__(self, size: int) -> None:
        super().__init__()
        self.size = size

    def start(self, schema: Any, seed: int) -> None:
        super().start(schema, seed)
        allocated = np.ones(self.size // 8)
        time.sleep(30)
        assert allocated.all()


class SelfKilling(Constant):
    """Kills its own process at every start."""

    def start(self, schema: Any, seed: int) -> None:
        super().start(schema, seed)
        os.kill(os.getpid(), signal.SIGKILL)
