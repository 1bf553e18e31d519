"""streamgauge evaluate: play a stream through learners, print table and verdict."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from streamgauge.cli.options import Arrives, Debug, Fadings, Json, Revealed, Windows

if TYPE_CHECKING:
    from streamgauge.measures.forgetting import Forgetting
    from streamgauge.prequential.labels import LabelPolicy
    from streamgauge.streams.base import Stream


def evaluate(
    data: Annotated[str, typer.Argument(help="A CSV file (.csv, .csv.gz) or a data set: elec2.")],
    target: Annotated[str | None, typer.Option(help="The label's column (for a file).")] = None,
    learner: Annotated[
        list[str] | None,
        typer.Option(
            help="NaiveBayes, Majority, Persistent, Transition, or "
            "river:tree.HoeffdingTreeClassifier(); may be repeated. Default: NaiveBayes."
        ),
    ] = None,
    delay: Annotated[int | None, typer.Option(help="Labels come so many rows late.")] = None,
    chunks: Annotated[
        int | None, typer.Option(help="Labels come in chunks of so many rows.")
    ] = None,
    sampled: Annotated[
        float | None, typer.Option(help="Only this share of the labels ever comes.")
    ] = None,
    arrives: Arrives = None,
    revealed: Revealed = None,
    labels_first: Annotated[
        bool, typer.Option(help="At equal times labels come before rows.")
    ] = False,
    window: Windows = None,
    fading: Fadings = None,
    nominal: Annotated[
        list[str] | None, typer.Option(help="A column of numbers that are names.")
    ] = None,
    drop: Annotated[list[str] | None, typer.Option(help="A column that is no feature.")] = None,
    task: Annotated[
        str | None, typer.Option(help="classification or regression; else found out.")
    ] = None,
    rows: Annotated[int | None, typer.Option(help="Only the first so many rows.")] = None,
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
    from streamgauge.evaluation import evaluate as run_evaluation

    stream = _stream(data, target, nominal, drop, task, arrives, revealed)
    if rows is not None:
        stream = stream.take(rows)
    from streamgauge.cli.output import report, settle

    settle(
        lambda: report(
            run_evaluation(
                stream,
                list(learner or ["NaiveBayes"]),
                labels=_policy(delay, chunks, sampled, revealed, labels_first),
                forget=forgettings(window, fading),
                warmup=warmup,
                metrics="all" if all_metrics else "labels",
                seed=seed,
            ),
            json,
            save,
        ),
        json,
        save,
    )


def _stream(
    data: str,
    target: str | None,
    nominal: list[str] | None,
    drop: list[str] | None,
    task: str | None,
    arrives: str | None,
    revealed: str | None,
) -> Stream:
    from streamgauge.errors import UsageError
    from streamgauge.streams.catalog import known, load
    from streamgauge.streams.files import read

    if data in known() and (target is None or not Path(data).exists()):
        options = {"target": target, "nominal": nominal, "drop": drop, "task": task}
        options |= {"arrives": arrives, "revealed": revealed}
        given = [f"--{name}" for name, value in options.items() if value]
        if given:
            raise UsageError(f"{data} is a data set of known columns; leave out {' '.join(given)}")
        return load(data)
    if target is None and Path(data).exists():
        raise UsageError(f"{data}: name the label's column with --target")
    if task not in (None, "classification", "regression"):
        raise UsageError(f"--task {task}: it is classification or regression")
    return read(
        data,
        target or "",
        nominal=nominal or (),
        drop=drop or (),
        task=task,  # type: ignore[arg-type]  # checked above
        arrives=arrives,
        revealed=revealed,
    )


def _policy(
    delay: int | None,
    chunks: int | None,
    sampled: float | None,
    revealed: str | None,
    labels_first: bool,
) -> LabelPolicy:
    from streamgauge.errors import UsageError
    from streamgauge.prequential import labels

    given = [
        policy
        for policy in (
            None if delay is None else labels.Delay(delay),
            None if chunks is None else labels.Chunks(chunks),
            None if sampled is None else labels.Sampled(sampled),
            None
            if revealed is None
            else labels.FromStream("labels_first" if labels_first else "arrivals_first"),
        )
        if policy is not None
    ]
    if labels_first and revealed is None:
        raise UsageError("--labels-first is about reveal times; name their column with --revealed")
    if len(given) > 1:
        shown = " and ".join(map(repr, given))
        raise UsageError(f"labels cannot come by {shown} at once; give one of them")
    return given[0] if given else labels.Immediate()


def forgettings(window: list[int] | None, fading: list[float] | None) -> list[Forgetting]:
    """All rows, and whatever was asked for; a window of 1000 if nothing was."""
    from streamgauge.measures.forgetting import Cumulative, Fading, Window

    asked: list[Forgetting] = [*map(Window, window or ()), *map(Fading, fading or ())]
    return [Cumulative(), *(asked or [Window(1000)])]
