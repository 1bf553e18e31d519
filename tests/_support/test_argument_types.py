"""Arguments of the wrong type are refused in words."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Literal

import numpy as np
import pytest

import streamgauge as sg
from streamgauge._support.argument_types import check_fields
from streamgauge._support.parameters import Parametrized


class _Thing(Parametrized):
    def __init__(
        self,
        size: int = 1,
        rate: float = 0.5,
        flag: bool = False,
        how: Literal["a", "b"] | None = None,
        most: int | None = None,
        anything: Any = None,
    ) -> None:
        self.size, self.rate, self.flag, self.how, self.most = size, rate, flag, how, most
        self.anything = anything
        self.double = rate * 2


@dataclass(frozen=True)
class _Record:
    rate: float
    seed: int | None = None

    def __post_init__(self) -> None:
        check_fields(self)


@pytest.mark.parametrize(
    ("given", "message"),
    [
        ({"size": 1.5}, r"_Thing\(size\): expected an integer, got 1.5"),
        ({"size": True}, r"_Thing\(size\): expected an integer, got True"),
        ({"size": 2**62}, r"_Thing\(size\): expected an integer below 2\^62"),
        ({"size": np.array([1, 2])}, r"_Thing\(size\): expected an integer"),
        ({"rate": "x"}, r"_Thing\(rate='x'\): expected a number"),
        ({"rate": None}, r"_Thing\(rate=None\): expected a number"),
        ({"rate": np.nan}, r"_Thing\(rate=nan\): expected a number"),
        ({"rate": 10**30}, r"expected a number"),
        ({"rate": []}, r"_Thing\(rate=\[\]\): expected a number"),
        ({"flag": 1}, r"_Thing\(flag=1\): expected True or False"),
        ({"how": 3}, r"_Thing\(how=3\): expected 'a' or 'b' or None"),
        ({"most": 0.5}, r"_Thing\(most=0.5\): expected an integer or None"),
    ],
)
def test_wrong_types_are_refused(given: dict[str, Any], message: str) -> None:
    with pytest.raises(sg.UsageError, match=message):
        _Thing(**given)


def test_positional_arguments_are_checked_too() -> None:
    with pytest.raises(sg.UsageError, match=r"_Thing\(rate='x'\): expected a number"):
        _Thing(1, "x")  # type: ignore[arg-type]


def test_numbers_of_numpy_and_other_annotations_are_accepted() -> None:
    made = _Thing(np.int64(3), np.float32(0.25), np.True_, "a", 7, object())  # type: ignore[arg-type]
    assert (made.size, made.rate, made.double) == (3, 0.25, 0.5)


def test_fields_of_a_dataclass_are_checked() -> None:
    with pytest.raises(sg.UsageError, match=r"_Record\(rate=nan\): expected a number"):
        _Record(np.nan)
    with pytest.raises(sg.UsageError, match="_Record: seed=-1; expected an integer, 0 or more"):
        _Record(0.5, -1)
    assert _Record(1, 2**70).seed == 2**70  # a seed may be larger than a row number
