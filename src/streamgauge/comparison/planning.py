"""How many more rows a decision needs, at the dependence that a run shows."""

from __future__ import annotations

import math

from streamgauge._support.errors import UsageError
from streamgauge.comparison.result import Comparison
from streamgauge.measures.batch_means import CONFIDENCE, BatchMeansTest
from streamgauge.runs.run import Run


def rows_needed(
    effect: float, run: Run | Comparison, reference: str | None = None, *, power: float = 0.8
) -> int:
    """How many more rows are needed to find an effect of this size.

    The spread of the batch means says how much a mean over n rows varies, however the rows depend
    on each other; it falls with √n. The less sure that spread is, on a run of few rows or one that
    is left open, the more rows the answer has. On a run in which differences depend on each other
    over a twentieth of the rows, up to a quarter of the answers are still too few.

    Parameters
    ----------
    effect
        The difference to find: of accuracies (0.01 is a point), or of mean losses.
    run
        A run, or a comparison of two learners.
    reference
        For a run, the reference to compare with; by default the strongest.
    power
        The probability to find the effect if there is one.

    Returns
    -------
    int
        Rows beyond those of the run; 0 if it has enough.

    Raises
    ------
    UsageError
        If the effect or the power is out of range, or the run has too few rows to know their
        spread.

    References
    ----------
    Ours, not from a paper.

    Examples
    --------
    >>> import streamgauge as sg
    >>> run = sg.evaluate(sg.SEA(2000, seed=1), "NaiveBayes")
    >>> sg.rows_needed(0.05, run), sg.rows_needed(0.01, run)
    (4347, 156663)
    """
    if not (isinstance(effect, int | float) and 0 < abs(effect) < math.inf):
        raise UsageError(f"rows_needed(effect={effect!r}): expected a number other than 0")
    if not 0.5 <= power < 1:
        raise UsageError(f"rows_needed(power={power!r}): expected 0.5 or more, and less than 1")
    test, rows, confidence = _test_of(run, reference)
    if not test.standard_error > 0:
        raise UsageError(
            f"rows_needed: {rows:,} rows show no spread of the differences ({test.word}); expected "
            "more rows"
        )
    from scipy.special import chdtri, stdtrit  # slow to import

    # The spread may be larger than it looks: take the upper end of its interval.
    freedom = test.freedom
    variance = test.standard_error**2 * freedom / float(chdtri(freedom, (1 + power) / 2))
    reach = float(sum(stdtrit(freedom, [(1 + confidence) / 2, power])))
    needed = math.ceil(rows * variance * (reach / effect) ** 2)
    return max(0, needed - rows)


def _test_of(run: Run | Comparison, reference: str | None) -> tuple[BatchMeansTest, int, float]:
    if isinstance(run, Comparison):
        if reference is not None:
            raise UsageError(f"rows_needed(reference={reference!r}): a comparison has none")
        return run.batch_means, len(run), run.options.confidence
    if not isinstance(run, Run):
        raise UsageError(f"rows_needed(run={type(run).__name__}): expected a run or a comparison")
    if not run.verdict.against:
        raise UsageError("rows_needed: the run has no references; expected one to compare with")
    against = run.verdict.against[0] if reference is None else run.verdict[reference]
    return against.test, run.counts.rows, CONFIDENCE
