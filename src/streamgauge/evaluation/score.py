"""`score`: predictions made elsewhere, judged with references, metrics and a verdict."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from types import MappingProxyType
from typing import Any, Unpack, overload

import numpy.typing as npt

from streamgauge._support.durations import Duration
from streamgauge._support.errors import InputError, UsageError
from streamgauge._support.types import Label
from streamgauge._support.valid_text import valid_text
from streamgauge.evaluation._recorded_stream import Corrected, Model, recorded_stream
from streamgauge.evaluation.evaluate import evaluate
from streamgauge.evaluation.options import Column, ScoreArguments
from streamgauge.measures.forgetting import Forgetting
from streamgauge.measures.metric import Metric
from streamgauge.prequential.labels import FromStream, LabelPolicy
from streamgauge.runs.run import Run
from streamgauge.streams.formats.schema_inference import Task
from streamgauge.streams.label_codes import as_labels, is_missing
from streamgauge.streams.times import times_of


@overload
def score(
    y_true: Column,
    y_pred: Mapping[str, Column],
    *,
    y_proba: Mapping[str, npt.ArrayLike] | None = None,
    **options: Unpack[ScoreArguments],
) -> dict[str, Run]: ...
@overload
def score(
    y_true: Column,
    y_pred: None = None,
    *,
    y_proba: Mapping[str, npt.ArrayLike],
    **options: Unpack[ScoreArguments],
) -> dict[str, Run]: ...
@overload
def score(
    y_true: Column,
    y_pred: Column | None = None,
    *,
    y_proba: npt.ArrayLike | None = None,
    **options: Unpack[ScoreArguments],
) -> Run: ...
def score(
    y_true: Column,
    y_pred: Column | Mapping[str, Column] | None = None,
    *,
    y_proba: Any = None,
    classes: Sequence[Label] | None = None,
    task: Task | None = None,
    arrives: Column | None = None,
    revealed: Column | None = None,
    timeout: Duration | None = None,
    labels: LabelPolicy | None = None,
    forget: Sequence[Forgetting] | None = None,
    metrics: str | Sequence[str | Metric] | None = None,
    references: Sequence[Any] = (),
    cost: npt.ArrayLike | None = None,
    every: int | None = None,
    warmup: int = 0,
    keep: str | Path = "memory",
    name: str | None = None,
    stream: str = "log",
) -> Run | dict[str, Run]:
    """Score predictions made elsewhere as `evaluate` scores a learner's.

    Rows are in the order of their arrival. A prediction of None or NaN is an abstention; a label of
    None or NaN is not known. `score_log` does the same for files and data frames.

    Parameters
    ----------
    y_true
        A label per row.
    y_pred
        A prediction per row; or several models' predictions by name. Without it, the class with
        the highest probability is predicted, the first of equal ones.
    y_proba
        Probabilities, rows × classes, in the order of `classes`; with two classes also one number
        per row, the probability of 1, of True, or of the second of `classes`. By name if `y_pred`
        is, or if there is no `y_pred`.
    classes
        All classes; by default those in `y_true` and `y_pred`.
    task
        "classification" or "regression"; by default inferred from labels and predictions.
    arrives, revealed
        When rows arrived and when their labels were revealed, so that the references know no more
        than the model did: integers, datetimes or ISO 8601 texts. Without them labels are revealed
        immediately.
    timeout
        How long a row may wait for its label, e.g. ``"7d"``. A row that has waited longer is never
        labelled; one that has not may still get its label.
    labels, forget, metrics, references, cost, every, warmup, keep
        As in `evaluate`. With probabilities, all metrics by default.
    name
        The name of the model in tables; by default that of the column `y_pred`, if it has one.
    stream
        The name of the log. Runs of one log compare: ``sg.compare(run, other)``.

    Returns
    -------
    Run
        The run of these predictions, with its references and verdict; a dict of runs for several
        models by name.

    Raises
    ------
    InputError
        If the columns differ in length or have invalid values.

    References
    ----------
    zliobaite2015 (docs/bibliography.md)

    Examples
    --------
    >>> import streamgauge as sg
    >>> y_true = ["up", "up", "down", "down", "up", "up"]
    >>> y_pred = ["up", "up", "up", "down", "down", "up"]
    >>> run = sg.score(y_true, y_pred)
    >>> round(run.summary["accuracy"], 3), round(run.references["Persistent"]["accuracy"], 3)
    (0.667, 0.5)
    >>> runs = sg.score([1, 1, 0, 0], y_proba={"old": [0.9, 0.4, 0.4, 0.1], "new": [1, 1, 0, 0]})
    >>> {name: round(run.summary["brier"], 3) for name, run in runs.items()}
    {'old': 0.27, 'new': 0.0}
    """
    models = _models(y_pred, y_proba, name)
    runs = score_models(
        y_true, models, classes=classes, task=task, arrives=arrives, revealed=revealed,
        timeout=timeout, labels=labels, forget=forget, metrics=metrics, references=references,
        cost=cost, every=every, warmup=warmup, keep=keep, stream=stream,
    )  # fmt: skip
    several = isinstance(y_pred, Mapping) or isinstance(y_proba, Mapping)
    return {run.name: run for run in runs} if several else runs[0]


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
) -> list[Run]:
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
        raise UsageError("metrics='all' needs probabilities: score(..., y_proba=...)")
    runs: list[Run] = evaluate(log, list(learners), labels=labels, metrics=metrics, **options)
    return runs


def _models(y_pred: Any, y_proba: Any, name: str | None) -> list[Model]:
    """The models: one, or several by name."""
    if y_pred is None and y_proba is None:
        raise UsageError("no predictions given; expected y_pred, y_proba or both")
    if not isinstance(y_pred, Mapping) and not isinstance(y_proba, Mapping):
        own = getattr(y_proba if y_pred is None else y_pred, "name", None)
        name = name or (own if isinstance(own, str) and own else "predictions")
        y_pred, y_proba = ({name: each} for each in (y_pred, y_proba))
    elif name is not None:
        raise UsageError(f"name={name!r}: several models have names already; leave name out")
    named = [each for each in (y_pred, y_proba) if each is not None]
    names = list(named[0])
    if any(list(each) != names for each in named) or not all(isinstance(n, str) for n in names):
        raise UsageError(
            f"y_pred and y_proba name the models {' and '.join(str(list(n)) for n in named)}; "
            "expected the same names in both, as text"
        )
    if not names:
        raise UsageError("no predictions given; expected at least one model")
    models = []
    for each in names:
        predicted = None if y_pred is None else y_pred[each]
        given = None if predicted is None else as_labels(predicted, "y_pred")
        models.append(Model(each, given, None if y_proba is None else y_proba[each]))
    return models


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
