"""CapyMOA's own optimised loop over an ARFF file, its fastest input."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any


def play(path: Path, make: Callable[[Any], Any]) -> Any:
    """Evaluate the learner that `make` builds from the file's schema; return CapyMOA's results."""
    from capymoa.evaluation import prequential_evaluation
    from capymoa.stream import ARFFStream

    source = ARFFStream(str(path))
    return prequential_evaluation(source, make(source.get_schema()), window_size=1000)
