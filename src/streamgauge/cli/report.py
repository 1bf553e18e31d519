"""streamgauge report: results as one HTML page."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from streamgauge._support.inside import Inside
from streamgauge.cli._options import Debug, Experiment
from streamgauge.cli._terminal import echo

_NAMED = 5  # cells without a run; of more only the number is given


def report(
    places: Annotated[
        list[Path] | None,
        typer.Argument(
            metavar="STORE | RUN...",
            help="The folder of `run --store` or --save, or saved runs. Default: results.",
        ),
    ] = None,
    output: Annotated[
        Path | None,
        typer.Option(
            "--output", "-o", metavar="FILE", help="The page to write. Default: report.html."
        ),
    ] = None,
    metric: Annotated[
        list[str] | None,
        typer.Option(
            metavar="NAME",
            help="Of the table and the figures. Default: kappa in the table, accuracy along the "
            "stream.",
        ),
    ] = None,
    experiment: Experiment = None,
    title: Annotated[str | None, typer.Option(metavar="TEXT", help="Title of the page.")] = None,
    debug: Debug = False,
) -> None:
    """Write results as one HTML page.

    The page has the answer in words, tables to sort and filter, figures, settings, and the commands
    that repeat the runs. It is one file that loads nothing from the network.

    \b
    Example: streamgauge report results -o report.html
    """
    from streamgauge.rendering.words import plural
    from streamgauge.reports.report import write_report
    from streamgauge.reports.report_data import gather

    if output is None:
        output = Path("report.html")
        Inside.of(output).check()  # the user has not named it
    data = gather(places or [Path("results")], experiment, title)
    write_report(data, output, tuple(metric or ()))
    size = output.stat().st_size / 1e6
    echo(f"Page with {plural(len(data.entries), 'run')} written to {output} ({size:.1f} MB)")
    for hole in data.holes[:_NAMED]:
        echo(f"  {hole.status}: {hole.what}: {hole.reason}")
    if len(data.holes) > _NAMED:
        echo(f"  ... and {len(data.holes) - _NAMED:,} more cells without a run")
