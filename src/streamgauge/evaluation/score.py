"""`score`: predictions made elsewhere, judged with references, metrics and a verdict."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt
import pyarrow as pa

from streamgauge._support.errors import InputError, UsageError
from streamgauge._support.types import Block, Codes, Floats, Label, Schema
from streamgauge.evaluation.evaluate import evaluate
from streamgauge.learners.recorded import Recorded
from streamgauge.measures.forgetting import Forgetting
from streamgauge.measures.metric import Metric
from streamgauge.prequential.labels import FromStream, LabelPolicy
from streamgauge.runs.run import Run
from streamgauge.streams.columns import check_columns
from streamgauge.streams.formats.arrow_cells import as_text, to_floats, to_times
from streamgauge.streams.formats.open import open_table
from streamgauge.streams.formats.schema_inference import check_declared
from streamgauge.streams.frames import ArrayStream, times_of
from streamgauge.streams.label_codes import are_classes, as_labels, encode_labels


def score(
    y_true: npt.ArrayLike | Sequence[object],
    y_pred: npt.ArrayLike | Sequence[object],
    *,
    y_proba: npt.ArrayLike | None = None,
    classes: Sequence[Label] | None = None,
    arrives: npt.ArrayLike | None = None,
    revealed: npt.ArrayLike | None = None,
    labels: LabelPolicy | None = None,
    forget: Sequence[Forgetting] | None = None,
    metrics: str | Sequence[str | Metric] | None = None,
    references: Sequence[Any] = (),
    cost: npt.ArrayLike | None = None,
    every: int | None = None,
    warmup: int = 0,
    keep: str | Path = "memory",
    name: str = "predictions",
) -> Run:
    """Score predictions made elsewhere as `evaluate` scores a learner's.

    Rows are in the order of their arrival. A prediction of None or NaN is an abstention; a label of
    None or NaN is never known.

    Parameters
    ----------
    y_true, y_pred
        A label and a prediction per row.
    y_proba
        Probabilities, rows × classes, in the order of `classes`.
    classes
        All classes; by default those in `y_true` and `y_pred`.
    arrives, revealed
        When rows arrived and when their labels were revealed, so that the references know no more
        than the model did. Without them labels are revealed immediately.
    labels, forget, metrics, references, cost, every, warmup, keep
        As in `evaluate`.
    name
        The name of the predictions in tables.

    Returns
    -------
    Run
        The run of these predictions, with its references and verdict.

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
    """
    true, predicted = as_labels(y_true, "y_true"), as_labels(y_pred, "y_pred")
    if true.ndim != 1 or true.shape != predicted.shape:
        raise InputError(
            f"y_true has shape {true.shape} and y_pred {predicted.shape}; expected one label and "
            "one prediction per row"
        )
    if not len(true):
        raise InputError("no rows to score; expected at least one")
    stream = _as_stream(true, predicted, y_proba, classes, arrives, revealed, name)
    if labels is None and revealed is not None:
        labels = FromStream()
    if metrics is None:
        metrics = "labels" if y_proba is None else "all"
    if y_proba is None and metrics == "all" and not stream.schema.regression:
        raise UsageError("metrics='all' needs probabilities: score(..., y_proba=...)")
    return evaluate(
        stream, Recorded(name), labels=labels, forget=forget, metrics=metrics, cost=cost,
        every=every, warmup=warmup, keep=keep, references=references,
    )  # fmt: skip


def _as_stream(
    true: npt.NDArray[Any],
    predicted: npt.NDArray[Any],
    y_proba: npt.ArrayLike | None,
    classes: Sequence[Label] | None,
    arrives: npt.ArrayLike | None,
    revealed: npt.ArrayLike | None,
    name: str,
) -> ArrayStream:
    """A stream whose features are the predictions and, if given, the probabilities."""
    rows = len(true)
    times = (times_of(arrives, "arrives", rows), times_of(revealed, "revealed", rows))
    timed = any(time is not None for time in times)
    if classes is not None:
        classes = check_declared(classes)
    elif not (are_classes(true) and (are_classes(predicted) or _all_nan(predicted))):
        for labels in (true, predicted):
            if labels.dtype.kind not in "iufb":
                raise _kinds(true[:1].tolist()[0], predicted[:1].tolist()[0])
        schema = Schema(("prediction",), ((),), (), timed)
        X = predicted.astype(np.float64)[:, np.newaxis]
        return ArrayStream(name, schema, Block(0, X, true.astype(np.float64), *times))
    if classes is None:
        classes = _all_classes(true, predicted)
    y, found = encode_labels(true, classes)
    codes, _ = encode_labels(predicted, classes)
    X = codes.astype(np.float64)[:, np.newaxis]
    X[codes < 0] = np.nan
    features = ["prediction"]
    if y_proba is not None:
        X = np.column_stack([X, _probabilities(y_proba, codes, len(found))])
        features += [f"p[{label}]" for label in found]
    schema = Schema(tuple(features), ((),) * len(features), found, timed)
    return ArrayStream(name, schema, Block(0, np.ascontiguousarray(X), y, *times))


def _all_classes(true: npt.NDArray[Any], predicted: npt.NDArray[Any]) -> tuple[Label, ...]:
    """All labels in truth or predictions."""
    in_truth, in_prediction = encode_labels(true)[1], encode_labels(predicted)[1]
    every = set(in_truth) | set(in_prediction)
    if any(isinstance(label, str) for label in every) and not all(
        isinstance(label, str) for label in every
    ):
        raise _kinds(in_truth[0], (in_prediction or in_truth)[-1])
    if len(every) < 2:
        raise InputError(
            f"truth and predictions have only one label ({', '.join(map(repr, every))}); expected "
            "two classes or more. If the data are right, declare all classes: classes=[...]"
        )
    return tuple(sorted(every))


def _all_nan(labels: npt.NDArray[Any]) -> bool:
    return labels.dtype.kind == "f" and bool(np.isnan(labels).all())


def _kinds(label: object, prediction: object) -> InputError:
    return InputError(
        f"labels such as {label!r} and predictions such as {prediction!r}: expected both to be "
        "text or both to be numbers"
    )


def _probabilities(given: npt.ArrayLike, codes: Codes, k: int) -> Floats:
    probabilities = np.asarray(given, np.float64)
    if probabilities.shape != (len(codes), k):
        raise InputError(
            f"y_proba has shape {probabilities.shape}; expected {len(codes):,} rows × {k} classes"
        )
    wrong = (probabilities < 0).any(axis=1) | (probabilities > 1).any(axis=1)
    if wrong.any():
        raise InputError(f"row {int(np.argmax(wrong)):,}: y_proba is outside 0..1")
    return probabilities


def score_file(
    path: str | Path,
    true: str,
    pred: str,
    *,
    arrives: str | None = None,
    revealed: str | None = None,
    **options: Any,
) -> Run:
    """Score the predictions in a file; the options are those of `score`."""
    table = open_table(path)
    names = [true, pred, *(name for name in (arrives, revealed) if name)]
    check_columns(names, table.names, str(path))
    columns = table.load_columns(names)
    times: dict[str, Any] = {
        option: to_times(columns[name], name, table.where, 0)
        for option, name in (("arrives", arrives), ("revealed", revealed))
        if name
    }
    named = Path(path).name.removesuffix(".gz").rpartition(".")[0]
    options |= times
    return score(_cells(columns[true]), _cells(columns[pred]), name=named, **options)


def _cells(column: pa.Array) -> npt.NDArray[Any]:
    """A column as numbers if all its cells are numeric, else as text."""
    try:
        return to_floats(column)
    except pa.ArrowInvalid:
        return np.asarray(as_text(column).to_numpy(zero_copy_only=False), object)
