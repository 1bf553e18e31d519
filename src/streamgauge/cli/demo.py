"""streamgauge demo: evaluate three learners on Elec2, a popular benchmark."""

from __future__ import annotations

import os
import sys
from pathlib import Path
from shutil import which
from typing import Annotated

import typer

from streamgauge.cli._compile_ahead import compile_ahead
from streamgauge.cli._options import Debug
from streamgauge.cli._terminal import command, echo

LEARNERS = ["NaiveBayes", "HoeffdingTree", "AdaptiveRandomForest"]


def demo(
    save: Annotated[
        Path, typer.Option(metavar="FOLDER", help="Folder to save the results in.")
    ] = Path("results"),
    debug: Debug = False,
) -> None:
    """Evaluate naive Bayes, a Hoeffding tree and a random forest on Elec2."""
    compile_ahead()
    from streamgauge._support.errors import DownloadError
    from streamgauge.cli._output import report
    from streamgauge.evaluation.evaluate import evaluate
    from streamgauge.streams.base import Stream
    from streamgauge.streams.datasets.catalog import load
    from streamgauge.streams.generators.sea import SEA

    stream: Stream
    try:
        stream = load("elec2")
    except DownloadError as error:
        stream = SEA(45_312, seed=1, noise=0.1)
        echo(f"Elec2 is not available: {error}\nUsing a generated stream instead.\n")
    report(lambda: evaluate(stream, LEARNERS), None, save)
    echo(f"\nNext: {_command()} evaluate YOUR.csv --target LABEL --delay 100")


def _command() -> str:
    """How to call streamgauge: `make demo` installs it where PATH does not lead."""
    installed = which("streamgauge", path=str(Path(sys.executable).parent))
    if which("streamgauge") is not None or installed is None:
        return "streamgauge"
    try:
        shown = os.path.relpath(installed)
    except ValueError:  # on another drive of Windows
        shown = installed
    return command(shown)
