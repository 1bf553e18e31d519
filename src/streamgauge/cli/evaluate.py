"""streamgauge evaluate: play a stream through learners, print table and verdict."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from streamgauge._support.errors import UsageError
from streamgauge.cli._options import (
    Arrives,
    Data,
    Debug,
    Delay,
    Drop,
    Fadings,
    Inject,
    Json,
    Nominal,
    Revealed,
    Rows,
    Target,
    Task,
    Variant,
    Windows,
)
from streamgauge.cli._protocol import parse_protocol
from streamgauge.cli._stream import check_task, find_stream, find_target

if TYPE_CHECKING:
    from streamgauge.measures.forgetting import Forgetting
    from streamgauge.prequential.labels import LabelPolicy
    from streamgauge.prequential.reevaluation.reevaluate import Reevaluate
    from streamgauge.streams.base import Stream


def evaluate(
    data: Data,
    target: Target = None,
    variant: Variant = None,
    learner: Annotated[
        list[str] | None,
        typer.Option(
            help="NaiveBayes, HoeffdingTree, HoeffdingAdaptiveTree, AdaptiveRandomForest, "
            "LeveragingBagging, KNN, Majority, Persistent, Transition, "
            "river:tree.HoeffdingTreeClassifier() or capymoa:HoeffdingTree(); one around another: "
            "SWT(HoeffdingTree(), order=2), TemporalCorrection(KNN()), "
            "Resetting(NaiveBayes(), DDM()). May be repeated. Default: NaiveBayes."
        ),
    ] = None,
    protocol: Annotated[
        str | None,
        typer.Option(
            help="Holdout(every=1000, size=500): test on rows that are never learned. "
            "PrequentialCV(k=10, mode='cv'): k models over one pass. "
            "Default: each row a test, then a lesson."
        ),
    ] = None,
    delay: Delay = None,
    chunks: Annotated[
        int | None, typer.Option(help="Labels come in chunks of so many rows.")
    ] = None,
    sampled: Annotated[
        float | None, typer.Option(help="Only this share of the labels ever comes.")
    ] = None,
    arrives: Arrives = None,
    revealed: Revealed = None,
    reevaluate: Annotated[
        int | None, typer.Option(help="Ask again after every so many labels while one is awaited.")
    ] = None,
    bins: Annotated[
        int | None, typer.Option(help="Score in so many parts of the wait. Default: 50.")
    ] = None,
    compat: Annotated[
        str | None, typer.Option(help="moa-fork: bins as grzenda2019's program has them.")
    ] = None,
    events: Annotated[
        bool, typer.Option(help="DATA is a log of events: arrivals, updates, labels by id.")
    ] = False,
    id: Annotated[str | None, typer.Option(help="The events' column of instance ids.")] = None,
    time: Annotated[str | None, typer.Option(help="The events' column of times.")] = None,
    kind: Annotated[
        str | None, typer.Option(help="The events' column of kinds: instance, label, update.")
    ] = None,
    skip_conflicts: Annotated[
        bool, typer.Option(help="Leave out events that contradict earlier ones, and count them.")
    ] = False,
    labels_first: Annotated[
        bool, typer.Option(help="At equal times labels come before rows.")
    ] = False,
    window: Windows = None,
    fading: Fadings = None,
    nominal: Nominal = None,
    drop: Drop = None,
    task: Task = None,
    rows: Rows = None,
    inject: Inject = 0,
    warmup: Annotated[int, typer.Option(help="First rows: learned, not scored.")] = 0,
    all_metrics: Annotated[bool, typer.Option(help="Also log-loss, Brier score and AUC.")] = False,
    seed: Annotated[int, typer.Option(help="For learners that draw lots.")] = 1,
    json: Json = None,
    save: Annotated[Path, typer.Option(help="Keep curves and predictions in this folder.")] = Path(
        "results"
    ),
    debug: Debug = False,
) -> None:
    """Is a learner any better than repeating the last label?

    Plays DATA row by row, test then train, beside the references Majority, Persistent and
    Transition, and prints a table and a verdict in words.
    """
    from streamgauge.evaluation.evaluate import evaluate as run_evaluation
    from streamgauge.streams.transforms.inject import inject as injected

    check_task(task)
    columns = {"target": target, "nominal": nominal, "drop": drop, "task": task}
    if events or id is not None or time is not None:
        columns |= {"id": id, "time": time, "kind": kind}
        others = {"--arrives": arrives, "--revealed": revealed, "--variant": variant}
        stream = _events(data, columns, others, skip_conflicts)
    else:
        columns |= {"arrives": arrives, "revealed": revealed}
        stream = find_stream(data, columns, variant)
    stream = injected(stream, inject)
    if rows is not None:
        stream = stream.take(rows)
    from streamgauge.cli._output import report, settle

    way = parse_protocol(protocol)
    settle(
        lambda: report(
            run_evaluation(
                stream,
                list(learner or ["NaiveBayes"]),
                protocol=way,
                labels=label_policy(delay, chunks, sampled, revealed, stream, labels_first),
                forget=forgettings(window, fading) if window or fading or way is None else None,
                warmup=warmup,
                metrics="all" if all_metrics else "labels",
                seed=seed,
                reevaluate=_reevaluate(reevaluate, bins, compat),
            ),
            json,
            save,
        ),
        json,
        save,
    )


def _events(
    data: str, columns: dict[str, Any], others: dict[str, str | None], skip: bool
) -> Stream:
    from streamgauge.streams.events import read_events

    for option, value in others.items():
        if value:
            raise UsageError(f"{option} is for a row per instance; a log of events has --time")
    if not data.lower().removesuffix(".gz").endswith(".arff"):  # there its place tells
        columns["target"] = find_target(data, columns["target"])
    given = {name: value for name, value in columns.items() if value}
    return read_events(data, on_conflict="skip" if skip else "error", **given)


def _reevaluate(every: int | None, bins: int | None, compat: str | None) -> Reevaluate | None:
    from streamgauge.prequential.reevaluation.reevaluate import Reevaluate

    if every is None:
        if bins is not None or compat is not None:
            raise UsageError("--bins and --compat are of re-evaluation: give --reevaluate 10 too")
        return None
    return Reevaluate(every, 50 if bins is None else bins, compat)  # type: ignore[arg-type]


def label_policy(
    delay: int | None,
    chunks: int | None,
    sampled: float | None,
    revealed: str | None,
    stream: Stream,
    labels_first: bool,
) -> LabelPolicy | None:
    """As asked for; None leaves it to the stream: at its own times, or at once."""
    from streamgauge.prequential import labels

    given: list[LabelPolicy] = [
        policy
        for policy in (
            None if delay is None else labels.Delay(delay),
            None if chunks is None else labels.Chunks(chunks),
            None if sampled is None else labels.Sampled(sampled),
        )
        if policy is not None
    ]
    if labels_first and not stream.schema.time:
        raise UsageError("--labels-first is about reveal times; name their column with --revealed")
    if labels_first:
        given.append(labels.FromStream("labels_first"))
    elif revealed is not None:
        given.append(labels.FromStream())
    if len(given) > 1:
        shown = " and ".join(map(repr, given))
        raise UsageError(f"labels cannot come by {shown} at once; give one of them")
    return given[0] if given else None


def forgettings(window: list[int] | None, fading: list[float] | None) -> list[Forgetting]:
    """All rows, and whatever was asked for; a window of 1000 if nothing was."""
    from streamgauge.measures.forgetting import Cumulative, Fading, Window

    asked: list[Forgetting] = [*map(Window, window or ()), *map(Fading, fading or ())]
    return [Cumulative(), *(asked or [Window(1000)])]
