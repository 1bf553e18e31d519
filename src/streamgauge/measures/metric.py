"""`Metric`: a name, the sums it needs, and a pure function of them (semantics §3)."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Literal, get_args

import numpy as np

from streamgauge._support.errors import UsageError
from streamgauge._support.types import Floats
from streamgauge.measures._regression_sums import RegressionSums
from streamgauge.measures.scale import Direction, Scale, check_scale
from streamgauge.measures.sums import ClassificationSums, SmoothedSums
from streamgauge.rendering.units import Unit

Need = Literal["rows", "rates", "labels", "sequence", "cost", "probabilities", "targets"]
_NEEDS = get_args(Need)
AnySums = ClassificationSums | SmoothedSums | RegressionSums
_NAME = re.compile(r"[^\W\d]\w*(\[.*\])?", re.DOTALL)  # such as kappa, precision[spam]


@dataclass(frozen=True)
class Metric:
    """A metric: a pure function of sums, for many points of the stream at once.

    `evaluate(..., metrics=["labels", metric])` computes it under every forgetting, in the table and
    per bin of the wait. `testing.check_metric(metric)` checks it.

    Parameters
    ----------
    name
        Its name in tables, curves and JSON.
    value
        Takes the sums and returns a number per point, NaN where the metric is undefined. Every
        attribute of the sums is an array whose first dimension is the points.

        Classification: `n` (scored rows), `confusion` (points × true class × predicted class, the
        last column counts abstentions), `true` and `predicted` (rows per class), `hit` (correct
        rows per class), `accuracy`, `chance` (the accuracy of random guesses), `recall`,
        `precision`, `f1` (per class), `reference(name)` (a reference's accuracy), `k` (number of
        classes). With a cost matrix `cost`; with probabilities `log_loss`, `brier` (sums over
        rows).

        Regression: `n`, `made` (rows with a prediction), `absolute` and `squared` (sums of errors),
        `level` and `level_squared` (sums of targets minus a constant).
    needs
        The sums that it reads. "labels": all of the above without cost and probabilities. "rates":
        only `accuracy`, `chance`, `reference` and `k`, which zliobaite2015's estimator keeps too.
        "rows": only `n` and `made`, in classification and in regression. "sequence": also
        `error_pairs`, the errors that follow an error. "cost", "probabilities": these too.
        "targets": the sums of regression.
    undefined
        Why a value may be NaN, for reports.
    direction
        Which values are better: "higher" or "lower". Without it, no value is marked as the best,
        and learners are ranked by the metric only if `rank` is told how.
    unit
        "number"; "fraction", shown in per cent; "target", the unit of a regression's target;
        "seconds", "bytes", "rows/s" or "RAM-hours".

    Raises
    ------
    UsageError
        If the name, the function, `needs`, the direction or the unit is not one.

    Examples
    --------
    >>> import streamgauge as sg
    >>> def rare_recall(sums):
    ...     return sums.recall[:, 1]
    >>> metric = sg.Metric("rare_recall", rare_recall, direction="higher", unit="fraction")
    >>> run = sg.evaluate(sg.SEA(1000), sg.NaiveBayes(), metrics=["labels", metric])
    >>> round(run.summary["rare_recall"], 3) == round(run.summary["recall[1]"], 3)
    True
    >>> run.scales["rare_recall"]
    Scale(direction='higher', unit='fraction')
    """

    name: str
    value: Callable[[Any], Floats]
    needs: Need = "labels"
    undefined: str = "no row scored"
    direction: Direction | None = None
    unit: Unit = "number"

    def __post_init__(self) -> None:
        if not isinstance(self.name, str) or not _NAME.fullmatch(self.name):
            raise UsageError(
                f"Metric({self.name!r}): expected a name of letters, digits and _, e.g. 'f_beta'"
            )
        if not callable(self.value):
            raise UsageError(
                f"Metric({self.name!r}): value={self.value!r}; expected a function of the sums"
            )
        if self.needs not in _NEEDS:
            raise UsageError(
                f"Metric({self.name!r}): needs={self.needs!r}; expected one of {', '.join(_NEEDS)}"
            )
        check_scale(f"Metric({self.name!r})", self.direction, self.unit)

    @property
    def scale(self) -> Scale:
        """The direction and the unit."""
        return Scale(self.direction, self.unit)

    def of(self, sums: AnySums) -> Floats:
        """The metric at every point of the sums; NaN if the sums lack what it needs."""
        with _undefined_is_nan():
            return self._value(sums, _points(sums))

    def _value(self, sums: AnySums, points: int) -> Floats:
        if isinstance(sums, SmoothedSums) and self.needs != "rates":
            return np.full(points, np.nan)
        try:
            values = np.asarray(self.value(sums), np.float64)
        except AssertionError:  # of a check
            raise
        except Exception as error:  # a user's function may raise anything
            raise UsageError(
                f"metric {self.name}: its function failed: {type(error).__name__}: {error}"
            ) from error
        if values.shape != (points,):
            raise UsageError(
                f"metric {self.name}: its function returned shape {values.shape}; expected one "
                f"number for each of {points} points"
            )
        return values

    @property
    def task(self) -> str | None:
        """ "classification" or "regression"; None for both."""
        match self.needs:
            case "targets":
                return "regression"
            case "rows":
                return None
        return "classification"


@dataclass(frozen=True)
class ClassColumn:
    """The function of a metric of one class: a column of `precision`, `recall` or `f1`."""

    name: str
    code: int

    def __call__(self, sums: ClassificationSums) -> Floats:
        return np.asarray(getattr(sums, self.name)[:, self.code])


class MetricTable:
    """Several metrics at once; those of many classes are read together."""

    def __init__(self, metrics: tuple[Metric, ...]) -> None:
        self._count = len(metrics)
        self._others: list[tuple[int, Metric]] = []
        self._columns: dict[str, tuple[list[int], list[int]]] = {}  # name: places, class codes
        for place, metric in enumerate(metrics):
            if isinstance(metric.value, ClassColumn):
                places, codes = self._columns.setdefault(metric.value.name, ([], []))
                places.append(place)
                codes.append(metric.value.code)
            else:
                self._others.append((place, metric))

    def of(self, sums: AnySums) -> Floats:
        """The values: points × metrics."""
        points = _points(sums)
        values = np.full((self._count, points), np.nan).T  # a metric at a time is written
        with _undefined_is_nan():
            for place, metric in self._others:
                values[:, place] = metric._value(sums, points)
            if isinstance(sums, ClassificationSums):  # the others have no classes
                for name, (places, codes) in self._columns.items():
                    values[:, places] = getattr(sums, name)[:, codes]
        return values


def _points(sums: AnySums) -> int:
    return len(sums.accuracy if isinstance(sums, SmoothedSums) else sums.n)


def _undefined_is_nan() -> np.errstate:
    """No warning where a metric is undefined: 0/0 is NaN."""
    return np.errstate(divide="ignore", invalid="ignore")
