"""`calibrate`: the threshold at which a detector raises false alarms as rarely as promised."""

from __future__ import annotations

import copy
import math
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from streamgauge._support.errors import InputError, UsageError, check_integer, check_seed
from streamgauge._support.printable import printed
from streamgauge._support.types import Floats, Longs
from streamgauge.detectors._blocks import block_of
from streamgauge.detectors.adapters import as_detector
from streamgauge.detectors.base import Detector, Sensitivity, all_alarms, check_errors
from streamgauge.measures.batch_means import CONFIDENCE

_STREAMS, _PROMISES = 10, 10  # streams drawn, and how many promised alarms each is long
_STEPS = 512  # of the grid; a power of two
_BLOCKS_PER_DEPENDENCE = 2
_ENOUGH = 20_000  # rows of a baseline that kept its promise (docs/calibration.md)
_ENOUGH_PROMISES = 2  # times the rows promised, too
_FEWEST = 4  # times too few are refused


@dataclass(frozen=True)
class Calibration:
    """A detector with the threshold that keeps a promise on a baseline; print it for a sentence.

    Attributes
    ----------
    detector
        The detector, with its new threshold.
    parameter
        The parameter that was set.
    value
        What it was set to.
    promised
        Rows per false alarm that were asked for.
    rows_per_false_alarm
        Rows per alarm on further draws from the baseline; infinite if there was none.
    low, high
        Its 99 % interval: the error of the simulation alone, not that of the baseline.
    losses
        Rows of the baseline.
    block
        Rows of the blocks that were drawn.
    rows
        Rows that were drawn to measure the rate.

    Examples
    --------
    >>> import numpy as np
    >>> import streamgauge as sg
    >>> errors = np.random.default_rng(1).random(5000) < 0.2
    >>> found = sg.calibrate(sg.PageHinkley(), errors, rows_per_false_alarm=2000)
    >>> found.parameter, found.block, found.enough
    ('threshold', 200, False)
    """

    detector: Detector
    parameter: str
    value: float
    promised: int
    rows_per_false_alarm: float
    low: float
    high: float
    losses: int
    block: int
    rows: int

    @property
    def needed(self) -> int:
        """The rows of a baseline that kept such promises in simulations."""
        return needed_rows(self.promised)

    @property
    def enough(self) -> bool:
        """Whether the baseline has the rows that are needed."""
        return self.losses >= self.needed

    @printed
    def __str__(self) -> str:
        high = "more" if math.isinf(self.high) else f"{self.high:,.0f}"
        rate = (
            "no false alarm"
            if math.isinf(self.rows_per_false_alarm)
            else f"a false alarm every {self.rows_per_false_alarm:,.0f} rows"
        )
        text = (
            f"{self.detector}: {rate} ({self.low:,.0f} to {high}) in {self.rows:,} rows, drawn in "
            f"blocks of {self.block:,} from {self.losses:,} losses; promised: {self.promised:,}."
        )
        if not self.enough:
            text += (
                f" In simulations {self.needed:,} losses kept this promise; with fewer, expect up "
                "to 1.5 times as many false alarms (docs/calibration.md)."
            )
        return text

    __repr__ = __str__


def needed_rows(rows_per_false_alarm: int) -> int:
    """The rows of a baseline that kept such promises in simulations."""
    return max(_ENOUGH, _ENOUGH_PROMISES * rows_per_false_alarm)


def calibrate(
    detector: Any,
    losses: npt.ArrayLike,
    rows_per_false_alarm: int = 10_000,
    *,
    block: int | None = None,
    parameter: str | None = None,
    between: tuple[float, float] | None = None,
    seed: int = 1,
) -> Calibration:
    """Set the threshold of a detector, so that its false alarms are as rare as promised.

    In a baseline period without a change, every alarm is false. Streams are drawn from it by a
    circular block bootstrap: blocks of successive losses, so that errors that come in runs still
    do. The threshold is the most sensitive one of a grid with at most one alarm per
    `rows_per_false_alarm` rows of these streams, and of others that measure the rate. This is an
    estimate, not a guarantee as that of `EDetector`, but it is quicker to alarm.

    Parameters
    ----------
    detector
        A detector with a threshold, such as `PageHinkley()`; its other parameters stay.
    losses
        The losses of the baseline period, in reveal order, without a change. 20,000 rows, and
        twice `rows_per_false_alarm`, kept their promises in simulations; a quarter did not, and
        fewer are refused.
    rows_per_false_alarm
        The rows per false alarm, on average.
    block
        Rows of a block; by default twice those over which the losses depend on each other.
    parameter
        The parameter to set; by default the one that the detector declares.
    between
        Its values to try: that with the most alarms, and that with the fewest, both above 0.
    seed
        Random seed of the bootstrap.

    Returns
    -------
    Calibration
        The detector, and the rate of false alarms that was measured.

    Raises
    ------
    UsageError
        If no value of the parameter keeps the promise, or the detector has none to set.
    InputError
        If the baseline is too short.

    References
    ----------
    politis1992 (docs/bibliography.md)

    Examples
    --------
    >>> import numpy as np
    >>> import streamgauge as sg
    >>> errors = np.random.default_rng(1).random(20_000) < 0.2
    >>> found = sg.calibrate(sg.PageHinkley(delta=0.01), errors, rows_per_false_alarm=10_000)
    >>> found.detector
    PageHinkley(delta=0.01, threshold=27.4)
    >>> found.low < 10_000 < found.high
    True
    """
    check_integer("calibrate(rows_per_false_alarm)", rows_per_false_alarm)
    check_seed("calibrate", seed)
    original = as_detector(detector)
    dial = _sensitivity(original, parameter, between)
    values = np.ascontiguousarray(losses, np.float64)
    check_errors(original, values)
    fewest = needed_rows(rows_per_false_alarm) // _FEWEST
    if rows_per_false_alarm < 1 or len(values) < fewest:
        raise InputError(
            f"{len(values):,} losses are too few for one false alarm per {rows_per_false_alarm:,} "
            f"rows; expected {_FEWEST * fewest:,} or more, at the very least {fewest:,}"
        )
    if block is None:
        block = min(_BLOCKS_PER_DEPENDENCE * block_of(values), len(values))
    elif not 1 <= block <= len(values):
        raise UsageError(f"block={block}: expected 1 to {len(values):,} rows, those of the losses")
    length = _PROMISES * rows_per_false_alarm
    rows = _STREAMS * length
    most = _STREAMS * _PROMISES

    def alarms(value: float, first: int = 0) -> Longs:
        """The alarms on each stream, until there are more than promised."""
        watching, counts = _with(original, dial.parameter, value), np.zeros(_STREAMS, np.int64)
        for i in range(_STREAMS):
            stream = _drawn(values, block, length, np.random.default_rng([seed, first + i]))
            counts[i] = len(all_alarms(watching, stream, first + i))
            if counts.sum() > most:
                break
        return counts

    grid = list(_grid(original, dial))
    low, high = 0, len(grid)
    while low < high:
        middle = (low + high) // 2
        keeps = alarms(grid[middle]).sum() <= most
        low, high = (low, middle) if keeps else (middle + 1, high)
    while low < len(grid) and (counts := alarms(grid[low], _STREAMS)).sum() > most:
        low += 1  # the streams that found it were too kind to it
    if low == len(grid):
        raise UsageError(
            f"{original}: even with {dial.parameter}={grid[-1]:g}, the least sensitive value, it "
            f"alarms more often on this baseline than every {rows_per_false_alarm:,} rows; "
            "expected another detector, or between= with a less sensitive value"
        )
    value, count = grid[low], int(counts.sum())
    # Of a Poisson number of alarms, or one that varies more between streams.
    spread = max(1.0, float(counts.var(ddof=1)) * _STREAMS / count) if count else 1.0
    from scipy.special import gammaincinv  # slow to import, and most do not need it

    outside = (1 - CONFIDENCE) / 2
    fewer = spread * float(gammaincinv(count / spread, outside)) if count else 0.0
    more = spread * float(gammaincinv(count / spread + 1, 1 - outside))
    return Calibration(
        _with(original, dial.parameter, value), dial.parameter, value, rows_per_false_alarm,
        rows / count if count else math.inf, rows / more, rows / fewer if fewer else math.inf,
        len(values), block, rows,
    )  # fmt: skip


def _sensitivity(
    detector: Detector, parameter: str | None, between: tuple[float, float] | None
) -> Sensitivity:
    """What is to be set, and the values to try."""
    declared: Sensitivity | None = getattr(detector, "sensitivity", None)
    if declared is not None and parameter in (None, declared.parameter):
        declared = declared if between is None else Sensitivity(declared.parameter, *between)
    elif parameter is not None and between is not None:
        declared = Sensitivity(parameter, *between)
    else:
        declared = None
    known = detector.get_params() if hasattr(detector, "get_params") else {}
    if declared is None or declared.parameter not in known:
        raise UsageError(
            f"{detector}: it declares no threshold to calibrate; expected a detector that does, "
            "such as PageHinkley(), or the name of a parameter of its own and its values, "
            "parameter= and between="
        )
    if not (0 < declared.most < math.inf and 0 < declared.least < math.inf):
        raise UsageError(f"between={between}: expected two numbers above 0")
    return declared


def _grid(detector: Detector, dial: Sensitivity) -> Iterator[float]:
    """The values to try, from the most sensitive on, to three digits; not those it refuses."""
    values = [float(f"{v:.3g}") for v in np.geomspace(dial.most, dial.least, _STEPS)]
    allowed = 0
    for value in dict.fromkeys(values):
        try:
            _with(detector, dial.parameter, value)
        except ValueError:  # a UsageError, too
            continue
        allowed += 1
        yield value
    if not allowed:
        _with(detector, dial.parameter, dial.least)  # raises its error


def _with(detector: Any, parameter: str, value: float) -> Detector:
    """A detector with another value of a parameter."""
    made: Detector = type(detector)(**copy.deepcopy(detector.get_params()) | {parameter: value})
    return made


def _drawn(values: Floats, block: int, rows: int, random: np.random.Generator) -> Floats:
    """Blocks that begin at random places, the end followed by the start."""
    windows = np.lib.stride_tricks.sliding_window_view(np.r_[values, values[: block - 1]], block)
    starts = random.integers(len(values), size=-(-rows // block))
    return np.ascontiguousarray(windows[starts].ravel()[:rows])
