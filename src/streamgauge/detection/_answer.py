"""The answer of detectors, for people: which alarms follow drifts more closely than by chance.

`_scorecard_text.py` has everything else that there is to say of them.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence

from streamgauge._support.printable import printable
from streamgauge.detection._scorecard_text import head
from streamgauge.detection.alarm_draws import AlarmDraws
from streamgauge.detection.alarms import AlarmScore
from streamgauge.detection.independence import Dependence
from streamgauge.rendering.layout import wrap
from streamgauge.rendering.outcomes import outcome_text
from streamgauge.rendering.text_table import align, fitted
from streamgauge.rendering.words import join_words

_UNDECIDED = "no clear difference"


def show_card(
    scores: Mapping[str, AlarmScore],
    chance: Mapping[str, AlarmDraws],
    accept: int | None,
    dependence: Dependence,
    notes: Sequence[str],
) -> str:
    """The drifts, who beats chance, a line per detector."""
    first = next(iter(scores.values()))
    words = [head(first, accept), *_against_chance(chance)]
    below = [*notes, *dependent(dependence)]
    return shown(words, _table(scores, chance), below)


def shown(words: Sequence[str], table: str, below: Sequence[str]) -> str:
    """Sentences, a table, sentences."""
    parts = [wrap("\n".join(map(printable, words))), table]
    if below:
        parts.append(wrap("\n".join(map(printable, below))))
    return "\n\n".join(parts)


def _against_chance(chance: Mapping[str, AlarmDraws]) -> list[str]:
    """Which detectors' alarms follow drifts more closely than the same alarms elsewhere."""
    lines = []
    for word, beaten in (("better", True), (_UNDECIDED, False)):
        link = "than" if beaten else "from"
        if names := [name for name, draws in chance.items() if draws.beaten is beaten]:
            lines.append(f"{outcome_text(word)} {link} chance: {join_words(names)}.")
    return lines


def _table(scores: Mapping[str, AlarmScore], chance: Mapping[str, AlarmDraws]) -> str:
    drifts = any(score.drifts for score in scores.values())
    found = ["detected", "delay"] if drifts else []
    lines = [["", "alarms", *found, "false", "rows per false alarm"]]
    for name, score in scores.items():
        caught = f"{score.detections} of {score.detections + score.misses}"
        delay = "-" if math.isnan(score.mtd) else f"{score.mtd:,.0f} rows"
        between = "-"
        if score.rows_outside:
            between = f"{score.mtfa:,.0f}" if score.false_alarms else f"> {score.rows_outside:,}"
        numbers = [f"{score.alarms:,}", *([caught, delay] if drifts else [])]
        lines.append([name, *numbers, str(score.false_alarms), between])
    if not chance:
        return align(lines)
    lines[0].append("against chance")
    for line in lines[1:]:
        draws = chance.get(line[0])
        outcome = "" if draws is None else "better" if draws.beaten else _UNDECIDED
        line.append(outcome_text(outcome) if outcome else "")
    return fitted(lines, (0, len(lines[0]) - 1), [len(lines[0]) - 2])


def dependent(dependence: Dependence) -> list[str]:
    """What errors that are not independent mean, in a line."""
    if not dependence.fails:
        return []
    what = "false alarms" if dependence.autocorrelation > 0 else "misses"
    return [
        f"Errors are not independent (autocorrelation {dependence.autocorrelation:+.2f}): expect "
        f"more {what} than detectors promise."
    ]
