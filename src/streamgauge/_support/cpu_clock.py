"""The CPU seconds of a learner: of its thread and of its helpers, without compiling kernels."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from typing import Any

from numba.core import event as numba_events

_COMPILE = "numba:compile"
Map = Callable[..., Iterable[Any]]


class _Thread(threading.local):
    """What one thread has spent beside its own work."""

    helpers = 0.0
    compiling = 0.0
    depth = 0  # a kernel compiles those that it calls
    began = 0.0


_this = _Thread()


class _CompileClock(numba_events.Listener):  # type: ignore[misc]  # numba has no types
    """Adds up what compiling takes; numba calls it at each kernel that is not cached."""

    def on_start(self, event: Any) -> None:
        """Start the clock, unless it is running."""
        if _this.depth == 0:
            _this.began = time.thread_time()
        _this.depth += 1

    def on_end(self, event: Any) -> None:
        """Stop the clock at the end of the outermost kernel."""
        _this.depth -= 1
        if _this.depth == 0:
            _this.compiling += time.thread_time() - _this.began


numba_events.register(_COMPILE, _CompileClock())


def cpu_seconds() -> float:
    """CPU seconds of this thread and its helpers so far, except those of compiling kernels.

    >>> cpu_seconds() <= cpu_seconds()
    True
    """
    return time.thread_time() + _this.helpers - _this.compiling


@contextmanager
def helpers(n_jobs: int) -> Iterator[Map]:
    """A `map` over `n_jobs` threads whose CPU seconds count as this thread's; plain `map` for one.

    >>> with helpers(2) as each:
    ...     print(list(each(pow, [2, 3], [3, 2])))
    [8, 9]
    """
    if n_jobs == 1:
        yield map
        return
    spent: list[float] = []

    def timed(job: Callable[..., Any]) -> Callable[..., Any]:
        def run(*given: Any) -> Any:
            began = cpu_seconds()
            try:
                return job(*given)
            finally:
                spent.append(cpu_seconds() - began)

        return run

    try:
        with ThreadPoolExecutor(n_jobs) as threads:
            yield lambda job, *given: threads.map(timed(job), *given)
    finally:
        _this.helpers += sum(spent)
