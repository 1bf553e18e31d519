"""The stream of a log: its features are the predictions that models made elsewhere."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
import numpy.typing as npt

from streamgauge._support.errors import InputError, UsageError
from streamgauge._support.types import Block, Floats, Label, Longs, Schema
from streamgauge.evaluation._corrections import LabelCorrections, label_corrections
from streamgauge.evaluation.probabilities import (
    ByClass,
    is_binary,
    named_classes,
    probability_matrix,
)
from streamgauge.learners.recorded import Recorded
from streamgauge.learners.run_events import most_probable
from streamgauge.streams.formats.schema_inference import Task, check_declared, check_task
from streamgauge.streams.frames import ArrayStream
from streamgauge.streams.label_codes import are_classes, as_targets, encode_labels
from streamgauge.streams.summary import StreamSummary
from streamgauge.streams.times import Times


@dataclass(frozen=True)
class Model:
    """The predictions of one model, its probabilities, or both."""

    name: str
    predictions: npt.NDArray[Any] | None
    probabilities: npt.ArrayLike | ByClass | None


@dataclass(frozen=True)
class Corrected:
    """Labels that replace those of rows; without times as soon as the row is scored."""

    rows: Longs
    times: Longs | None
    labels: npt.NDArray[Any]


class RecordedStream(ArrayStream):
    """Labels and predictions; a summary shows no features, because it has none of its own."""

    corrections: LabelCorrections | None = None

    def summary(self) -> StreamSummary:
        return replace(super().summary(), features=0)

    def fingerprint(self) -> str:
        if self.corrections is None:
            return super().fingerprint()
        digest = hashlib.sha256(super().fingerprint().encode())
        for column in self.corrections:
            if column is not None:
                digest.update(column.tobytes())
        return digest.hexdigest()


def recorded_stream(
    name: str,
    true: npt.NDArray[Any],
    models: Sequence[Model],
    times: Times,
    classes: Sequence[Label] | None = None,
    task: Task | None = None,
    corrected: Corrected | None = None,
) -> tuple[RecordedStream, list[Recorded]]:
    """The stream and a learner for each model, which reads its predictions."""
    check_task(task)
    rows = len(true)
    if corrected is not None:
        true = np.concatenate([true, corrected.labels])
    if task == "regression" or (classes is None and task is None and _regression(true, models)):
        X, y, found = _targets(true, models, classes)
        width = 1
    else:
        X, y, found = _codes(true, models, classes, rows)
        width = X.shape[1] // len(models)
    arrives, revealed, clock = times
    timed = arrives is not None or revealed is not None
    features = tuple(f"{model.name}[{j}]" for model in models for j in range(width))
    schema = Schema(features, ((),) * len(features), found, timed, clock)
    y, new = y[:rows], y[rows:]
    stream = RecordedStream(name, schema, Block(0, X, y, arrives, revealed))
    if corrected is not None and len(new):
        stream.corrections = label_corrections(corrected.rows, corrected.times, y, new)
    learners = [Recorded(model.name, i * width, width > 1) for i, model in enumerate(models)]
    return stream, learners


def _regression(true: npt.NDArray[Any], models: Sequence[Model]) -> bool:
    """Whether labels and predictions are numbers, not classes."""
    predictions = [model.predictions for model in models if model.predictions is not None]
    given = any(model.probabilities is not None for model in models)
    fractions = [each for each in predictions if not (are_classes(each) or _all_nan(each))]
    if are_classes(true) and (given or not fractions):
        return False
    for model in models:
        if model.predictions is not None:
            _check_not_probabilities(true, model.name, model.predictions)
    return True


def _check_not_probabilities(
    true: npt.NDArray[Any], name: str, predicted: npt.NDArray[Any]
) -> None:
    """Raise an error for fractions beside two classes: they are probabilities or scores."""
    labels = set(encode_labels(true)[1]) if are_classes(true) else set()
    two = len(labels) == 2 or is_binary(labels)
    if not two or predicted.dtype.kind != "f" or are_classes(predicted) or _all_nan(predicted):
        return
    known = predicted[~np.isnan(predicted)]
    fraction = known[np.argmax(known != np.floor(known))]
    inside = bool(((known >= 0) & (known <= 1)).all())
    what = "look like probabilities" if inside else "are scores, not classes"
    regression = "" if _is_text(labels) else "; to score them as numbers: task='regression'"
    raise InputError(
        f"the labels are {' and '.join(map(str, sorted(labels, key=str)))}, but predictions such "
        f"as {fraction:.4g} in {name!r} {what}: pass probabilities as y_proba=... "
        f"(--proba {name}), or predict classes, e.g. with a threshold of 0.5{regression}"
    )


def _targets(
    true: npt.NDArray[Any], models: Sequence[Model], classes: Sequence[Label] | None
) -> tuple[Floats, npt.NDArray[Any], tuple[Label, ...]]:
    if classes is not None:
        raise UsageError(
            "classes=... and task='regression' contradict each other; pass only one of them"
        )
    for model in models:
        if model.predictions is None or model.probabilities is not None:
            raise UsageError("regression: probabilities are of classes; pass predicted numbers")
        if _has_text(true) or _has_text(model.predictions):
            raise _kinds(true[:1].tolist()[0], model.predictions[:1].tolist()[0])
    predictions = [
        as_targets(model.predictions, model.name)
        for model in models
        if model.predictions is not None
    ]
    return np.column_stack(predictions), as_targets(true, "y_true"), ()


def _codes(
    true: npt.NDArray[Any], models: Sequence[Model], classes: Sequence[Label] | None, rows: int
) -> tuple[Floats, npt.NDArray[Any], tuple[Label, ...]]:
    """Predicted codes, each followed by its probabilities; class codes; classes."""
    found = _all_classes(true, models) if classes is None else check_declared(classes)
    y, _ = encode_labels(true, found, "y_true")
    with_probabilities = [model for model in models if model.probabilities is not None]
    if len(with_probabilities) not in (0, len(models)):
        raise UsageError(
            f"probabilities are given for {with_probabilities[0].name} but not for every model; "
            "expected them for all or for none"
        )
    columns: list[Floats] = []
    for model in models:
        matrix = None
        if model.probabilities is not None:
            what = "y_proba" if len(models) == 1 else f"y_proba of {model.name}"
            matrix = probability_matrix(model.probabilities, found, classes is not None, rows, what)
        if model.predictions is not None:
            codes, _ = encode_labels(model.predictions, found, model.name)
        else:
            assert matrix is not None
            codes = most_probable(matrix)
        columns.append(np.where(codes < 0, np.nan, codes.astype(np.float64))[:, np.newaxis])
        if matrix is not None:
            columns.append(matrix)
    return np.ascontiguousarray(np.hstack(columns)), y, found


def _all_classes(true: npt.NDArray[Any], models: Sequence[Model]) -> tuple[Label, ...]:
    """All labels in truth and predictions, and those that probabilities name."""
    every = set(encode_labels(true, name="y_true")[1])
    for model in models:
        if model.predictions is not None:
            predicted = encode_labels(model.predictions, name=model.name)[1]
            if predicted and _is_text(every) != _is_text(every | set(predicted)):
                raise _kinds(encode_labels(true)[1][0], predicted[-1])
            every |= set(predicted)
        if model.probabilities is not None:
            every |= named_classes(model.probabilities, every)
            one_column = not isinstance(model.probabilities, Mapping) or None in model.probabilities
            if len(every) == 1 and one_column and every <= {0, 1}:
                every |= {False, True} if isinstance(next(iter(every)), bool) else {0, 1}
    if len(every) < 2:
        raise InputError(
            f"truth and predictions have only one label ({', '.join(map(repr, every))}); expected "
            "two classes or more. If the data are right, declare all classes: classes=[...]"
        )
    texts = sorted(label for label in every if isinstance(label, str))
    if texts and len(texts) < len(every):
        raise _kinds(texts[0], next(label for label in every if label not in texts))
    return tuple(sorted(every))


def _has_text(labels: npt.NDArray[Any]) -> bool:
    return labels.dtype.kind in "UO" and any(isinstance(v, str) for v in labels.tolist())


def _is_text(labels: set[Label]) -> bool:
    return any(isinstance(label, str) for label in labels)


def _all_nan(labels: npt.NDArray[Any]) -> bool:
    return labels.dtype.kind == "f" and bool(np.isnan(labels).all())


def _kinds(label: object, prediction: object) -> InputError:
    return InputError(
        f"labels such as {label!r} and predictions such as {prediction!r}: expected both to be "
        "text or both to be numbers"
    )
