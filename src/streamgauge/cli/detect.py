"""streamgauge detect: run drift detectors over a learner's errors, and score their alarms."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from streamgauge._support.errors import UsageError
from streamgauge._support.paths import exists
from streamgauge.cli._figures import check_figure, save_figure
from streamgauge.cli._options import (
    Arrives,
    Classes,
    Debug,
    Delay,
    Drop,
    Json,
    Labels,
    Nominal,
    Plot,
    Revealed,
    Rows,
    Target,
    Task,
    Variant,
    Verbose,
)
from streamgauge.cli._stream import check_task, open_stream
from streamgauge.cli._terminal import echo, show
from streamgauge.runs.options import MORE

if TYPE_CHECKING:
    from streamgauge.detection.detect import Detections
    from streamgauge.runs.run import Run

_DEFAULT_DETECTORS = ("DDM", "EDDM", "ADWIN", "PageHinkley")


def detect(
    data: Annotated[
        str,
        typer.Argument(
            metavar="DATA",
            help="As of `streamgauge evaluate`; or the directory of a saved run, whose errors are "
            "used.",
        ),
    ],
    detector: Annotated[
        list[str] | None,
        typer.Option(
            metavar="DETECTOR",
            help="E.g. 'PageHinkley(on=Fading(0.997))' or river:drift.KSWIN(). Default: "
            f"{', '.join(_DEFAULT_DETECTORS)}.",
        ),
    ] = None,
    learner: Annotated[
        str | None,
        typer.Option(metavar="LEARNER", help="Whose errors. Default: NaiveBayes."),
    ] = None,
    drift_at: Annotated[
        list[str] | None,
        typer.Option(metavar="ROW[:WIDTH]", help="Where the concept truly changes."),
    ] = None,
    no_drift: Annotated[
        bool, typer.Option("--no-drift", help="It never changes: every alarm is false.")
    ] = False,
    accept: Annotated[
        int | None,
        typer.Option(
            metavar="N", help="An alarm within N rows detects it. Default: until the next."
        ),
    ] = None,
    labels: Labels = None,
    delay: Delay = None,
    rows: Rows = None,
    plot: Plot = None,
    json: Json = None,
    verbose: Verbose = False,
    target: Target = None,
    drop: Drop = None,
    nominal: Nominal = None,
    arrives: Arrives = None,
    revealed: Revealed = None,
    task: Task = None,
    classes: Classes = None,
    variant: Variant = None,
    seed: Annotated[
        int | None,
        typer.Option(
            metavar="N",
            help="Random seed. Default: that of a saved run, else 1.",
            rich_help_panel=MORE,
        ),
    ] = None,
    debug: Debug = False,
) -> None:
    """Detect when a learner's errors change.

    Detectors get the error of each row's first prediction when its label is revealed. If the true
    drifts are known (--drift-at, --no-drift), alarms are scored and compared with random alarms and
    with the same alarms at other places.

    \b
    Examples:
    streamgauge detect elec2 --detector "PageHinkley(on=Fading(0.997))"
    streamgauge detect x.csv --target y --drift-at 15000 --drift-at 30000:500
    streamgauge detect "splice([Sine1(5000), Sine1(5000, reverse=True)])"
    streamgauge detect results/elec2-NaiveBayes-38500122079a --detector ADWIN
    """
    from streamgauge.detection.detect import detect
    from streamgauge.learners.learner_text import parse_detector

    check_figure(plot)
    detectors = [parse_detector(each) for each in detector or _DEFAULT_DETECTORS]
    truth = _truth(drift_at, no_drift)
    run: Run | str = data
    if _is_run(data):
        options = {
            "--learner": learner, "--target": target, "--variant": variant, "--labels": labels,
            "--delay": delay, "--arrives": arrives, "--revealed": revealed, "--nominal": nominal,
            "--drop": drop, "--task": task, "--classes": classes, "--rows": rows,
        }  # fmt: skip
        given = [name for name, value in options.items() if value]
        if given:
            raise UsageError(f"{data} is a saved run; remove {' '.join(given)}")
    else:
        check_task(task)
        columns = {"target": target, "nominal": nominal, "drop": drop, "task": task,
                   "classes": classes, "arrives": arrives, "revealed": revealed}  # fmt: skip
        run_seed = 1 if seed is None else seed
        stream = open_stream(data, columns, variant, run_seed)
        if rows is not None:
            stream = stream.take(rows)
        from streamgauge.cli._option_texts import make_label_policy
        from streamgauge.evaluation.evaluate import evaluate

        policy = make_label_policy(stream, text=labels, delay=delay, revealed=revealed)
        run = evaluate(stream, learner or "NaiveBayes", labels=policy, seed=run_seed)
    _report(detect(run, detectors, drifts=truth, seed=seed), accept, json, verbose, plot)


def _is_run(data: str) -> bool:
    return exists(Path(data, "run.json"))


def _truth(drift_at: list[str] | None, no_drift: bool) -> list[tuple[int, int]] | None:
    """The true drifts as (row, width); None if they are unknown."""
    if no_drift and drift_at:
        raise UsageError("--no-drift and --drift-at contradict each other; give only one")
    if no_drift:
        return []
    found = []
    for text in drift_at or ():
        row, _, width = text.partition(":")
        try:
            found.append((int(row), int(width or 0)))
        except ValueError:
            raise UsageError(
                f"--drift-at {text}: expected a row such as 15000, or row:width such as 15000:500"
            ) from None
    return found or None


def _report(
    found: Detections, accept: int | None, json: Path | None, verbose: bool, plot: Path | None
) -> None:
    card = None if found.drifts is None else found.score(accept=accept)
    if card is None and accept is not None:
        raise UsageError("--accept needs the true drifts; give them with --drift-at")
    if card is None:
        show(found, verbose)
    else:
        echo(found.head())
        show(card, verbose)
    if card is None:
        echo("To score the alarms, give the true drifts: --drift-at ROW, or --no-drift.")
    if json is not None:
        from streamgauge.cli._output import write_json

        score = {} if card is None else {"scorecard": card.to_dict()}
        write_json(found.to_dict() | score, json, "the alarms")
    save_figure(found.plot, plot)
