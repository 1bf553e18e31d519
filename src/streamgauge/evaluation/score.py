"""`score`: predictions made elsewhere, judged with references, metrics and a verdict."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, Unpack, overload

import numpy.typing as npt

from streamgauge._support.durations import Duration
from streamgauge._support.errors import UsageError
from streamgauge._support.types import Label
from streamgauge.evaluation._prediction_log import Proba, score_log
from streamgauge.evaluation._recorded_stream import Model
from streamgauge.evaluation._score_models import score_models
from streamgauge.evaluation.options import ArrayArguments, Column, LogArguments
from streamgauge.measures.forgetting import Forgetting
from streamgauge.measures.metric import Metric
from streamgauge.prequential.labels import LabelPolicy
from streamgauge.runs.run import Run
from streamgauge.runs.runs import Runs
from streamgauge.streams.formats.schema_inference import Task
from streamgauge.streams.label_codes import as_labels


@overload
def score(
    y_true: Column,
    /,
    y_pred: Mapping[str, Column],
    *,
    y_proba: Mapping[str, npt.ArrayLike] | None = None,
    **options: Unpack[ArrayArguments],
) -> Runs: ...
@overload
def score(
    y_true: Column,
    /,
    y_pred: None = None,
    *,
    y_proba: Mapping[str, npt.ArrayLike],
    **options: Unpack[ArrayArguments],
) -> Runs: ...
@overload
def score(
    y_true: Column,
    /,
    y_pred: Column | None = None,
    *,
    y_proba: npt.ArrayLike | None = None,
    **options: Unpack[ArrayArguments],
) -> Run: ...
@overload
def score(
    log: Any,
    /,
    *,
    true: str,
    pred: list[str],
    proba: list[Proba] | None = None,
    **options: Unpack[LogArguments],
) -> Runs: ...
@overload
def score(
    log: Any,
    /,
    *,
    true: str,
    pred: None = None,
    proba: list[Proba],
    **options: Unpack[LogArguments],
) -> Runs: ...
@overload
def score(
    log: Any,
    /,
    *,
    true: str,
    pred: str | None = None,
    proba: Proba | None = None,
    **options: Unpack[LogArguments],
) -> Run: ...
def score(
    data: Any,
    /,
    y_pred: Column | Mapping[str, Column] | None = None,
    *,
    y_proba: Any = None,
    true: str | None = None,
    pred: str | list[str] | None = None,
    proba: Proba | list[Proba] | None = None,
    label_log: Any = None,
    id: str | None = None,
    arrives: Column | str | None = None,
    revealed: Column | str | None = None,
    timeout: Duration | None = None,
    classes: Sequence[Label] | None = None,
    task: Task | None = None,
    labels: LabelPolicy | None = None,
    forget: Sequence[Forgetting] | None = None,
    metrics: str | Sequence[str | Metric] | None = None,
    references: Sequence[Any] = (),
    cost: npt.ArrayLike | None = None,
    every: int | None = None,
    warmup: int = 0,
    save: str | Path | None = None,
    predictions: bool = True,
    name: str | list[str] | None = None,
    stream: str | None = None,
) -> Run | Runs:
    r"""Score predictions made elsewhere as `evaluate` scores a learner's.

    The predictions are columns of values, ``score(y_true, y_pred)``, or columns of a log, a file or
    a data frame, by their names: ``score("log.csv", true="y", pred="p")``. Rows are in the order of
    their arrival. A prediction that is empty, None or NaN is an abstention; such a label is not
    known.

    Parameters
    ----------
    data
        A label per row. Or a log: a .csv, .csv.gz, .parquet, .arrow, .feather or .arff file, or a
        pandas, polars or Arrow frame, with a line per prediction.
    y_pred
        A prediction per row; or several models' predictions by name. Without predictions, the
        class with the highest probability is predicted, the first of equal ones.
    y_proba
        Probabilities, rows × classes, in the order of `classes`; with two classes also one number
        per row, the probability of 1, of True, or of the second of `classes`. By name if `y_pred`
        is, or if there is no `y_pred`.
    true
        With a log: column of the label; empty while it is not known.
    pred
        With a log: column of the prediction; a list of columns for several models.
    proba
        With a log: column of the probability of 1 or True; or columns with the class of each:
        ``{"p_no": "no", "p_yes": "yes"}``, of which one is enough with two classes. A list of them
        for several models.
    label_log
        With a log: a second file or frame with the labels, joined by `id`. It has the columns
        `true` and `revealed`, and the log has the others.
    id
        With `label_log`: column of the id in both. Of several predictions of an id the first one
        counts; another label corrects what is cumulative. `run.counts.skipped` has their numbers.
    arrives, revealed
        When rows arrived and when their labels were revealed, so that the references know no more
        than the model did: integers, datetimes or ISO 8601 texts; with a log, their columns.
        Without them labels are revealed immediately.
    timeout
        How long a row may wait for its label, e.g. ``"7d"``. A row that has waited longer is never
        labelled; one that has not may still get its label.
    classes
        All classes; by default those in labels and predictions.
    task
        "classification" or "regression"; by default inferred from labels and predictions.
    labels, forget, metrics, references, cost, every, warmup, save, predictions
        As in `evaluate`. With probabilities, all metrics by default.
    name
        The name of the model in tables; by default that of its column, if it has one. With a log, a
        list for several models.
    stream
        The name of the data; by default that of the file without its extension, or "log". Runs of
        one log compare: ``sg.compare(run, other)``.

    Returns
    -------
    Run or Runs
        The run of these predictions, with its references and verdict; `Runs` for several models.

    Raises
    ------
    UsageError
        If a column does not exist, or options do not fit together.
    InputError
        If columns differ in length, or a cell or line is invalid.

    References
    ----------
    zliobaite2015, grzenda2019 (docs/bibliography.md)

    Examples
    --------
    >>> import streamgauge as sg
    >>> y_true = ["up", "up", "down", "down", "up", "up"]
    >>> y_pred = ["up", "up", "up", "down", "down", "up"]
    >>> run = sg.score(y_true, y_pred)
    >>> round(run.summary["accuracy"], 3), round(run.references["Persistent"]["accuracy"], 3)
    (0.667, 0.5)
    >>> runs = sg.score([1, 1, 0, 0], y_proba={"old": [0.9, 0.4, 0.4, 0.1], "new": [1, 1, 0, 0]})
    >>> {run.name: round(run.summary["brier"], 3) for run in runs}
    {'old': 0.27, 'new': 0.0}

    A log of predictions and one of labels:

    >>> from pathlib import Path
    >>> _ = Path("asked.csv").write_text("id,t,p\n7,0,yes\n8,1,no\n9,2,yes\n9,3,no\n")
    >>> _ = Path("answers.csv").write_text("id,t,y\n8,5,no\n7,6,no\n5,6,yes\n")
    >>> run = sg.score("asked.csv", true="y", pred="p", label_log="answers.csv", id="id",
    ...                arrives="t", revealed="t")
    >>> run.summary["accuracy"], run.counts.unlabelled
    (0.5, 1)
    >>> for reason, lines in run.counts.skipped.items():
    ...     print(lines, "line:", reason)
    1 line: a second prediction of an id; the first one counts
    1 line: a label without a prediction
    """
    values = {"y_pred": y_pred, "y_proba": y_proba}
    columns = {"pred": pred, "proba": proba, "label_log": label_log, "id": id}
    times: dict[str, Any] = {"arrives": arrives, "revealed": revealed}
    _check_form(data, true, values, columns, times)
    options: dict[str, Any] = {
        "timeout": timeout, "classes": classes, "task": task, "labels": labels, "forget": forget,
        "metrics": metrics, "references": references, "cost": cost, "every": every,
        "warmup": warmup, "save": save, "predictions": predictions,
    }  # fmt: skip
    if true is not None:
        runs = score_log(data, true, name=name, stream=stream, **columns, **times, **options)
        several = isinstance(pred, list) or isinstance(proba, list)
    else:
        models = _models(y_pred, y_proba, name)
        runs = score_models(data, models, stream=stream or "log", **times, **options)
        several = isinstance(y_pred, Mapping) or isinstance(y_proba, Mapping)
    return runs if several else runs[0]


def _check_form(
    data: Any,
    true: str | None,
    values: Mapping[str, Any],
    columns: Mapping[str, Any],
    times: Mapping[str, Any],
) -> None:
    """Raise an error if the arguments are neither those of arrays nor those of a log."""
    if true is not None:
        for option, given in values.items():
            if given is not None:
                raise UsageError(
                    f"{option} and true={true!r}: {option} has values, true names a column of a "
                    f"log; expected score(log, true=..., {option.removeprefix('y_')}=...) or "
                    f"score(y_true, {'' if option == 'y_pred' else 'y_proba='}...)"
                )
        for option, given in {"true": true, **times}.items():
            if given is not None and not isinstance(given, str):
                raise UsageError(
                    f"{option}: got {type(given).__name__}; with a log, expected the name of one "
                    "of its columns"
                )
        return
    named = [option for option, given in columns.items() if given is not None]
    named += [option for option, given in times.items() if isinstance(given, str)]
    if named or isinstance(data, str | Path) or hasattr(data, "columns"):
        what = f"{' and '.join(named)}: for a log only; " if named else "a log: "
        raise UsageError(
            f"{what}expected score(log, true=..., pred=...), with true the column of the label, or "
            "score(y_true, y_pred), with values"
        )


def _models(y_pred: Any, y_proba: Any, name: Any) -> list[Model]:
    """The models: one, or several by name."""
    if name is not None and not isinstance(name, str):
        raise UsageError(
            f"name={name!r}: expected one name; to name several models, pass their predictions by "
            "name: score(y_true, {'a': ..., 'b': ...})"
        )
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
