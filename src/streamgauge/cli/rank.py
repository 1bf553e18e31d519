"""streamgauge rank: many learners over many streams, from a table of scores or saved runs."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from streamgauge._support.errors import UsageError
from streamgauge.cli._options import Debug, Json


def rank(
    scores: Annotated[
        list[str],
        typer.Argument(
            help="A table (.csv, .parquet): a line per stream, a column per learner, names of "
            "streams first; or directories of saved runs.",
            metavar="TABLE | RUN RUN...",
        ),
    ],
    metric: Annotated[str, typer.Option(help="Of saved runs.")] = "kappa",
    lower: Annotated[bool, typer.Option(help="Lower scores are better.")] = False,
    missing: Annotated[
        str, typer.Option(help="Scores that are missing: error, drop their streams, or worst.")
    ] = "error",
    alpha: Annotated[float, typer.Option(help="Of Nemenyi's test and the groups.")] = 0.05,
    diagram: Annotated[
        Path | None, typer.Option(help="Draw the critical differences: .svg or .png.")
    ] = None,
    json: Json = None,
    debug: Debug = False,
) -> None:
    """Which learners are better over many streams, and which are not told apart?

    Friedman, Iman–Davenport, Nemenyi with its critical difference, Holm–Wilcoxon.

    Example: streamgauge rank scores.csv --diagram ranks.svg
    """
    from streamgauge.cli._output import write_json, writing
    from streamgauge.comparison.ranking import rank as run_ranking
    from streamgauge.comparison.score_table import read_scores
    from streamgauge.runs.stored import read_run

    if any(Path(place).is_dir() for place in scores):
        given: object = [read_run(place) for place in scores]
    elif len(scores) == 1:
        given = read_scores(scores[0])
    else:
        raise UsageError("several tables: expected one, or directories of saved runs")
    ranking = run_ranking(
        given,
        metric=metric,
        lower_is_better=lower or None,
        missing=missing,  # type: ignore[arg-type]
        alpha=alpha,
    )
    typer.echo(str(ranking))
    if json is not None:
        write_json(ranking.to_dict(), json, json)
    if diagram is not None:
        with writing("the diagram", "--diagram"):
            typer.echo(f"\nDrawn to {ranking.save_diagram(diagram)}")
