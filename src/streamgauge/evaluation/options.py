"""The options of `evaluate`, with their defaults, and those of `score`."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, TypedDict

import numpy.typing as npt

from streamgauge._support.durations import Duration
from streamgauge._support.types import Label
from streamgauge.measures.forgetting import Forgetting
from streamgauge.measures.metric import Metric
from streamgauge.prequential.labels import LabelPolicy
from streamgauge.prequential.protocols import FoldModel, Holdout, PrequentialCV
from streamgauge.prequential.reevaluation.reevaluate import Reevaluate
from streamgauge.streams.formats.schema_inference import Task

Protocol = Holdout | PrequentialCV
Column = npt.ArrayLike | Sequence[object]  # a value per row


@dataclass(frozen=True, kw_only=True)
class EvaluationOptions:
    """The options of an evaluation, unchecked; `evaluate` explains each of them."""

    protocol: Protocol | FoldModel | str | None = None  # FoldModel: one of a cross-validation
    labels: LabelPolicy | str | None = None
    forget: Sequence[Forgetting | str] | None = None
    seed: int = 1
    warmup: int = 0
    metrics: str | Sequence[str | Metric] = "labels"
    references: Sequence[Any] = ()
    cost: npt.ArrayLike | None = None
    every: int | None = None
    keep: str | Path = "memory"
    oracle: bool = False
    reevaluate: Reevaluate | str | None = None
    max_labels: int | None = None


class EvaluateArguments(TypedDict, total=False):
    """The keyword arguments of `evaluate` apart from `protocol`, for type checkers."""

    target: str | None
    labels: LabelPolicy | str | None
    forget: Sequence[Forgetting | str] | None
    seed: int
    warmup: int
    metrics: str | Sequence[str | Metric]
    references: Sequence[Any]
    cost: npt.ArrayLike | None
    every: int | None
    keep: str | Path
    oracle: bool
    reevaluate: Reevaluate | str | None
    max_labels: int | None
    progress: bool | None
    block_rows: int | None


class ScoreArguments(TypedDict, total=False):
    """The keyword arguments of `score` apart from `y_proba`, for type checkers."""

    classes: Sequence[Label] | None
    task: Task | None
    arrives: Column | None
    revealed: Column | None
    timeout: Duration | None
    labels: LabelPolicy | None
    forget: Sequence[Forgetting] | None
    metrics: str | Sequence[str | Metric] | None
    references: Sequence[Any]
    cost: npt.ArrayLike | None
    every: int | None
    warmup: int
    keep: str | Path
    name: str | None
    stream: str
