"""streamgauge run: every cell of an experiment that the store does not have yet."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from streamgauge.cli._options import Debug, Folder


def run(
    experiment: Annotated[Path, typer.Argument(help="A TOML file (docs/experiments.md).")],
    store: Folder = Path("results"),
    workers: Annotated[
        int | None, typer.Option(help="Processes. Default: as many as there are cores.")
    ] = None,
    ray: Annotated[
        str | None, typer.Option(help="Instead on a Ray cluster: its address, or auto.")
    ] = None,
    retry: Annotated[bool, typer.Option(help="Also try again what failed before.")] = False,
    debug: Debug = False,
) -> None:
    """Run an experiment; stopped or killed, the same command goes on."""
    from streamgauge.experiments.grid import Grid
    from streamgauge.experiments.run import run as run_grid
    from streamgauge.experiments.status import failure_line

    grid = Grid.read(experiment)
    results = run_grid(grid, store, workers=workers, ray=ray, retry=retry, started=typer.echo)
    done, total = len(results), len(results.cell_results)
    typer.echo(f"{grid.name}: {done:,} of {total:,} cells are in {store}")
    for cell, failure in results.failures:
        typer.echo(failure_line(cell, failure))
    if done < total:
        typer.echo(
            "Failed cells are holes in tables; why, in full: failure.json in their folders. Try "
            "them again: --retry"
        )
    typer.echo(f"\nNext: streamgauge table {store}")
    if done < total:
        raise typer.Exit(1)
