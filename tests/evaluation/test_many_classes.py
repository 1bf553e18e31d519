"""Streams with very many classes: the curve has fewer points, and identifiers are noticed."""

from __future__ import annotations

import numpy as np

import streamgauge as sg


def _run(classes: int, rows: int) -> sg.Run:
    y = np.arange(rows) % classes
    names = [f"c{i}" for i in range(classes)]
    X = np.zeros((rows, 1))
    return sg.evaluate(sg.from_arrays(X, [names[each] for each in y]), sg.Majority())


def test_curve_has_fewer_points_if_there_are_very_many_classes() -> None:
    assert len(_run(20, 1000).curve.rows) == 500
    assert len(_run(1400, 1400).curve.rows) == 1400 // (1400 // (200_000_000 // 1400**2)) + 1


def test_labels_that_do_not_occur_again_are_noticed() -> None:
    assert _run(400, 600).warnings == (
        "600 rows have 400 different labels; if the target is an identifier, choose another "
        "column.",
    )
    assert _run(300, 600).warnings == ()
    assert _run(40, 40).warnings == ()  # too few rows to tell
