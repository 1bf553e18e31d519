"""The plan of an evaluation: its options checked, with defaults filled in."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from streamgauge._support.errors import UsageError, check_integer
from streamgauge._support.types import Floats, Schema
from streamgauge.evaluation.texts import object_of
from streamgauge.learners.adapters.coerce import as_learner, fresh_copy
from streamgauge.learners.base import Learner, Player
from streamgauge.learners.references.defaults import default_references, describe_references
from streamgauge.measures.forgetting import (
    Cumulative,
    Forgetting,
    TimeWindow,
    Window,
    check_forgettings,
)
from streamgauge.measures.metric import Metric
from streamgauge.measures.metrics.select import metrics_for
from streamgauge.prequential.labels import (
    FromStream,
    Immediate,
    LabelPolicy,
    is_timed,
    longest_wait,
    with_seed,
)
from streamgauge.prequential.protocols import (
    FoldModel,
    Holdout,
    Prequential,
    PrequentialCV,
    RowRoles,
)
from streamgauge.prequential.reevaluation.reevaluate import Reevaluate
from streamgauge.prequential.timetables import check_policy
from streamgauge.runs.identity import (
    Settings,
    custom_metrics,
    custom_settings,
    identity_of,
    is_custom,
    is_plain,
    setting_text,
)
from streamgauge.runs.options import OPTIONS, EvaluationOptions, Option
from streamgauge.runs.scoring_plan import ScoringPlan
from streamgauge.streams.base import Stream

DEFAULT_FORGET: tuple[Forgetting, ...] = (Cumulative(), Window(1000))
_CURVE_POINTS = 500
_LEAST_POINTS = 20
_CURVE_CELLS = 200_000_000  # a point takes time in proportion to the square of the classes
_MOST_CLASSES = 10_000
_EVERY_IF_LENGTH_UNKNOWN = 1000


Protocol = Holdout | PrequentialCV


@dataclass(frozen=True, kw_only=True)
class Plan(EvaluationOptions):
    """The options of an evaluation as checked objects, with the defaults filled in."""

    labels: LabelPolicy
    forget: tuple[Forgetting, ...]
    metrics: tuple[Metric, ...]
    references: tuple[Learner | Player, ...]  # those added to the default ones
    cost: Floats | None
    every: int
    reevaluate: Reevaluate | None
    protocol: Protocol | FoldModel | None
    save: Path | None
    predictions: bool

    @property
    def rows(self) -> RowRoles:
        """Which rows are learned and scored, before folds divide them."""
        return self.protocol if isinstance(self.protocol, Holdout) else Prequential(self.warmup)

    @property
    def models(self) -> list[FoldModel | None]:
        """The models of a cross-validation; otherwise a single one for all rows."""
        if isinstance(self.protocol, FoldModel):
            return [self.protocol]
        return [*self.protocol.models()] if isinstance(self.protocol, PrequentialCV) else [None]

    def all_references(self, schema: Schema) -> list[Learner | Player]:
        """The default references and those added, as learners of the same run."""
        added = map(fresh_copy, self.references)
        return [*default_references(schema, self.oracle), *added]

    def scoring(self, schema: Schema) -> ScoringPlan:
        """What to measure for every learner."""
        references = describe_references(self.all_references(schema))
        bins = None if self.reevaluate is None else self.reevaluate.bins
        return ScoringPlan(
            schema, references, self.forget, self.every, self.metrics, self.cost, bins,
            schema.clock if schema.time and is_timed(self.labels) else None,
            late=self.labels != Immediate()
            and not (isinstance(self.protocol, Holdout) and self.protocol.reuses_rows),
            save=self.save, predictions=self.predictions,
        )  # fmt: skip

    def settings(self, model: FoldModel | None = None) -> Settings:
        """The plan as text, part of a run's identity."""
        return self._settings if model is None else replace(self._settings, model=model.number)

    @cached_property
    def _settings(self) -> Settings:
        values = {each.name: _written(each, getattr(self, each.name)) for each in OPTIONS}
        protocol = self._parts[-1]
        return Settings(
            **values | {"protocol": None if protocol is None else repr(protocol)},
            custom_metrics=custom_metrics(self.metrics),
            custom=custom_settings(self._parts),
            longest_wait=longest_wait(self.labels),
        )

    @property
    def is_plain(self) -> bool:
        """Whether its settings and metrics run no code of the user."""
        return all(map(is_plain, self._parts)) and not any(map(is_custom, self.metrics))

    @property
    def _parts(self) -> tuple[Any, ...]:
        """The objects among the settings."""
        protocol = self.protocol.protocol if isinstance(self.protocol, FoldModel) else self.protocol
        return self.labels, *self.forget, self.reevaluate, protocol


_WRITERS: dict[str, Callable[[Any], str]] = {
    "metric": lambda metric: str(metric.name),
    "learner": identity_of,
}


def _written(option: Option, value: Any) -> Any:
    """The value of an option in the settings: texts, numbers and tuples of them."""
    write = _WRITERS.get(option.kind, setting_text)
    match option.form:
        case "matrix" if value is not None:
            return tuple(map(tuple, value.tolist()))
        case "texts" if option.kind:
            return tuple(map(write, value))
        case "text" if option.kind and value is not None:
            return write(value)
    return value


def make_plan(
    stream: Stream,
    options: EvaluationOptions,
    save: str | Path | None = None,
    predictions: bool = True,
) -> Plan:
    """Check the options against the stream and fill in the defaults."""
    schema, protocol = stream.schema, _parsed(options.protocol, "protocol")
    _check_classes(stream)
    _check_counts(stream, options)
    options = replace(options, seed=int(options.seed))  # not NumPy's: it is written as JSON
    if not isinstance(save, str | Path | None):
        raise UsageError(f"save={save!r}: expected a folder, e.g. save='results'")
    if not isinstance(predictions, bool):
        raise UsageError(f"predictions={predictions!r}: expected True or False")
    if not isinstance(protocol, Protocol | FoldModel | None):
        raise UsageError(
            f"protocol={protocol!r}: expected Holdout(every, size) or PrequentialCV(k)"
        )
    if isinstance(protocol, PrequentialCV | FoldModel):
        protocol = protocol.with_seed(options.seed)
    forget, every = options.forget, options.every
    if isinstance(protocol, Holdout):
        if options.warmup:
            raise UsageError("warmup: Holdout never scores the rows it learns; leave warmup out")
        protocol.check(stream.rows)
        forget = (Window(protocol.size), Cumulative()) if forget is None else forget
        every = protocol.size if every is None else every
    labels = _checked_policy(stream, options.labels, options.seed)
    forget = _checked_forgettings(DEFAULT_FORGET if forget is None else forget, schema, labels)
    most = _checked_max_labels(options.max_labels, protocol)
    if every is None:
        known = [rows for rows in (stream.rows, most) if rows]
        most_points = max(_LEAST_POINTS, min(_CURVE_POINTS, _CURVE_CELLS // _pairs_of(schema)))
        every = max(1, min(known) // most_points) if known else _EVERY_IF_LENGTH_UNKNOWN
    cost = None if options.cost is None else _cost_matrix(options.cost, schema)
    added = _added_references(options.references)
    usual = default_references(schema)
    names = [each.name for each in describe_references([*usual, *added])[len(usual) :]]
    checked = vars(options) | {
        "labels": labels,
        "forget": forget,
        "metrics": metrics_for(schema, options.metrics, cost is not None, names),
        "references": added,
        "cost": cost,
        "every": every,
        "reevaluate": _checked_reevaluate(options.reevaluate, schema, protocol),
        "protocol": protocol,
        "max_labels": most,
    }
    # By its full path: a learner may change the working directory.
    place = None if save is None else Path(save).absolute()
    return Plan(**checked, save=place, predictions=predictions)


def _pairs_of(schema: Schema) -> int:
    """How many pairs of a true and a predicted class there are."""
    return max(1, len(schema.classes)) ** 2


def _parsed(given: Any, kind: str) -> Any:
    """The object that a text describes; anything else unchanged."""
    return object_of(given, kind) if isinstance(given, str) else given


def _check_classes(stream: Stream) -> None:
    classes = stream.schema.classes
    if len(classes) > _MOST_CLASSES:
        raise UsageError(
            f"{stream.name}: {len(classes):,} classes, such as {classes[0]!r}; expected at most "
            f"{_MOST_CLASSES:,}, since every pair of them is counted; if the target is a number, "
            "declare task='regression'"
        )


def _check_counts(stream: Stream, options: EvaluationOptions) -> None:
    warmup, every = options.warmup, options.every
    for what, count in (("warmup", warmup), ("every", 1 if every is None else every)):
        check_integer(what, count)
    if warmup < 0 or (stream.rows is not None and warmup >= stream.rows):
        raise UsageError(
            f"warmup={warmup}: expected 0 or more, and fewer than the stream's {stream.rows} rows"
        )


def _checked_max_labels(given: int | None, protocol: Protocol | FoldModel | None) -> int | None:
    if given is None:
        return None
    check_integer("max_labels", given)
    if given < 1:
        raise UsageError(f"max_labels={given}: expected 1 or more")
    if isinstance(protocol, Holdout):
        raise UsageError(
            f"max_labels={given}: {protocol!r} tests at rows of its own; use the first rows of the "
            "stream instead, stream.take(n)"
        )
    return int(given)


def _checked_forgettings(
    forget: Sequence[Forgetting | str], schema: Schema, labels: LabelPolicy
) -> tuple[Forgetting, ...]:
    if isinstance(forget, str):
        raise UsageError(f"forget={forget!r}: expected a list: forget=[{forget!r}]")
    given: Any = forget
    if not hasattr(forget, "fold"):
        given = [_parsed(each, "forgetting") for each in forget]
    checked = check_forgettings(given)
    for forgetting in checked:
        if isinstance(forgetting, TimeWindow) and forgetting.is_duration:
            _check_timestamps(forgetting, schema, labels)
    return checked


def _check_timestamps(window: TimeWindow, schema: Schema, labels: LabelPolicy) -> None:
    """Raise an error unless labels are revealed at timestamps."""
    if not schema.time:
        raise UsageError(
            f"{window}: this stream has no times; expected a number of rows, e.g. TimeWindow(1000)"
        )
    if not is_timed(labels):
        raise UsageError(
            f"{window}: {labels!r} counts rows, so labels have no times; expected a number of "
            "rows, e.g. TimeWindow(1000), or labels=FromStream()"
        )
    if schema.clock == "integers":
        raise UsageError(
            f"{window}: the times of this stream are integers; expected a number in their unit, "
            "e.g. TimeWindow(1440)"
        )


def _checked_policy(stream: Stream, labels: LabelPolicy | str | None, seed: int) -> LabelPolicy:
    policy: LabelPolicy
    policy = _default_policy(stream) if labels is None else _parsed(labels, "label policy")
    if isinstance(policy, type):
        raise UsageError(f"labels: {policy.__name__} is a class; expected {policy.__name__}(...)")
    if not hasattr(policy, "timetable"):
        raise UsageError(
            f"labels: {labels!r} is not a label policy; expected Immediate(), Delay(n), Chunks(n), "
            "FromStream(), RandomDelay(distribution) or Sampled(p)"
        )
    check_policy(policy)
    timeout = getattr(policy, "timeout", None)
    if timeout is not None and not isinstance(timeout, int) and stream.schema.clock == "integers":
        raise UsageError(
            f"{policy!r}: the times of this stream are integers; expected timeout= a number in "
            "their unit"
        )
    return with_seed(policy, seed)


def _default_policy(stream: Stream) -> LabelPolicy:
    """Labels come at the stream's own times, or immediately if it has none."""
    if stream.schema.time:
        first = next(stream.blocks(1), None)
        if first is not None and first.revealed is not None:
            return FromStream(stream.ties)
    return Immediate()


def _added_references(given: Sequence[Any]) -> tuple[Learner | Player, ...]:
    if isinstance(given, str) or not isinstance(given, Sequence):
        raise UsageError(f"references={given!r}: expected a list: references=[{given!r}]")
    return tuple(map(as_learner, given))


def _checked_reevaluate(
    given: Reevaluate | str | None, schema: Schema, protocol: Protocol | FoldModel | None
) -> Reevaluate | None:
    reevaluate: Reevaluate | None = _parsed(given, "re-evaluation")
    if reevaluate is not None:
        if not isinstance(reevaluate, Reevaluate):
            raise UsageError(f"reevaluate={reevaluate!r}: expected Reevaluate(every=10, bins=50)")
        reevaluate.check(schema)
        if isinstance(protocol, Holdout) and protocol.reuses_rows:
            raise UsageError(
                f"{reevaluate!r}: the test rows of {protocol!r} are predicted and scored at once, "
                "without a wait; expected test='interleaved', whose rows wait for their labels, or "
                "no reevaluate"
            )
    return reevaluate


def _cost_matrix(cost: npt.ArrayLike, schema: Schema) -> Floats:
    k = len(schema.classes)
    try:
        matrix = np.asarray(cost, np.float64)
    except (TypeError, ValueError):  # not numbers, or rows of different lengths
        matrix = np.empty(0)
    if not k or matrix.shape != (k, k) or not np.isfinite(matrix).all():
        raise UsageError(
            f"cost: expected {k} × {k} finite numbers, true class by predicted class in the order "
            f"{schema.classes}, got {cost if matrix.ndim != 2 else f'shape {matrix.shape}'}"
        )
    return matrix
