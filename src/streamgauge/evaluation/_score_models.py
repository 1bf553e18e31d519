"""Scores models from their predictions: the part that arrays and logs share."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from types import MappingProxyType
from typing import Any

from streamgauge._support.durations import Duration
from streamgauge._support.errors import InputError, UsageError
from streamgauge._support.types import Label
from streamgauge._support.valid_text import valid_text
from streamgauge.evaluation._recorded_stream import Corrected, Model, recorded_stream
from streamgauge.evaluation.evaluate import evaluate
from streamgauge.evaluation.options import Column
from streamgauge.measures.metric import Metric
from streamgauge.prequential.labels import FromStream, LabelPolicy
from streamgauge.runs.runs import Runs
from streamgauge.streams.formats.schema_inference import Task
from streamgauge.streams.label_codes import as_labels, is_missing
from streamgauge.streams.times import times_of


@valid_text()
def score_models(
    y_true: Column,
    models: Sequence[Model],
    *,
    stream: str,
    skipped: Mapping[str, int] = MappingProxyType({}),
    last_event: int | None = None,
    corrected: Corrected | None = None,
    classes: Sequence[Label] | None = None,
    task: Task | None = None,
    arrives: Column | None = None,
    revealed: Column | None = None,
    timeout: Duration | None = None,
    labels: LabelPolicy | None = None,
    metrics: str | Sequence[str | Metric] | None = None,
    **options: Any,
) -> Runs:
    """Score models on one log.

    `skipped` counts the lines that were left out, by reason; `last_event` is the latest time in
    it, whether in one of them or not; `corrected` has labels that replace others.
    """
    true = as_labels(y_true, "y_true")
    for model in models:
        if model.predictions is not None and (
            true.ndim != 1 or true.shape != model.predictions.shape
        ):
            raise InputError(
                f"y_true has shape {true.shape} and y_pred {model.predictions.shape}; expected one "
                "label and one prediction per row"
            )
    if not len(true):
        raise InputError("no rows to score; expected at least one")
    if all(map(is_missing, true)):
        raise InputError(
            f"{stream}: none of its {len(true):,} rows has a label; expected at least one label"
        )
    _check_times(arrives, revealed, timeout, labels)
    times = times_of(arrives, revealed, len(true), stream)
    if labels is None and revealed is not None:
        labels = FromStream(timeout=timeout)
    if corrected is not None and not isinstance(labels, FromStream):
        corrected = replace(corrected, times=None)  # its times are not those of the labels
    log, learners = recorded_stream(stream, true, models, times, classes, task, corrected)
    log.skipped, log.last_event = skipped, last_event
    with_probabilities = models[0].probabilities is not None
    if metrics is None:
        metrics = "all" if with_probabilities else "labels"
    if not with_probabilities and metrics == "all" and not log.schema.regression:
        raise UsageError("metrics='all' needs probabilities: y_proba=... or proba=...")
    runs: Runs = evaluate(log, list(learners), labels=labels, metrics=metrics, **options)
    return runs


def _check_times(
    arrives: Any, revealed: Any, timeout: Duration | None, labels: LabelPolicy | None
) -> None:
    if (arrives is None) != (revealed is None):
        given, missing = ("arrives", "revealed") if revealed is None else ("revealed", "arrives")
        raise UsageError(
            f"{given} without {missing}: expected both times or neither, else the references would "
            f"know labels too early; name the column of the other one (--{missing}), or the same "
            "column for both if labels come at once"
        )
    if timeout is not None and revealed is None:
        raise UsageError("timeout needs times; pass arrives and revealed (--arrives, --revealed)")
    if timeout is not None and labels is not None:
        raise UsageError(f"timeout={timeout!r} and labels={labels!r}: give only one of them")
