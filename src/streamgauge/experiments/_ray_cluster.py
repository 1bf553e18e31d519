"""Runs cells on a Ray cluster; the only module that imports Ray.

Each cell runs under a supervisor on the node that Ray chooses, and the files of its run come back.
The node generates the stream, or reads it from the same path; streamgauge is installed there, and
the user's modules are at the same path. When a node is lost, Ray runs its cells again on another.
"""

from __future__ import annotations

import os
import tempfile
from pathlib import Path
from typing import Any

import msgspec

from streamgauge._support.errors import MissingExtra, UsageError
from streamgauge.experiments._jobs import Job
from streamgauge.experiments._supervisor import Supervisor, SupervisorStopped
from streamgauge.experiments._worker import Reply

_RETRIES = 5  # by Ray, when a node or a Ray process is lost
# By limits, in a Ray process on a node: Ray reuses its processes, so workers are reused too.
_SUPERVISORS: dict[tuple[float | None, int | None], Supervisor] = {}


def connect(address: str, timeout: float | None, max_memory: int | None) -> Cluster:
    """Connect to the cluster at an address ("auto": the local one), unless already connected."""
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
                f"ray={address!r}: no Ray cluster answers ({error}); start one with `ray start "
                "--head`, or leave the option out to use worker processes on this machine"
            ) from None
    return Cluster(ray, ours, timeout, max_memory)


class Cluster:
    """A connected Ray cluster."""

    def __init__(self, ray: Any, ours: bool, timeout: float | None, max_memory: int | None) -> None:
        self._ray, self._ours = ray, ours
        task = ray.remote(_run_on_node).options(num_cpus=1, max_retries=_RETRIES)
        self._submit = lambda job: task.remote(job, timeout, max_memory)

    @property
    def cores(self) -> int:
        """Number of cells that can run at once."""
        return max(1, int(self._ray.cluster_resources().get("CPU", 1)))

    def runner(self) -> _RayRunner:
        """A runner that submits one cell at a time and waits for it."""
        return _RayRunner(self._ray, self._submit)

    def close(self) -> None:
        """Disconnect, if `connect` made the connection."""
        if self._ours:
            self._ray.shutdown()


class _RayRunner:
    def __init__(self, ray: Any, submit: Any) -> None:
        self._ray, self._submit = ray, submit
        self._waiting: Any = None
        self._stopped = False

    def run(self, job: Job, folder: Path) -> Reply:
        self._waiting = self._submit(msgspec.json.encode(job))
        try:
            encoded, files = self._ray.get(self._waiting)
        except self._ray.exceptions.RayError as error:
            if self._stopped:
                raise SupervisorStopped from None
            message = f"Ray lost the cell: {str(error).splitlines()[0]}"
            return Reply("died", "", message, str(error))
        finally:
            self._waiting = None
        reply = msgspec.json.decode(encoded, type=Reply)
        if reply.kind != "done":
            return reply
        directory = folder / job.cell.directory
        directory.mkdir()
        for name, content in files.items():
            (directory / name).write_bytes(content)
        return Reply("done", str(directory))

    def stop(self) -> None:
        self._stopped = True
        if self._waiting is not None:
            self._ray.cancel(self._waiting, force=True)


def _run_on_node(job: bytes, timeout: float | None, max_memory: int | None) -> tuple[bytes, Any]:
    """Run a cell on the node; return its encoded reply and the files of its run."""
    limits = (timeout, max_memory)
    supervisor = _SUPERVISORS.setdefault(limits, Supervisor(*limits))
    with tempfile.TemporaryDirectory(prefix="streamgauge-") as folder:
        reply = supervisor.run(msgspec.json.decode(job, type=Job), Path(folder))
        files = {}
        if reply.kind == "done":
            files = {file.name: file.read_bytes() for file in Path(reply.directory).iterdir()}
    return msgspec.json.encode(reply), files
