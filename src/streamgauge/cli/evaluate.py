"""streamgauge evaluate: run learners over a stream, print a table and a verdict."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from streamgauge._support.errors import UsageError
from streamgauge.cli._compile_ahead import compile_ahead
from streamgauge.cli._figures import check_figure
from streamgauge.cli._option_texts import find_own_modules, make_label_policy
from streamgauge.cli._options import (
    Arrives,
    Classes,
    Data,
    Debug,
    Delay,
    Drop,
    Inject,
    Json,
    LabelsFirst,
    Modules,
    Nominal,
    Plot,
    Revealed,
    Rows,
    Target,
    Task,
    Variant,
    Verbose,
    takes_options,
)
from streamgauge.cli._stream import check_task, open_stream
from streamgauge.runs.options import LATE, MORE, OPTIONS, Option

if TYPE_CHECKING:
    from streamgauge.streams.base import Stream


@takes_options
def evaluate(
    data: Data,
    learner: Annotated[
        list[str] | None,
        typer.Option(metavar="LEARNER", help="E.g. 'KNN(n_neighbors=5)'. Default: NaiveBayes."),
    ] = None,
    delay: Delay = None,
    rows: Rows = None,
    verbose: Verbose = False,
    save: Annotated[
        Path, typer.Option(metavar="FOLDER", help="Folder for curves and predictions.")
    ] = Path("results"),
    plot: Plot = None,
    json: Json = None,
    target: Target = None,
    drop: Drop = None,
    nominal: Nominal = None,
    arrives: Arrives = None,
    revealed: Revealed = None,
    task: Task = None,
    classes: Classes = None,
    variant: Variant = None,
    events: Annotated[
        bool,
        typer.Option(
            "--events",
            help="DATA is an event log: arrivals, updates, labels.",
            rich_help_panel=LATE,
        ),
    ] = False,
    id: Annotated[
        str | None,
        typer.Option(metavar="COLUMN", help="Events: column of ids.", rich_help_panel=LATE),
    ] = None,
    time: Annotated[
        str | None,
        typer.Option(metavar="COLUMN", help="Events: column of times.", rich_help_panel=LATE),
    ] = None,
    kind: Annotated[
        str | None,
        typer.Option(
            metavar="COLUMN",
            help="Events: column of kinds: instance, label, update.",
            rich_help_panel=LATE,
        ),
    ] = None,
    skip_conflicts: Annotated[
        bool,
        typer.Option(
            "--skip-conflicts",
            help="Leave out, and count, events that conflict.",
            rich_help_panel=LATE,
        ),
    ] = False,
    labels_first: LabelsFirst = False,
    inject: Inject = 0,
    ablate: Annotated[
        bool,
        typer.Option(
            "--ablate", help="Say what features add to past labels.", rich_help_panel=MORE
        ),
    ] = False,
    order: Annotated[
        int | None,
        typer.Option(
            metavar="N",
            help="With --ablate: number of past labels. Default: 1.",
            rich_help_panel=MORE,
        ),
    ] = None,
    module: Modules = None,
    debug: Debug = False,
    **options: Any,
) -> None:
    """Test whether learners beat repeating the last label.

    \b
    Examples:
    streamgauge evaluate elec2 --learner NaiveBayes --learner HoeffdingTree
    streamgauge evaluate x.csv --target y --delay 100 --plot curve.pdf
    """
    compile_ahead()
    from streamgauge.cli._output import Results, report
    from streamgauge.evaluation.evaluate import evaluate as run_evaluation
    from streamgauge.evaluation.texts import object_of, read_options
    from streamgauge.streams.transforms.inject import inject as injected

    check_figure(plot)
    check_task(task)
    if order is not None and not ablate:
        raise UsageError("--order is the number of past labels of --ablate; give both")
    columns = {"target": target, "nominal": nominal, "drop": drop, "task": task}
    columns["classes"] = classes
    if events or id is not None or time is not None:
        columns |= {"id": id, "time": time, "kind": kind}
        unused = {"--arrives": arrives, "--revealed": revealed, "--variant": variant}
        stream = _open_events(data, columns, unused, skip_conflicts)
    else:
        columns |= {"arrives": arrives, "revealed": revealed}
        stream = open_stream(data, columns, variant, options["seed"])
    stream = injected(stream, inject)
    if rows is not None:
        stream = stream.take(rows)
    modules = find_own_modules(module or ())

    def made(option: Option, texts: Sequence[str]) -> list[Any]:
        return [object_of(text, option.kind, modules) for text in texts]

    given = {each.name: each.read(options[each.name]) for each in OPTIONS}
    policy = make_label_policy(
        stream,
        text=given.pop("labels"),
        delay=delay,
        revealed=revealed,
        labels_first=labels_first,
        modules=modules,
    )
    given = read_options(given, made) | {"labels": policy}
    learners = [object_of(text, "learner", modules) for text in learner or ["NaiveBayes"]]

    def make() -> Results:
        if ablate:
            from streamgauge.comparison.ablation import ablate as run_ablation

            past = 1 if order is None else order
            ablations: Results = run_ablation(stream, learners, order=past, **given)
            return ablations
        results: Results = run_evaluation(stream, learners, **given)
        return results

    report(make, json, save, plot, verbose)


def _open_events(
    data: str, columns: dict[str, Any], unused: dict[str, str | None], skip: bool
) -> Stream:
    from streamgauge.streams.columns import target_among
    from streamgauge.streams.events import read_events
    from streamgauge.streams.formats.arff import ArffTable
    from streamgauge.streams.formats.open_table import open_table

    for option, value in unused.items():
        if value:
            raise UsageError(f"{option} does not apply to an event log; its times are in --time")
    table = open_table(data)
    if columns["target"] is None and not isinstance(table, ArffTable):  # read_events has a default
        columns["target"] = target_among(table.names, data)
    given = {name: value for name, value in columns.items() if value}
    return read_events(data, on_conflict="skip" if skip else "error", **given)
