"""Oracle for temporal injection, semantics §12: counts the window of labels again at each row."""

from __future__ import annotations


def injected(labels: list[int], order: int) -> list[int]:
    """New label of each row: the mode of the last order + 1 known labels; the newest of ties."""
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
