"""Values for JSON and back."""

from __future__ import annotations

import json
import math

import numpy as np

from streamgauge.rendering.plain_values import Number, plain, restored


def test_plain_values_are_strict_json_and_come_back_as_numbers() -> None:
    values = [1.5, math.nan, math.inf, -math.inf, np.float64(2), np.int64(3)]
    text = json.dumps(plain({"a": (values,), 3: np.True_}), allow_nan=False)
    assert text == '{"a": [[1.5, null, "inf", "-inf", 2.0, 3]], "3": true}'
    back = [restored(Number, each) for each in json.loads(text)["a"][0]]
    np.testing.assert_array_equal(back, np.array(values, float))
