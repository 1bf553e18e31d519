"""streamgauge evaluate: run learners over a stream, print a table and a verdict."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from streamgauge._support import registry
from streamgauge._support.errors import UsageError
from streamgauge.cli._compile_ahead import compile_ahead
from streamgauge.cli._figures import check_figure
from streamgauge.cli._options import (
    Arrives,
    Classes,
    Data,
    Debug,
    Delay,
    Drop,
    Fadings,
    Forget,
    Inject,
    Json,
    Labels,
    Nominal,
    Plot,
    Revealed,
    Rows,
    Seed,
    Target,
    Task,
    Variant,
    Windows,
)
from streamgauge.cli._parsing import make_forgettings, make_label_policy, parse_protocol
from streamgauge.cli._stream import check_task, open_stream

if TYPE_CHECKING:
    from streamgauge.prequential.reevaluation.reevaluate import Reevaluate
    from streamgauge.streams.base import Stream


def evaluate(
    data: Data,
    target: Target = None,
    variant: Variant = None,
    learner: Annotated[
        list[str] | None,
        typer.Option(
            metavar="LEARNER",
            help=f"One of {', '.join(registry.names('learner', 'reference'))}; with parameters: "
            "'HoeffdingTree(grace_period=100)'; from a library: "
            "'river:tree.HoeffdingTreeClassifier()', 'capymoa:HoeffdingTree()'; wrapped: "
            "'SWT(HoeffdingTree(), order=2)', 'TemporalCorrection(KNN())', "
            "'Resetting(NaiveBayes(), DDM())'. May be repeated. Default: NaiveBayes.",
        ),
    ] = None,
    protocol: Annotated[
        str | None,
        typer.Option(
            metavar="PROTOCOL",
            help="'Holdout(every=1000, size=500)': test on rows that are never trained on. "
            "'PrequentialCV(10)': 10 models in one pass, each with its own fold. "
            "Default: prequential, first test on each row, then train on it.",
        ),
    ] = None,
    labels: Labels = None,
    delay: Delay = None,
    chunks: Annotated[
        int | None, typer.Option(metavar="N", help="Reveal labels every N rows: Chunks(N).")
    ] = None,
    sampled: Annotated[
        float | None, typer.Option(metavar="P", help="Reveal a fraction P of labels: Sampled(P).")
    ] = None,
    arrives: Arrives = None,
    revealed: Revealed = None,
    reevaluate: Annotated[
        int | None,
        typer.Option(
            metavar="N",
            help="While a row waits for its label, predict again after every N further labels.",
        ),
    ] = None,
    bins: Annotated[
        int | None,
        typer.Option(metavar="N", help="Divide the wait for a label into N bins. Default: 50."),
    ] = None,
    compat: Annotated[
        str | None,
        typer.Option(metavar="NAME", help="moa-fork: bins as in the program of grzenda2019."),
    ] = None,
    events: Annotated[
        bool,
        typer.Option("--events", help="DATA is an event log: arrivals, updates and labels by id."),
    ] = False,
    id: Annotated[
        str | None, typer.Option(metavar="COLUMN", help="Event log: column of instance ids.")
    ] = None,
    time: Annotated[
        str | None, typer.Option(metavar="COLUMN", help="Event log: column of times.")
    ] = None,
    kind: Annotated[
        str | None,
        typer.Option(
            metavar="COLUMN", help="Event log: column of kinds (instance, label, update)."
        ),
    ] = None,
    skip_conflicts: Annotated[
        bool,
        typer.Option(
            "--skip-conflicts", help="Event log: leave out and count events that conflict."
        ),
    ] = False,
    labels_first: Annotated[
        bool,
        typer.Option("--labels-first", help="At equal times, reveal labels before rows arrive."),
    ] = False,
    forget: Forget = None,
    window: Windows = None,
    fading: Fadings = None,
    nominal: Nominal = None,
    drop: Drop = None,
    task: Task = None,
    classes: Classes = None,
    rows: Rows = None,
    inject: Inject = 0,
    max_labels: Annotated[
        int | None,
        typer.Option(metavar="N", help="Stop once N labels have been revealed."),
    ] = None,
    warmup: Annotated[
        int, typer.Option(metavar="N", help="Train on the first N rows without scoring them.")
    ] = 0,
    reference: Annotated[
        list[str] | None,
        typer.Option(
            metavar="LEARNER",
            help="A learner to add to the references in table and verdict. May be repeated.",
        ),
    ] = None,
    metric: Annotated[
        list[str] | None,
        typer.Option(
            metavar="NAME", help="Also compute this metric, e.g. of a package. May be repeated."
        ),
    ] = None,
    all_metrics: Annotated[
        bool, typer.Option("--all-metrics", help="Also compute log loss, Brier score and AUC.")
    ] = False,
    ablate: Annotated[
        bool,
        typer.Option(
            "--ablate",
            help="Also run each learner with past labels instead of its features, LabelsOnly(...), "
            "and say what the features add.",
        ),
    ] = False,
    order: Annotated[
        int | None,
        typer.Option(metavar="N", help="With --ablate: number of past labels. Default: 1."),
    ] = None,
    seed: Seed = 1,
    json: Json = None,
    plot: Plot = None,
    save: Annotated[
        Path, typer.Option(metavar="FOLDER", help="Folder to save curves and predictions in.")
    ] = Path("results"),
    debug: Debug = False,
) -> None:
    """Test whether learners beat repeating the last label.

    Runs the learners over DATA row by row, first testing, then training, together with the
    references (Majority, Persistent, Transition and Seasonal, or Mean and LastValue for
    regression). Prints a table of metrics and a verdict in words.

    \b
    Examples:
    streamgauge evaluate elec2 --learner NaiveBayes --learner HoeffdingTree
    streamgauge evaluate x.csv --target y --delay 100 --json out.json --plot curve.pdf
    streamgauge evaluate "SEA(20000, noise=0.1)" --learner HoeffdingTree
    """
    compile_ahead()
    from streamgauge.cli._output import Results, report
    from streamgauge.evaluation.evaluate import evaluate as run_evaluation
    from streamgauge.evaluation.options import EvaluateArguments
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
        stream = open_stream(data, columns, variant, seed)
    stream = injected(stream, inject)
    if rows is not None:
        stream = stream.take(rows)
    chosen = parse_protocol(protocol)
    default_forgettings = chosen is not None and not (forget or window or fading)
    learners = list(learner or ["NaiveBayes"])
    options: EvaluateArguments = {
        "labels": make_label_policy(
            stream,
            text=labels,
            delay=delay,
            chunks=chunks,
            sampled=sampled,
            revealed=revealed,
            labels_first=labels_first,
        ),
        "forget": None if default_forgettings else make_forgettings(forget, window, fading),
        "warmup": warmup,
        "max_labels": max_labels,
        "metrics": ["all" if all_metrics else "labels", *(metric or ())],
        "references": reference or (),
        "seed": seed,
        "reevaluate": _reevaluate(reevaluate, bins, compat),
    }

    def make() -> Results:
        if ablate:
            from streamgauge.comparison.ablation import ablate as run_ablation

            past = 1 if order is None else order
            return run_ablation(stream, learners, order=past, protocol=chosen, **options)  # type: ignore[arg-type]
        results: Results = run_evaluation(stream, learners, protocol=chosen, **options)
        return results

    report(make, json, save, plot)


def _open_events(
    data: str, columns: dict[str, Any], unused: dict[str, str | None], skip: bool
) -> Stream:
    from streamgauge.streams.columns import target_among
    from streamgauge.streams.events import read_events
    from streamgauge.streams.formats.open import open_table

    for option, value in unused.items():
        if value:
            raise UsageError(f"{option} does not apply to an event log; its times are in --time")
    is_arff = data.lower().removesuffix(".gz").endswith(".arff")  # read_events has a default
    if columns["target"] is None and not is_arff:
        columns["target"] = target_among(open_table(data).names, data)
    given = {name: value for name, value in columns.items() if value}
    return read_events(data, on_conflict="skip" if skip else "error", **given)


def _reevaluate(every: int | None, bins: int | None, compat: str | None) -> Reevaluate | None:
    from streamgauge.prequential.reevaluation.reevaluate import Reevaluate

    if every is None:
        if bins is not None or compat is not None:
            raise UsageError("--bins and --compat need --reevaluate, e.g. --reevaluate 10")
        return None
    return Reevaluate(every, 50 if bins is None else bins, compat)  # type: ignore[arg-type]
