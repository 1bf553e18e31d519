"""streamgauge status: how far the experiments in a store are."""

from __future__ import annotations

from pathlib import Path

import typer

from streamgauge.cli._options import Debug, Store


def status(
    store: Store = Path("results"),
    debug: Debug = False,
) -> None:
    """Done, running, failed, waiting, and the time left."""
    from streamgauge.experiments.status import status as look

    typer.echo("\n\n".join(map(str, look(store))))
