"""streamgauge rank: rank learners over many streams, from a table of scores or saved runs."""

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
            help="A table (.csv, .parquet) with one line per stream and one column per learner, "
            "the stream names in the first column; or directories of saved runs.",
            metavar="TABLE | RUN RUN...",
        ),
    ],
    metric: Annotated[
        str, typer.Option(metavar="NAME", help="Metric of saved runs to rank by.")
    ] = "kappa",
    lower: Annotated[bool, typer.Option("--lower", help="Lower scores are better.")] = False,
    missing: Annotated[
        str,
        typer.Option(
            metavar="ACTION",
            help="What to do with missing scores: error, drop (the stream), worst (rank last).",
        ),
    ] = "error",
    alpha: Annotated[
        float,
        typer.Option(metavar="P", help="Significance level of Nemenyi's test and the groups."),
    ] = 0.05,
    diagram: Annotated[
        Path | None,
        typer.Option(metavar="FILE", help="Draw a critical difference diagram (.svg or .png)."),
    ] = None,
    json: Json = None,
    debug: Debug = False,
) -> None:
    """Rank learners over many streams.

    Shows which learners are better and which do not differ significantly: the Friedman and
    Iman-Davenport tests, Nemenyi's test with its critical difference, and Wilcoxon tests with
    Holm's correction.

    \b
    Example: streamgauge rank scores.csv --diagram ranks.svg
    """
    from streamgauge.cli._output import write_errors, write_json
    from streamgauge.comparison.ranking import rank as run_ranking
    from streamgauge.comparison.score_table import read_scores
    from streamgauge.runs.open import open_run

    if any(Path(place).is_dir() for place in scores):
        given: object = [open_run(place) for place in scores]
    elif len(scores) == 1:
        given = read_scores(scores[0])
    else:
        raise UsageError(
            f"got {len(scores)} tables; expected one table, or directories of saved runs"
        )
    ranking = run_ranking(
        given,
        metric=metric,
        lower_is_better=lower or None,
        missing=missing,  # type: ignore[arg-type]
        alpha=alpha,
    )
    typer.echo(str(ranking))
    if json is not None:
        write_json(ranking.to_dict(), json, "the ranking")
    if diagram is not None:
        with write_errors("the diagram", "--diagram"):
            typer.echo(f"\nDiagram saved to {ranking.save_diagram(diagram)}")
