"""The main job: a stream and learners in, runs out."""

from __future__ import annotations

import copy
import inspect
import time
import traceback
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, TypedDict, Unpack, overload

import numpy as np
import numpy.typing as npt

from streamgauge.errors import (
    InputError,
    Interrupted,
    LearnerError,
    StreamgaugeError,
    UsageError,
    check_whole,
)
from streamgauge.learners.adapters.river import RiverLearner
from streamgauge.learners.base import CompiledLearner, Learner, Player, name_of
from streamgauge.learners.expression import parse_learner
from streamgauge.learners.majority import Majority
from streamgauge.learners.mean import LastValue, Mean
from streamgauge.learners.persistent import Persistent
from streamgauge.learners.transition import Transition
from streamgauge.measures.forgetting import Cumulative, Forgetting, Window
from streamgauge.measures.metrics import Metric, metrics_for
from streamgauge.prequential.labels import FromStream, Immediate, LabelPolicy
from streamgauge.prequential.loop import BLOCK_ROWS, PATIENT_BLOCK_ROWS, Contestant, Loop
from streamgauge.prequential.reevaluate import Reevaluate
from streamgauge.progress import Progress
from streamgauge.results.entry import Entry
from streamgauge.results.run import Failure, Run, Settings, Time
from streamgauge.streams.base import Stream
from streamgauge.types import Floats, Schema

DEFAULT_FORGET: tuple[Forgetting, ...] = (Cumulative(), Window(1000))
_CURVE_POINTS = 500
_EVERY_IF_UNKNOWN = 1000


@dataclass(frozen=True)
class Plan:
    """Everything asked of an evaluation, checked."""

    labels: LabelPolicy
    forget: tuple[Forgetting, ...]
    seed: int
    warmup: int
    metrics: tuple[Metric, ...]
    cost: Floats | None
    every: int
    keep: str | Path
    oracle: bool
    reevaluate: Reevaluate | None

    def settings(self) -> Settings:
        """The plan as text."""
        cost = None if self.cost is None else tuple(map(tuple, self.cost.tolist()))
        return Settings(
            repr(self.labels),
            tuple(map(repr, self.forget)),
            self.every,
            tuple(metric.name for metric in self.metrics),
            self.seed,
            self.warmup,
            cost,
            self.oracle,
            None if self.reevaluate is None else repr(self.reevaluate),
        )


class Options(TypedDict, total=False):
    """The options of `evaluate`, explained there."""

    labels: LabelPolicy | None
    forget: Sequence[Forgetting]
    seed: int
    warmup: int
    metrics: str | Sequence[str]
    cost: npt.ArrayLike | None
    every: int | None
    keep: str | Path
    oracle: bool
    reevaluate: Reevaluate | None
    progress: bool | None
    block_rows: int | None


@overload
def evaluate(stream: Stream, learner: list[Any], **options: Unpack[Options]) -> list[Run]: ...
@overload
def evaluate(stream: Stream, learner: Any, **options: Unpack[Options]) -> Run: ...
def evaluate(
    stream: Stream,
    learner: Any,
    *,
    labels: LabelPolicy | None = None,
    forget: Sequence[Forgetting] = DEFAULT_FORGET,
    seed: int = 1,
    warmup: int = 0,
    metrics: str | Sequence[str] = "labels",
    cost: npt.ArrayLike | None = None,
    every: int | None = None,
    keep: str | Path = "memory",
    oracle: bool = False,
    reevaluate: Reevaluate | None = None,
    progress: bool | None = None,
    block_rows: int | None = None,
) -> Run | list[Run]:
    """Play a stream through one learner, or a list of them, and judge each.

    labels: when labels come: Immediate(), Delay(n), Chunks(n), FromStream(), Sampled(p). By default
    at the stream's own reveal times if it has them, else at once.
    forget: how sums are kept; each gives its own curve, the first one the summary.
    warmup: the first so many rows are learned but not scored.
    metrics: "labels" (all but those of probabilities), "all", or names.
    cost: a matrix of losses, true class × predicted class, for the metric cost_loss.
    every: a point of the curve every so many scored rows; by default about 500
    points.
    keep: predictions in "memory", "none", or a folder: written there as they come, and the run
    saved there.
    oracle: Persistent is told the label of the row before even if it is late.
    reevaluate: Reevaluate(every, bins): ask again while labels are awaited; see `run.bins`.
    progress: a bar on the terminal, or none; by default if somebody watches.
    block_rows: rows read at a time; it changes no number.
    """
    learners = learner if isinstance(learner, list) else [learner]
    if not learners:
        raise UsageError("no learner given; expected at least one, e.g. NaiveBayes()")
    plan = _plan(stream, labels, forget, seed, warmup, metrics, cost, every, keep, oracle,
                 reevaluate)  # fmt: skip
    fresh = [_copy(as_learner(each)) for each in learners]
    runs = _evaluate(stream, fresh, plan, progress, block_rows)
    return runs if isinstance(learner, list) else runs[0]


def _copy(learner: Learner | Player) -> Learner | Player:
    """Each run has a learner of its own: the one handed in may be handed in again."""
    try:
        return copy.deepcopy(learner)
    except Exception as error:
        raise UsageError(
            f"{name_of(learner)} cannot be copied ({error}), so a run would change it; "
            "give it a __deepcopy__ that returns a fresh one"
        ) from error


def as_learner(thing: Any) -> Learner | Player:
    """A learner as it is, a River-like object wrapped, a text parsed."""
    if isinstance(thing, str):
        thing = parse_learner(thing)
    if inspect.isclass(thing):
        raise UsageError(f"{thing.__name__} is a class; expected an object: {thing.__name__}()")
    if isinstance(thing, Learner | Player):
        return thing
    return RiverLearner(thing)


def _plan(
    stream: Stream,
    labels: LabelPolicy | None,
    forget: Sequence[Forgetting],
    seed: int,
    warmup: int,
    metrics: str | Sequence[str],
    cost: npt.ArrayLike | None,
    every: int | None,
    keep: str | Path,
    oracle: bool,
    reevaluate: Reevaluate | None,
) -> Plan:
    if not isinstance(stream, Stream):
        raise UsageError(
            f"{type(stream).__name__} is no stream; make one with load, read, from_frame, "
            "from_arrays or from_rows"
        )
    for what, count in (("warmup", warmup), ("every", 1 if every is None else every)):
        check_whole(what, count)
    if warmup < 0 or (stream.rows is not None and warmup >= stream.rows):
        raise UsageError(
            f"warmup={warmup}: expected 0 or more, and fewer than the stream's {stream.rows} rows"
        )
    if not isinstance(keep, str | Path):
        raise UsageError(f"keep={keep!r}: it is 'memory', 'none' or a folder")
    if hasattr(forget, "fold"):
        raise UsageError(f"forget={forget!r}: expected a list: forget=[{forget!r}]")
    schema = stream.schema
    matrix = None if cost is None else _cost_matrix(cost, schema)
    if every is None:
        every = max(1, stream.rows // _CURVE_POINTS) if stream.rows else _EVERY_IF_UNKNOWN
    chosen = metrics_for(schema, metrics, matrix is not None)
    for forgetting in forget:
        if not hasattr(forgetting, "fold"):
            raise UsageError(
                f"forget: {forgetting!r} is none; expected Cumulative(), Window(w) or Fading(a)"
            )
    policy = _default_policy(stream) if labels is None else labels
    if not hasattr(policy, "timetable"):
        raise UsageError(
            f"labels: {labels!r} is none; expected Immediate(), Delay(n), Chunks(n), "
            "FromStream() or Sampled(p)"
        )
    if reevaluate is not None:
        if not isinstance(reevaluate, Reevaluate):
            raise UsageError(f"reevaluate={reevaluate!r}: expected Reevaluate(every=10, bins=50)")
        reevaluate.check(schema)
    return Plan(
        policy, tuple(forget), seed, warmup, chosen, matrix, every, keep, oracle, reevaluate
    )


def _default_policy(stream: Stream) -> LabelPolicy:
    """Labels come when the data say; at once if they say nothing."""
    if stream.schema.time:
        first = next(stream.blocks(1), None)
        if first is not None and first.revealed is not None:
            return FromStream()
    return Immediate()


def _cost_matrix(cost: npt.ArrayLike, schema: Schema) -> Floats:
    matrix = np.asarray(cost, np.float64)
    k = len(schema.classes)
    if not k or matrix.shape != (k, k) or not np.isfinite(matrix).all():
        raise UsageError(
            f"cost: expected {k} × {k} finite numbers, true class by predicted class in the order "
            f"{schema.classes}, got shape {matrix.shape}"
        )
    return matrix


def _references(schema: Schema, plan: Plan) -> list[Learner | Player]:
    if schema.regression:
        return [Mean(), LastValue()]
    # The authors' No-Change is the first class from the start.
    start_as = 0 if plan.reevaluate is not None and plan.reevaluate.compat else None
    return [Majority(), Persistent(start_as, oracle=plan.oracle), Transition()]


def _evaluate(
    stream: Stream,
    learners: list[Learner | Player],
    plan: Plan,
    progress: bool | None,
    block_rows: int | None,
) -> list[Run]:
    began = time.perf_counter()
    wants_shares = any(metric.needs == "probabilities" for metric in plan.metrics)
    references = [Contestant(r) for r in _references(stream.schema, plan)]
    entries = [
        Entry(name, Contestant(learner, wants_shares), stream, plan.forget, plan.every,
              plan.metrics, plan.cost, plan.keep, plan.reevaluate)
        for name, learner in zip(_names(learners), learners, strict=True)
    ]  # fmt: skip
    contestants = references + [entry.contestant for entry in entries]
    again = plan.reevaluate
    for contestant in contestants:
        contestant.display = None if again is None else again.display(stream.schema)
        _start(contestant, stream.schema, plan.seed)
    loop = Loop(stream, plan.labels, contestants, plan.warmup, 0 if again is None else again.every)
    loop.prepare()
    for entry in entries:
        entry.prepare()
    compiled = time.perf_counter() - began

    if block_rows is not None and block_rows < 1:
        raise UsageError(f"block_rows={block_rows}: a block has at least one row")
    if block_rows is None:
        quick = all(isinstance(learner, CompiledLearner) for learner in learners)
        block_rows = BLOCK_ROWS if quick else PATIENT_BLOCK_ROWS
    stopped: StreamgaugeError | None = None
    with Progress(stream.name, stream.rows, progress) as bar:
        try:
            for scored in loop.scored(block_rows):
                known, given = scored.answers[: len(references)], scored.answers[len(references) :]
                for entry, answers in zip(entries, given, strict=True):
                    entry.add(scored.ids, scored.y, answers, known, scored.effort, scored.arrived)
                bar.advance(scored.arrived)
        except InputError as error:  # the stream itself: keep what was scored before
            stopped = error
        except KeyboardInterrupt:
            stopped = Interrupted(f"interrupted after {loop.arrived:,} rows; those are kept")
    if stopped is None and not loop.arrived:
        raise InputError(f"{stream.name}: no rows; expected at least one")
    took = Time(compiled, loop.stream_seconds, time.perf_counter() - began)
    runs = [
        entry.finish(
            plan.settings(),
            loop.arrived,
            loop.unlabelled,
            took,
            _failure(entry, stopped, loop.arrived),
        )
        for entry in entries
    ]
    if plan.keep not in ("memory", "none"):
        for run in runs:
            run.save(plan.keep)
    _raise(runs, stopped, [entry.contestant.failure for entry in entries])
    return runs


def _start(contestant: Contestant, schema: Schema, seed: int) -> None:
    task = getattr(contestant.learner, "task", None)
    asked = "regression" if schema.regression else "classification"
    if task not in (None, asked):
        hint = (
            "declare task='classification' or classes=[...], or take Mean, LastValue or a regressor"
            if schema.regression
            else "take a classifier"
        )
        raise UsageError(
            f"{name_of(contestant.learner)} is for {task}, this stream is for {asked}: {hint}"
        )
    try:
        contestant.start(schema, seed)
    except StreamgaugeError:
        raise
    except Exception as error:
        raise LearnerError(
            f"{name_of(contestant.learner)} failed to start: {type(error).__name__}: {error}"
        ) from error


def _names(learners: Sequence[object]) -> list[str]:
    """What tables call them: the second of a name gets a number."""
    names: list[str] = []
    for learner in learners:
        name = name_of(learner)
        count = sum(1 for n in names if n == name or n.startswith(f"{name} #"))
        names.append(f"{name} #{count + 1}" if count else name)
    return names


def _failure(entry: Entry, stopped: StreamgaugeError | None, arrived: int) -> Failure | None:
    if entry.contestant.failure is not None:
        row, error = entry.contestant.failure
        trace = "".join(traceback.format_exception(error))
        return Failure(row, f"{type(error).__name__}: {error}", trace)
    if stopped is None:
        return None
    wrong = stopped.row if isinstance(stopped, InputError) else None
    return Failure(arrived if wrong is None else wrong, str(stopped), "")


def _raise(
    runs: list[Run],
    stopped: StreamgaugeError | None,
    failures: list[tuple[int, BaseException] | None],
) -> None:
    if stopped is not None:
        stopped.runs = tuple(runs)
        raise stopped
    for run, failure in zip(runs, failures, strict=True):
        if failure is not None:
            row, cause = failure
            error = LearnerError(
                f"{run.name} failed at row {row:,} of {run.stream.name}: "
                f"{type(cause).__name__}: {cause}; the {run.counts.scored:,} rows scored before "
                "and the other learners' runs are kept"
            )
            error.runs = tuple(runs)
            raise error from cause
