"""streamgauge drift: when did a learner's errors change, and were the alarms right?"""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from streamgauge._support.errors import UsageError
from streamgauge.cli._options import (
    Arrives,
    Debug,
    Delay,
    Drop,
    Json,
    Nominal,
    Revealed,
    Rows,
    Target,
    Task,
    Variant,
)
from streamgauge.cli._stream import check_task, find_stream

if TYPE_CHECKING:
    from streamgauge.comparison.detect import Detections
    from streamgauge.runs.run import Run

_USUAL = ("DDM", "EDDM", "ADWIN", "PageHinkley")


def drift(
    data: Annotated[
        str,
        typer.Argument(
            help="A file, a data set such as elec2, or the directory of a saved run: then no "
            "learner is run again."
        ),
    ],
    detector: Annotated[
        list[str] | None,
        typer.Option(
            help="DDM, EDDM, ADWIN, PageHinkley, RatioPageHinkley, river:drift.KSWIN(), with "
            "parameters: 'PageHinkley(on=Fading(0.997))'; may be repeated. Default: the first four."
        ),
    ] = None,
    learner: Annotated[
        str | None, typer.Option(help="Whose errors are watched. Default: NaiveBayes.")
    ] = None,
    drift_at: Annotated[
        list[str] | None,
        typer.Option(help="A row where the concept truly changes, or row:width; may be repeated."),
    ] = None,
    no_drift: Annotated[
        bool, typer.Option("--no-drift", help="It never truly changes: every alarm is false.")
    ] = False,
    accept: Annotated[
        int | None, typer.Option(help="A drift counts as found within so many rows.")
    ] = None,
    target: Target = None,
    variant: Variant = None,
    delay: Delay = None,
    arrives: Arrives = None,
    revealed: Revealed = None,
    nominal: Nominal = None,
    drop: Drop = None,
    task: Task = None,
    rows: Rows = None,
    seed: Annotated[int, typer.Option(help="For learners and detectors that draw lots.")] = 1,
    json: Json = None,
    debug: Debug = False,
) -> None:
    """When did a learner's errors change? Alarms of several detectors over one run.

    Detectors are fed the error of each row's first prediction when its label comes. Where the true
    drifts are known (--drift-at, --no-drift) alarms are scored, with blind ones beside them.

    \b
    streamgauge drift elec2 --detector DDM --detector "PageHinkley(on=Fading(0.997))"
    streamgauge drift x.csv --target y --delay 100 --drift-at 15000 --drift-at 30000:500
    streamgauge drift results/elec2-NaiveBayes-c7f543344694 --detector ADWIN
    """
    from streamgauge.comparison.detect import detect
    from streamgauge.learners.parsing import parse_detector

    watchers = [parse_detector(each) for each in detector or _USUAL]
    truth = _truth(drift_at, no_drift)
    run: Run | str = data
    if _is_run(data):
        options = {
            "--learner": learner, "--target": target, "--variant": variant, "--delay": delay,
            "--arrives": arrives, "--revealed": revealed, "--nominal": nominal, "--drop": drop,
            "--task": task, "--rows": rows,
        }  # fmt: skip
        given = [name for name, value in options.items() if value]
        if given:
            raise UsageError(f"{data} is a saved run; leave out {' '.join(given)}")
    else:
        check_task(task)
        columns = {"target": target, "nominal": nominal, "drop": drop, "task": task,
                   "arrives": arrives, "revealed": revealed}  # fmt: skip
        stream = find_stream(data, columns, variant)
        if rows is not None:
            stream = stream.take(rows)
        from streamgauge.cli.evaluate import label_policy
        from streamgauge.evaluation.evaluate import evaluate

        policy = label_policy(delay, None, None, revealed, stream, False)
        run = evaluate(stream, learner or "NaiveBayes", labels=policy, seed=seed)
    _report(detect(run, watchers, drifts=truth, seed=seed), accept, json)


def _is_run(data: str) -> bool:
    return Path(data, "run.json").is_file()


def _truth(drift_at: list[str] | None, no_drift: bool) -> list[tuple[int, int]] | None:
    """True drifts as they were given; None if nothing was said of them."""
    if no_drift and drift_at:
        raise UsageError("--no-drift and --drift-at contradict each other; give one of them")
    if no_drift:
        return []
    found = []
    for text in drift_at or ():
        row, _, width = text.partition(":")
        try:
            found.append((int(row), int(width or 0)))
        except ValueError:
            raise UsageError(
                f"--drift-at {text}: expected a row such as 15000, or row:width, 15000:500"
            ) from None
    return found or None


def _report(found: Detections, accept: int | None, json: Path | None) -> None:
    card = None if found.drifts is None else found.score(accept=accept)
    if card is None and accept is not None:
        raise UsageError("--accept is about true drifts; name them with --drift-at")
    typer.echo(str(found) if card is None else f"{found.head()}\n{card}")
    if card is None:
        typer.echo("To score alarms name the true drifts, --drift-at ROW, or say --no-drift.")
    if json is not None:
        from streamgauge.cli._output import write_json

        score = {} if card is None else {"scorecard": card.to_dict()}
        write_json(found.to_dict() | score, json, "the alarms")
