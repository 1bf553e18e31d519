"""The interface of scoring, which classification and regression implement."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

from streamgauge._support.inside import Inside
from streamgauge._support.types import Clock, Floats, Longs, Targets
from streamgauge.measures.batch_means import BatchMeansTest
from streamgauge.measures.curves import Curve
from streamgauge.measures.reference import Reference
from streamgauge.measures.verdict import ScorePair
from streamgauge.runs.scoring_plan import ScoringPlan

if TYPE_CHECKING:
    from streamgauge.measures.bin_sums import BinSums
    from streamgauge.measures.tally import Corrections, Tally


class RunScores(ABC):
    """A learner's curve, and the data of its verdict; `predictions` are participants × rows."""

    _tally: Tally
    _clock: Clock | None  # of the reveal times

    @property
    def seen(self) -> int:
        """The number of rows scored."""
        return self._tally.seen

    @property
    def probabilities(self) -> bool:
        """Whether any metric needs probabilities."""
        return False

    @abstractmethod
    def prepare(self) -> None:
        """Compile what scoring needs."""

    @abstractmethod
    def add(
        self, y: Targets, predictions: Targets, probabilities: Floats | None, times: Longs
    ) -> None:
        """Add rows to the sums: predictions are participants × rows, the learner first."""

    def correct(self, given: Corrections) -> None:
        """Correct labels in the cumulative scores; call it before adding more rows."""
        self._tally.correct(given)

    @abstractmethod
    def keep_outcomes(self, folder: Inside, name: str) -> None:
        """Keep the rows for the verdict in files that outlive the process."""

    def thin(self, most: int) -> int:
        """Keep at most `most` points of the curve; return the rows between them."""
        return self._tally.thin(most)

    def try_metrics(self) -> None:
        """Compute every metric once, before any row, so that an error in one shows at once."""
        self._tally.try_metrics()

    def finish(self, complete: bool = True) -> Curve:
        """The curve over all rows; if `complete`, with a point after the last one."""
        return self._tally.finish(self._clock, complete)

    def compared(
        self, references: Sequence[Reference], overall: Sequence[Mapping[str, float]]
    ) -> list[ScorePair]:
        """The learner against each reference; `overall`: each participant's metrics."""
        scores = self._main_scores(overall)
        return [
            ScorePair(reference, own, other, test, order)
            for reference, (own, other), (test, order) in zip(
                references, scores, self._tests(references, scores), strict=True
            )
        ]

    @abstractmethod
    def _main_scores(self, overall: Sequence[Mapping[str, float]]) -> Sequence[tuple[float, float]]:
        """The scores that the verdict compares: the learner's and each reference's."""

    @abstractmethod
    def _tests(
        self, references: Sequence[Reference], scores: Sequence[tuple[float, float]]
    ) -> Sequence[tuple[BatchMeansTest, BatchMeansTest | None]]:
        """The tests of the learner against each reference, and those of `ScorePair.order`."""


class Totals(ABC):
    """Cumulative metrics of the learner and of every reference, for the table."""

    @property
    def confusion(self) -> Longs | None:
        """The learner's confusion matrix; None for regression."""
        return None

    @abstractmethod
    def add(self, y: Targets, predictions: Targets) -> None:
        """Count rows; `predictions` are participants × rows."""

    @abstractmethod
    def correct(self, given: Corrections) -> None:
        """Replace labels; before further rows are added."""

    @abstractmethod
    def overall(self) -> list[dict[str, float]]:
        """Each participant's metrics, the learner first."""


class Task(ABC):
    """Makes scores, totals and bin sums for classification or for regression."""

    def __init__(self, plan: ScoringPlan) -> None:
        self.plan = plan

    @abstractmethod
    def scores(self, judged: bool = True, bins: int | None = None) -> RunScores:
        """Scores of a run, or of one of `bins` bins; only `judged` ones keep rows for a verdict."""

    @abstractmethod
    def totals(self) -> Totals: ...

    @abstractmethod
    def bin_sums(self, bins: int) -> BinSums: ...
