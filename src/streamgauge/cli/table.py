"""streamgauge table: print an experiment as a table, for the terminal or for a paper."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from streamgauge._support.errors import UsageError
from streamgauge.cli._options import Debug, Store


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
    where: Annotated[
        list[str] | None,
        typer.Option(
            metavar="KEY=VALUE",
            help="Only these cells, e.g. 'labels=Delay(100)'. May be repeated.",
        ),
    ] = None,
    experiment: Annotated[
        str | None,
        typer.Option(metavar="NAME", help="Name of the experiment, if the store has several."),
    ] = None,
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
    from streamgauge.experiments.results import results

    if latex + markdown + csv > 1:
        raise UsageError("--latex, --markdown and --csv exclude each other; give only one")
    selected: dict[str, list[str]] = {}
    for each in where or ():
        key, equals, wanted = each.partition("=")
        if not equals:
            raise UsageError(f"--where {each}: expected KEY=VALUE, e.g. labels=Delay(100)")
        selected.setdefault(key.strip(), []).append(wanted.strip())
    made = results(store, experiment).table(rows, cols, value, forget, selected)
    if csv:
        typer.echo(made.to_csv())
        return
    show = made.to_latex if latex else made.to_markdown if markdown else made.to_text
    typer.echo(show(digits=digits, percent=percent, ranks=ranks))
