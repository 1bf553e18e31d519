"""Cells: a stream, learner, label policy and seed each; known by the id of the run to be made."""

from __future__ import annotations

import msgspec

AS_THE_STREAM_SAYS = "default"  # how the label policy is called if the experiment names none


class Cell(msgspec.Struct, frozen=True):
    """Where a run stands in its experiment, and which run that is."""

    stream: str
    learner: str
    labels: str
    seed: int
    id: str
    place: str  # the name of its directory
