"""The text of a scorecard: its head, its table, and each detector beside shifts of its alarms."""

from __future__ import annotations

import math
from collections.abc import Mapping

from streamgauge.detection.alarm_draws import AlarmDraws
from streamgauge.detection.alarms import AlarmScore
from streamgauge.rendering.words import p_text

_COLUMNS = ["alarms", "detected", "missed", "delay", "repeats", "false", "rows per false alarm"]
_COUNTS = ("alarms", "detections", "misses", "repeats", "false_alarms")


def head(score: AlarmScore, accept: int | None) -> str:
    """The runs, their rows and drifts, and when a drift counts as detected."""
    runs = f"{score.runs} runs, " if score.runs > 1 else ""
    if not score.drifts:
        return f"{runs}{score.rows:,} rows without a drift: every alarm is false"
    drifts = f"{score.drifts} true drift{'' if score.drifts == 1 else 's'}"
    limit = "before the next one" if accept is None else f"within {accept:,} rows"
    return f"{runs}{drifts} in {score.rows:,} rows, detected if an alarm follows {limit}"


def score_lines(
    scores: Mapping[str, AlarmScore], random: Mapping[str, AlarmDraws]
) -> list[list[str]]:
    """A line per detector below a header; two per random dummy, its means and its ranges."""
    many = next(iter(scores.values())).runs > 1
    lines = [["", *_COLUMNS, "MTR"] + ["(miss; false)"] * many]
    for name, score in scores.items():
        line = [
            name,
            f"{score.alarms:,}",
            str(score.detections),
            str(score.misses),
            _delay(score),
            str(score.repeats),
            str(score.false_alarms),
            _between(score),
            _figure(score.mtr),
        ]
        lines.append(line + [f"({score.missed_share:.0%}; {score.false_share:.0%})"] * many)
    for name, draws in random.items():
        lines += _drawn(name, draws, many)
    return lines


def beside_shifts(name: str, score: AlarmScore, shifted: AlarmDraws) -> str:
    """A detector's detections and waits beside those of its own alarms at random places."""
    drifts = f"{score.drifts} drift{'' if score.drifts == 1 else 's'}"
    fewest, most = shifted.range("detections")
    shortest, longest = shifted.range("mean_wait")
    better = f"{name} is better than chance"
    if not shifted.beaten:
        better = f"No evidence that {name} is better than chance"
    early = ""
    if shifted.early:
        early = (
            f" At {shifted.early} of them its last alarm before is nearer than its first one "
            "after: early alarms do not count."
        )
    return (
        f"{name} detects {score.detections} of {drifts}; the same alarms, shifted to other places, "
        f"detect {shifted.mean('detections'):.1f} on average (95 % range {fewest:.0f} to "
        f"{most:.0f}). Its alarm comes after {score.mean_wait:,.0f} rows on average, theirs after "
        f"{shifted.mean('mean_wait'):,.0f} ({shortest:,.0f} to {longest:,.0f}), a miss counted as "
        f"its whole window.{early} {better} (p {p_text(shifted.p)})."
    )


def _drawn(name: str, draws: AlarmDraws, many: bool) -> list[list[str]]:
    """The line of the means, and that of the ranges."""
    shares = [draws.mean(share) for share in ("missed_share", "false_share")]
    means = [f"{draws.mean(count):,.1f}" for count in _COUNTS]
    ranges = [_range(draws, count) for count in _COUNTS]
    for place, measure in ((3, "mtd"), (6, "mtfa")):
        means.insert(place, _rows(draws.mean(measure)))
        ranges.insert(place, _range(draws, measure))
    low, high = draws.range("mtr")
    spread = "-" if math.isnan(low) else f"{low:.3g} to {high:.3g}"
    return [
        [f"{name}, mean", *means, _figure(draws.mean("mtr"))]
        + [f"({shares[0]:.0%}; {shares[1]:.0%})"] * many,
        [f"  95 % range of {len(draws.scores)} draws", *ranges, spread] + [""] * many,
    ]


def _range(draws: AlarmDraws, measure: str) -> str:
    low, high = draws.range(measure)
    return "-" if math.isnan(low) else f"{low:,.0f} to {high:,.0f}"


def _rows(value: float) -> str:
    return "-" if math.isnan(value) else f"{value:,.0f}"


def _figure(value: float) -> str:
    return "-" if math.isnan(value) else f"{value:.3g}"


def _delay(score: AlarmScore) -> str:
    if not score.detections:
        return "-"
    spread = "" if math.isnan(score.delay_sd) else f" ± {score.delay_sd:,.0f}"
    return f"{score.mtd:,.0f}{spread}"


def _between(score: AlarmScore) -> str:
    if not score.rows_outside:
        return "-"
    return _rows(score.mtfa) if score.false_alarms else f"> {score.rows_outside:,}"
