"""Scores one learner of an evaluation as labels are revealed, and makes its run."""

from __future__ import annotations

import dataclasses
import math
import time
from collections.abc import Sequence

import numpy as np

from streamgauge._support.inside import Inside
from streamgauge._support.types import Floats, Longs, Targets
from streamgauge.learners.base import remedy_for, unseeded_in, warning_of
from streamgauge.learners.model_size import Measured, size_of
from streamgauge.measures.curves import Curve
from streamgauge.measures.forgetting import smooths_probabilities
from streamgauge.measures.reference import Reference
from streamgauge.measures.scale import Scale
from streamgauge.measures.tally import Corrections
from streamgauge.measures.verdict import judge
from streamgauge.prequential.loop import ScoredRows
from streamgauge.prequential.participant import Participant, Predictions
from streamgauge.runs._coverage import RowsBeforePrediction, coverage_notes
from streamgauge.runs._late_labels import LateLabelScorer, never_labelled_note
from streamgauge.runs._parts import LiveParts
from streamgauge.runs._predictions import PredictionLog
from streamgauge.runs._task import task_of
from streamgauge.runs._warnings import (
    identifier_warning,
    seed_warning,
    smoothing_warning,
    spelling_warning,
)
from streamgauge.runs.bins.bin_scorer import BinScorer
from streamgauge.runs.bins.outcome_log import BinRows
from streamgauge.runs.facts import Cost, Counts, RunFailure, Time, cost_curve_of, title_of
from streamgauge.runs.identity import Settings, custom_metrics, identity_of
from streamgauge.runs.run import Run
from streamgauge.runs.scoring_plan import ScoringPlan
from streamgauge.streams.base import Stream

# Targets near the largest number have infinite losses, which is what the metrics then say.
_large_numbers = np.errstate(over="ignore", invalid="ignore")
_COST_POINTS = 1 << 14  # of the cost curve; a live run gets ever more batches
_MEASURING_SHARE = 0.001  # of the learner's time, spent on measuring its size


class Scorer:
    """Feeds one learner's rows to the sums, the verdict and the log."""

    state_fields = (
        "_unpredicted",
        "_late",
        "_scores",
        "_totals",
        "_late_labels",
        "_costs",
        "_measuring",
        "_measured_by",
        "kept_every",
    )

    def __init__(
        self, name: str, participant: Participant, stream: Stream, plan: ScoringPlan
    ) -> None:
        self.name, self.participant, self._stream = name, participant, stream
        self._identity = identity_of(participant.learner)
        self._regression = plan.schema.regression
        self._smoothed = [each for each in plan.forget if smooths_probabilities(each)]
        self._unpredicted = RowsBeforePrediction()
        self._late = False  # rows arrived between a row and its label; known if `_smoothed`
        self.references, self._plan = plan.reference_names, plan
        task = task_of(plan)
        if custom_metrics(plan.metrics):
            task.scores(judged=False).try_metrics()
        self._scores, self._totals = task.scores(), task.totals()
        self._log = PredictionLog(plan)
        self._bins = None if plan.bins is None else BinScorer(plan, plan.bins)
        self._late_labels: LateLabelScorer | None = None
        if plan.late:
            self._late_labels = LateLabelScorer(plan.schema, plan.forget, self.references)
        self._costs: list[tuple[int, int, float, float]] = []
        self._measuring = 0.0
        self._measured_by: Measured | None = None
        self.kept_every = plan.every  # rows between points of the curve, see `thin`

    @property
    def seen(self) -> int:
        """The number of rows scored."""
        return self._scores.seen

    @property
    def scales(self) -> dict[str, Scale]:
        """Direction and unit of each metric and cost."""
        return self._plan.scales

    def prepare(self) -> None:
        """Compile what adding rows needs, by adding none."""
        k = len(self._stream.schema.classes)
        none: Targets = np.empty(0, np.int32 if k else np.float64)
        self._score(
            none, np.empty(0, np.int64), [none] * (1 + len(self.references)), np.empty((0, k))
        )
        self._scores.prepare()
        if self._bins is not None:
            self._bins.prepare()

    @_large_numbers
    def add(
        self,
        scored: ScoredRows,
        given: Predictions,
        references: Sequence[Predictions],
        arrived: int,
    ) -> None:
        """Score the rows that the learner and all references have predicted.

        A participant that failed predicted fewer; the rows after them are left out.
        """
        count = min(len(each.first) for each in (given, *references))
        if count < len(given.first):
            given = Predictions(given.first[:count], given.proba[:count], given.bins)
        if not count and self.participant.failure:
            return
        predictions = [each.first[:count] for each in (given, *references)]
        ids, y, times, at = (
            column[:count] for column in (scored.ids, scored.y, scored.times, scored.at)
        )
        self._unpredicted.add(ids, predictions[0])
        self._score(y, times, predictions, given.proba)
        self._log.add(ids, y, predictions, at)
        if self._smoothed:
            self._late |= bool((at > ids).any())
        if self._late_labels is not None:
            self._late_labels.add(ids, y, scored.waits[:count], np.stack(predictions))
        if self._bins is not None and scored.effort is not None:
            outcomes = [each.bins[:count] for each in (given, *references) if each.bins is not None]
            self._bins.add(BinRows(y, times, scored.effort[:count], outcomes))
        self._costs.append((arrived, self.seen, self.participant.seconds, self._bytes()))
        if len(self._costs) > _COST_POINTS:
            del self._costs[::2]

    def _score(
        self, y: Targets, times: Longs, predictions: Sequence[Targets], probabilities: Floats
    ) -> None:
        stacked = np.stack(predictions)
        asked = probabilities if self._scores.probabilities else None
        self._scores.add(y, stacked, asked, times)
        self._totals.add(y, stacked)

    @_large_numbers
    def correct(self, given: Corrections) -> None:
        """Correct labels in the cumulative scores; call it before adding more rows."""
        if not self._scores.probabilities:
            given = given._replace(probabilities=None)
        self._scores.correct(given)
        self._totals.correct(given)

    def keep_outcomes(self, folder: Inside, name: str = "outcomes") -> None:
        """Keep the outcomes for the verdict in files that outlive the process."""
        self._scores.keep_outcomes(folder, name)

    def thin(self, most: int) -> None:
        """Keep at most `most` points of the curve."""
        self.kept_every = self._scores.thin(most)

    def curve(self, complete: bool = True) -> Curve:
        """The curve so far; if `complete`, with a point after the last row."""
        return self._scores.finish(complete)

    def _bytes(self, at_any_cost: bool = False) -> float:
        """The size of the model. Measured only while that takes almost no time, unless
        `at_any_cost`: traversing a foreign model may take longer than its learning."""
        if not at_any_cost and self._measuring > _MEASURING_SHARE * self.participant.seconds:
            return self._costs[-1][-1] if self._costs else math.nan
        began = time.thread_time()
        size, self._measured_by = size_of(self.participant.learner)
        self._measuring += time.thread_time() - began
        return math.nan if size is None else float(size)

    def _warnings(self) -> tuple[str, ...]:
        confusion = self._totals.confusion
        rows = np.empty(0, np.int64) if confusion is None else confusion.sum(axis=1)
        found = [smoothing_warning(each, rows, self._late) for each in self._smoothed]
        found.append(identifier_warning(rows))
        if confusion is not None:
            found.append(spelling_warning(confusion, self._stream.schema.classes))
        found.append(seed_warning(unseeded_in(self.participant.learner)))
        found.append(warning_of(self.participant.learner))
        return tuple(warning for warning in found if warning is not None)

    @_large_numbers
    def finish(
        self,
        settings: Settings,
        references: Sequence[Reference],
        arrived: int,
        unlabelled: int,
        awaited: int,
        never_labelled: int,
        took: Time,
        failure: RunFailure | None,
    ) -> Run:
        """The run, up to the last scored row; `references` as they describe themselves by then."""
        curve = self._scores.finish()
        overall, *others = participants = self._totals.overall()
        remedy = remedy_for(self.participant.learner)
        compared = self._scores.compared(references, participants)
        title = title_of(self.name, settings.model)
        verdict = judge(title, compared, curve, self._regression, remedy)
        late = None if self._late_labels is None else self._late_labels.finish()
        notes = () if late is None else late.notes(self._plan.schema.classes)
        advice = "" if settings.protocol else f"warmup={self._unpredicted.until} leaves them out"
        before_first, labels_late = self._unpredicted.rows, bool(settings.late)
        covered = coverage_notes(title, self.seen, overall, before_first, advice, labels_late)
        notes = (*covered, *notes)
        if never_labelled:
            notes = (*notes, never_labelled_note(never_labelled))
        predicted = any(each["coverage"] != 0 for each in participants)
        notes = (*(verdict.notes if predicted else ()), *notes)
        verdict = dataclasses.replace(verdict, notes=notes, predicted=predicted)
        asked = failure.row if failure else arrived
        end = (asked, self.seen, self.participant.seconds, self._bytes(at_any_cost=True))
        costs = cost_curve_of([*self._costs, end])
        self._log.close()
        parts = LiveParts(
            learner=self.participant.learner,
            stream=self._stream,
            identity=self._identity,
            settings=settings,
            curve=curve,
            cost_curve=costs,
            log=self._log,
            bins=None
            if self._bins is None
            else self._bins.finish(title, self._stream.name, references, verdict, remedy),
        )
        places = ("arrived", "rows")
        at_the_end = {name: float(each[-1]) for name, each in costs.items() if name not in places}
        return Run(
            name=self.name,
            identity=self._identity,
            stream=self._stream.summary(),
            settings=settings,
            counts=Counts(arrived, self.seen, unlabelled, awaited, dict(self._stream.skipped)),
            confusion=self._totals.confusion,
            references=dict(zip(self.references, others, strict=True)),
            overall=overall,
            summaries={each: curve.last(each) for each in curve.forgettings},
            scales=self.scales,
            verdict=verdict,
            late_labels=late,
            cost=Cost(**at_the_end, measured_by=self._measured_by),
            time=took,
            failure=failure,
            warnings=self._warnings(),
            _parts=parts,
        )
