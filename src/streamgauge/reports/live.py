"""`watch`: the page of a running study, served on this machine only."""

from __future__ import annotations

import contextlib
from collections.abc import Callable, Iterator
from pathlib import Path

from streamgauge._support.errors import UsageError
from streamgauge.reports._study import Study
from streamgauge.reports.server import HOST, LiveServer, listen, refreshed

PORT = 8765
_POLL_SECONDS = 1.0


@contextlib.contextmanager
def serve(
    folder: str | Path,
    port: int = PORT,
    metrics: tuple[str, ...] = (),
    experiment: str | None = None,
) -> Iterator[LiveServer]:
    """A server of the study in a folder; `serve_forever` runs it, and leaving the block ends it."""
    if not Path(folder).is_dir():
        raise UsageError(f"{folder}: no such folder; expected the one given to `run --store`")
    study = Study(Path(folder).absolute(), metrics, experiment)
    with (
        listen(HOST, port, study) as server,
        refreshed(study, _POLL_SECONDS),
    ):
        yield server


def watch(
    folder: str | Path,
    port: int = PORT,
    metrics: tuple[str, ...] = (),
    experiment: str | None = None,
    started: Callable[[str], None] = lambda address: None,
) -> None:
    """Serve the page of a study until Ctrl-C; `started` is called with its address."""
    with serve(folder, port, metrics, experiment) as server:
        started(server.address)
        with contextlib.suppress(KeyboardInterrupt):
            server.serve_forever(poll_interval=0.2)
