"""Which forgettings of a curve a figure shows."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from streamgauge._support.errors import UsageError
from streamgauge.measures.curves import Curve


def chosen_forgettings(curve: Curve, wanted: Any) -> list[str]:
    """The forgettings to draw: those asked for, or the first one that forgets."""
    if wanted is None:
        forgets = (each for each in curve.forgettings if each != "Cumulative()")
        return [next(forgets, curve.forgettings[0])]
    asked = [wanted] if isinstance(wanted, str) or not isinstance(wanted, Sequence) else wanted
    if not asked:
        raise UsageError("forget=[]: expected a forgetting that the runs have kept, or several")
    return list(dict.fromkeys(each if isinstance(each, str) else repr(each) for each in asked))
