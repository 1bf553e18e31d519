"""`check_label_policy`: passes ours, catches policies that break a rule."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
import pytest

import streamgauge as sg
from streamgauge.testing import check_label_policy
from streamgauge.testing._playing import POLICIES


@dataclass
class Custom:
    """Labels after `wait` rows; the flaws are options."""

    wait: int = 5
    weight: float = 1.0
    per_block: bool = False
    peeks: bool = False
    labels_first: Any = True

    def timetable(self, block: sg.Block) -> sg.Timetable:
        rows = np.arange(len(block)) + (0 if self.per_block else block.start)
        waits = self.wait + (block.y if self.peeks else 0)
        return sg.Timetable(rows, rows + waits, np.full(len(block), self.weight))


@pytest.mark.parametrize("policy", [*POLICIES, Custom()], ids=str)
def test_valid_policy_passes(policy: sg.LabelPolicy) -> None:
    check_label_policy(policy)


@pytest.mark.parametrize(
    ("policy", "message"),
    [
        (Custom(wait=-1), "the label of row 0 is revealed before the row arrives"),
        (Custom(weight=-1), "row 0 has the weight -1; expected a finite number, 0 or more"),
        (Custom(labels_first=2), "labels_first is 2; expected True or False"),
        (Custom(per_block=True), "blocks of 1 rows change arrives"),
        (Custom(peeks=True), "other labels change revealed"),
    ],
    ids=str,
)
def test_broken_policy_is_caught(policy: sg.LabelPolicy, message: str) -> None:
    with pytest.raises(AssertionError, match=message):
        check_label_policy(policy)
