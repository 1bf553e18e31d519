"""streamgauge rank: rank learners over many streams, from a store, a table or saved runs."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Any

import typer

from streamgauge._support.errors import UsageError
from streamgauge._support.paths import exists
from streamgauge.cli._figures import check_figure, save_figure
from streamgauge.cli._options import Debug, Experiment, Json, Plot, Verbose, Where
from streamgauge.cli._terminal import show


def rank(
    scores: Annotated[
        list[str],
        typer.Argument(
            help="The store of an experiment; or a table (.csv, .parquet) with a line per stream "
            "and a column per learner, as of `table --csv`; or saved runs.",
            metavar="STORE | TABLE | RUN RUN...",
        ),
    ],
    metric: Annotated[
        str, typer.Option(metavar="NAME", help="Metric of a store or of saved runs.")
    ] = "kappa",
    where: Where = None,
    forget: Annotated[
        str | None,
        typer.Option(metavar="FORGETTING", help="Of a store's metric, e.g. 'Fading(0.999)'."),
    ] = None,
    experiment: Experiment = None,
    control: Annotated[
        str | None,
        typer.Option(metavar="LEARNER", help="Compare the other learners with this one."),
    ] = None,
    equal_within: Annotated[
        float | None,
        typer.Option(metavar="X", help="Also test which are equal: scores within X."),
    ] = None,
    lower: Annotated[
        bool | None,
        typer.Option(
            "--lower/--higher",
            help="Which scores are better. Default: as the metric declares.",
        ),
    ] = None,
    missing: Annotated[
        str,
        typer.Option(
            metavar="ACTION",
            help="Missing scores: error, drop (the stream) or worst.",
        ),
    ] = "error",
    alpha: Annotated[
        float, typer.Option(metavar="P", help="Significance level of all tests.")
    ] = 0.05,
    json: Json = None,
    verbose: Verbose = False,
    plot: Plot = None,
    debug: Debug = False,
) -> None:
    """Rank learners over many streams.

    Friedman's test (exact with few streams), Nemenyi's with its critical difference, Wilcoxon's
    with Holm's correction. Seeds are averaged; label policies and injections are ranked apart.
    --plot draws the critical-difference diagram.

    \b
    Example: streamgauge rank results --where "labels=Delay(200)" --plot ranks.pdf
    """
    from streamgauge.cli._option_texts import parse_where
    from streamgauge.cli._output import write_json
    from streamgauge.ranking.rank import rank as run_ranking

    check_figure(plot)
    ranking = run_ranking(
        _open(scores, experiment),
        metric=metric,
        forget=forget,
        where=parse_where(where),
        lower_is_better=lower,
        missing=missing,  # type: ignore[arg-type]
        alpha=alpha,
        control=control,
        equal_within=equal_within,
    )
    show(ranking, verbose)
    if json is not None:
        write_json(ranking.to_dict(), json, "the ranking")
    save_figure(ranking.plot, plot)


def _open(places: list[str], experiment: str | None) -> Any:
    """A store, a table or saved runs."""
    from streamgauge.experiments.results import results
    from streamgauge.ranking.score_columns import read_scores
    from streamgauge.runs.directories import RUN_FILE
    from streamgauge.runs.open_run import open_run

    folders = [place for place in places if exists(Path(place)) and Path(place).is_dir()]
    stores = [place for place in folders if not (Path(place) / RUN_FILE).exists()]
    if stores == places and len(places) == 1:
        return results(places[0], experiment)
    if experiment is not None:
        raise UsageError("--experiment: only a store has experiments")
    if stores:
        raise UsageError(f"{stores[0]} is not a saved run; give a store by itself")
    if folders:
        return [open_run(place) for place in places]
    if len(places) == 1:
        return read_scores(places[0])
    raise UsageError(
        f"got {len(places)} tables; expected a store, one table, or directories of saved runs"
    )
