"""`evaluate`: runs learners over a stream and returns their runs."""

from __future__ import annotations

import time
import traceback
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, Unpack, overload

import numpy.typing as npt

from streamgauge._support.errors import (
    InputError,
    Interrupted,
    LearnerError,
    StreamgaugeError,
    UsageError,
    check_seed,
)
from streamgauge._support.progress import Progress
from streamgauge._support.seeding import GlobalRandom
from streamgauge._support.types import Schema
from streamgauge.evaluation._corrections import CorrectionQueue
from streamgauge.evaluation._recorded_stream import RecordedStream
from streamgauge.evaluation.options import EvaluateArguments
from streamgauge.evaluation.plan import Plan, Protocol, make_plan
from streamgauge.learners.adapters.coerce import fresh_copy, named_learners
from streamgauge.learners.base import CompiledLearner, Learner, Player, name_of
from streamgauge.learners.references.defaults import describe_references
from streamgauge.measures.forgetting import Forgetting
from streamgauge.measures.metric import Metric
from streamgauge.measures.reference import Reference
from streamgauge.prequential.labels import LabelPolicy
from streamgauge.prequential.loop import (
    BLOCK_ROWS,
    SLOW_LEARNER_BLOCK_ROWS,
    Loop,
    ScoredRows,
    rows_at_once,
)
from streamgauge.prequential.participant import Participant
from streamgauge.prequential.protocols import FoldModel, Holdout, PrequentialCV
from streamgauge.prequential.reevaluation.reevaluate import Reevaluate
from streamgauge.runs.facts import RunFailure, Time
from streamgauge.runs.options import EvaluationOptions
from streamgauge.runs.run import Run
from streamgauge.runs.runs import Runs
from streamgauge.runs.scorer import Scorer
from streamgauge.streams.base import Stream
from streamgauge.streams.coerce import as_stream
from streamgauge.streams.frames import ArrayStream


@overload
def evaluate(
    stream: Any,
    learner: list[Any] | tuple[Any, ...] | dict[str, Any],
    *,
    protocol: Protocol | FoldModel | str | None = None,
    **options: Unpack[EvaluateArguments],
) -> Runs: ...
@overload
def evaluate(
    stream: Any, learner: Any, *, protocol: PrequentialCV, **options: Unpack[EvaluateArguments]
) -> Runs: ...
@overload
def evaluate(
    stream: Any,
    learner: Any,
    *,
    protocol: Holdout | FoldModel | None = None,
    **options: Unpack[EvaluateArguments],
) -> Run: ...
@overload
def evaluate(
    stream: Any, learner: Any, *, protocol: str, **options: Unpack[EvaluateArguments]
) -> Run | Runs: ...
def evaluate(
    stream: Any,
    learner: Any,
    *,
    target: str | None = None,
    protocol: Protocol | FoldModel | str | None = None,
    labels: LabelPolicy | str | None = None,
    forget: Sequence[Forgetting | str] | None = None,
    seed: int = 1,
    warmup: int = 0,
    metrics: str | Sequence[str | Metric] = "labels",
    references: Sequence[Any] = (),
    cost: npt.ArrayLike | None = None,
    every: int | None = None,
    save: str | Path | None = None,
    predictions: bool = True,
    oracle: bool = False,
    reevaluate: Reevaluate | str | None = None,
    max_labels: int | None = None,
    progress: bool | None = None,
    block_rows: int | None = None,
) -> Run | Runs:
    """Evaluate a learner, or several, over a stream.

    Parameters
    ----------
    stream
        The data: a stream; the name of a data set, `"elec2"`; a file, `"x.csv"`; a generator,
        `"SEA(20000)"`; a pandas, polars or Arrow frame; a River data set; (dict, label) pairs.
    learner
        A learner, a text such as `"NaiveBayes"`, a River or scikit-learn model; a list of them, or
        a dict of them by name.
    target
        The target column of a frame or file; by default the only one called target, class, label
        or y.
    protocol
        By default prequential: every row is predicted, then learned. `Holdout(every, size)` tests
        on rows that are never learned. `PrequentialCV(k)` runs k models and scores each on the
        rows that it does not learn.
    labels
        When labels are revealed: `Immediate()`, `Delay(n)`, `RandomDelay(distribution)`,
        `Chunks(n)`, `FromStream()` or `Sampled(p)`, or its text: `"Delay(10)"`. By default at the
        stream's own reveal times, or immediately without them. `protocol`, `forget` and
        `reevaluate` may be texts, too.
    forget
        How sums are kept. Each forgetting gives its own curve; the first one gives the summary. By
        default `[Cumulative(), Window(1000)]`; with `Holdout` each test on its own.
    seed
        Random seed of the learners, and of label policies and protocols without a seed of their
        own.
    warmup
        The first `warmup` rows are learned but not scored.
    metrics
        `"labels"` (all that need no probabilities), `"all"`, or a list of names and of your own
        metrics: `["labels", Metric("f_beta", ...)]`.
    references
        Learners to add to the references in table and verdict. A learner with an attribute
        `as_reference = Reference(...)` says its name and phrase there.
    cost
        A matrix of losses, true class × predicted class, for the metric `cost_loss`.
    every
        Scored rows between two points of the curve; by default there are about 500 points, and
        fewer with more than 600 classes.
    save
        A folder to save the run in, as `run.save` does; predictions are written there as they are
        made. By default the run stays in memory.
    predictions
        Whether to keep the predictions, for `run.predictions`, `compare` and `detect`; without
        them memory does not grow with the stream.
    oracle
        Let Persistent see the label of the row before even if it is late (MOA's baseline).
    reevaluate
        `Reevaluate(every, bins)` predicts waiting rows again; see `run.bins`.
    max_labels
        Stop once this many labels have been revealed; rows that wait then are not scored.
    progress
        True shows a progress bar, False nothing. By default a bar on a terminal, elsewhere a line
        every 30 seconds; `STREAMGAUGE_QUIET=1` in the environment silences all messages.
    block_rows
        Rows read at a time; does not change the result.

    Returns
    -------
    Run or Runs
        The run of a learner; `Runs` for a list or dict of learners, and for a cross-validation,
        with a run for each of its models.

    Raises
    ------
    UsageError
        If options do not fit together, or do not fit the stream.
    LearnerError
        If a learner raises an exception; the error's `runs` hold what was scored before.
    Interrupted
        After Ctrl-C; a KeyboardInterrupt whose `runs` hold what was scored before.

    References
    ----------
    gama2013, bifet2013, zliobaite2015 (docs/bibliography.md)

    Examples
    --------
    >>> import streamgauge as sg
    >>> run = sg.evaluate(sg.SEA(2000, seed=1), sg.NaiveBayes(), labels=sg.Delay(100))
    >>> for metric in ("accuracy", "kappa", "kappa_temporal"):
    ...     print(f"{metric} {run.summary[metric]:.3f}")
    accuracy 0.886
    kappa 0.742
    kappa_temporal 0.755
    >>> for name, metrics in run.references.items():
    ...     print(f"{name}: accuracy {metrics['accuracy']:.3f}")
    Majority: accuracy 0.645
    Persistent: accuracy 0.535
    Transition: accuracy 0.644
    Seasonal: accuracy 0.522
    >>> runs = sg.evaluate("SEA(2000)", {"bayes": "NaiveBayes", "tree": sg.HoeffdingTree()})
    >>> {run.name: round(run.summary["accuracy"], 3) for run in runs}
    {'bayes': 0.933, 'tree': 0.927}
    """
    check_seed("evaluate", seed)
    options = EvaluationOptions.among(locals())
    stream = as_stream(stream, target=target, seed=seed)
    learners = named_learners(learner)
    plan = make_plan(stream, options, save, predictions)
    models = _evaluate(stream, learners, plan, progress, block_rows)
    runs = Runs(run for of_learner in zip(*models, strict=True) for run in of_learner)
    several = isinstance(learner, Mapping | list | tuple)
    return runs if several or isinstance(plan.protocol, PrequentialCV) else runs[0]


class _Group:
    """Learners and references that get the same agendas: all of them, or those of a fold."""

    def __init__(
        self,
        stream: Stream,
        learners: Mapping[str, Learner | Player],
        plan: Plan,
        model: FoldModel | None,
    ) -> None:
        probabilities = any(metric.needs == "probabilities" for metric in plan.metrics)
        scoring = plan.scoring(stream.schema)
        self.model = model
        self.references = [Participant(each) for each in plan.all_references(stream.schema)]
        self.scorers = [
            Scorer(name, Participant(fresh_copy(learner), probabilities), stream, scoring)
            for name, learner in learners.items()
        ]
        self.participants = self.references + [scorer.participant for scorer in self.scorers]
        for participant in self.participants:
            if plan.reevaluate is not None:
                participant.outcomes = plan.reevaluate.tracker(stream.schema, participant.learner)
            _start(participant, stream.schema, plan.seed)
        self.corrections: CorrectionQueue | None = None
        if isinstance(stream, RecordedStream) and stream.corrections is not None:
            self.corrections = CorrectionQueue(stream.corrections, self.scorers)

    def add(self, scored: ScoredRows, arrived: int) -> None:
        """Pass the scored rows to every scorer."""
        if self.corrections is not None:
            self.corrections.add(scored)
        count = len(self.references)
        references, learners = scored.predictions[:count], scored.predictions[count:]
        for scorer, predictions in zip(self.scorers, learners, strict=True):
            scorer.add(scored, predictions, references, arrived)

    def described(self) -> tuple[Reference, ...]:
        """The references as they describe themselves now, under their names in tables."""
        now = describe_references([each.learner for each in self.references])
        names = self.scorers[0].references
        return tuple(each._replace(name=name) for each, name in zip(now, names, strict=True))

    def check_references(self) -> None:
        """Raise the error of a reference that failed: without it no row can be scored."""
        for reference in self.references:
            if reference.failure is not None:
                row, error = reference.failure
                raise LearnerError(
                    f"reference {name_of(reference.learner)} failed at row {row:,}: "
                    f"{type(error).__name__}: {error}; the rows scored before are kept"
                ) from error


def _evaluate(
    stream: Stream,
    learners: Mapping[str, Learner | Player],
    plan: Plan,
    progress: bool | None,
    block_rows: int | None,
) -> list[list[Run]]:
    """The runs of each group, one per learner."""
    if block_rows is not None and block_rows < 1:
        raise UsageError(f"block_rows={block_rows}: expected 1 or more")
    if plan.is_plain and type(stream) is ArrayStream:  # nothing draws global random numbers
        return _evaluate_seeded(stream, learners, plan, progress, block_rows)
    with GlobalRandom(plan.seed).in_use():  # for streams and label policies of the user
        return _evaluate_seeded(stream, learners, plan, progress, block_rows)


def _evaluate_seeded(
    stream: Stream,
    learners: Mapping[str, Learner | Player],
    plan: Plan,
    progress: bool | None,
    block_rows: int | None,
) -> list[list[Run]]:
    began = time.perf_counter()
    groups = [_Group(stream, learners, plan, model) for model in plan.models]
    again = 0 if plan.reevaluate is None else plan.reevaluate.every
    parts = [(group.model, group.participants) for group in groups]
    loop = Loop(stream, plan.labels, parts, plan.rows, again, plan.max_labels or 0)
    loop.prepare()
    for group in groups:
        for scorer in group.scorers:
            scorer.prepare()
    compiled = time.perf_counter() - began

    if block_rows is None:
        quick = all(isinstance(learner, CompiledLearner) for learner in learners.values())
        usual = BLOCK_ROWS if quick else SLOW_LEARNER_BLOCK_ROWS
        block_rows = rows_at_once(stream.schema, usual)
    stopped: StreamgaugeError | None = None
    with Progress(stream.name, stream.rows, progress) as bar:
        try:
            for each in loop.scored(block_rows):
                for group, scored in zip(groups, each, strict=True):
                    group.add(scored, loop.arrived)
                    group.check_references()
                bar.advance(loop.arrived)
            for group in groups:
                if group.corrections is not None:
                    group.corrections.finish()
        except (InputError, LearnerError) as error:  # of the stream or a reference: keep the rows
            stopped = error
        except KeyboardInterrupt:
            stopped = Interrupted(f"interrupted after {loop.arrived:,} rows")
    if stopped is None and not loop.arrived:
        raise InputError(f"{stream.name}: no rows; expected at least one")
    took = Time(compiled, loop.stream_seconds, time.perf_counter() - began)
    runs = [
        [
            scorer.finish(
                plan.settings(group.model),
                group.described(),
                loop.arrived,
                loop.unlabelled,
                loop.awaited,
                loop.never_labelled,
                took,
                _failure(scorer, stopped, loop.arrived),
            )
            for scorer in group.scorers
        ]
        for group in groups
    ]
    every = [run for of_group in runs for run in of_group]
    if plan.save is not None:
        for run in every:
            run.save(plan.save)
    failures = [each.participant.failure for group in groups for each in group.scorers]
    _raise(every, stopped, failures)
    return runs


def _start(participant: Participant, schema: Schema, seed: int) -> None:
    task = getattr(participant.learner, "task", None)
    asked = "regression" if schema.regression else "classification"
    if task not in (None, asked):
        hint = (
            "declare task='classification' or classes=[...], or use Mean, LastValue or a regressor"
            if schema.regression
            else "use a classifier"
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


def _failure(scorer: Scorer, stopped: StreamgaugeError | None, arrived: int) -> RunFailure | None:
    if scorer.participant.failure is not None:
        row, error = scorer.participant.failure
        trace = "".join(traceback.format_exception(error))
        return RunFailure(row, f"{type(error).__name__}: {error}", trace)
    if stopped is None:
        return None
    wrong = stopped.row if isinstance(stopped, InputError) else None
    return RunFailure(arrived if wrong is None else wrong, str(stopped), "")


def _raise(
    runs: list[Run],
    stopped: StreamgaugeError | None,
    failures: list[tuple[int, BaseException] | None],
) -> None:
    if stopped is not None:
        stopped.runs = Runs(runs)
        raise stopped
    for run, failure in zip(runs, failures, strict=True):
        if failure is not None:
            row, cause = failure
            others = " and the other learners' runs" if len(runs) > 1 else ""
            error = LearnerError(
                f"{run.title} failed at row {row:,} of {run.stream.name}: "
                f"{type(cause).__name__}: {cause}; the {run.counts.scored:,} rows scored before"
                f"{others} are kept"
            )
            error.runs = Runs(runs)
            raise error from cause
