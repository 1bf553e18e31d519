"""One learner's entry in an evaluation: takes its scored rows, becomes its run."""

from __future__ import annotations

import math
import time
from collections.abc import Sequence
from pathlib import Path

import numpy as np

from streamgauge._support.types import Floats, Longs, Targets
from streamgauge.learners.base import bytes_of, remedy_for
from streamgauge.measures.forgetting import Cumulative, Forgetting
from streamgauge.measures.metrics import Metric, metrics_for
from streamgauge.measures.sums import REFERENCES, count_confusions, divide, sums_of_confusions
from streamgauge.measures.tally import LabelTally, NumberTally
from streamgauge.measures.verdict import Spool, judge
from streamgauge.prequential.loop import ScoredRows
from streamgauge.prequential.participant import Participant, Predictions
from streamgauge.prequential.reevaluation.reevaluate import Reevaluate
from streamgauge.runs._bin_outcomes import OutcomeLog
from streamgauge.runs._predictions import PredictionLog
from streamgauge.runs.bins import BinnedEntry, BinPlan
from streamgauge.runs.identity import Settings, identity_of
from streamgauge.runs.run import Cost, Counts, Failure, Run, Time
from streamgauge.streams.base import Stream

_NUMBER_REFERENCES = ("Mean", "LastValue")
_MEASURING_SHARE = 0.001  # of the learner's time may go into measuring its size


class Entry:
    """Feeds one learner's rows to the sums, the verdict and the log."""

    def __init__(
        self,
        name: str,
        participant: Participant,
        stream: Stream,
        forget: Sequence[Forgetting],
        every: int,
        metrics: tuple[Metric, ...],
        cost: Floats | None,
        keep: str | Path,
        reevaluate: Reevaluate | None = None,
    ) -> None:
        self.name, self.participant, self._stream = name, participant, stream
        schema = stream.schema
        self._regression, self._cost = schema.regression, cost
        self._identity = identity_of(participant.learner)
        self.references = _NUMBER_REFERENCES if self._regression else REFERENCES
        self._log = PredictionLog(schema, self.references, keep)
        self._spool = Spool(len(self.references), self._regression)
        self._costs: list[tuple[int, int, float, float]] = []
        self._measuring = 0.0
        k = len(schema.classes)
        if self._regression:
            self._numbers = NumberTally(forget, every, metrics)
            self._common = np.zeros(2 + len(self.references))  # rows all answered, losses there
            # The learner's and the references' own cumulative sums, for the table.
            whole = metrics_for(schema, "labels")
            self._whole = [
                NumberTally([Cumulative()], 1 << 62, whole) for _ in range(1 + len(self.references))
            ]
        else:
            self._labels = LabelTally(k, forget, every, metrics, cost)
            self._confusions = np.zeros((1 + len(self.references), k, k + 1), np.int64)
        self._binned: BinnedEntry | None = None
        if reevaluate is not None:
            log = OutcomeLog(schema, self.references, reevaluate.bins, keep)
            plan = BinPlan(reevaluate.bins, schema, self.references, forget, every, metrics, cost)
            self._binned = BinnedEntry(plan, log)

    @property
    def seen(self) -> int:
        """Rows scored."""
        return self._numbers.seen if self._regression else self._labels.seen

    def prepare(self) -> None:
        """Compile what adding rows will need, by adding none."""
        k = len(self._stream.schema.classes)
        none: Targets = np.empty(0, np.float64 if self._regression else np.int32)
        shares = np.empty((0, k))
        rows = np.empty(0, np.int64)
        self._score(none, rows, none, [none] * len(self.references), shares)
        self._spool.prepare()
        if self._binned is not None:
            self._binned.prepare()

    def add(
        self, scored: ScoredRows, given: Predictions, known: Sequence[Predictions], arrived: int
    ) -> None:
        """Rows scored, the learner's answers and the references'.

        A learner that failed answered fewer rows; the others are not scored for it.
        """
        count = len(given.first)
        if not count and self.participant.failure:
            return
        references = [reference.first[:count] for reference in known]
        ids, y, times, at = (
            column[:count] for column in (scored.ids, scored.y, scored.times, scored.at)
        )
        self._score(y, times, given.first, references, given.proba)
        self._log.add(ids, y, [given.first, *references], at)
        if self._binned is not None and scored.effort is not None:
            outcomes = [each.bins[:count] for each in (given, *known) if each.bins is not None]
            self._binned.add(y, times, outcomes, scored.effort[:count])
        self._costs.append((arrived, self.seen, self.participant.seconds, self._bytes()))

    def _score(
        self,
        y: Targets,
        times: Longs,
        given: Targets,
        known: Sequence[Targets],
        shares: Floats,
    ) -> None:
        answers = np.stack([given, *known])
        if self._regression:
            self._numbers.add(y, given, times)
            for tally, each in zip(self._whole, answers, strict=True):
                tally.add(y, each)
            # A row is compared where all have answered: an abstention has no loss.
            losses = np.abs(answers - y)
            losses = losses[:, ~np.isnan(losses).any(axis=0)]
            self._common += [losses.shape[1], *losses.sum(axis=1)]
            self._spool.add_differences((losses[1:] - losses[0]).T)
        else:
            labels = self._labels
            outcome = labels.add(y, answers, shares if labels.probabilities else None, times)
            count_confusions(y, answers, self._confusions)
            self._spool.add_outcomes(outcome)

    def _bytes(self, at_once: bool = False) -> float:
        """The model's size: measured if asked to, else if that costs next to nothing.

        A foreign model is walked through for it, which may take longer than learning did.
        """
        if not at_once and self._measuring > _MEASURING_SHARE * self.participant.seconds:
            return self._costs[-1][-1] if self._costs else math.nan
        began = time.thread_time()
        size = bytes_of(self.participant.learner)
        self._measuring += time.thread_time() - began
        return math.nan if size is None else float(size)

    def finish(
        self,
        settings: Settings,
        arrived: int,
        unlabelled: int,
        took: Time,
        failure: Failure | None,
    ) -> Run:
        """The run, as far as it came."""
        tally = self._numbers if self._regression else self._labels
        curve = tally.finish()
        overall, *references = self._overall()
        by_name = dict(zip(self.references, references, strict=True))
        scores = self._scores(overall, references)
        remedy = remedy_for(self.participant.learner)
        verdict = judge(self.name, self._spool, scores, curve, self._regression, remedy)
        asked = failure.row if failure else arrived
        end = (asked, self.seen, self.participant.seconds, self._bytes(at_once=True))
        self._log.close()
        return Run(
            name=self.name,
            identity=self._identity,
            learner=self.participant.learner,
            stream=self._stream,
            settings=settings,
            counts=Counts(arrived, self.seen, unlabelled, dict(self._stream.skipped)),
            curve=curve,
            confusion=None if self._regression else self._confusions[0],
            references=by_name,
            overall=overall,
            verdict=verdict,
            cost=Cost.of([*self._costs, end]),
            time=took,
            failure=failure,
            _log=self._log,
            _bins=None if self._binned is None else self._binned.finish(self.name, verdict, remedy),
            _binned=self._binned,
        )

    def _scores(
        self, overall: dict[str, float], references: list[dict[str, float]]
    ) -> dict[str, tuple[float, float]]:
        """What the verdict compares: accuracies, or mean losses where all have answered."""
        if self._regression:
            own, *others = (divide(self._common[1:], self._common[:1])).tolist()
        else:
            own, *others = (each["accuracy"] for each in [overall, *references])
        return {name: (own, other) for name, other in zip(self.references, others, strict=True)}

    def _overall(self) -> list[dict[str, float]]:
        """Cumulative metrics of the learner and of each reference."""
        if self._regression:
            return [tally.finish().last() for tally in self._whole]
        sums = sums_of_confusions(self._confusions, self._confusions[1:])
        values = {
            metric.name: metric.of(sums)
            for metric in metrics_for(self._stream.schema, "labels")
            if metric.name != "error_autocorrelation"  # a confusion table knows no order
        }
        if self._cost is not None:
            # An abstention costs as much as the worst prediction.
            cost = np.column_stack([self._cost, self._cost.max(axis=1)])
            spent = (self._confusions * cost).sum(axis=(1, 2))
            values["cost_loss"] = divide(spent, sums.n)
        return [
            {name: float(value[who]) for name, value in values.items()}
            for who in range(len(self._confusions))
        ]
