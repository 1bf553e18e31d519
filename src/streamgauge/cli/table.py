"""streamgauge table: print an experiment as a table, for the terminal or for a paper."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Any

import typer

from streamgauge._support.errors import UsageError
from streamgauge.cli._options import Debug, Experiment, Store, Verbose, Where
from streamgauge.cli._terminal import echo


def table(
    store: Store = Path("results"),
    rows: Annotated[
        str | None,
        typer.Option(
            metavar="KEYS",
            help="Rows: stream, learner, labels, or several: stream,labels.",
        ),
    ] = None,
    cols: Annotated[
        str | None, typer.Option(metavar="KEYS", help="Columns, as for --rows; or metric.")
    ] = None,
    value: Annotated[
        str,
        typer.Option(
            metavar="NAMES",
            help="Metrics, or costs: seconds, model_bytes, ...; with commas.",
        ),
    ] = "kappa",
    forget: Annotated[
        str | None,
        typer.Option(metavar="FORGETTING", help="Of the metric, e.g. 'Fading(0.999)'."),
    ] = None,
    where: Where = None,
    experiment: Experiment = None,
    latex: Annotated[bool, typer.Option("--latex", help="LaTeX output, ready to paste.")] = False,
    markdown: Annotated[bool, typer.Option("--markdown", help="Markdown output.")] = False,
    csv: Annotated[bool, typer.Option("--csv", help="CSV output, with all digits.")] = False,
    digits: Annotated[
        int, typer.Option(metavar="N", help="Digits after the decimal point.", min=0, max=15)
    ] = 3,
    percent: Annotated[
        bool, typer.Option("--percent", help="Show values without a unit as percentages.")
    ] = False,
    ranks: Annotated[
        bool, typer.Option("--ranks", help="Show the rank beside each value.")
    ] = False,
    references: Annotated[
        bool | None,
        typer.Option(
            "--references/--no-references",
            help="The references too; by default if columns are metrics.",
        ),
    ] = None,
    verdicts: Annotated[
        bool,
        typer.Option(
            "--verdicts/--no-verdicts", help="Mark what beats the references, or does not."
        ),
    ] = True,
    caption: Annotated[
        str | None, typer.Option(metavar="TEXT", help="Caption of --latex, as LaTeX.")
    ] = None,
    label: Annotated[str | None, typer.Option(metavar="NAME", help="Label of --latex.")] = None,
    verbose: Verbose = False,
    width: Annotated[
        str | None,
        typer.Option(metavar="column|page", help="Make the table of --latex fit this width."),
    ] = None,
    debug: Debug = False,
) -> None:
    """Print the results of an experiment as a table.

    Shows mean ± sd over the seeds, the best value of each row, averages and ranks, and the Friedman
    and Nemenyi tests; for several values, learners × metrics with the references.

    \b
    Examples:
    streamgauge table results --where "labels=Delay(100)" --latex
    streamgauge table results --value accuracy,kappa_temporal,seconds
    """
    from streamgauge.cli._option_texts import parse_where, split_values
    from streamgauge.experiments.results import results

    if latex + markdown + csv > 1:
        raise UsageError("--latex, --markdown and --csv exclude each other; give only one")
    if not latex and any(each is not None for each in (caption, label, width)):
        raise UsageError(
            "--caption, --label and --width belong to --latex; add it or leave them out"
        )
    names = split_values(value)
    several = len(names) > 1 or cols == "metric"
    if ranks and several:
        raise UsageError("--ranks shows the ranks of one value; give one --value and other columns")
    shown = names if several else value
    made = results(store, experiment).table(
        rows, cols, shown, forget, parse_where(where), references
    )
    if csv:
        echo(made.to_csv(), raw=True)
        return
    options: dict[str, Any] = {"digits": digits, "percent": percent, "verdicts": verdicts}
    options |= {"ranks": True} if ranks else {}
    options |= {} if latex or markdown else {"details": verbose}
    options |= {"caption": caption, "label": label, "width": width} if latex else {}
    show = made.to_latex if latex else made.to_markdown if markdown else made.to_text
    echo(show(**options), raw=latex or markdown)
