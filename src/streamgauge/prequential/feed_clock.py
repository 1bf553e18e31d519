"""How far a feed has come, by the times of its events alone; one wrong time does not move it.

`score` and monitors let events happen by the same rule (docs/semantics.md). It looks at the events
in the order of their lines, so that the answer does not depend on when they are read.
"""

from __future__ import annotations

from typing import Final, NamedTuple

import numpy as np

from streamgauge._support.jit import kernel
from streamgauge._support.types import NEVER, Flags, Longs, Mask

FIRST: Final = 10  # events after which it is known how far a feed is
FOLLOWERS: Final = 20  # events in a row that are far ahead: then the feed has moved there
_BEGINNING: Final = -NEVER
_NOBODY: Final = NEVER  # no event waits
_ON_TIME: Final = 0
_LATE: Final = 1
_AHEAD: Final = 2


class Placed(NamedTuple):
    """What becomes of events.

    `order`: the numbers of those that count from now on, in this order; events are numbered as they
    come. `late`: which of the new ones are too late, but for the first `FIRST`; `late_count`: all
    that are known to be too late from now on.
    """

    order: Longs
    late: Mask
    late_count: int


class FeedClock:
    """Places the events of a feed: on time, too late, or far ahead of the others.

    An event is far ahead if its time is more than `timeout` after the newest one, and by more than
    the feed's last events span. It waits until the others have come as far, less the `timeout`, or
    until `FOLLOWERS` events in a row are far ahead: then the feed has moved. At the start, the
    first `FIRST` events say how far it is.

    Parameters
    ----------
    timeout
        None: no event is far ahead.
    lateness
        How far an event may be behind the newest one; None: no event is too late.

    Attributes
    ----------
    started
        Whether it is known how far the feed is.
    newest
        The time that the feed has reached.
    seen
        Number of events that were placed.
    latest
        The latest time of an event that counts; it may have been far ahead.
    """

    state_fields = (
        "newest", "latest", "started", "seen", "_run", "_recent", "_count", "_times", "_numbers",
    )  # fmt: skip

    def __init__(self, timeout: int | None, lateness: int | None) -> None:
        self._timeout = NEVER if timeout is None else timeout
        self._lateness = NEVER if lateness is None else lateness
        self.newest = self.latest = _BEGINNING
        self.started = timeout is None
        self.seen = 0  # events
        self._run = 0  # events in a row that are far ahead
        self._recent = np.zeros(FOLLOWERS, np.int64)  # times of the last events on time, in a ring
        self._count = 0  # … of how many
        self._times = np.empty(0, np.int64)  # of events that wait
        self._numbers = np.empty(0, np.int64)

    @property
    def waiting(self) -> int:
        """Number of events that are far ahead of the others."""
        return len(self._times) if self.started else 0

    def place(self, times: Longs) -> Placed:
        """Place further events."""
        late = np.zeros(len(times), np.bool_)
        numbers = np.arange(self.seen, self.seen + len(times))
        self.seen += len(times)
        order: list[Longs] = []
        begin = 0
        if not self.started:
            begin = min(len(times), FIRST - len(self._times))
            self._wait(times[:begin], numbers[:begin])
            if len(self._times) < FIRST:
                return Placed(np.empty(0, np.int64), late, 0)
            order.append(self._start())
        late_at_start = FIRST - len(order[0]) - len(self._times) if order else 0
        codes = np.zeros(len(times), np.uint8)
        while begin < len(times):
            first = int(self._times.min(initial=_NOBODY))
            end, self.newest, self._run, self._count = _place(
                times, begin, self._timeout, self._lateness, self.newest, self._run, first,
                self._recent, self._count, codes,
            )  # fmt: skip
            part = codes[begin:end]
            order.append(numbers[begin:end][part == _ON_TIME])
            if part.any():
                late[begin:end] = part == _LATE
                ahead = part == _AHEAD
                self._wait(times[begin:end][ahead], numbers[begin:end][ahead])
            if self._run == FOLLOWERS:
                self._move(self._times[-FOLLOWERS:])
            self.latest = max(self.latest, self.newest)
            order.append(self._reached())
            begin = end
        late_count = late_at_start + int(late.sum())
        return Placed(np.concatenate([np.empty(0, np.int64), *order]), late, late_count)

    def end(self) -> Placed:
        """Nothing more comes: where nearly nothing came, nothing is far ahead."""
        none, count = np.zeros(0, np.bool_), len(self._times)
        if self.started or not count:
            return Placed(np.empty(0, np.int64), none, 0)
        order = self._start(all_of_them=True)
        return Placed(order, none, count - len(order))

    def _wait(self, times: Longs, numbers: Longs) -> None:
        self._times = np.concatenate([self._times, times])
        self._numbers = np.concatenate([self._numbers, numbers])

    def _start(self, all_of_them: bool = False) -> Longs:
        """Begin with the events that wait: as far as most of them are, and not too far apart."""
        self.started = True
        times, numbers = self._times, self._numbers
        bound = int(times.max()) if all_of_them else self._bulk(np.sort(times))
        counted = times <= bound
        self._times, self._numbers = times[~counted], numbers[~counted]
        times, numbers = times[counted], numbers[counted]
        reached = np.maximum.accumulate(times)
        behind = reached - times > self._lateness
        self.newest = self.latest = bound
        self._remember(times[~behind])
        return numbers[~behind]

    def _move(self, times: Longs) -> None:
        """The feed has moved to where the last events are."""
        self._run, self._count = 0, 0
        self.newest = self._bulk(np.sort(times))
        self._remember(times[times <= self.newest])

    def _bulk(self, times: Longs) -> int:
        """From the median on the latest of some times that is not far ahead of those before it."""
        reached = int(times[(len(times) - 1) // 2])
        step = max(self._timeout, reached - int(times[len(times) // 4]))
        for time in times.tolist():
            if 0 < time - reached <= step:
                reached = time
        return reached

    def _remember(self, times: Longs) -> None:
        for time in times.tolist():
            self._recent[self._count % FOLLOWERS] = time
            self._count += 1

    def _reached(self) -> Longs:
        """Take those that wait and are no longer far ahead."""
        near = self._times - self.newest <= self._timeout
        numbers = self._numbers[near]
        if len(numbers):
            self.latest = max(self.latest, int(self._times[near].max()))
            self._times, self._numbers = self._times[~near], self._numbers[~near]
        return numbers


@kernel
def _place(
    times: Longs, begin: int, timeout: int, lateness: int, newest: int, run: int, first: int,
    recent: Longs, count: int, codes: Flags,
) -> tuple[int, int, int, int]:  # fmt: skip
    """Place events, up to one after which some that wait may count."""
    for i in range(begin, len(times)):
        time = times[i]
        if newest != _BEGINNING:
            if time - newest > timeout:
                seen = np.sort(recent[: min(count, FOLLOWERS)])
                if time - newest > newest - seen[len(seen) // 4]:
                    codes[i] = _AHEAD
                    first = min(first, time)
                    run += 1
                    if run == FOLLOWERS:
                        return i + 1, newest, run, count
                    continue
            run = 0
            if newest - time > lateness:
                codes[i] = _LATE
                continue
        run = 0
        newest = max(newest, time)
        recent[count % FOLLOWERS] = time
        count += 1
        if first != _NOBODY and first - newest <= timeout:
            return i + 1, newest, run, count
    return len(times), newest, run, count


def count_order(times: Longs, timeout: int | None) -> Longs:
    """Which events of a whole log count, in the order of their lines, and of what waited for it."""
    clock = FeedClock(timeout, None)
    return np.concatenate([clock.place(times).order, clock.end().order])
