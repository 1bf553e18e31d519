"""The interface of scoring, which classification and regression implement."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence

from streamgauge._support.types import Floats, Longs, Targets
from streamgauge.measures.bins import BinSums
from streamgauge.measures.curves import Curve
from streamgauge.measures.verdict import Score
from streamgauge.runs.scoring_plan import ScoringPlan


class Scores(ABC):
    """A learner's curve, and the data of its verdict; `answers` are participants × rows."""

    @property
    @abstractmethod
    def seen(self) -> int:
        """The number of rows scored."""

    @property
    def probabilities(self) -> bool:
        """Whether any metric needs probabilities."""
        return False

    @abstractmethod
    def prepare(self) -> None:
        """Compile what scoring needs."""

    @abstractmethod
    def add(self, y: Targets, answers: Targets, probabilities: Floats | None, times: Longs) -> None:
        """Score rows by the answers of the learner and then of each reference."""

    @abstractmethod
    def finish(self) -> Curve:
        """The curve over all rows."""

    @abstractmethod
    def batch_means(self) -> Floats:
        """Batch means of the difference to each reference."""

    @abstractmethod
    def compared(self, overall: Sequence[Mapping[str, float]]) -> list[Score]:
        """The scores of learner and references; `overall`: each participant's metrics."""


class Totals(ABC):
    """Cumulative metrics of the learner and of every reference, for the table."""

    confusion: Longs | None = None  # the learner's

    @abstractmethod
    def add(self, y: Targets, answers: Targets) -> None:
        """Count rows; `answers` are participants × rows."""

    @abstractmethod
    def overall(self) -> list[dict[str, float]]:
        """Each participant's metrics, the learner first."""


class Task(ABC):
    """Makes scores, totals and bin sums for classification or for regression."""

    def __init__(self, plan: ScoringPlan) -> None:
        self.plan = plan

    @abstractmethod
    def scores(self, judged: bool = True, bins: int | None = None) -> Scores:
        """Scores of a run, or of one of `bins` bins; only `judged` ones keep rows for a verdict."""

    @abstractmethod
    def totals(self) -> Totals: ...

    @abstractmethod
    def bin_sums(self, bins: int) -> BinSums: ...
