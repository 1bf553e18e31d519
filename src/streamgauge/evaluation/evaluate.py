"""The main job: a stream and learners in, runs out."""

from __future__ import annotations

import time
import traceback
from collections.abc import Sequence
from pathlib import Path
from typing import Any, TypedDict, Unpack, overload

import numpy.typing as npt

from streamgauge._support.errors import (
    InputError,
    Interrupted,
    LearnerError,
    StreamgaugeError,
    UsageError,
)
from streamgauge._support.progress import Progress
from streamgauge._support.types import Schema
from streamgauge.evaluation.plan import Plan, Protocol, make_plan
from streamgauge.learners.adapters.coerce import as_learner, fresh_copy
from streamgauge.learners.base import CompiledLearner, Learner, Player, name_of
from streamgauge.measures.forgetting import Forgetting
from streamgauge.prequential.labels import LabelPolicy
from streamgauge.prequential.loop import (
    BLOCK_ROWS,
    SLOW_LEARNER_BLOCK_ROWS,
    Loop,
    ScoredRows,
)
from streamgauge.prequential.participant import Participant
from streamgauge.prequential.protocols import FoldModel, Holdout, PrequentialCV
from streamgauge.prequential.reevaluation.reevaluate import Reevaluate
from streamgauge.runs.folds import Folds
from streamgauge.runs.run import Failure, Run, Time
from streamgauge.runs.scorer import Entry
from streamgauge.streams.base import Stream


class Options(TypedDict, total=False):
    """The options of `evaluate`, explained there."""

    labels: LabelPolicy | None
    forget: Sequence[Forgetting] | None
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
def evaluate(
    stream: Stream, learner: list[Any], *, protocol: PrequentialCV, **options: Unpack[Options]
) -> list[Folds]: ...
@overload
def evaluate(
    stream: Stream, learner: Any, *, protocol: PrequentialCV, **options: Unpack[Options]
) -> Folds: ...
@overload
def evaluate(
    stream: Stream,
    learner: list[Any],
    *,
    protocol: Holdout | None = None,
    **options: Unpack[Options],
) -> list[Run]: ...
@overload
def evaluate(
    stream: Stream, learner: Any, *, protocol: Holdout | None = None, **options: Unpack[Options]
) -> Run: ...
def evaluate(
    stream: Stream,
    learner: Any,
    *,
    protocol: Protocol | None = None,
    labels: LabelPolicy | None = None,
    forget: Sequence[Forgetting] | None = None,
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
) -> Run | Folds | list[Run] | list[Folds]:
    """Play a stream through one learner, or a list of them, and judge each.

    protocol: by default prequential, every row a test, then a lesson. Holdout(every, size): test on
    rows that are never learned. PrequentialCV(k): k models, each scored on what it did not learn.
    labels: when labels come: Immediate(), Delay(n), Chunks(n), FromStream(), Sampled(p). By default
    at the stream's own reveal times if it has them, else at once.
    forget: how sums are kept; each gives its own curve, the first one the summary. By default of
    all rows and of the last 1000; with Holdout of each test.
    warmup: the first so many rows are learned but not scored.
    metrics: "labels" (all but those of probabilities), "all", or names.
    cost: a matrix of losses, true class × predicted class, for the metric cost_loss.
    every: a point of the curve every so many scored rows; by default about 500 points.
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
    plan = make_plan(
        stream, protocol, labels, forget, seed, warmup, metrics, cost, every, keep, oracle,
        reevaluate,
    )  # fmt: skip
    given = [as_learner(each) for each in learners]
    runs = _evaluate(stream, given, plan, progress, block_rows)
    if isinstance(protocol, PrequentialCV):
        folds = [Folds(of_one) for of_one in zip(*runs, strict=True)]
        return folds if isinstance(learner, list) else folds[0]
    return runs[0] if isinstance(learner, list) else runs[0][0]


class _Group:
    """Learners and references that play the same agendas: all of them, or a fold's."""

    def __init__(
        self,
        stream: Stream,
        learners: Sequence[Learner | Player],
        plan: Plan,
        model: FoldModel | None,
    ) -> None:
        shares = any(metric.needs == "probabilities" for metric in plan.metrics)
        self.model = model
        self.references = [Participant(r) for r in plan.references(stream.schema)]
        ending = "" if model is None else f" [{model.number}]"
        self.entries = [
            Entry(
                name + ending, Participant(fresh_copy(learner), shares), stream, plan.forget,
                plan.every, plan.metrics, plan.cost, plan.keep, plan.reevaluate,
            )
            for name, learner in zip(_names(learners), learners, strict=True)
        ]  # fmt: skip
        self.participants = self.references + [entry.participant for entry in self.entries]
        for participant in self.participants:
            if plan.reevaluate is not None:
                participant.outcomes = plan.reevaluate.tracker(stream.schema)
            _start(participant, stream.schema, plan.seed)

    def add(self, scored: ScoredRows, arrived: int) -> None:
        """Hand every entry its rows."""
        count = len(self.references)
        known, given = scored.predictions[:count], scored.predictions[count:]
        for entry, answers in zip(self.entries, given, strict=True):
            entry.add(scored, answers, known, arrived)


def _evaluate(
    stream: Stream,
    learners: list[Learner | Player],
    plan: Plan,
    progress: bool | None,
    block_rows: int | None,
) -> list[list[Run]]:
    """Of each group, of each learner: its run."""
    if block_rows is not None and block_rows < 1:
        raise UsageError(f"block_rows={block_rows}: a block has at least one row")
    began = time.perf_counter()
    groups = [_Group(stream, learners, plan, model) for model in plan.models]
    again = 0 if plan.reevaluate is None else plan.reevaluate.every
    parts = [(group.model, group.participants) for group in groups]
    loop = Loop(stream, plan.labels, parts, plan.rows, again)
    loop.prepare()
    for group in groups:
        for entry in group.entries:
            entry.prepare()
    compiled = time.perf_counter() - began

    if block_rows is None:
        quick = all(isinstance(learner, CompiledLearner) for learner in learners)
        block_rows = BLOCK_ROWS if quick else SLOW_LEARNER_BLOCK_ROWS
    stopped: StreamgaugeError | None = None
    with Progress(stream.name, stream.rows, progress) as bar:
        try:
            for each in loop.scored(block_rows):
                for group, scored in zip(groups, each, strict=True):
                    group.add(scored, loop.arrived)
                bar.advance(loop.arrived)
        except InputError as error:  # the stream itself: keep what was scored before
            stopped = error
        except KeyboardInterrupt:
            stopped = Interrupted(f"interrupted after {loop.arrived:,} rows; those are kept")
    if stopped is None and not loop.arrived:
        raise InputError(f"{stream.name}: no rows; expected at least one")
    took = Time(compiled, loop.stream_seconds, time.perf_counter() - began)
    runs = [
        [
            entry.finish(
                plan.settings(group.model),
                loop.arrived,
                loop.unlabelled,
                took,
                _failure(entry, stopped, loop.arrived),
            )
            for entry in group.entries
        ]
        for group in groups
    ]
    every = [run for of_group in runs for run in of_group]
    if plan.keep not in ("memory", "none"):
        for run in every:
            run.save(plan.keep)
    _raise(every, stopped, [e.participant.failure for group in groups for e in group.entries])
    return runs


def _start(participant: Participant, schema: Schema, seed: int) -> None:
    task = getattr(participant.learner, "task", None)
    asked = "regression" if schema.regression else "classification"
    if task not in (None, asked):
        hint = (
            "declare task='classification' or classes=[...], or take Mean, LastValue or a regressor"
            if schema.regression
            else "take a classifier"
        )
        raise UsageError(
            f"{name_of(participant.learner)} is for {task}, this stream is for {asked}: {hint}"
        )
    try:
        participant.start(schema, seed)
    except StreamgaugeError:
        raise
    except Exception as error:
        raise LearnerError(
            f"{name_of(participant.learner)} failed to start: {type(error).__name__}: {error}"
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
    if entry.participant.failure is not None:
        row, error = entry.participant.failure
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
