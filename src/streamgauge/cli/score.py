"""streamgauge score: evaluate predictions made elsewhere, from a log."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Annotated, Any

import typer

from streamgauge._support.errors import UsageError
from streamgauge.cli._options import (
    Arrives,
    Classes,
    Debug,
    Forget,
    Json,
    Revealed,
    Task,
    Verbose,
)
from streamgauge.runs.options import LATE, MORE


def score(
    log: Annotated[
        str,
        typer.Argument(metavar="LOG", help="A file (.csv, .parquet, ...): a line per prediction."),
    ],
    true: Annotated[
        str, typer.Option(metavar="COLUMN", help="The true label; empty while not known.")
    ],
    pred: Annotated[
        list[str] | None,
        typer.Option(
            metavar="COLUMN", help="Predictions of a model; an empty cell is an abstention."
        ),
    ] = None,
    proba: Annotated[
        list[str] | None,
        typer.Option(
            metavar="COLUMN[=CLASS]",
            help="Probability of a class, by default 1; one option per class and model. Gives log "
            "loss, Brier score and AUC.",
        ),
    ] = None,
    name: Annotated[
        list[str] | None,
        typer.Option(metavar="NAME", help="Name of a model. Default: its column."),
    ] = None,
    forget: Forget = None,
    verbose: Verbose = False,
    save: Annotated[
        Path | None, typer.Option(metavar="FOLDER", help="Folder for curves and predictions.")
    ] = None,
    json: Json = None,
    arrives: Arrives = None,
    revealed: Revealed = None,
    task: Task = None,
    classes: Classes = None,
    labels: Annotated[
        str | None,
        typer.Option(
            metavar="FILE",
            help="A file with --true and --revealed, joined by --id.",
            rich_help_panel=LATE,
        ),
    ] = None,
    id: Annotated[
        str | None,
        typer.Option(
            metavar="COLUMN", help="With --labels: ids in both files.", rich_help_panel=LATE
        ),
    ] = None,
    time: Annotated[
        str | None,
        typer.Option(
            metavar="COLUMN",
            help="With --labels: times in both, not --arrives, --revealed.",
            rich_help_panel=LATE,
        ),
    ] = None,
    timeout: Annotated[
        str | None,
        typer.Option(
            metavar="DURATION",
            help="Longest wait for a label, e.g. 7d: then it never comes. A number if times are "
            "integers.",
            rich_help_panel=LATE,
        ),
    ] = None,
    stream: Annotated[
        str | None,
        typer.Option(
            metavar="NAME", help="Name of the log. Default: its file name.", rich_help_panel=MORE
        ),
    ] = None,
    warmup: Annotated[
        int,
        typer.Option(
            metavar="N",
            help="Do not score the first N rows.",
            show_default=False,
            rich_help_panel=MORE,
        ),
    ] = 0,
    debug: Debug = False,
) -> None:
    """Evaluate predictions that were made elsewhere.

    Compares them with the references. Runs of one log that --save keeps can be compared:
    `streamgauge compare RUN RUN`.

    \b
    Examples:
    streamgauge score log.csv --true label --pred prediction
    streamgauge score log.csv --true y --proba p --arrives asked --revealed known
    streamgauge score log.csv --true y --pred p --forget "Window(1000)"
    streamgauge score asked.csv --labels answers.csv --id id --true y --pred p
    """
    from streamgauge.cli._option_texts import parse_forgettings
    from streamgauge.cli._output import report
    from streamgauge.cli._stream import check_task
    from streamgauge.evaluation.score import score as score_predictions

    check_task(task)
    if time is not None:
        if labels is None or arrives is not None or revealed is not None:
            raise UsageError(
                "--time names the times in both files of a join, so it needs --labels, and neither "
                "--arrives nor --revealed"
            )
        arrives = revealed = time
    options: dict[str, Any] = {
        "pred": pred,
        "proba": _models_of(log, proba) if proba else None,
        "name": name,
        "label_log": labels,
        "id": id,
        "arrives": arrives,
        "revealed": revealed,
        "timeout": int(timeout) if timeout is not None and timeout.isdigit() else timeout,
        "stream": stream,
        "task": task,
        "classes": _labels_of(classes),
        "forget": parse_forgettings(forget) or None,
        "warmup": warmup,
    }
    report(lambda: score_predictions(log, true=true, **options), json, save, verbose=verbose)


def _labels_of(classes: list[str] | None) -> Sequence[str | float] | None:
    """The classes as numbers if all are."""
    from streamgauge.streams.formats.schema_inference import numeric_label

    try:
        return [numeric_label(text) for text in classes] if classes else None
    except ValueError:
        return classes


def _models_of(log: str, given: list[str]) -> list[dict[str, str | None]]:
    """The columns of each model with their classes; a class that repeats begins a new model."""
    from streamgauge.streams.formats.open_table import open_table

    columns = open_table(log).names
    models: list[dict[str, str | None]] = []
    for text in given:
        column, _, label = (text, "", "") if text in columns else text.rpartition("=")
        column, found = (column, label or None) if column else (text, None)
        if not models or found in models[-1].values():
            models.append({})
        models[-1][column] = found
    return models
