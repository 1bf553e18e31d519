"""Whether text fits the columns of a terminal, without a number torn apart."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any

from streamgauge.rendering.layout import wide, wrap

_TORN = re.compile(r"\d\n\s*(%|±|points\b|to [−+-]?\d)|±\n\s*\d|\d to\n\s*[−+-]?\d")
LONG = "TemporallyAugmented(AdaptiveRandomForest(n_models=100, grace_period=50), order=2)"


def fits(shown: Any, text: Callable[[Any], str] = str) -> None:
    """Assert that what the command line prints of a result fits 60, 80 and 120 columns."""
    for columns in (60, 80, 120):
        with wide(columns):
            printed = wrap(text(shown), columns)
        assert max(map(len, printed.split("\n"))) <= columns, printed
        assert not _TORN.search(printed), printed


def details_fit(shown: Any) -> None:
    """Assert the same of everything there is to say."""
    fits(shown, lambda each: str(each.details))
