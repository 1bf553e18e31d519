"""What a custom label policy may answer."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import streamgauge as sg
from streamgauge._support.types import NEVER

_ROWS = np.arange(50)
_FINE = sg.Timetable(_ROWS, _ROWS + 3, np.ones(50))


class Policy:
    """Answers as told."""

    def __init__(self, answer: Any, labels_first: Any = True) -> None:
        self.answer, self.labels_first = answer, labels_first

    def __repr__(self) -> str:
        return "Policy()"

    def timetable(self, block: Any) -> Any:
        part = slice(block.start, block.start + len(block))
        if not isinstance(self.answer, sg.Timetable):
            return self.answer
        columns: list[Any] = [None if each is None else each[part] for each in self.answer]
        return sg.Timetable(*columns)


def _evaluate(policy: Any, **options: Any) -> Any:
    stream = sg.SEA(50, seed=1)
    return sg.evaluate(stream, sg.NaiveBayes(), labels=policy, progress=False, **options)


@pytest.mark.parametrize(
    ("wrong", "message"),
    [
        ({"weight": -_FINE.weight}, r"row 0 has the weight -1.0; expected a finite number, 0 or"),
        ({"weight": np.where(_ROWS == 7, np.nan, 1)}, r"row 7 has the weight nan"),
        ({"weight": np.where(_ROWS == 9, np.inf, 1)}, r"row 9 has the weight inf"),
        ({"weight": _FINE.weight[:-1]}, r"weight has the shape \(49,\) for the 50 rows from row 0"),
        ({"weight": np.full(50, "1")}, r"weight has the type <U1; expected numbers"),
        ({"revealed": _FINE.revealed[:1]}, r"revealed has the shape \(1,\) for the 50 rows"),
        ({"revealed": _FINE.revealed + 0.5}, r"revealed has the type float64; expected integers"),
        ({"revealed": _FINE.revealed[:, None]}, r"revealed has the shape \(\d+, 1\)"),
        ({"arrives": _FINE.arrives.astype(float)}, r"arrives has the type float64"),
        ({"arrives": np.full(50, NEVER)}, r"row 0 arrives at 9223372036854775807; expected times"),
        ({"arrives": np.full(50, -NEVER - 1)}, r"row 0 arrives at -9223372036854775808"),
        ({"leaves": _FINE.arrives[:20]}, r"leaves has the shape \(20,\) for the 50 rows"),
        ({"leaves": np.full(50, 2**63, np.uint64)}, r"leaves has times of 2\^63 and more"),
    ],
)
@pytest.mark.parametrize("sampled", [False, True])
def test_wrong_timetable_is_refused(wrong: dict[str, Any], message: str, sampled: bool) -> None:
    policy: Any = Policy(_FINE._replace(**wrong))
    policy = sg.Sampled(0.5, labels=policy) if sampled else policy
    with pytest.raises((sg.UsageError, sg.InputError), match=r"^Policy\(\): " + message):
        _evaluate(policy, reevaluate=sg.Reevaluate(2, 3))


def test_answer_of_another_type_is_refused() -> None:
    with pytest.raises(sg.UsageError, match=r"timetable\(\) returned tuple; expected a Timetable"):
        _evaluate(Policy(tuple(_FINE)))


@pytest.mark.parametrize("labels_first", [-3, 1.5, "yes", None])
def test_labels_first_that_is_no_flag_is_refused(labels_first: Any) -> None:
    """A negative number lets labels come after rows of a later time; kernels rely on the order."""
    with pytest.raises(sg.UsageError, match=r"Policy\(\): labels_first is .*; expected True or"):
        _evaluate(Policy(_FINE, labels_first), reevaluate=sg.Reevaluate(2, 3, compat="moa-fork"))
    with pytest.raises(sg.UsageError, match="labels_first"):
        sg.Sampled(0.5, labels=Policy(_FINE, labels_first))


def test_other_integer_types_are_taken() -> None:
    columns: list[Any] = [each.astype(np.int16) for each in _FINE[:3]]
    narrow = sg.Timetable(*columns)
    assert _evaluate(Policy(narrow)).summary == _evaluate(sg.Delay(3)).summary


def test_wait_that_does_not_fit_in_64_bits_is_refused() -> None:
    early = sg.Timetable(_ROWS - 2**62, np.full(50, 2**62), np.ones(50))
    with pytest.raises(sg.InputError, match=r"row 0: .* the wait does not fit in 64 bits"):
        _evaluate(Policy(early))
