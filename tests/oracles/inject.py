"""Temporal injection as semantics §12 words it: for each row all labels before it, counted anew."""

from __future__ import annotations


def injected(labels: list[int], order: int) -> list[int]:
    """The label of each row: the mode of the last order + 1 labels known, of ties the newest."""
    out, known = [], []
    for label in labels:
        if label < 0:
            out.append(label)
            continue
        known.append(label)
        window = known[-(order + 1) :]
        most = max(window.count(each) for each in window)
        tied = [each for each in window if window.count(each) == most]
        out.append(tied[-1])
    return out
