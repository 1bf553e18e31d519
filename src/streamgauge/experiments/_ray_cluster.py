"""The same cells on a Ray cluster: each runs, watched, where Ray puts it, and its run comes back.

Streams are generated, or read from the same path, where the cell runs; streamgauge (and modules of
one's own) must be installed there. Ray runs a cell again elsewhere when its node is lost.
"""

from __future__ import annotations

import os
import tempfile
from pathlib import Path
from typing import Any

import msgspec

from streamgauge._support.errors import MissingExtra, UsageError
from streamgauge.experiments._jobs import Job
from streamgauge.experiments._supervisor import Stopped, Worker
from streamgauge.experiments._worker import Answer

_RETRIES = 5  # of Ray's own, when a node or process of it is lost
_WORKERS: dict[
    tuple[float | None, int | None], Worker
] = {}  # of this process, which Ray uses again


def connect(address: str, timeout: float | None, max_memory: int | None) -> Cluster:
    """To a cluster by its address ("auto": this machine's), unless there is one already."""
    os.environ.setdefault("RAY_USAGE_STATS_ENABLED", "0")
    try:
        import ray
    except ImportError:
        raise MissingExtra("ray", "ray") from None
    ours = not ray.is_initialized()
    if ours:
        try:
            ray.init(address=address, log_to_driver=False, logging_level="ERROR")
        except (ConnectionError, ValueError, RuntimeError) as error:
            raise UsageError(
                f"--ray {address}: no Ray cluster answers ({error}); start one with `ray start "
                "--head`, or leave --ray out for processes of this machine"
            ) from None
    return Cluster(ray, ours, timeout, max_memory)


class Cluster:
    """A cluster that was connected to."""

    def __init__(self, ray: Any, ours: bool, timeout: float | None, max_memory: int | None) -> None:
        self._ray, self._ours = ray, ours
        play = ray.remote(_play).options(num_cpus=1, max_retries=_RETRIES)
        self._task = lambda job: play.remote(job, timeout, max_memory)

    @property
    def cores(self) -> int:
        """As many cells can run at once."""
        return max(1, int(self._ray.cluster_resources().get("CPU", 1)))

    def runner(self) -> _Runner:
        """Whoever waits for one cell at a time."""
        return _Runner(self._ray, self._task)

    def close(self) -> None:
        """Leave it, if it was entered for this."""
        if self._ours:
            self._ray.shutdown()


class _Runner:
    def __init__(self, ray: Any, task: Any) -> None:
        self._ray, self._task = ray, task
        self._waiting: Any = None
        self._stopped = False

    def run(self, job: Job, folder: Path) -> Answer:
        self._waiting = self._task(msgspec.json.encode(job))
        try:
            told, files = self._ray.get(self._waiting)
        except self._ray.exceptions.RayError as error:
            if self._stopped:
                raise Stopped from None
            return Answer("died", "", f"Ray lost it: {str(error).splitlines()[0]}", str(error))
        finally:
            self._waiting = None
        answer = msgspec.json.decode(told, type=Answer)
        if answer.kind != "done":
            return answer
        place = folder / job.cell.place
        place.mkdir()
        for name, content in files.items():
            (place / name).write_bytes(content)
        return Answer("done", str(place))

    def stop(self) -> None:
        self._stopped = True
        if self._waiting is not None:
            self._ray.cancel(self._waiting, force=True)


def _play(job: bytes, timeout: float | None, max_memory: int | None) -> tuple[bytes, Any]:
    """On the node: a cell's answer, and the files of its run."""
    worker = _WORKERS.setdefault((timeout, max_memory), Worker(timeout, max_memory))
    with tempfile.TemporaryDirectory(prefix="streamgauge-") as folder:
        answer = worker.run(msgspec.json.decode(job, type=Job), Path(folder))
        files = {}
        if answer.kind == "done":
            files = {file.name: file.read_bytes() for file in Path(answer.place).iterdir()}
    return msgspec.json.encode(answer), files
