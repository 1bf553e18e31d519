"""How a comparison is made, apart from who is compared."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, TypedDict

import numpy.typing as npt

from streamgauge.comparison._pairs import Compat
from streamgauge.measures.forgetting import Forgetting


class Options(TypedDict, total=False):
    """The options of `compare`, explained there."""

    y: npt.ArrayLike | None
    names: Sequence[str] | None
    forget: Sequence[Forgetting] | None
    loss: Any
    bound: float | None
    confidence: float
    smooth: float
    compat: Compat
    wait: int | None
    every: int | None
    stretch: int | None


@dataclass(frozen=True)
class Setting:
    """The stream, the loss, and the options as they were chosen."""

    stream: str
    labels: str
    loss: str
    bound: float | None
    confidence: float
    forget: tuple[Forgetting, ...]
    smooth: float
    compat: Compat
    stretch: int | None
