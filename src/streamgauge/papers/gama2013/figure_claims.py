"""The claims of gama2013 that its figures show, each with its criterion."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

from streamgauge._support.types import Floats
from streamgauge.papers.claim import PaperClaim, judge
from streamgauge.papers.gama2013.series import PaperCurve

Estimates = Mapping[
    str, PaperCurve
]  # by name; the holdout error is HOLDOUT, that over all rows ALL
HOLDOUT, ALL = "holdout", "all rows"

_SETTLED = 0.2  # of the rows: from there on estimates have converged
_CLOSE = 0.01  # rates that are called equal
_RISE = 0.05  # of the accuracy, if it is rapid
_NEAR_BAYES = 0.02
_CRITICAL = 6.635  # of McNemar's statistic at 99 %
_ALIKE = 0.9  # correlation
_OTHER = 0.05  # a share of rows that is another result
_EARLY = 0.1  # of the rows: before them sums are still too small


def grows_then_stays(accuracy: PaperCurve, rows: int) -> list[PaperClaim]:
    """Figure 1: the accuracy of a tree over many rows."""
    first, last = accuracy.at(rows // 100), accuracy.since(rows * 9 // 10).mean()
    before = accuracy.since(rows * 8 // 10)[: len(accuracy.since(rows * 9 // 10))].mean()
    return [
        judge(
            "The accuracy increases rapidly with the number of examples.",
            "It is at least five points higher over the last tenth of the rows than over the first "
            "hundredth.",
            last - first >= _RISE,
            f"{last:.4f} against {first:.4f}.",
        ),
        judge(
            "In the end more examples do not affect the accuracy.",
            "Over the last two tenths of the rows it differs by less than one point.",
            abs(last - before) < _CLOSE,
            f"{before:.4f}, then {last:.4f}.",
        ),
    ]


def exceeds_batch(accuracy: PaperCurve, batch: PaperCurve | None, rows: int) -> PaperClaim:
    """Figure 1: a batch model of the rows that fit in memory is not enough; None: not run."""
    last = rows * 9 // 10
    return judge(
        "A large sample is not enough: in the end VFDT is more accurate than a tree trained on the "
        "100,000 rows that fit in memory. (Asked in the text, drawn in the figure.)",
        "Over the last tenth of the rows its accuracy is higher than that of the batch tree that "
        "was trained once.",
        batch is not None and bool(accuracy.since(last).mean() > batch.since(last).mean()),
        {
            "VFDT": float(accuracy.since(last).mean()),
            "batch tree": float("nan") if batch is None else float(batch.since(last).mean()),
        },
    )


def pessimistic(estimates: Estimates) -> PaperClaim:
    """Figure 2: the prequential error is above the holdout error."""
    holdout, preq = estimates[HOLDOUT], estimates[ALL]
    above = [preq.at(int(row)) > value for row, value in zip(*holdout, strict=True)]
    last = int(holdout.rows[-1])
    return judge(
        "The prequential error over all rows is pessimistic: it is higher than the holdout error.",
        "It is higher at the last test and at nine of ten of all tests.",
        above[-1] and bool(np.mean(above) >= 0.9),
        f"At {sum(above)} of {len(above)} tests; at the end {preq.at(last):.4f} against "
        f"{holdout.at(last):.4f}.",
    )


def no_lower_than_forgetting(by_stream: Mapping[str, Estimates]) -> PaperClaim:
    """Figure 3: P_e is at least P_w and P_α."""
    gaps = {
        f"{stream}, {name}": own[ALL].values[-1] - line.values[-1]
        for stream, own in by_stream.items()
        for name, line in own.items()
        if name != ALL
    }
    lowest = min(gaps, key=lambda name: gaps[name])
    return judge(
        "Without drift, the error over all rows is at least the error over a window, with fading "
        "and on a holdout.",
        "It is at least each of them at the last row, on all four streams, in the mean of all "
        "runs.",
        gaps[lowest] >= 0,
        f"In {sum(gap >= 0 for gap in gaps.values())} of {len(gaps)} cases; the least difference "
        f"is {gaps[lowest]:+.4f} ({lowest}).",
    )


def converge_to_holdout(by_stream: Mapping[str, Estimates]) -> PaperClaim:
    """Figure 3: window size and fading factor hardly matter."""
    gaps = {}
    for stream, own in by_stream.items():
        rows = own[HOLDOUT].rows
        late = rows >= _SETTLED * rows[-1]
        for name, line in own.items():
            if name not in (HOLDOUT, ALL):
                ours = np.array([line.at(int(row)) for row in rows[late]])
                gaps[f"{stream}, {name}"] = float(np.abs(ours - own[HOLDOUT].values[late]).mean())
    worst = max(gaps, key=lambda name: gaps[name])
    return judge(
        "Window size and fading factor do not matter much: with forgetting the prequential error "
        "converges fast to the holdout error.",
        "From a fifth of the rows on, each differs from the holdout error by less than 0.01 on "
        "average, on all four streams.",
        gaps[worst] < _CLOSE,
        f"In {sum(gap < _CLOSE for gap in gaps.values())} of {len(gaps)} cases; at most "
        f"{gaps[worst]:.4f} ({worst}).",
    )


def converge_to_bayes(by_stream: Mapping[str, Estimates], bayes: Mapping[str, float]) -> PaperClaim:
    """Figure 3: all estimates approach the Bayes error."""
    gaps = {
        f"{stream}, {name}": float(line.values[-1]) - bayes[stream]
        for stream, own in by_stream.items()
        if stream in bayes
        for name, line in own.items()
    }
    worst = max(gaps, key=lambda name: abs(gaps[name]))
    return judge(
        "All estimates converge to the Bayes error, where it is known.",
        "At the last row all are within 0.02 of it on LED and Waveform.",
        abs(gaps[worst]) < _NEAR_BAYES,
        f"In {sum(abs(gap) < _NEAR_BAYES for gap in gaps.values())} of {len(gaps)} cases; the "
        f"farthest is {gaps[worst]:+.4f} away ({worst}).",
    )


def q_keeps_its_sign(all_rows: PaperCurve, n: int) -> PaperClaim:
    """Figure 4: Q over all rows shows the overall tendency only."""
    late = all_rows.since(int(_EARLY * n))
    return judge(
        "Q over all rows reflects the overall tendency: its sign is always the same.",
        "From a tenth of the rows on, its sign never changes.",
        bool((late > 0).all() or (late < 0).all()),
        f"Q goes from {late.min():.3f} to {late.max():.3f}.",
    )


def q_captures_changes(window: PaperCurve, fading: PaperCurve, n: int) -> PaperClaim:
    """Figure 5: Q over the last rows changes its sign."""
    late = {"window": window.since(int(_EARLY * n)), "fading": fading.since(int(_EARLY * n))}
    changes = {name: int((np.diff(np.sign(each)) != 0).sum()) for name, each in late.items()}
    return judge(
        "With a window or fading, Q captures changes in the relative performance.",
        "From a tenth of the rows on, both change their sign.",
        min(changes.values()) > 0,
        f"The sign changes {changes['window']} times with the window, {changes['fading']} times "
        "with fading.",
    )


def q_alike(window: PaperCurve, fading: PaperCurve, n: int) -> PaperClaim:
    """Figure 5: fading and window agree."""
    one, other = (each.since(int(_EARLY * n)) for each in (window, fading))
    both = np.isfinite(one) & np.isfinite(other)
    correlation = float(np.corrcoef(one[both], other[both])[0, 1])
    return judge(
        "Fading behaves like a window.",
        "From a tenth of the rows on, the two curves of Q have a correlation of at least 0.9.",
        correlation >= _ALIKE,
        f"The correlation is {correlation:.2f}.",
    )


def stays_significant(all_rows: PaperCurve) -> PaperClaim:
    """Figure 6: McNemar's statistic over all rows never falls below its threshold again."""
    over = all_rows.values > _CRITICAL
    first = int(np.argmax(over)) if over.any() else len(over)
    below = int((~over[first:]).sum())
    where = f"at row {all_rows.rows[first]:,}" if over.any() else "never"
    return judge(
        "Once McNemar's statistic over the entire stream exceeds 6.635, it never falls below it.",
        "It exceeds 6.635 at some row and at every later one.",
        bool(over.any()) and not below,
        f"It first exceeds it {where}, and is below it at {below:,} later points.",
    )


def rejects_at_the_same_point(
    pairs: Mapping[str, tuple[PaperCurve, PaperCurve, int]],
) -> PaperClaim:
    """Figure 7: window and fading reject about as early; `pairs` also has the window's rows."""
    told, holds = [], True
    for name, (window, fading, rows) in pairs.items():
        places = [_first_rejection(line) for line in (window, fading)]
        holds &= abs(places[0] - places[1]) <= rows
        told.append(f"{name}: rows {places[0]:,.0f} and {places[1]:,.0f}")
    return judge(
        "With windows and with fading, McNemar's test rejects almost at the same point.",
        "The first rejections, in either direction, are no farther apart than the window is long.",
        bool(holds),
        "; ".join(told) + ".",
    )


def _first_rejection(line: PaperCurve) -> float:
    over = np.abs(line.values) > _CRITICAL
    return float(line.rows[np.argmax(over)]) if over.any() else float("inf")


def fading_factors_disagree(slow: PaperCurve, fast: PaperCurve) -> PaperClaim:
    """Figure 7: other fading factors, other results."""
    shares = [float((np.abs(each.values) > _CRITICAL).mean()) for each in (slow, fast)]
    return judge(
        "Different fading factors give different results about the significance.",
        "The shares of rows at which they reject differ by more than 0.05.",
        abs(shares[0] - shares[1]) > _OTHER,
        f"α = 0.999 rejects at {shares[0]:.1%} of the rows, α = 0.99 at {shares[1]:.1%}.",
    )


def detects_first_drift(alarms: Floats, period: int) -> PaperClaim:
    """Figure 8: Page–Hinkley finds the drift of SEA."""
    before, after = alarms[alarms < period], alarms[(alarms >= period) & (alarms < 2 * period)]
    said = f"{len(before)} alarms before it; the first after it "
    said += f"{after[0] - period:,.0f} rows later." if len(after) else "never comes."
    return judge(
        "Page–Hinkley detects the increase of the error after the first drift of SEA.",
        "No alarm before the drift, and one before the next drift.",
        not len(before) and len(after) > 0,
        said,
    )


def fading_is_fastest(
    delays: Mapping[str, Mapping[str, float]], fading: str, what: str
) -> PaperClaim:
    """Figures 9 and 10: the delays by stream, then by estimate; NaN for a miss."""
    others = {
        stream: min((each for name, each in own.items() if name != fading), default=np.inf)
        for stream, own in (
            (stream, {name: np.inf if each != each else each for name, each in own.items()})
            for stream, own in delays.items()
        )
    }
    first = [stream for stream, own in delays.items() if own[fading] < others[stream]]
    told = [
        f"{stream}: {_rows(delays[stream][fading])} against {_rows(others[stream])}"
        for stream in delays
    ]
    return judge(
        f"The fastest detection is by {what} with fading factors.",
        "On each of the four streams its alarm is the first after the drift, in the run drawn.",
        len(first) == len(delays),
        f"Rows until the alarm: {'; '.join(told)}.",
    )


def _rows(delay: float) -> str:
    return f"{delay:,.0f}" if np.isfinite(delay) else "a miss"
