"""The keyword arguments of `evaluate` and of `score`, for type checkers."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any, TypedDict

import numpy.typing as npt

from streamgauge._support.durations import Duration
from streamgauge._support.types import Label
from streamgauge.measures.forgetting import Forgetting
from streamgauge.measures.metric import Metric
from streamgauge.prequential.labels import LabelPolicy
from streamgauge.prequential.reevaluation.reevaluate import Reevaluate
from streamgauge.streams.formats.schema_inference import Task

Column = npt.ArrayLike | Sequence[object]  # a value per row


class EvaluateArguments(TypedDict, total=False):
    """The keyword arguments of `evaluate` apart from `protocol`; `runs.options` declares most."""

    target: str | None
    labels: LabelPolicy | str | None
    forget: Sequence[Forgetting | str] | None
    seed: int
    warmup: int
    metrics: str | Sequence[str | Metric]
    references: Sequence[Any]
    cost: npt.ArrayLike | None
    every: int | None
    oracle: bool
    reevaluate: Reevaluate | str | None
    max_labels: int | None
    save: str | Path | None
    predictions: bool
    progress: bool | None
    block_rows: int | None


class ScoreArguments(TypedDict, total=False):
    """The keyword arguments of `score` that arrays and logs share."""

    classes: Sequence[Label] | None
    task: Task | None
    timeout: Duration | None
    labels: LabelPolicy | None
    forget: Sequence[Forgetting] | None
    metrics: str | Sequence[str | Metric] | None
    references: Sequence[Any]
    cost: npt.ArrayLike | None
    every: int | None
    warmup: int
    save: str | Path | None
    predictions: bool
    stream: str | None


class ArrayArguments(ScoreArguments, total=False):
    """Those of arrays, apart from `y_proba`."""

    arrives: Column | None
    revealed: Column | None
    name: str | None


class LogArguments(ScoreArguments, total=False):
    """Those of a log, apart from `true`, `pred` and `proba`."""

    label_log: Any
    id: str | None
    arrives: str | None
    revealed: str | None
    name: str | list[str] | None
