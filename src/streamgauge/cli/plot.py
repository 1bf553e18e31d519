"""streamgauge plot: draw a metric of saved runs along the stream."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from streamgauge._support.errors import InputError, UsageError
from streamgauge._support.paths import exists
from streamgauge.cli._figures import check_figure, save_figure
from streamgauge.cli._options import Debug, Experiment, Where
from streamgauge.cli._terminal import echo, echo_error

if TYPE_CHECKING:
    from streamgauge.runs.run import Run
    from streamgauge.runs.runs import Runs


def plot(
    runs: Annotated[
        list[str],
        typer.Argument(
            help="Directories of saved runs on one stream, or the store of an experiment.",
            metavar="RUN... | STORE",
        ),
    ],
    output: Annotated[
        Path,
        typer.Option(
            "--output",
            "-o",
            metavar="FILE",
            help="File of the figure: .pdf, .svg, .png or .html.",
        ),
    ],
    metric: Annotated[
        str | None,
        typer.Option(
            metavar="NAME",
            help="A metric, or kappas for all of them. Default: accuracy or mae.",
        ),
    ] = None,
    forget: Annotated[
        list[str] | None,
        typer.Option(
            metavar="FORGETTING",
            help="Of those that the runs keep, a panel each. Default: the first window or fading "
            "one.",
        ),
    ] = None,
    where: Where = None,
    experiment: Experiment = None,
    references: Annotated[
        bool, typer.Option("--references/--no-references", help="Draw the references too.")
    ] = True,
    zoom: Annotated[
        bool, typer.Option("--zoom", help="Zoom in an .html file, with the whole curve below.")
    ] = False,
    debug: Debug = False,
) -> None:
    """Draw a metric of saved runs along the stream.

    Marks true drifts. Where labels come late or never, a strip shows of how many rows they are
    known. Runs that cannot be read are named and left out.

    \b
    Examples:
    streamgauge plot results/elec2-* --metric kappa -o curve.pdf
    streamgauge plot results --where stream=elec2 --where learner!=KNN -o curve.pdf
    """
    from streamgauge.runs.plot import plot as draw

    check_figure(output)
    found: Any = _of_store(runs, experiment, where)
    if found is None:
        found = [run for run in map(_open, runs) if run is not None]
    if not found:
        raise InputError("no run is left to draw")
    asked = forget if forget and len(forget) > 1 else forget[0] if forget else None
    chart = draw(found, metric, forget=asked, references=references, zoom=zoom)
    echo("\n".join([*chart.title.text, *filter(None, [chart.caption])]))
    save_figure(lambda: chart, output, "--output")


def _of_store(
    places: list[str], experiment: str | None, where: list[str] | None
) -> dict[str, Runs] | None:
    """The runs of a store by the experiment's names; None if saved runs are given."""
    from streamgauge.runs.directories import RUN_FILE

    first = Path(places[0])
    if len(places) == 1 and first.is_dir() and not exists(first / RUN_FILE):
        from streamgauge.cli._option_texts import parse_where
        from streamgauge.experiments.results import results

        return results(first, experiment).by_learner(parse_where(where))
    if where or experiment:
        raise UsageError("--where and --experiment select among the runs of a store: give one")
    return None


def _open(place: str) -> Run | None:
    """A saved run; None, and a message, if its files are damaged."""
    from streamgauge.runs.directories import RUN_FILE
    from streamgauge.runs.open_run import open_run

    if not exists(Path(place) / RUN_FILE):
        raise InputError(f"{place}: not a saved run; expected a directory with {RUN_FILE}")
    try:
        run = open_run(place)
        _ = run.curve, run.cost_curve
    except InputError as error:
        echo_error(f"streamgauge: left out: {error}")
        return None
    return run
