"""The options of `compare`: as keyword arguments, and checked."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Literal, TypedDict

import numpy.typing as npt

from streamgauge._support.errors import UsageError, check_integer
from streamgauge.comparison._stretches import check_segment
from streamgauge.measures.forgetting import Forgetting, keeps_sums

Compat = Literal["gama2013"] | None


class CompareArguments(TypedDict, total=False):
    """The keyword arguments of `compare`, documented there."""

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
    equal_within: float | None


@dataclass(frozen=True)
class Options:
    """How two participants are compared, apart from the loss; the fields are those of `compare`."""

    forget: tuple[Forgetting, ...]
    confidence: float
    smooth: float
    compat: Compat
    wait: int | None
    every: int | None
    stretch: int | None
    equal_within: float | None

    def __post_init__(self) -> None:
        _check_forget(self.forget)
        if not 0.5 <= self.confidence < 1:
            raise UsageError(
                f"confidence={self.confidence}: expected a value from 0.5 to below 1, e.g. 0.99"
            )
        if not 0 <= self.smooth < math.inf:
            raise UsageError(f"smooth={self.smooth}: expected a finite number, 0 or more")
        if self.compat not in (None, "gama2013"):
            raise UsageError(f"compat={self.compat!r}: expected None or 'gama2013'")
        for name in ("every", "wait"):
            count = getattr(self, name)
            if count is not None:
                check_integer(name, count)
                if count < 1:
                    raise UsageError(f"{name}={count}: expected 1 or more")
        check_segment(self.stretch)
        _check_margin(self.equal_within)


def _check_margin(margin: Any) -> None:
    if margin is None:
        return
    is_number = isinstance(margin, int | float) and not isinstance(margin, bool)
    if not is_number or not 0 < margin < math.inf:
        raise UsageError(
            f"equal_within={margin!r}: expected a difference of mean losses above 0 that is too "
            "small to matter, e.g. 0.01 for one percentage point of the error rate"
        )


def _check_forget(forget: tuple[Forgetting, ...]) -> None:
    for each in forget:
        if not keeps_sums(each):
            raise UsageError(
                f"forget: {each} is an estimator of metrics, but a comparison needs sums; expected "
                "Cumulative(), Window(w), Fading(a) or TimeWindow(d)"
            )
