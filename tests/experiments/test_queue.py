"""The queue of cells without a run."""

from __future__ import annotations

from pathlib import Path

from streamgauge.experiments._queue import Queue
from streamgauge.experiments._store import CellFailure, Store
from tests.experiments.stores import grid


def test_queue_skips_final_failures_and_retries_transient_ones(tmp_path: Path) -> None:
    store, made = Store(tmp_path), grid()
    store.open()
    raised, died = made.cells[0], made.cells[1]
    store.keep_failure(raised, CellFailure(raised.id, "raised", "an error"))
    store.keep_failure(died, CellFailure(died.id, "died", "killed"))
    queue = Queue(made.jobs, store, retry=False)
    assert (queue.total, queue.done, len(queue.failures), queue.initial_length) == (8, 0, 1, 7)
    assert Queue(made.jobs, store, retry=True).initial_length == 8


def test_locked_cells_are_handed_out_once(tmp_path: Path) -> None:
    store, made = Store(tmp_path), grid(learners=["NaiveBayes()"], seeds=1)
    store.open()
    first = Queue(made.jobs, store, retry=False).locked_jobs()
    second = Queue(made.jobs, store, retry=False).locked_jobs()
    (one, lock), (other, other_lock) = next(first), next(second)
    assert one.cell != other.cell
    assert store.lock(one.cell) is None
    lock.release()
    other_lock.release()


def test_finished_and_stopped_queues_end(tmp_path: Path) -> None:
    store, made = Store(tmp_path), grid(learners=["NaiveBayes()"], seeds=1)
    store.open()
    queue = Queue(made.jobs, store, retry=False)
    for job, lock in queue.locked_jobs():
        queue.finish(job, CellFailure(job.cell.id, "raised", "an error"))
        lock.release()
    assert queue.settled == queue.total == 2
    stopped = Queue(made.jobs, store, retry=False)
    stopped.stop()
    assert list(stopped.locked_jobs()) == []
