"""streamgauge reproduce: run a paper's experiments and compare the results with its own."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from streamgauge._support.errors import MissingExtra, UsageError
from streamgauge._support.inside import Inside
from streamgauge.cli._options import Debug, Workers
from streamgauge.cli._terminal import echo

if TYPE_CHECKING:
    from streamgauge.papers.report import Report

ALL = "all"


def reproduce(
    paper: Annotated[
        str,
        typer.Argument(
            metavar="PAPER",
            help="gama2013, bifet2013, zliobaite2015, grzenda2019, ziffer2024, or all.",
        ),
    ],
    profile: Annotated[
        str,
        typer.Option(metavar="PROFILE", help="quick (minutes) or full (as in the paper)."),
    ] = "quick",
    only: Annotated[
        list[str] | None,
        typer.Option(metavar="PART", help="Only this part, e.g. table2."),
    ] = None,
    output: Annotated[
        Path | None,
        typer.Option(
            "--output",
            "-o",
            metavar="FILE",
            help="The report, .html, .md, .tex or .txt; with all: a folder. Default: "
            "PAPER-PROFILE.html in the store.",
        ),
    ] = None,
    store: Annotated[
        Path | None,
        typer.Option(metavar="FOLDER", help="Folder for the runs. Default: results/PAPER."),
    ] = None,
    workers: Workers = None,
    debug: Debug = False,
) -> None:
    """Reproduce the tables, figures and claims of a paper.

    Prints our results beside the paper's and judges its claims. Runs already in the store are not
    repeated: stop the command at any time and repeat it to continue.

    \b
    Example: streamgauge reproduce gama2013 --only table2 --output gama2013.html
    """
    from streamgauge.papers.catalog import paper_keys
    from streamgauge.papers.report import check_report_path
    from streamgauge.papers.reproduce import reproduce as run_paper

    if paper == ALL and only:
        raise UsageError("--only needs one paper; expected e.g. reproduce gama2013 --only table2")
    if output is not None and paper != ALL:
        check_report_path(output)  # before hours of work
    for key in paper_keys() if paper == ALL else [paper]:
        folder = Path("results") / key if store is None else store / key if paper == ALL else store
        path = _path(key, profile, folder, output, paper == ALL)
        if path != output:
            Inside.of(path).check()  # the user has not named it
        report = run_paper(key, profile, only or (), folder, workers=workers)
        echo(str(report))
        _save(report, path, output is not None)


def _path(key: str, profile: str, store: Path, output: Path | None, several: bool) -> Path:
    if output is None:
        return store / f"{key}-{profile}.html"
    return output / f"{key}.html" if several else output


def _save(report: Report, path: Path, asked: bool) -> None:
    """Write the report; a page that was not asked for may be missing for want of Altair."""
    try:
        echo(f"\nSaved to {report.save(path)}\n")
    except MissingExtra as error:
        if asked:
            raise
        echo(f"\nNo page with figures was written: {error}\n")
