"""EDetector: an alarm with a guarantee, from bets on the means of blocks of losses (shin2024)."""

from __future__ import annotations

import math
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from streamgauge._support.errors import InputError, UsageError, check_integer
from streamgauge._support.jit import kernel
from streamgauge._support.types import Flags, Floats, Longs
from streamgauge.detectors._blocks import SHORTEST_BLOCK, block_of
from streamgauge.detectors.base import OwnDetector, Statistic, check_errors
from streamgauge.measures.batch_means import CONFIDENCE, batch_means_test

_FEWEST_BLOCKS = 10  # that a guarantee is worth
# Of the largest bet: losing everything on a block that is as good as it can be, and ever less.
_STAKES = 0.5 ** np.arange(5)


class _EState(NamedTuple):
    wealth: Floats  # [even or odd blocks, stake]: the Shiryaev–Roberts statistic of its bets
    total: Floats  # [the sum of the losses in the block that is being filled]
    counts: Longs  # [losses in that block, blocks filled since the last alarm]


class EDetector(OwnDetector):
    """E-detector: at most one false alarm per `guarantee` rows, an alarm when a mean exceeds x.

    It bets against "the mean loss is at most x" on the mean of each block of losses. If that is
    true, no bet gains on average, and the Shiryaev–Roberts statistic reaches the alarm level at
    most once per `guarantee` rows: over a long time, whenever it is looked at, and whatever the
    distribution of the losses. Every second block belongs to one of two statistics, so that
    between two blocks of a statistic there is always a whole one: losses may depend on each other
    over up to `block` rows. `docs/detectors.md` says what the promise does not cover.

    Parameters
    ----------
    above
        The limit x: the alarm is for a mean loss above it.
    below
        Instead of `above`: the alarm is for a mean below this limit.
    guarantee
        Rows per false alarm, on average, that it promises at least.
    block
        Rows of a block, at least 100: more than the rows over which losses depend on each other,
        and than a label waits. `from_baseline` measures it.
    low, high
        The smallest and the largest possible loss. A loss that is beyond them in the direction of
        the alarm counts as the bound, which keeps the promise; beyond the other one is an error.

    References
    ----------
    shin2024 (docs/bibliography.md)

    Examples
    --------
    >>> import numpy as np
    >>> import streamgauge as sg
    >>> errors = np.random.default_rng(1).random(20_000) < np.repeat([0.2, 0.3], 10_000)
    >>> sg.EDetector(above=0.2, guarantee=20_000).detect(errors).tolist()
    [10899, 13099, 15399, 17599]
    """

    def __init__(
        self,
        above: float | None = None,
        below: float | None = None,
        guarantee: int = 10_000,
        block: int = SHORTEST_BLOCK,
        low: float = 0.0,
        high: float = 1.0,
    ) -> None:
        self.above, self.below, self.guarantee, self.block = above, below, guarantee, block
        self.low, self.high = low, high
        for name in ("guarantee", "block"):
            check_integer(f"EDetector({name})", getattr(self, name))
        if (above is None) == (below is None):
            raise UsageError(f"{self}: expected either above or below, e.g. EDetector(above=0.2)")
        if not -math.inf < low < self.limit < high < math.inf:
            raise UsageError(f"{self}: expected low < {self.limit} < high")
        if block < SHORTEST_BLOCK or guarantee < _FEWEST_BLOCKS * block:
            raise UsageError(
                f"{self}: expected block >= {SHORTEST_BLOCK} and guarantee >= {_FEWEST_BLOCKS} "
                "blocks"
            )
        self.start(1)

    @classmethod
    def from_baseline(
        cls,
        losses: npt.ArrayLike,
        guarantee: int = 10_000,
        *,
        limit: float | None = None,
        margin: float = 0.0,
        worse: str = "higher",
        wait: int = 0,
        block: int | None = None,
        low: float = 0.0,
        high: float = 1.0,
    ) -> EDetector:
        """An e-detector for losses that are worse than those of a baseline period.

        The limit is the end of the 99 % confidence interval of the baseline's mean (one-sided, by
        the batch-means test), so that a mean that was only lucky raises no alarms; the block is
        as long as the losses of the baseline depend on each other, and the wait.

        Parameters
        ----------
        losses
            The losses of the baseline, in reveal order; 1,600 or more.
        guarantee
            Rows per false alarm, as for `EDetector`.
        limit
            The limit, if it is known: only the block then follows from the baseline.
        margin
            How much worse is still no alarm, added to the limit.
        worse
            "higher" or "lower": which losses are worse.
        wait
            The most rows that a label waits.
        block
            Rows of a block; by default from the dependence of the losses.
        low, high
            The smallest and the largest possible loss.

        Returns
        -------
        EDetector
            A detector with its limit and its block; its text has both.

        Raises
        ------
        UsageError
            If the baseline is too short for its dependence.

        Examples
        --------
        >>> import numpy as np
        >>> import streamgauge as sg
        >>> errors = np.random.default_rng(1).random(20_000) < 0.2
        >>> sg.EDetector.from_baseline(errors, guarantee=20_000)
        EDetector(above=0.2104, guarantee=20000, block=200)
        """
        if worse not in ("higher", "lower") or margin < 0 or wait < 0:
            raise UsageError(
                f"from_baseline(worse={worse!r}, margin={margin}, wait={wait}): expected worse = "
                "'higher' or 'lower', margin >= 0 and wait >= 0"
            )
        seen = np.ascontiguousarray(losses, np.float64)
        sign = 1 if worse == "higher" else -1

        def watching(limit: float, block: int) -> EDetector:
            above, below = (limit, None) if sign > 0 else (None, limit)
            return cls(above, below, guarantee, block, low, high)

        check_errors(watching((low + high) / 2, SHORTEST_BLOCK), seen)
        seen = np.minimum(seen, high) if sign > 0 else np.maximum(seen, low)
        block = max(block_of(seen) if block is None else block, wait)
        if limit is not None:
            return watching(limit + sign * margin, block)
        test = batch_means_test(seen, min_rows=0)
        if not test.batches:
            raise InputError(f"{len(seen):,} losses are too few; expected a longer baseline")
        reach = test.interval(2 * CONFIDENCE - 1)[1] - test.mean
        unseen = -math.log(1 - CONFIDENCE) / len(seen)  # as many may be at the bound
        found = test.mean + sign * (max(reach, unseen * (high - low)) + margin)
        # Rounded away from the mean, so that the text of the detector is the detector.
        steps = 10.0 ** (4 - math.ceil(math.log10(high - low)))
        found = sign * math.ceil(sign * found * steps) / steps
        if not low < found < high:
            raise UsageError(
                f"the limit that these {len(seen):,} losses give is {found:g}, not between "
                f"{low:g} and {high:g}: no mean could be beyond it; expected a longer baseline"
            )
        return watching(found, block)

    @property
    def limit(self) -> float:
        """The mean loss beyond which the alarm is right."""
        limit = self.above if self.above is not None else self.below
        assert limit is not None
        return limit

    @property
    def accepts(self) -> tuple[float, float]:
        """The losses that do not break the promise."""
        return (self.low, math.inf) if self.above is not None else (-math.inf, self.high)

    @property
    def promise(self) -> str:
        """The promise in words."""
        side = "at most" if self.above is not None else "at least"
        return (
            f"at most one false alarm per {self.guarantee:,} rows while the mean is {side} "
            f"{self.limit:g} and losses depend on each other over at most {self.block:,} rows"
        )

    def start(self, seed: int) -> None:
        self._state: _EState = _EState(
            np.zeros((2, len(_STAKES))), np.zeros(1), np.zeros(2, np.int64)
        )

    @property
    def statistic(self) -> Statistic:
        """The evidence in rows, and `guarantee`, at which it alarms."""
        if not self._state.counts[1]:
            return super().statistic
        value = self._state.wealth.sum(axis=0).mean() * self.block
        return Statistic(float(value), float(self.guarantee))

    def _watch(self, errors: Floats, warned: Flags | None) -> int:
        if warned is not None:
            warned[: len(errors)] = 0
        range_ = self.high - self.low
        # A bet on means below x is a bet on 1 − mean above 1 − x.
        sign, origin = (1.0, self.low) if self.above is not None else (-1.0, self.high)
        limit = sign * (self.limit - origin) / range_
        level = self.guarantee / self.block
        return _update(errors, self._state, sign / range_, origin, limit, level, self.block)


@kernel
def _update(
    losses: Floats,
    state: _EState,
    scale: float,
    origin: float,
    limit: float,
    level: float,
    block: int,
) -> int:
    """A bet of stake s on a block of mean z multiplies the wealth by 1 + s (z − x) / x."""
    wealth, total, counts = state
    done, blocks, alarm = counts[0], counts[1], -1
    sum_ = total[0]
    for i in range(len(losses)):
        sum_ += min(1.0, (losses[i] - origin) * scale)
        done += 1
        if done < block:
            continue
        gain = (sum_ / block - limit) / limit
        evidence = 0.0
        for k in range(len(_STAKES)):
            wealth[blocks % 2, k] = (wealth[blocks % 2, k] + 1) * (1 + _STAKES[k] * gain)
            evidence += wealth[0, k] + wealth[1, k]
        sum_, done, blocks = 0.0, 0, blocks + 1
        if evidence / len(_STAKES) >= level:
            wealth[:] = 0.0
            blocks, alarm = 0, i
            break
    total[0], counts[0], counts[1] = sum_, done, blocks
    return alarm
