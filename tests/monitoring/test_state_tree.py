"""The state of objects: what is put in comes out, into objects that were made anew."""

from __future__ import annotations

import json
from collections import Counter

import numpy as np
import pytest

import streamgauge as sg
from streamgauge.monitoring._state_tree import Dump, check_savable, load


def copied(old: object, new: object) -> object:
    dump = Dump()
    tree = json.loads(json.dumps(dump.tree(old)))
    return load(new, tree, [each.copy() for each in dump.arrays])


def test_a_detector_goes_on_where_it_was() -> None:
    errors = (np.random.default_rng(1).random(600) < 0.3).astype(float)
    errors[300:] = 1.0
    old, new = sg.ADWIN(), sg.ADWIN()
    old.start(1)
    new.start(1)
    assert old.update(errors[:200]) < 0
    assert copied(old, new) is new
    assert new.update(errors[200:]) == old.update(errors[200:]) >= 0


def test_plain_values_keep_their_types() -> None:
    values = {"a": (1, None), ("x", 2): [np.int64(3), 0.5], "c": Counter({"n": 2})}
    like = {"a": (0, 0), ("x", 2): [], "c": Counter[str]()}
    found = copied(values, like)
    assert found == {"a": (1, None), ("x", 2): [3, 0.5], "c": Counter({"n": 2})}
    assert isinstance(found, dict)
    assert isinstance(found["c"], Counter)


def test_arrays_that_are_shared_stay_shared() -> None:
    array = np.arange(3)
    found = copied([array, array], [])
    assert isinstance(found, list)
    assert found[0] is found[1]


def test_things_of_other_packages_are_refused() -> None:
    check_savable(sg.ADWIN())
    with pytest.raises(sg.UsageError, match="streamgauge's own references and detectors"):
        check_savable(object())
