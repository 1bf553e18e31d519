"""The state of objects: what is put in comes out, into objects that were made again."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np
import pytest

import streamgauge as sg
from streamgauge._support import registry
from streamgauge._support.call_parser import build
from streamgauge._support.types import Schema
from streamgauge.monitoring._state_tree import Dump, StatePart, check_savable

ARGUMENTS = {
    "RandomAlarm": "0.1",
    "PeriodicAlarm": "50",
    "EDetector": "0.3",
}  # of detectors without defaults


def state_of(thing: object) -> tuple[Any, list[Any]]:
    dump = Dump()
    tree = json.loads(json.dumps(dump.tree(thing)))
    return tree, [each.copy() for each in dump.arrays]


def copied(old: object, new: object) -> object:
    return StatePart(*state_of(old)).into(new)


class Total:
    """Declares two fields."""

    state_fields: tuple[str, ...] = ("rows", "sums")

    def __init__(self) -> None:
        self.rows, self.sums, self.cache = 0, np.zeros(2), 7


class Weighted(Total):
    state_fields = ("weight",)

    def __init__(self) -> None:
        super().__init__()
        self.weight = 1.0


class Cell(NamedTuple):
    y: int
    p: float


class OtherCell(NamedTuple):
    y: int
    q: float


@pytest.mark.parametrize("name", registry.own_names("detector"))
def test_every_detector_goes_on_where_it_was(name: str) -> None:
    rng = np.random.default_rng(1)
    errors = np.concatenate([rng.random(400) < 0.1, rng.random(400) < 0.9]).astype(float)
    text = f"{name}({ARGUMENTS.get(name, '')})"
    whole, old, new = (build(text, "detector") for _ in range(3))
    for each in (whole, old, new):
        each.start(1)
    check_savable(old)
    assert _alarms(old, errors[:330]) == _alarms(whole, errors[:330])
    assert copied(old, new) is new
    assert _alarms(new, errors[330:]) == _alarms(whole, errors[330:])


def _alarms(detector: Any, errors: Any) -> list[int]:
    found, row = [], 0
    while (place := detector.update(errors[row:])) >= 0:
        row += place + 1
        found.append(row)
    return found


@pytest.mark.parametrize("name", registry.own_names("reference"))
def test_the_state_of_every_reference_can_be_kept(name: str) -> None:
    reference = build(f"{name}()", "reference")
    classes = () if reference.task == "regression" else ("a", "b")
    reference.start(Schema(("x",), ((),), classes), 1)
    check_savable(reference)


def test_values_keep_their_types() -> None:
    values = {"a": (1, None), ("x", 2): [np.int64(3), 0.5], "c": Counter({"n": 2})}
    found = copied(values, {"c": Counter[str]()})
    assert found == {"a": (1, None), ("x", 2): [3, 0.5], "c": Counter({"n": 2})}
    assert isinstance(found, dict)
    assert isinstance(found["c"], Counter)


def test_arrays_that_are_shared_stay_shared() -> None:
    array = np.arange(3)
    found = copied([array, array], [])
    assert isinstance(found, list)
    assert found[0] is found[1]


def test_the_declared_fields_are_kept_with_those_of_the_bases() -> None:
    old, new = Weighted(), Weighted()
    old.rows, old.sums, old.cache, old.weight = 3, np.ones(2), 8, 0.5
    copied(old, new)
    assert (new.rows, new.sums.tolist(), new.cache, new.weight) == (3, [1, 1], 7, 0.5)


@pytest.mark.parametrize(
    ("change", "message"),
    [
        (lambda fields: fields.pop("rows"), "Total lacks the field 'rows'"),
        (lambda fields: fields.update(extra=1), "Total has an unknown field 'extra'"),
        (
            lambda fields: fields.update(count=fields.pop("rows")),
            "Total lacks the field 'rows' and has an unknown field 'count'",
        ),
    ],
)
def test_a_state_with_other_fields_is_refused_by_their_names(
    change: Callable[[dict[str, Any]], object], message: str
) -> None:
    tree, arrays = state_of(Total())
    change(tree["fields"])
    new = Total()
    with pytest.raises(sg.InputError, match=message):
        StatePart(tree, arrays).into(new)
    assert new.rows == 0
    assert not hasattr(new, "count")


def test_a_renamed_field_of_a_detector_is_refused_by_its_name() -> None:
    old, new = sg.DDM(), sg.DDM()
    old.start(1)
    new.start(1)
    vars(new)["_sums"] = vars(new).pop("_state")
    with pytest.raises(sg.InputError, match=r"DDM lacks the field '_sums' and .* '_state'"):
        copied(old, new)


def test_a_renamed_field_of_a_named_tuple_is_refused_by_its_name() -> None:
    with pytest.raises(sg.InputError, match=r"OtherCell lacks the field 'q' and .* 'p'"):
        copied(Cell(1, 0.5), OtherCell(1, 0.5))


def test_another_version_of_a_state_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    tree, arrays = state_of(Total())
    monkeypatch.setattr(Total, "state_version", 2, raising=False)
    with pytest.raises(sg.InputError, match="Total is of version 1, this one reads version 2"):
        StatePart(tree, arrays).into(Total())


def test_what_declares_no_state_is_refused() -> None:
    with pytest.raises(sg.UsageError, match="object declares no state_fields"):
        check_savable(object())
