"""Why an event of a log is not scored, or counts otherwise than at its own time.

A monitor also counts lines that it cannot read, and files that are replaced.
"""

from __future__ import annotations

BEFORE = "a label before its prediction by the clocks; it counts from then on"
CORRECTION = "a correction of a label; it changes what is cumulative only"
EMPTY = "a label that is empty"
FAR_AHEAD = "an event far ahead of all others; it is set aside until others come as far"
ORPHAN = "a label without a prediction"
UNTIMED = "a label without a time"
UNREADABLE = "a line that could not be read"
REPLACED = "a file that was cut or replaced; the new one is read from its start"
USED = (BEFORE, CORRECTION)  # the others are left out
REASONS = (  # of what is counted while events are joined, see `id_table.py`
    "a second prediction of an id; the first one counts",
    "a label after the time-out",
    BEFORE,
    "a prediction without a label within the time-out",
    ORPHAN,
    "a second label of an id, the same as the first",
    CORRECTION,
)
