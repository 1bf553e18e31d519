"""streamgauge watch: follow a running experiment in a browser."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from streamgauge.cli._options import Debug, Experiment, Store
from streamgauge.cli._terminal import echo, flush_output


def watch(
    store: Store = Path("results"),
    port: Annotated[
        int, typer.Option(metavar="N", help="Port to serve on; 0 takes any free one.")
    ] = 8765,
    metric: Annotated[
        list[str] | None,
        typer.Option(metavar="NAME", help="Of the table and the figures, as of `report`."),
    ] = None,
    experiment: Experiment = None,
    debug: Debug = False,
) -> None:
    """Follow an experiment in a browser while it runs.

    Serves the page of `streamgauge report` on this machine only and keeps it up to date: cells
    done, running and failed, the time left, tables and figures as runs are saved. Ctrl-C ends it.

    \b
    Example: streamgauge watch results
    """
    from streamgauge.reports.live import watch as watch_study

    def started(address: str) -> None:
        echo(f"{store} is shown at {address} on this machine. Ctrl-C ends it.")
        flush_output()

    watch_study(store, port, tuple(metric or ()), experiment, started)
