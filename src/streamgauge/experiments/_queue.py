"""The queue of an experiment: cells without a run, handed out one by one to runners."""

from __future__ import annotations

import threading
from collections import deque
from collections.abc import Iterator

from streamgauge._support.locks import Lock
from streamgauge.experiments._jobs import Job
from streamgauge.experiments._store import CellFailure, Store

_POLL_SECONDS = 0.5  # for cells that another program has locked


class Queue:
    """Jobs of cells without a run; a cell is locked before it is handed out."""

    def __init__(self, jobs: list[Job], store: Store, retry: bool) -> None:
        self._store, self._retry = store, retry
        self._mutex = threading.Lock()
        self._stop = threading.Event()
        self.failures: dict[str, tuple[Job, CellFailure]] = {}  # earlier and new ones, by id
        self.done = 0  # by this program or another
        self._waiting: deque[Job] = deque()
        by_id = {job.cell.id: job for job in jobs}  # two cells may need the same run
        self.total = len(by_id)
        for job in by_id.values():
            if not self._is_settled(job):
                self._waiting.append(job)
        self.initial_length = len(self._waiting)

    @property
    def settled(self) -> int:
        """Number of cells that have a run or have failed."""
        return self.done + len(self.failures)

    def locked_jobs(self) -> Iterator[tuple[Job, Lock]]:
        """Yield a job and its lock until this program or another has settled every cell."""
        while not self._stop.is_set():
            with self._mutex:
                found = self._next()
                empty = not self._waiting
            if found is not None:
                yield found
            elif empty:
                return
            else:
                self._stop.wait(_POLL_SECONDS)

    def _next(self) -> tuple[Job, Lock] | None:
        for _ in range(len(self._waiting)):
            job = self._waiting.popleft()
            lock = self._store.lock(job.cell)
            if lock is None:
                self._waiting.append(job)
            elif self._is_settled(job):
                lock.release()
            else:
                return job, lock
        return None

    def _is_settled(self, job: Job) -> bool:
        """Whether the cell has a run or a final failure, from this program or another."""
        if self._store.is_done(job.cell):
            self.done += 1
            return True
        failure = self._store.failure(job.cell)
        if failure is None or failure.is_transient or self._retry:
            return False
        self.failures[job.cell.id] = (job, failure)
        return True

    def finish(self, job: Job, failure: CellFailure | None) -> None:
        """Record that a cell has its run, or has failed."""
        with self._mutex:
            if failure is None:
                self.done += 1
            else:
                self.failures[job.cell.id] = (job, failure)

    def stop(self) -> None:
        """Hand out no more jobs."""
        self._stop.set()
