"""The claims of gama2013 about detection delays (§5), each with its criterion."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from itertools import pairwise

from streamgauge.papers.claim import PaperClaim, judge
from streamgauge.papers.gama2013.delays import COLUMNS, Column, Delays, DetectionDelay, our_delay
from streamgauge.papers.gama2013.plan import (
    ALL_ROWS,
    FADING,
    LONG,
    STREAMS,
    WINDOWS,
    plain,
    ratio,
)

Cells = dict[str, dict[Column, DetectionDelay]]
_EXCEPTION = ("Waveform", "NBa")
_FORGETTING = (*FADING, *WINDOWS)
_FEW = 0.3  # of the runs
_MOST = 0.9  # of the cells
_FASTER = 2.0  # times as fast is "much faster"


def table2_claims(delays: Delays, theirs: Cells) -> list[PaperClaim]:
    """The claims about Page–Hinkley on an estimate of the error."""
    return [
        _same_delays(delays, theirs, plain),
        _all_rows_miss(delays),
        _all_rows_detect(delays),
        _always_detected(delays),
        _later_with_more_memory(delays),
        _bayes_first(delays),
        _fading_first(delays),
    ]


def table3_claims(delays: Delays, theirs: Cells) -> list[PaperClaim]:
    """The claims about Page–Hinkley on the ratio of two estimates."""
    return [
        _same_delays(delays, theirs, ratio),
        _ratio_is_faster(delays),
        _sooner_with_longer_reference(delays),
        _fading_ratio_first(delays),
        _ratio_is_riskier(delays),
        _risk_with_majority_votes(delays),
    ]


def _same_delays(delays: Delays, theirs: Cells, detector: Callable[[str], str]) -> PaperClaim:
    cells = {
        f"{name} on {stream} {leaf}": our_delay(
            delays.score((stream, leaf), detector(name))
        ).is_near(printed)
        for name, row in theirs.items()
        for (stream, leaf), printed in row.items()
        if (stream, leaf) in delays.alarms
    }
    off = [name for name, near in cells.items() if not near]
    listed = f"; off: {', '.join(off)}" if off else ""
    return judge(
        "The delays are those of the table.",
        "Every mean of ours is within two of the paper's standard deviations of the printed one; "
        "where the paper prints a miss, no run of ours detects the drift.",
        _told(delays, not off),
        f"{len(cells) - len(off)} of {len(cells)} cells{listed}.",
    )


def _all_rows_miss(delays: Delays) -> PaperClaim:
    scores = [delays.score(each, plain(ALL_ROWS)) for each in delays.alarms if each != _EXCEPTION]
    found, runs = sum(each.detections for each in scores), sum(each.runs for each in scores)
    return judge(
        "The error over all rows misses the drift on every stream but Waveform with naive Bayes "
        "leaves.",
        "No run of the others detects it.",
        _told(delays, not found),
        f"Detected in {found} of {runs} runs.",
    )


def _all_rows_detect(delays: Delays) -> PaperClaim:
    found = runs = 0
    if _EXCEPTION in delays.alarms:
        score = delays.score(_EXCEPTION, plain(ALL_ROWS))
        found, runs = score.detections, score.runs
    return judge(
        "On Waveform with naive Bayes leaves the error over all rows finds the drift in all runs.",
        "Every run detects it.",
        _told(delays, found == runs),
        f"Detected in {found} of {runs} runs.",
    )


def _always_detected(delays: Delays) -> PaperClaim:
    scores = {
        column: [delays.score(column, plain(name)) for name in _FORGETTING]
        for column in delays.alarms
    }
    false = sum(each.runs_with_false_alarm for own in scores.values() for each in own)
    excepted = [each.runs_with_miss for each in scores.pop(("RBF", "MC"), [])]
    misses = sum(each.runs_with_miss for own in scores.values() for each in own)
    most = max(excepted, default=0)
    runs = delays.size.seeds
    return judge(
        "With windows or fading the drift is always detected, without any false alarm; only on RBF "
        "with majority votes a small number of runs miss it.",
        "No run has a false alarm, no run outside RBF MC a miss, and there no estimate misses the "
        "drift in more than three of ten runs.",
        _told(delays, not false and not misses and most <= _FEW * runs),
        f"{false} runs with a false alarm, {misses} with a miss outside RBF MC; there at most "
        f"{most} of {runs}.",
    )


def _later_with_more_memory(delays: Delays) -> PaperClaim:
    steps = [
        (less, more)
        for names in (FADING, WINDOWS)
        for one, other in pairwise(names)
        for column in delays.alarms
        for less, more in zip(
            delays.by_run(column, plain(one)), delays.by_run(column, plain(other)), strict=True
        )
        if less == less and more == more  # both detect
    ]
    longer = sum(less < more for less, more in steps)
    return judge(
        "The delay grows with the window and with the fading factor.",
        "From each estimate to the next longer one it grows in every run that both detect.",
        _told(delays, longer == len(steps)),
        f"In {longer} of {len(steps)} steps.",
    )


def _bayes_first(delays: Delays) -> PaperClaim:
    means = [
        means
        for stream in STREAMS
        for name in map(plain, _FORGETTING)
        if (means := delays.both(((stream, "NBa"), name), ((stream, "MC"), name))) is not None
    ]
    return _first_is_faster(
        "The drift is found much faster with naive Bayes leaves than with majority votes.",
        "The mean delay with naive Bayes leaves is shorter in every cell of Table 2 with windows "
        "or fading, over the runs that both detect.",
        delays,
        means,
    )


def _fading_first(delays: Delays) -> PaperClaim:
    means = [
        (faded, windowed)
        for fading, window in zip(FADING, WINDOWS, strict=True)
        for faded, windowed in delays.pairs(plain(fading), plain(window))
    ]
    return _first_is_faster(
        "There is some evidence that fading factors detect faster than windows.",
        "In nine of ten cells the fading factor has a shorter mean delay than the window at the "
        "same position of Table 2, over the runs that both detect; of the printed cells 38 of 40 "
        "do.",
        delays,
        means,
        _MOST,
    )


def _ratio_is_faster(delays: Delays) -> PaperClaim:
    times = [slow / fast for name in LONG for fast, slow in delays.pairs(ratio(name), plain(name))]
    return judge(
        "The ratio detects much faster: hundreds of rows instead of thousands.",
        "In every cell of Table 3 the mean delay is less than half that of the plain test on the "
        "long estimate, over the runs that both detect.",
        _told(delays, min(times, default=0) > _FASTER),
        f"{min(times, default=0):.1f} to {max(times, default=0):.1f} times as fast, in "
        f"{len(times)} cells.",
    )


def _sooner_with_longer_reference(delays: Delays) -> PaperClaim:
    means = [
        (after, before)
        for names in (LONG[:3], LONG[3:])
        for shorter, longer in pairwise(names)
        for after, before in delays.pairs(ratio(longer), ratio(shorter))
    ]
    return _first_is_faster(
        "The greater the difference between the two estimates, the earlier the detection.",
        "In every column the mean delay falls from each long estimate of Table 3 to the next "
        "longer one, over the runs that both detect.",
        delays,
        means,
    )


def _fading_ratio_first(delays: Delays) -> PaperClaim:
    means = [
        (faded, windowed)
        for fading, window in zip(LONG[:3], LONG[3:], strict=True)
        for faded, windowed in delays.pairs(ratio(fading), ratio(window))
    ]
    return _first_is_faster(
        "The ratio of fading estimates is somewhat faster than that of windows.",
        "In nine of ten cells the fading factor has a shorter mean delay than the window at the "
        "same position of Table 3, over the runs that both detect; of the printed cells 21 of 23 "
        "do.",
        delays,
        means,
        _MOST,
    )


def _ratio_is_riskier(delays: Delays) -> PaperClaim:
    plain_risk, ratio_risk = (
        sum(_failed(delays, names, make, column) for column in delays.alarms)
        / max(1, len(names) * len(delays.alarms) * delays.size.seeds)
        for make, names in ((plain, _FORGETTING), (ratio, LONG))
    )
    return judge(
        "The ratio is more risky: it misses drifts and raises false alarms.",
        "The share of runs with a miss or a false alarm is larger in Table 3 than in Table 2 with "
        "windows or fading.",
        _told(delays, ratio_risk > plain_risk),
        f"{ratio_risk:.1%} against {plain_risk:.1%}.",
    )


def _risk_with_majority_votes(delays: Delays) -> PaperClaim:
    by_leaf = {
        leaf: sum(_failed(delays, LONG, ratio, each) for each in delays.alarms if each[1] == leaf)
        for leaf in ("MC", "NBa")
    }
    return judge(
        "The misses and false alarms of the ratio are mostly with majority votes.",
        "More than half of the runs with a miss or a false alarm have majority-vote leaves.",
        _told(delays, by_leaf["MC"] > by_leaf["NBa"]),
        f"{by_leaf['MC']} with majority votes, {by_leaf['NBa']} with naive Bayes leaves.",
    )


def _failed(
    delays: Delays, names: Iterable[str], detector: Callable[[str], str], column: Column
) -> int:
    """Runs with a miss, plus runs with a false alarm, over several detectors."""
    scores = [delays.score(column, detector(name)) for name in names]
    return sum(each.runs_with_miss + each.runs_with_false_alarm for each in scores)


def _first_is_faster(
    statement: str,
    criterion: str,
    delays: Delays,
    means: list[tuple[float, float]],
    share: float = 1.0,
) -> PaperClaim:
    faster = sum(one < other for one, other in means)
    told = _told(delays, faster >= share * len(means))
    return judge(statement, criterion, told, f"In {faster} of {len(means)} cells.")


def _told(delays: Delays, holds: bool) -> bool | None:
    """None if a column was not run."""
    return holds if len(delays.alarms) == len(COLUMNS) else None
