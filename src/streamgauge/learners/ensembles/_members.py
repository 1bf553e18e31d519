"""The number of members of an ensemble."""

from __future__ import annotations

from typing import Final

from streamgauge._support.errors import UsageError

MOST_MODELS: Final = 10_000  # each is a tree of its own


def check_n_models(name: str, n_models: int) -> None:
    """Raise an error for more members than fit into memory."""
    if n_models > MOST_MODELS:
        raise UsageError(f"{name}: expected n_models >= 1 and at most {MOST_MODELS:,}")
