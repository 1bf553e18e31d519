"""Declared parameters: one description and one range for all classes that have the parameter."""

from __future__ import annotations

import inspect
from typing import Annotated, Any, Literal

import numpy as np
import pytest

import streamgauge as sg
from streamgauge._support.declared import Declared
from streamgauge._support.parameters import Parametrized

Size = Annotated[int, Declared("Rows of the window.", least=1, most=9_000)]
Level = Annotated[float, Declared("Significance level.", above=0, below=1)]
Wait = Annotated[float | None, Declared("Rows to wait; by default none.", least=0)]
Mode = Annotated[Literal["fast", "exact"] | None, Declared("How it searches.")]
Factor = Annotated[float, Declared(above=0)]


class Finder(Parametrized):
    """Find things.

    It needs a window.

    Parameters
    ----------
    first, factor
        Two numbers of
        its own.
    level
        Another meaning.

    Examples
    --------
    >>> 1
    1
    """

    def __init__(
        self, size: Size, first: int = 1, wait: Wait = None, level: Level = 0.5,
        mode: Mode = None, factor: Factor = 1.0,
    ) -> None:  # fmt: skip
        self.size, self.first, self.wait, self.level = size, first, wait, level
        self.mode, self.factor = mode, 1 / factor


class Inherits(Finder):
    """Find the same things."""


class Undocumented(Finder):
    def __init__(self, size: Size) -> None:
        super().__init__(size)


def test_docstring_has_every_parameter_in_the_order_of_the_signature() -> None:
    assert inspect.getdoc(Finder) == (
        "Find things.\n\nIt needs a window.\n\nParameters\n----------\n"
        "size\n    Rows of the window.\n"
        "first, factor\n    Two numbers of\n    its own.\n"
        "wait\n    Rows to wait; by default none.\n"
        "level\n    Another meaning.\n"
        "mode\n    How it searches.\n\n"
        "Examples\n--------\n>>> 1\n1"
    )


def test_class_with_an_inherited_constructor_describes_its_parameters() -> None:
    doc = inspect.getdoc(Inherits)
    assert doc is not None
    assert doc.startswith("Find the same things.\n\nParameters\n----------\nsize\n    Rows of")
    assert doc.endswith("mode\n    How it searches.")


def test_class_without_a_docstring_gets_none() -> None:
    assert Undocumented.__doc__ is None


def test_signature_names_every_parameter_and_type_checkers_see_its_type() -> None:
    assert list(inspect.signature(Finder).parameters) == [
        "size", "first", "wait", "level", "mode", "factor",
    ]  # fmt: skip


@pytest.mark.parametrize(
    ("wrong", "expected"),
    [
        ({"size": 0}, r"Finder\(size=0\): expected 1 <= size <= 9,000"),
        ({"size": 9_001}, "expected 1 <= size <= 9,000"),
        ({"size": 2.5}, "expected an integer"),
        ({"size": True}, "expected an integer"),
        ({"wait": -0.1}, r"Finder\(wait=-0.1\): expected wait >= 0"),
        ({"level": 0}, "expected 0 < level < 1"),
        ({"level": 1}, "expected 0 < level < 1"),
        ({"level": float("nan")}, "expected a number"),
        ({"level": None}, "expected a number"),
        ({"mode": "slow"}, "expected mode 'fast', 'exact' or None"),
        ({"factor": 0}, "expected factor > 0"),  # before the constructor divides by it
    ],
)
def test_value_out_of_range_is_refused(wrong: dict[str, Any], expected: str) -> None:
    with pytest.raises(sg.UsageError, match=expected):
        Finder(**{"size": 3, **wrong})


def test_range_is_checked_for_positional_and_inherited_arguments() -> None:
    with pytest.raises(sg.UsageError, match=r"Inherits\(size=0\)"):
        Inherits(0)
    with pytest.raises(sg.UsageError, match=r"Undocumented\(size=0\)"):
        Undocumented(0)


def test_values_at_the_ends_of_a_range_are_accepted() -> None:
    assert Finder(1, wait=0, mode="fast").size == 1
    assert Finder(np.int64(9_000), wait=None).size == 9_000  # type: ignore[arg-type]
