"""The figures of one model: its rows join their labels and are scored as `score` scores them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from streamgauge._support.inside import Inside
from streamgauge._support.types import LEARN, NEVER, Floats, Longs, Schema
from streamgauge.evaluation.plan import Plan
from streamgauge.learners.model_size import bytes_of
from streamgauge.learners.recorded import Recorded
from streamgauge.learners.references.defaults import describe_references
from streamgauge.measures.tally import Corrections, among_rows
from streamgauge.monitoring._error_detector import ErrorDetector
from streamgauge.monitoring._events import LabelEvents, PredictionEvents
from streamgauge.monitoring._file_backed_arrays import FileBackedArrays
from streamgauge.monitoring._history import History
from streamgauge.monitoring._live_log import LiveLog
from streamgauge.monitoring._maturity import Maturity
from streamgauge.monitoring._state_tree import StatePart, load_fields
from streamgauge.prequential.id_table import ORPHANS, TIMED_OUT, EventBatch, RetentionRules
from streamgauge.prequential.join import Joiner, Matches
from streamgauge.prequential.live_agenda import LiveAgenda
from streamgauge.prequential.loop import ScoredRows, play
from streamgauge.prequential.participant import Participant, Predictions
from streamgauge.prequential.reasons import REASONS
from streamgauge.prequential.waiting_room import WaitingRoom
from streamgauge.runs.facts import Time
from streamgauge.runs.run import Run
from streamgauge.runs.scorer import Scorer

_SPARE = 0.0625  # of the waiting room: it may hold millions of rows


class ScoredBatch:
    """The rows of one batch that were scored, in order."""

    def __init__(self, rows: ScoredRows, row_ids: Longs, labels: Longs, own: Predictions) -> None:
        self.rows, self.row_ids = rows, row_ids
        self.labels = labels  # the label's place in the batch, -1 if it came before
        self.own = own.first

    @property
    def errors(self) -> Floats:
        """1 for an error, 0 otherwise; in regression the absolute error."""
        if self.rows.y.dtype == np.int32:
            return np.asarray(self.own != self.rows.y, np.float64)
        return np.asarray(np.abs(self.own - self.rows.y), np.float64)


class MonitoredModel:
    """One model: its waiting rows, its references, its sums."""

    state_fields = (
        "since",
        "began",
        "segment_began",
        "room",
        "joiner",
        "_agenda",
        "_participants",
        "scorer",
        "_segment",
        "segments",
        "detectors",
        "maturity",
        "history",
        "segment_history",
    )

    def __init__(
        self,
        name: str,
        code: int,
        log: LiveLog,
        plan: Plan,
        rules: RetentionRules,
        folder: Inside,
        segments: Sequence[str],
        detectors: Sequence[ErrorDetector],
        cohort: int,
        arrays: FileBackedArrays,
    ) -> None:
        self.name, self.code = name, code
        self.since = -NEVER  # labels before this time are not about this model
        self.history = History()
        self.segment_history: dict[tuple[int, int], History] = {}
        self.began = -NEVER  # the time of its first prediction
        self.segment_began: dict[tuple[int, int], int] = {}  # of the first scored row
        self._plan, self._log, self._folder = plan, log, folder
        schema: Schema = log.schema
        width = len(schema.features)
        self._arrays = arrays
        self.room = WaitingRoom(width, schema.regression, spare=_SPARE, empty=arrays.empty)
        self.joiner = Joiner(self.room, rules, arrays.empty)
        self._agenda = LiveAgenda(self.room, arrays.empty)
        self._own = Recorded(name, 0, width > 1)
        probabilities = any(metric.needs == "probabilities" for metric in plan.metrics)
        self.references = [Participant(each) for each in plan.all_references(schema)]
        self._scoring = plan.scoring(schema)
        self.scorer = Scorer(name, Participant(self._own, probabilities), log, self._scoring)
        self._participants = [*self.references, self.scorer.participant]
        for participant in self._participants:
            participant.empty = arrays.empty
            participant.start(schema, plan.seed)
        self.scorer.keep_outcomes(folder)
        self._segment = np.empty((0, len(segments)), np.int32)  # [slot]
        self._segment_columns = list(segments)
        self.segments: dict[tuple[int, int], Scorer] = {}  # column, code
        self.detectors = list(detectors)
        self.found: list[list[tuple[int, int]]] = [[] for _ in self.detectors]  # alarms, last batch
        classes = max(1, len(schema.classes))
        self.maturity = Maturity(cohort, rules.timeout, classes, schema.regression)

    @property
    def arrived(self) -> int:
        """Number of predictions that have arrived."""
        return self._agenda.arrived

    @property
    def nbytes(self) -> int:
        """Memory of what waits."""
        own = [self.room.nbytes, self.joiner.table.nbytes, self._agenda.row.nbytes]
        firsts = [each._first.nbytes + each._first_proba.nbytes for each in self._participants]
        learners = [bytes_of(each.learner) or 0 for each in self.references]
        return sum(own) + sum(firsts) + sum(learners) + self._segment.nbytes

    def advance(self, predictions: PredictionEvents, labels: LabelEvents, now: int) -> ScoredBatch:
        """Let a batch of events happen, all of them before `now`."""
        found = self.joiner.join(EventBatch(*predictions[:3]), EventBatch(*labels[:3]), labels.y)
        if self._segment.shape[1]:
            missing = self.room.capacity - len(self._segment)
            more = np.empty((max(0, missing), self._segment.shape[1]), np.int32)
            self._segment = np.concatenate([self._segment, more])
            self._segment[found.slots] = predictions.segments[found.arrivals]
        newest = self.arrived - 1
        agenda = self._agenda.write(
            found.slots, predictions.X[found.arrivals], predictions.times[found.arrivals],
            found.revealed, found.y, found.times,
        )  # fmt: skip
        rows = play(self._participants, self.room, agenda, newest)
        row_ids = agenda.row_ids[agenda.ops == LEARN]
        self._score(rows, row_ids, *self._corrections(found, rows))
        by_slot = np.empty(self.room.capacity, np.int64)
        by_slot[found.revealed] = found.labels
        batch = ScoredBatch(rows, row_ids, by_slot[row_ids], rows.predictions[-1])
        self._add_history(batch)
        self.found = [detector.add(batch.errors, rows.times) for detector in self.detectors]
        self.maturity.add(
            predictions.times[found.arrivals], self.room.arrives[row_ids], rows.waits, rows.y,
            batch.errors,
        )  # fmt: skip
        gone = self.joiner.leave(now)
        for reference in self.references:
            leave = getattr(reference.learner, "leave", None)
            if leave is not None:
                leave(gone)
        return batch

    def _corrections(self, found: Matches, rows: ScoredRows) -> tuple[Corrections, Longs]:
        """Labels that are replaced, each after some of the rows, and the slots of their rows."""
        numbers = self._agenda.row[found.corrected]
        order, after = among_rows(found.correction_times, numbers, rows.times, rows.ids)
        slots, own = found.corrected[order], self.scorer.participant
        first = np.stack([each._first[slots] for each in (own, *self.references)])
        proba = own._first_proba[slots] if own.probabilities else None
        return Corrections(after, found.old[order], found.new[order], first, proba), slots

    def _score(
        self, rows: ScoredRows, row_ids: Longs, corrections: Corrections, slots: Longs
    ) -> None:
        self._add(self.scorer, rows, corrections)
        for column in range(self._segment.shape[1]):
            codes, corrected = self._segment[row_ids, column], self._segment[slots, column]
            for code in np.unique(np.concatenate([codes, corrected])).tolist():
                mine = np.flatnonzero(codes == code)
                if len(mine):
                    self.segment_began.setdefault((column, code), int(rows.times[mine[0]]))
                which = corrected == code
                after = np.searchsorted(mine, corrections.after[which])
                scorer = self._segment_scorer(column, code)
                self._add(scorer, _some(rows, mine), corrections.some(which, after))

    def _add_history(self, batch: ScoredBatch) -> None:
        errors, times = batch.errors, batch.rows.times
        self.history.add(errors, times)
        for column in range(self._segment.shape[1]):
            codes = self._segment[batch.row_ids, column]
            for code in np.unique(codes).tolist():
                mine = codes == code
                history = self.segment_history.setdefault((column, code), History())
                history.add(errors[mine], times[mine])

    def _add(self, scorer: Scorer, rows: ScoredRows, corrections: Corrections) -> None:
        if len(corrections.after):
            scorer.correct(corrections)
        if len(rows.ids):
            *references, own = rows.predictions
            scorer.add(rows, own, references, self.arrived)

    def _segment_scorer(self, column: int, code: int) -> Scorer:
        key = (column, code)
        if key not in self.segments:
            plan = replace(self._scoring, late=False)
            scorer = Scorer(self.name, self.scorer.participant, self._log, plan)
            scorer.keep_outcomes(self._folder, f"segment-{column}-{code}")
            self.segments[key] = scorer
        return self.segments[key]

    def thin(self, most: int) -> None:
        """Keep at most `most` points of each curve."""
        for scorer in (self.scorer, *self.segments.values()):
            scorer.thin(most)

    def load_parts(self, parts: dict[str, StatePart]) -> None:
        """Go on from a snapshot; large arrays are kept in files again."""
        for key, _ in parts["segments"].pairs():
            self._segment_scorer(*key)
            self.segment_history[key] = History()
        load_fields(self, {n: replace(p, copy=self._arrays.copy) for n, p in parts.items()})

    def counts(self, now: int) -> dict[str, int]:
        """What became of events, by reason; and rows that wait, as `waiting`."""
        waiting, late, early, orphans = self.joiner.waiting(now)
        found = dict(zip(REASONS, self.joiner.counts.tolist(), strict=True))
        found[REASONS[TIMED_OUT]] += late
        found[REASONS[ORPHANS]] += orphans
        return {"waiting": waiting, "early": early} | found

    def run(self, now: int, skipped: dict[str, int]) -> Run:
        """The run so far, as `score` makes it of the same events."""
        counts = self.counts(now)
        waiting, _ = counts.pop("waiting"), counts.pop("early")
        del counts[REASONS[TIMED_OUT]]  # rows, not events
        self._log.skipped = {why: n for why, n in (skipped | counts).items() if n}
        described = describe_references([each.learner for each in self.references])
        names = self.scorer.references
        references = [d._replace(name=n) for d, n in zip(described, names, strict=True)]
        unlabelled = self.arrived - self.scorer.seen
        settings = replace(self._plan.settings(), every=self.scorer.kept_every)
        return self.scorer.finish(
            settings, references, self.arrived, unlabelled, waiting, 0, Time(0.0, 0.0, 0.0), None
        )


def _some(rows: ScoredRows, which: Longs) -> ScoredRows:
    predictions = [
        Predictions(each.first[which], each.proba[which] if len(each.proba) else each.proba, None)
        for each in rows.predictions
    ]
    return ScoredRows(
        rows.ids[which],
        rows.y[which],
        rows.times[which],
        rows.waits[which],
        rows.at[which],
        predictions,
        None,
    )
