"""streamgauge table: an experiment as a table, for the eye or for a paper."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from streamgauge._support.errors import UsageError
from streamgauge.cli._options import Debug, Store


def table(
    store: Store = Path("results"),
    rows: Annotated[
        str, typer.Option(help="stream, learner, labels, or several: stream,labels.")
    ] = "stream",
    cols: Annotated[str, typer.Option(help="The same, for the columns.")] = "learner",
    value: Annotated[
        str, typer.Option(help="A metric, or seconds, rows_per_second, model_bytes, ram_hours.")
    ] = "kappa",
    forget: Annotated[
        str | None, typer.Option(help='Under which forgetting, e.g. "Fading(0.999)".')
    ] = None,
    where: Annotated[
        list[str] | None,
        typer.Option(help='Only such cells: "labels=Delay(100)"; may be repeated.'),
    ] = None,
    experiment: Annotated[
        str | None, typer.Option(help="Its name, if the folder has several.")
    ] = None,
    latex: Annotated[bool, typer.Option("--latex", help="For LaTeX (package booktabs).")] = False,
    markdown: Annotated[bool, typer.Option("--markdown", help="For Markdown.")] = False,
    csv: Annotated[bool, typer.Option("--csv", help="For programs: all digits.")] = False,
    digits: Annotated[int, typer.Option(help="After the point.", min=0, max=15)] = 3,
    percent: Annotated[bool, typer.Option("--percent", help="Times 100.")] = False,
    ranks: Annotated[bool, typer.Option("--ranks", help="The rank beside each value.")] = False,
    debug: Debug = False,
) -> None:
    """Mean ± sd over seeds, the best of each row, averages, ranks, Friedman and Nemenyi.

    Example: streamgauge table results --value kappa_temporal --where "labels=Delay(100)" --latex
    """
    from streamgauge.experiments.results import results

    if latex + markdown + csv > 1:
        raise UsageError("one form at a time: --latex, --markdown or --csv")
    chosen: dict[str, list[str]] = {}
    for each in where or ():
        key, equals, wanted = each.partition("=")
        if not equals:
            raise UsageError(f"--where {each}: expected KEY=VALUE, e.g. labels=Delay(100)")
        chosen.setdefault(key.strip(), []).append(wanted.strip())
    made = results(store, experiment).table(rows, cols, value, forget, chosen)
    if csv:
        typer.echo(made.to_csv())
        return
    show = made.to_latex if latex else made.to_markdown if markdown else made.to_text
    typer.echo(show(digits=digits, percent=percent, ranks=ranks))
