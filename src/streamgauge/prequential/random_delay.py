"""RandomDelay: each label is late by a random number of rows (semantics §1)."""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np

from streamgauge._support.argument_types import check_fields
from streamgauge._support.errors import UsageError, check_integer, check_seed
from streamgauge._support.rng import uniform
from streamgauge._support.types import Block, Floats, Longs
from streamgauge.prequential._wait_distributions import parse_distribution
from streamgauge.prequential.labels import Timetable, row_numbers, times_after

_LONGEST = float(1 << 61)  # rows: no sum of a row number and a wait exceeds 64 bits
_SHOWN = 20  # observed waits
_STREAM = 1  # sets the draws apart from other random numbers with the same seed


@dataclass(frozen=True, repr=False)
class RandomDelay:
    """Random delays: the label of row t is revealed just before row t + w is predicted, w random.

    The wait of a row depends on the seed and the row number only. Fractions of a row are rounded
    up, and a label is at least 1 row late, as in `Delay(1)`.

    Parameters
    ----------
    distribution
        The distribution of the waits in rows: "geometric(p)", "poisson(mean)",
        "uniform(low, high)" with both ends, "exponential(mean)", "lognormal(mu, sigma)"; or a list
        of observed waits, of which each row draws one.
    seed
        Random seed; by default the run's.
    timeout
        A label that is more than this many rows late counts as never coming; by default all come.

    Examples
    --------
    >>> import streamgauge as sg
    >>> policy = sg.RandomDelay("geometric(0.1)", seed=1)
    >>> block = next(sg.SEA(6).blocks(6))
    >>> (policy.timetable(block).revealed - range(6)).tolist()  # the waits
    [4, 6, 2, 3, 29, 3]
    >>> run = sg.evaluate(sg.SEA(2000, seed=1), sg.NaiveBayes(), labels=policy)
    >>> run.predictions["row"][:6].to_pylist()  # in the order of the reveal times
    [0, 2, 3, 1, 5, 6]
    """

    distribution: str | Sequence[int] | Longs
    seed: int | None = None
    timeout: int | None = None
    labels_first = True

    def __post_init__(self) -> None:
        check_fields(self)
        if isinstance(self.distribution, str):
            parse_distribution(self.distribution)
        else:
            object.__setattr__(self, "distribution", _observed(self.distribution))
        if self.seed is not None:
            check_seed("RandomDelay", self.seed)
        if self.timeout is not None:
            check_integer("RandomDelay(timeout)", self.timeout)
            if self.timeout < 1:
                raise UsageError(f"RandomDelay(timeout={self.timeout}): expected at least one row")

    def __repr__(self) -> str:
        given = self.distribution
        shown = repr(given) if isinstance(given, str) else _waits_text(tuple(given))
        more = "" if self.seed is None else f", seed={self.seed}"
        more += "" if self.timeout is None else f", timeout={self.timeout}"
        return f"RandomDelay({shown}{more})"

    @property
    def longest_wait(self) -> int | None:
        """The longest wait of a label that comes; None without a bound."""
        longest = None if isinstance(self.distribution, str) else max(self.distribution)
        bounds = [bound for bound in (longest, self.timeout) if bound is not None]
        return min(bounds, default=None)

    def with_seed(self, seed: int) -> RandomDelay:
        """The same policy with this seed, unless it has its own."""
        return replace(self, seed=seed) if self.seed is None else self

    def timetable(self, block: Block) -> Timetable:
        """Return the arrival times, reveal times and weights of a block's rows."""
        rows = row_numbers(block)
        waits = np.clip(np.ceil(self._draw(uniform(rows, self.seed or 0, _STREAM))), 1, _LONGEST)
        leaves = None if self.timeout is None else times_after(rows, self.timeout)
        return Timetable(rows, rows + waits.astype(np.int64), np.ones(len(block)), leaves)

    def _draw(self, u: Floats) -> Floats:
        if isinstance(self.distribution, str):
            return parse_distribution(self.distribution)(u)
        observed = np.array(self.distribution, np.float64)
        return np.asarray(observed[(u * len(observed)).astype(np.int64)])


def _observed(waits: Sequence[int] | Longs) -> tuple[int, ...]:
    """The waits as a tuple of integers, all 1 or more."""
    found = np.asarray(waits)
    numeric = found.dtype.kind in "iuf" and bool(np.isfinite(found).all())
    whole = numeric and bool(((found >= 1) & (found % 1 == 0)).all())
    if found.ndim != 1 or not len(found) or not whole:
        raise UsageError(
            "RandomDelay: expected a distribution such as 'geometric(0.1)', or a list of observed "
            f"waits in whole rows, each 1 or more; got {str(waits)[:80]!r}"
        )
    return tuple(map(int, found))


def _waits_text(waits: tuple[int, ...]) -> str:
    """Few waits as a list; of many the number and a hash, so that a run's id depends on them."""
    if len(waits) <= _SHOWN:
        return repr(list(waits))
    version = hashlib.sha256(np.array(waits, np.int64).tobytes()).hexdigest()
    return f"<{len(waits):,} waits, sha256 {version[:16]}>"
