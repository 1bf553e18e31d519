"""The command line, one verb per file.

Verbs import numpy and the rest of streamgauge when they run, so that `streamgauge --help` is fast.
"""

from __future__ import annotations

import sys
import traceback

import typer

from streamgauge._support.errors import LearnerError, StreamgaugeError
from streamgauge.cli.compare import compare
from streamgauge.cli.data import data
from streamgauge.cli.demo import demo
from streamgauge.cli.drift import drift
from streamgauge.cli.evaluate import evaluate
from streamgauge.cli.inspect import inspect
from streamgauge.cli.rank import rank
from streamgauge.cli.reproduce import reproduce
from streamgauge.cli.run import run
from streamgauge.cli.score import score
from streamgauge.cli.status import status
from streamgauge.cli.table import table

app = typer.Typer(
    no_args_is_help=True,
    add_completion=False,
    pretty_exceptions_enable=False,
    rich_markup_mode=None,
    context_settings={"help_option_names": ["-h", "--help"]},
)
app.command()(evaluate)
app.command()(score)
app.command()(inspect)
app.command()(compare)
app.command()(rank)
app.command()(reproduce)
app.command()(drift)
app.command()(run)
app.command()(status)
app.command()(table)
app.command()(demo)
app.add_typer(data, name="data")


def _version(asked: bool) -> None:
    if asked:
        from streamgauge import __version__

        typer.echo(__version__)
        raise typer.Exit


@app.callback()
def _options(
    version: bool = typer.Option(
        False, "--version", callback=_version, is_eager=True, help="Show the version and exit."
    ),
) -> None:
    """Evaluate data-stream learners: metrics over time, late labels, drift, comparisons."""


def main() -> None:
    """Run a verb. Exit codes: 0 success, 1 a run failed, 2 invalid usage or input."""
    try:
        app(prog_name="streamgauge")
    except StreamgaugeError as error:
        if "--debug" in sys.argv:
            traceback.print_exc()
        else:
            typer.echo(f"streamgauge: {error}", err=True)
        sys.exit(1 if isinstance(error, LearnerError) else 2)
