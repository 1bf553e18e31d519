"""DDM(compat="moa") raises the alarms and warnings of CapyMOA's DDM."""

from __future__ import annotations

import numpy as np
import pytest

import streamgauge as sg
from tests.detectors.error_streams import errors_of

pytestmark = pytest.mark.long

PARAMETERS: list[tuple[int, float, float]] = [(30, 2.0, 3.0), (5, 1.0, 1.5), (0, 1.0, 2.0)]


@pytest.mark.filterwarnings("ignore")  # of CapyMOA
@pytest.mark.parametrize("parameters", PARAMETERS)
def test_alarms_and_warnings_equal_capymoas(parameters: tuple[int, float, float]) -> None:
    pytest.importorskip("capymoa", reason="CapyMOA is not installed: no DDM of MOA to compare with")
    from capymoa.drift.detectors import DDM

    alarms, warnings = 0, 0
    for seed in range(30):
        errors = errors_of(seed, segments=20)
        theirs, ours = DDM(*parameters), sg.DDM(*parameters, "moa")
        warned = np.zeros(1, np.uint8)
        for i, error in enumerate(errors):
            theirs.add_element(float(error))
            alarm = ours.update(errors[i : i + 1], warned) == 0
            assert alarm == theirs.detected_change(), (seed, i)
            assert bool(warned[0]) == theirs.detected_warning(), (seed, i)
            alarms += alarm
            warnings += int(warned[0])
    assert alarms > 50
    assert warnings > 50
