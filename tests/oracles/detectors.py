"""Oracles for detectors: one error at a time, the whole history kept, sums taken anew each time."""

import math


class PageHinkley:
    """gama2013 §5.1 by the recursion of semantics §11."""

    def __init__(self, delta: float, threshold: float) -> None:
        self.delta, self.threshold = delta, threshold
        self.history: list[float] = []
        self.sums: list[float] = []

    def update(self, x: float) -> str:
        self.history.append(x)
        total = 0.0
        for each in self.history:
            total += each
        before = self.sums[-1] if self.sums else 0.0
        self.sums.append(before + (x - total / len(self.history) - self.delta))
        if self.sums[-1] - min(self.sums) >= self.threshold:
            self.history, self.sums = [], []
            return "alarm"
        return ""


class DDM:
    """Gama et al. 2004."""

    def __init__(self, warning: float, drift: float, minimum: int) -> None:
        self.warning, self.drift, self.minimum = warning, drift, minimum
        self.history: list[float] = []
        self.levels: list[tuple[float, float, float]] = []

    def update(self, x: float) -> str:
        self.history.append(x)
        n = len(self.history)
        p = 0.0
        for i, each in enumerate(self.history, 1):
            p += 1 / i * (each - p)
        s = math.sqrt(p * (1 - p) / n)
        if n <= self.minimum:
            return ""
        self.levels.append((p + s, -n, p))
        _, place, p_min = min(self.levels)  # of equals the newest
        s_min = math.sqrt(p_min * (1 - p_min) / -place)
        if p + s > p_min + self.drift * s_min:
            self.history, self.levels = [], []
            return "alarm"
        return "warning" if p + s > p_min + self.warning * s_min else ""


class ADWIN:
    """Bifet & Gavaldà 2007 with exponential buckets; an alarm empties the window."""

    def __init__(self, delta: float, clock: int, buckets: int, shortest: int, grace: int) -> None:
        self.delta, self.clock, self.buckets = delta, clock, buckets
        self.shortest, self.grace = shortest, grace
        self.parts: list[list[float]] = []  # the window, oldest bucket first

    def update(self, x: float) -> str:
        self.parts.append([x])
        size = 1
        while True:
            of_size = [i for i, part in enumerate(self.parts) if len(part) == size]
            if len(of_size) <= self.buckets:
                break
            oldest = of_size[0]
            self.parts[oldest : oldest + 2] = [self.parts[oldest] + self.parts[oldest + 1]]
            size *= 2
        window = [x for part in self.parts for x in part]
        if len(window) % self.clock == 0 and len(window) > self.grace and self.differs(window):
            self.parts = []
            return "alarm"
        return ""

    def differs(self, window: list[float]) -> bool:
        n = len(window)
        mean = math.fsum(window) / n
        variance = math.fsum((x - mean) ** 2 for x in window) / n
        cut = 0
        for part in self.parts:
            cut += len(part)
            if cut < self.shortest or n - cut < self.shortest:
                continue
            old, new = window[:cut], window[cut:]
            m = 1 / (len(old) - self.shortest + 1) + 1 / (len(new) - self.shortest + 1)
            confidence = math.log(2 * math.log(n) / self.delta)
            bound = math.sqrt(2 * m * variance * confidence) + 2 / 3 * confidence * m
            if abs(math.fsum(old) / len(old) - math.fsum(new) / len(new)) > bound:
                return True
        return False


class Every:
    """Blind: an alarm at every so-many-th error."""

    def __init__(self, every: int) -> None:
        self.every, self.count = every, 0

    def update(self, x: float) -> str:
        self.count += 1
        return "" if self.count % self.every else "alarm"
