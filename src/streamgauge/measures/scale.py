"""`Scale`: which end of a metric or cost is better, and its unit; each declares its own."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Literal, TypeVar, get_args

from streamgauge._support.errors import UsageError, did_you_mean
from streamgauge._support.types import Floats
from streamgauge.rendering.units import UNITS, Unit

Direction = Literal["higher", "lower"]
_DIRECTIONS = get_args(Direction)
_Values = TypeVar("_Values", float, Floats)


@dataclass(frozen=True)
class Scale:
    """What a metric or cost declares of its values.

    `direction`: "higher" or "lower", which is better; None: neither is, or it is not declared, so
    that no value is marked as the best and none is ranked. `unit`: one of `rendering.units.Unit`.
    """

    direction: Direction | None = None
    unit: Unit = "number"

    @property
    def lower_is_better(self) -> bool:
        """Whether the direction is "lower"."""
        return self.direction == "lower"

    def merit(self, values: _Values) -> _Values:
        """The values with the sign by which more is better."""
        return -values if self.lower_is_better else values


def check_scale(name: str, direction: object, unit: object) -> None:
    """Raise an error unless the direction and the unit that `name` declares are such."""
    if direction is not None and direction not in _DIRECTIONS:
        raise UsageError(
            f"{name}: direction={direction!r}{did_you_mean(str(direction), _DIRECTIONS)}; expected "
            "'higher' or 'lower', which is better, or None if neither is"
        )
    if unit not in UNITS:
        raise UsageError(
            f"{name}: unit={unit!r}{did_you_mean(str(unit), UNITS)}; expected one of "
            f"{', '.join(UNITS)}"
        )


def common_scale(name: str, scales: Iterable[Mapping[str, Scale]]) -> Scale:
    """What several runs declare of a metric or cost."""
    found = list(dict.fromkeys(each[name] for each in scales if name in each))
    if len(found) > 1:
        declared = " and ".join(f"({each.direction}, {each.unit})" for each in found)
        raise UsageError(
            f"{name}: the runs declare different directions or units, {declared}; expected one: "
            "evaluate again those with the old declaration"
        )
    return found[0] if found else Scale()
