"""How SAMkNN adapts its short-term memory: the halved window with the fewest errors wins."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from streamgauge._support.jit import lean_inner
from streamgauge._support.types import Flags, Floats, Longs
from streamgauge.learners._sam_memory import Memory, Near, Trail, insert, winner

Words = npt.NDArray[np.uint64]


class Windows(NamedTuple):
    """What each window would have predicted. Window 0 is the whole memory, the next its half, …"""

    hits: Words  # [place of a row, bit of a start]: would a window from that start have been right?
    start: Longs  # [window]: number of its first row; -1 = not known
    end: Longs  # [window]: the number up to which rows are counted
    right: Longs  # [window]: number of right predictions
    counted: Flags  # [window, place]: which ones; may be of an earlier start, as in MOA


@lean_inner
def set_hits(
    windows: Windows,
    memory: Memory,
    place: int,
    label: int,
    trail: Trail,
    near: Near,
    votes: Floats,
) -> None:
    """Find for all starts at once whether a window would have predicted the newest row rightly.

    The nearest rows since a start are the best of the trail up to it, so that one search serves
    them all, now and later: the distances between rows never change.
    """
    for word in range(windows.hits.shape[1]):
        windows.hits[place, word] = 0
    near.found[0] = 0
    room = len(memory.gone)
    for i in range(trail.length[0]):
        number = trail.number[i]
        insert(memory, number % room, trail.distance[i], near)
        if winner(near, votes) != label:
            continue
        older = trail.number[i + 1] if i + 1 < trail.length[0] else memory.ends[0] - 1
        low, high = (older + 1) % room, number % room + 1
        if low < high:
            _set_bits(windows.hits, place, low, high)
        else:
            _set_bits(windows.hits, place, low, room)
            _set_bits(windows.hits, place, 0, high)


@lean_inner
def _set_bits(bits: Words, place: int, low: int, high: int) -> None:
    ones = ~np.uint64(0)
    for word in range(low // 64, (high + 63) // 64):
        mask = ones
        if word * 64 < low:
            mask &= ones << np.uint64(low - word * 64)
        if word * 64 + 64 > high:
            mask &= ones >> np.uint64(word * 64 + 64 - high)
        bits[place, word] |= mask


@lean_inner
def best_start(windows: Windows, memory: Memory, k: int, least: int, exact: bool) -> int:
    """The number of the first row of the best window; of equal ones the largest.

    Each is at least `least` rows long. Without `exact`, a window that moves on keeps what it had
    predicted before, and is counted again only where it then seems better than the whole.
    """
    first, end = memory.ends[0], memory.ends[1]
    size = end - first
    if size < 2 * least:
        return int(first)
    window = 0
    while True:
        _follow(windows, window, end - size, end, k, exact)
        window += 1
        if size < 2 * least:
            break
        size //= 2
    best = 0
    whole, lowest = _errors(windows, 0, k), _errors(windows, 0, k)
    for i in range(1, window):
        error = _errors(windows, i, k)
        if error < whole:
            _count(windows, i, windows.start[i], end, k)
            error = _errors(windows, i, k)
        if error < lowest:
            best, lowest = i, error
    start = windows.start[best]
    if best > 0:
        _keep_from(windows, best, window)
    return int(start)


@lean_inner
def _keep_from(windows: Windows, best: int, count: int) -> None:
    """Let this window be the first, of `count` windows."""
    for i in range(len(windows.start)):
        windows.start[i] = windows.start[i + best] if i + best < count else -1
        if windows.start[i] < 0:
            continue
        windows.end[i], windows.right[i] = windows.end[i + best], windows.right[i + best]
        for place in range(windows.counted.shape[1]):
            windows.counted[i, place] = windows.counted[i + best, place]


@lean_inner
def _errors(windows: Windows, window: int, k: int) -> float:
    rows = windows.end[window] - windows.start[window] - k
    return float(1.0 - windows.right[window] / rows)


@lean_inner
def _follow(windows: Windows, window: int, start: int, end: int, k: int, exact: bool) -> None:
    """Move a window on by at most one row, and add what it predicts for new rows."""
    before, room = windows.start[window], len(windows.hits)
    if before < 0 or before < start - 1 or (exact and before != start):
        _count(windows, window, start, end, k)
        return
    if before == start - 1:
        windows.right[window] -= windows.counted[window, (before + k) % room]
        windows.start[window] = start
    _add(windows, window, end)


@lean_inner
def _count(windows: Windows, window: int, start: int, end: int, k: int) -> None:
    """Count the right predictions of a window from the beginning."""
    windows.start[window], windows.end[window], windows.right[window] = start, start + k, 0
    _add(windows, window, end)


@lean_inner
def _add(windows: Windows, window: int, end: int) -> None:
    """Count the predictions for the rows that were not counted yet."""
    room = len(windows.hits)
    place = windows.start[window] % room
    word, bit = place // 64, np.uint64(place % 64)
    for number in range(windows.end[window], end):
        hit = windows.hits[number % room, word] >> bit & np.uint64(1)
        windows.counted[window, number % room] = hit
        windows.right[window] += np.int64(hit)
    windows.end[window] = end
