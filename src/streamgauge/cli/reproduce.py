"""streamgauge reproduce: run a paper's experiments and compare the results with its own."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from streamgauge._support.errors import UsageError
from streamgauge.cli._options import Debug, Workers
from streamgauge.cli._terminal import echo

_PAPERS = ("ziffer2024",)


def reproduce(
    paper: Annotated[
        str, typer.Argument(metavar="PAPER", help="ziffer2024 (the TENET benchmark).")
    ],
    profile: Annotated[
        str,
        typer.Option(metavar="PROFILE", help="quick (minutes) or full (hours, as in the paper)."),
    ] = "quick",
    only: Annotated[
        list[str] | None,
        typer.Option(
            metavar="PART", help="table1, table2, table3, fig3, fig4 or fig5. May be repeated."
        ),
    ] = None,
    learner: Annotated[
        list[str] | None,
        typer.Option(metavar="COLUMN", help="Only this column, e.g. ARF. May be repeated."),
    ] = None,
    store: Annotated[
        Path | None,
        typer.Option(metavar="FOLDER", help="Folder for runs and report. Default: results/PAPER."),
    ] = None,
    workers: Workers = None,
    debug: Debug = False,
) -> None:
    """Reproduce the tables, figures and claims of a paper.

    Prints our results beside the paper's. Runs already in the store are not repeated: stop the
    command at any time and repeat it to continue.

    \b
    Example: streamgauge reproduce ziffer2024 --only table2 --learner ARF
    """
    if paper not in _PAPERS:
        raise UsageError(f"unknown paper {paper!r}; expected one of {', '.join(_PAPERS)}")
    from streamgauge.papers.ziffer2024.reproduce import reproduce as run_paper

    folder = store or Path("results") / paper
    report = run_paper(profile, only or (), folder, learners=learner or (), workers=workers)
    echo(str(report))
    echo(f"\nSaved to {folder / f'report-{profile}'}")
