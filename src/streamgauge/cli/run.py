"""streamgauge run: run the cells of an experiment that are not in the store yet."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from streamgauge._support.printable import printable
from streamgauge.cli._options import Debug, Folder, Workers
from streamgauge.cli._terminal import command, echo


def run(
    experiment: Annotated[
        Path, typer.Argument(metavar="FILE", help="A TOML file (docs/experiments.md).")
    ],
    store: Folder = Path("results"),
    workers: Workers = None,
    ray: Annotated[
        str | None,
        typer.Option(metavar="ADDRESS", help="Run on a Ray cluster instead: its address, or auto."),
    ] = None,
    retry: Annotated[
        bool, typer.Option("--retry", help="Also run cells that failed before.")
    ] = False,
    debug: Debug = False,
) -> None:
    """Run an experiment that a TOML file describes.

    Runs every combination of stream, learner, label policy and seed. Runs already in the store are
    not repeated: stop the command at any time and repeat it to continue.

    \b
    Example: streamgauge run bench.toml --store results --workers 4
    """
    from streamgauge.experiments.grid import Grid
    from streamgauge.experiments.run_grid import run_grid
    from streamgauge.experiments.status import failure_line

    grid = Grid.read(experiment)
    results = run_grid(grid, store, workers=workers, ray=ray, retry=retry, started=echo)
    done, total = len(results), len(results.cell_results)
    echo(f"{printable(grid.name)}: {done:,} of {total:,} cells are in {store}")
    for cell, failure in results.failures:
        echo(failure_line(cell, failure))
        if debug:
            echo(failure.traceback, nl=not failure.traceback.endswith("\n"))
    if unknown := total - done - len(results.failures):
        echo(f"{unknown:,} cells have neither a run nor a failure.json: is {store} full?")
    if results.failures:
        echo(
            "Failed cells are missing from tables. Their folders contain failure.json with the "
            "reason and, if there is room, the traceback. To run them again, add --retry."
        )
    echo(f"\nNext: streamgauge table {command(store)}")
    if done < total:
        raise typer.Exit(1)
