"""streamgauge reproduce: a paper's tables and figures run again, ours beside the paper's."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from streamgauge._support.errors import UsageError
from streamgauge.cli._options import Debug

_PAPERS = ("ziffer2024",)


def reproduce(
    paper: Annotated[str, typer.Argument(help="ziffer2024: the TENET benchmark.")],
    profile: Annotated[
        str, typer.Option(help="quick (minutes) or full (as in the paper: hours).")
    ] = "quick",
    only: Annotated[
        list[str] | None,
        typer.Option(help="table1, table2, table3, fig3, fig4 or fig5; may be repeated."),
    ] = None,
    learner: Annotated[
        list[str] | None, typer.Option(help="Only this column, e.g. ARF; may be repeated.")
    ] = None,
    store: Annotated[
        Path | None, typer.Option(help="Keep cells and report there. Default: results/PAPER.")
    ] = None,
    workers: Annotated[int | None, typer.Option(help="Processes. Default: one a core.")] = None,
    debug: Debug = False,
) -> None:
    """Does a paper's table come out, and do its claims hold?

    Cells that the store has are not run again: stop it anywhere, and the same command goes on.
    """
    if paper not in _PAPERS:
        raise UsageError(f"no recipe for {paper!r}; there is {', '.join(_PAPERS)}")
    from streamgauge.papers.ziffer2024.reproduce import reproduce as run_recipe

    place = store or Path("results") / paper
    report = run_recipe(profile, only or (), place, learners=learner or (), workers=workers)
    typer.echo(str(report))
    typer.echo(f"\nSaved to {place / f'report-{profile}'}")
