"""Checks of detectors."""

from __future__ import annotations

import copy
import pickle
from typing import Any

import numpy as np

from streamgauge._support.types import Floats
from streamgauge.detectors.adapters import as_detector
from streamgauge.detectors.base import Detector
from streamgauge.testing._require import require

_ROWS = 3000


def check_detector(detector: Any) -> list[str]:
    """Assert everything that streamgauge expects of a detector.

    On errors that rise, that never change and that are all equal: the alarms are the same in a
    second pass with the same seed, however the errors are cut into calls of `update`, and after
    pickling the detector in the middle; and no alarm depends on later errors. A detector never
    changes the errors it gets.

    Parameters
    ----------
    detector
        Anything that `detect` takes.

    Returns
    -------
    list of str
        Remarks on optional features that the detector lacks; empty if none.

    Raises
    ------
    AssertionError
        The detector fails a check.

    Examples
    --------
    >>> import streamgauge as sg
    >>> sg.testing.check_detector(sg.DDM())
    []
    """
    checked = as_detector(detector)
    remarks: list[str] = []
    for name, errors in _example_errors(getattr(checked, "binary", False)).items():
        alarms = _alarms(checked, errors)
        _assert_same(alarms, _alarms(checked, errors), f"{name}: two passes differ")
        for size in (1, 7, 1000):
            cut = _alarms(checked, errors, size)
            _assert_same(alarms, cut, f"{name}: calls with {size} errors change the alarms")
        for stop in (_ROWS // 4, _ROWS // 2, 3 * _ROWS // 4):
            changed = np.concatenate([errors[:stop], 1 - errors[stop:]])
            before = [alarm for alarm in alarms if alarm < stop]
            with_changed = [alarm for alarm in _alarms(checked, changed) if alarm < stop]
            _assert_same(before, with_changed, f"{name}: an alarm depends on later errors")
        remarks += _check_pickling(checked, errors, alarms, name)
    return sorted(set(remarks))


def _example_errors(binary: bool) -> dict[str, Floats]:
    random = np.random.default_rng(1)
    late = np.arange(_ROWS) >= _ROWS // 2
    errors = {
        "errors that rise": (random.random(_ROWS) < np.where(late, 0.6, 0.1)).astype(np.float64),
        "errors that never change": (random.random(_ROWS) < 0.3).astype(np.float64),
        "no error": np.zeros(_ROWS),
        "only errors": np.ones(_ROWS),
    }
    if not binary:
        errors["losses that rise"] = random.random(_ROWS) * np.where(late, 1.0, 0.4)
    return errors


def _alarms(
    detector: Detector, errors: Floats, size: int = _ROWS, pickled: bool = False
) -> list[int]:
    """The alarms, with the errors given `size` at a time."""
    detector = copy.deepcopy(detector)
    detector.start(1)
    given = errors.copy()
    alarms, done = [], 0
    while done < len(given):
        part = given[done : done + size]
        alarm = detector.update(part)
        require(
            -1 <= alarm < len(part),
            f"update returned {alarm} for {len(part)} errors; expected an index, or -1 for none",
        )
        done += len(part) if alarm < 0 else alarm + 1
        if alarm >= 0:
            alarms.append(done - 1)
        if pickled:
            detector = pickle.loads(pickle.dumps(detector))
    require(np.array_equal(given, errors), "update changes the errors that it gets")
    return alarms


def _check_pickling(detector: Detector, errors: Floats, alarms: list[int], name: str) -> list[str]:
    try:
        pickle.dumps(detector)
    except Exception as error:  # a foreign detector may raise anything
        return [f"not checkpointable: {type(error).__name__}: {error}"]
    resumed = _alarms(detector, errors, 100, pickled=True)
    _assert_same(alarms, resumed, f"{name}: pickling the detector changes the alarms")
    return []


def _assert_same(one: list[int], two: list[int], message: str) -> None:
    require(one == two, f"{message}: {one[:5]} and {two[:5]}")
