"""A scorecard as a figure: how long each detector keeps one waiting, and its false alarms."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any

import pyarrow as pa

from streamgauge.detection._scorecard_text import head
from streamgauge.figures.detection_delay import detection_delay

if TYPE_CHECKING:
    from streamgauge.detection.scorecard import Scorecard

_PER = 10_000  # rows for which false alarms are counted


def scorecard_figure(card: Scorecard) -> Any:
    """Draw each detector, and the dummies that never look at the errors."""
    rows: list[dict[str, Any]] = []
    for name, score in (card.scores | card.dummies).items():
        rate, wait = _PER * score.false_alarm_rate, score.mean_wait
        rows.append(_row(name, rate, wait, (rate, rate), (wait, wait)))
    for name, draws in card.random.items():
        means = (draws.mean("false_alarm_rate"), draws.mean("mean_wait"))
        (low, high), waits = draws.range("false_alarm_rate"), draws.range("mean_wait")
        rows.append(_row(name, _PER * means[0], means[1], (_PER * low, _PER * high), waits))
    first = next(iter(card.scores.values()))
    return detection_delay(
        pa.Table.from_pylist(rows),
        title=head(first, card.accept),
        dummies=[*card.dummies, *card.random],
        false_title=f"false alarms per {_PER:,} rows without a drift",
        caption=[
            "Rows from the start of a drift to its alarm; a miss counts as its whole window. Lower "
            "and further left is better.",
            "Grey: alarms that never look at the errors; random ones with the 95 % range of their "
            "draws.",
        ],
    )


def _row(
    name: str,
    false_alarms: float,
    wait: float,
    false_range: tuple[float, float],
    wait_range: tuple[float, float],
) -> dict[str, Any]:
    values = {
        "false_alarms": false_alarms,
        "wait": wait,
        "false_low": false_range[0],
        "false_high": false_range[1],
        "wait_low": wait_range[0],
        "wait_high": wait_range[1],
    }
    plain = {key: None if math.isnan(each) else float(each) for key, each in values.items()}
    return {"series": name, **plain}
