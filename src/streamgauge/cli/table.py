"""streamgauge table: print an experiment as a table, for the terminal or for a paper."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from streamgauge._support.errors import UsageError
from streamgauge.cli._options import Debug, Experiment, Store, Where
from streamgauge.cli._terminal import echo


def table(
    store: Store = Path("results"),
    rows: Annotated[
        str,
        typer.Option(
            metavar="KEYS",
            help="Row keys: stream, learner, labels, or several, e.g. stream,labels.",
        ),
    ] = "stream",
    cols: Annotated[
        str, typer.Option(metavar="KEYS", help="Column keys, as for --rows.")
    ] = "learner",
    value: Annotated[
        str,
        typer.Option(
            metavar="NAME", help="A metric, or seconds, rows_per_second, model_bytes or ram_hours."
        ),
    ] = "kappa",
    forget: Annotated[
        str | None,
        typer.Option(metavar="FORGETTING", help="Forgetting of the metric, e.g. 'Fading(0.999)'."),
    ] = None,
    where: Where = None,
    experiment: Experiment = None,
    latex: Annotated[bool, typer.Option("--latex", help="LaTeX output, for booktabs.")] = False,
    markdown: Annotated[bool, typer.Option("--markdown", help="Markdown output.")] = False,
    csv: Annotated[bool, typer.Option("--csv", help="CSV output, with all digits.")] = False,
    digits: Annotated[
        int, typer.Option(metavar="N", help="Digits after the decimal point.", min=0, max=15)
    ] = 3,
    percent: Annotated[bool, typer.Option("--percent", help="Show values in per cent.")] = False,
    ranks: Annotated[
        bool, typer.Option("--ranks", help="Show the rank beside each value.")
    ] = False,
    debug: Debug = False,
) -> None:
    """Print the results of an experiment as a table.

    Shows mean ± sd over the seeds, the best value of each row, averages and ranks, and the Friedman
    and Nemenyi tests.

    \b
    Example: streamgauge table results --value kappa_temporal --where "labels=Delay(100)" --latex
    """
    from streamgauge.cli._parsing import parse_where
    from streamgauge.experiments.results import results

    if latex + markdown + csv > 1:
        raise UsageError("--latex, --markdown and --csv exclude each other; give only one")
    made = results(store, experiment).table(rows, cols, value, forget, parse_where(where))
    if csv:
        echo(made.to_csv())
        return
    show = made.to_latex if latex else made.to_markdown if markdown else made.to_text
    echo(show(digits=digits, percent=percent, ranks=ranks))
