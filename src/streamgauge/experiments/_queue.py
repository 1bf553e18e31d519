"""What is left of an experiment, handed out cell by cell to whoever asks."""

from __future__ import annotations

import threading
from collections import deque
from collections.abc import Iterator

from streamgauge.experiments._jobs import Job
from streamgauge.experiments._locks import Claim
from streamgauge.experiments._store import Failure, Store

_ASK_AGAIN = 0.5  # seconds, for cells that another program has


class Todo:
    """Cells without a run, each claimed before it is handed out."""

    def __init__(self, jobs: list[Job], store: Store, retry: bool) -> None:
        self._store, self._retry = store, retry
        self._lock = threading.Lock()
        self._stop = threading.Event()
        self.failures: dict[str, tuple[Job, Failure]] = {}  # by id: known before, or new
        self.done = 0  # by this program or another
        self._left: deque[Job] = deque()
        cells = {job.cell.id: job for job in jobs}  # two cells may be one run
        self.total = len(cells)
        for job in cells.values():
            if not self._is_settled(job):
                self._left.append(job)
        self.to_do = len(self._left)

    @property
    def settled(self) -> int:
        """Cells that have their run, or have failed."""
        return self.done + len(self.failures)

    def claimed(self) -> Iterator[tuple[Job, Claim]]:
        """A cell after another, until all are settled, by this program or another."""
        while not self._stop.is_set():
            with self._lock:
                found = self._next()
                empty = not self._left
            if found is not None:
                yield found
            elif empty:
                return
            else:
                self._stop.wait(_ASK_AGAIN)

    def _next(self) -> tuple[Job, Claim] | None:
        for _ in range(len(self._left)):
            job = self._left.popleft()
            claim = self._store.claim(job.cell)
            if claim is None:
                self._left.append(job)
            elif self._is_settled(job):
                claim.release()
            else:
                return job, claim
        return None

    def _is_settled(self, job: Job) -> bool:
        """Has it a run, or a failure that is not to be tried again? Maybe another program's."""
        if self._store.is_done(job.cell):
            self.done += 1
            return True
        failure = self._store.failure(job.cell)
        if failure is None or failure.is_the_machines or self._retry:
            return False
        self.failures[job.cell.id] = (job, failure)
        return True

    def finished(self, job: Job, failure: Failure | None) -> None:
        """A cell has its run, or has failed."""
        with self._lock:
            if failure is None:
                self.done += 1
            else:
                self.failures[job.cell.id] = (job, failure)

    def stop(self) -> None:
        """Hand out no more."""
        self._stop.set()
