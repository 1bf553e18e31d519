"""streamgauge status: how far the experiments in a store are."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from streamgauge.cli.options import Debug


def status(
    store: Annotated[Path, typer.Argument(help="The folder given to `run`.")] = Path("results"),
    debug: Debug = False,
) -> None:
    """Done, running, failed, waiting, and the time left."""
    from streamgauge.experiments.status import status as look

    typer.echo("\n\n".join(map(str, look(store))))
