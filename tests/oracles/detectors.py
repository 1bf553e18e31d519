"""Oracles for detectors: they keep the whole history and recompute every sum at each error."""

import math

from tests.oracles.forgetting import weights


class PageHinkley:
    """Page–Hinkley (gama2013 §5.1) by the recursion of semantics §11."""

    def __init__(self, delta: float, threshold: float) -> None:
        self.delta, self.threshold = delta, threshold
        self.history: list[float] = []
        self.sums: list[float] = []
        self.closest = math.inf  # smallest distance to the threshold

    def update(self, x: float) -> str:
        self.history.append(x)
        total = 0.0
        for each in self.history:
            total += each
        before = self.sums[-1] if self.sums else 0.0
        self.sums.append(before + (x - total / len(self.history) - self.delta))
        self.closest = min(
            self.closest, abs(self.sums[-1] - min(self.sums) - self.threshold) / self.threshold
        )
        if self.sums[-1] - min(self.sums) >= self.threshold:
            self.history, self.sums = [], []
            return "alarm"
        return ""

    def statistic(self) -> tuple[float, float]:
        if not self.sums:
            return math.nan, math.nan
        return self.sums[-1] - min([0.0, *self.sums]), self.threshold


def estimate(history: list[float], mean: tuple[str, float]) -> float:
    """The error estimate of semantics §2: the weighted mean of the errors."""
    weight = weights(*mean, len(history))
    total = math.fsum(w * x for w, x in zip(weight, history, strict=True))
    return total / math.fsum(weight)


class OnEstimate:
    """Page–Hinkley on an error estimate; an alarm resets both."""

    def __init__(self, mean: tuple[str, float], delta: float, threshold: float) -> None:
        self.mean, self.test = mean, PageHinkley(delta, threshold)
        self.errors: list[float] = []

    def update(self, x: float) -> str:
        self.errors.append(x)
        found = self.test.update(self.signal())
        if found == "alarm":
            self.errors = []
        return found

    def signal(self) -> float:
        return estimate(self.errors, self.mean)

    def statistic(self) -> tuple[float, float]:
        return self.test.statistic()


class OnRatio(OnEstimate):
    """Page–Hinkley on a ratio of estimates (gama2013, Algorithm 4)."""

    def __init__(
        self, short: tuple[str, float], long: tuple[str, float], delta: float, threshold: float
    ) -> None:
        super().__init__(short, delta, threshold)
        self.long = long

    def signal(self) -> float:
        long = estimate(self.errors, self.long)
        return estimate(self.errors, self.mean) / long if long else 1.0


class EDetector:
    """The e-detector of semantics §11: every wealth from all losses since the last alarm."""

    def __init__(
        self, x: float, guarantee: int, block: int, low: float, high: float, above: bool
    ) -> None:
        self.guarantee, self.block = guarantee, block
        self.low, self.high, self.above = low, high, above
        self.limit = (x - low if above else high - x) / (high - low)
        self.losses: list[float] = []
        self.closest = math.inf  # smallest distance to the alarm level

    def update(self, loss: float) -> str:
        self.losses.append(loss)
        if len(self.losses) % self.block:
            return ""
        value, level = self.statistic()
        self.closest = min(self.closest, abs(value / level - 1))
        if value >= level:
            self.losses = []
            return "alarm"
        return ""

    def statistic(self) -> tuple[float, float]:
        means = []
        for end in range(self.block, len(self.losses) + 1, self.block):
            block = self.losses[end - self.block : end]
            off = [each - self.low if self.above else self.high - each for each in block]
            means.append(
                math.fsum(min(1.0, each / (self.high - self.low)) for each in off) / self.block
            )
        if not means:
            return math.nan, math.nan
        evidence = 0.0
        for stake in (1, 1 / 2, 1 / 4, 1 / 8, 1 / 16):
            for parity in (0, 1):
                wealth = 0.0
                for mean in means[parity::2]:
                    wealth = (wealth + 1) * (1 + stake * (mean - self.limit) / self.limit)
                evidence += wealth / 5
        return self.block * evidence, self.guarantee


class EDDM:
    """EDDM (Baena-García et al. 2006) as in River."""

    def __init__(self, warm_start: int, warning: float, drift: float) -> None:
        self.warm_start, self.warning, self.drift = warm_start, warning, drift
        self.closest = math.inf
        self.reset()

    def reset(self) -> None:
        self.n, self.distances, self.highest, self.level = 0, [0], -1.0, ""
        self.last = 0

    def update(self, x: float) -> str:
        self.n += 1
        if x == 0:
            return self.level
        self.distances.append(self.n - self.last)
        self.last = self.n
        found = self.distances[1:]
        if self.n <= self.warm_start:
            return self.level
        mean = math.fsum(found) / len(found)
        squares = math.fsum((each - mean) ** 2 for each in found)
        reach = mean + 2 * math.sqrt(squares / max(1, len(found) - 1))
        self.closest = min(self.closest, abs(reach - self.highest) or math.inf)
        if reach > self.highest:
            self.highest = reach
        elif len(found) > self.warm_start:
            ratio = reach / self.highest
            self.closest = min(self.closest, abs(ratio - self.warning), abs(ratio - self.drift))
            if ratio < self.drift:
                self.reset()
                return "alarm"
            self.level = "warning" if ratio < self.warning else ""
        return self.level

    def statistic(self) -> tuple[float, float]:
        found = self.distances[1:]
        if len(found) <= self.warm_start or self.highest <= 0:
            return math.nan, math.nan
        mean = math.fsum(found) / len(found)
        squares = math.fsum((each - mean) ** 2 for each in found)
        reach = mean + 2 * math.sqrt(squares / max(1, len(found) - 1))
        return reach / self.highest, self.drift


class DDM:
    """DDM (Gama et al. 2004)."""

    def __init__(self, warm_start: int, warning: float, drift: float) -> None:
        self.warm_start, self.warning, self.drift = warm_start, warning, drift
        self.history: list[float] = []
        self.levels: list[tuple[float, float, float]] = []

    def update(self, x: float) -> str:
        self.history.append(x)
        n = len(self.history)
        p = 0.0
        for i, each in enumerate(self.history, 1):
            p += 1 / i * (each - p)
        s = math.sqrt(p * (1 - p) / n)
        if n <= self.warm_start:
            return ""
        self.levels.append((p + s, -n, p))
        _, place, p_min = min(self.levels)  # the newest of equals
        s_min = math.sqrt(p_min * (1 - p_min) / -place)
        if p + s > p_min + self.drift * s_min:
            self.history, self.levels = [], []
            return "alarm"
        return "warning" if p + s > p_min + self.warning * s_min else ""

    def statistic(self) -> tuple[float, float]:
        if not self.levels:
            return math.nan, math.nan
        _, place, p_min = min(self.levels)
        s_min = math.sqrt(p_min * (1 - p_min) / -place)
        return self.levels[-1][0], p_min + self.drift * s_min


class MoaDDM:
    """DDM as MOA counts: its counter is one ahead of the rows, and two conditions use it."""

    def __init__(self, min_instances: int, warning: float, drift: float) -> None:
        self.min_instances, self.warning, self.drift = min_instances, warning, drift
        self.history: list[float] = []
        self.levels: list[tuple[float, float]] = []  # (p, s) of the rows that may be the lowest

    def update(self, x: float) -> str:
        self.history.append(x)
        p = 1.0
        for i, each in enumerate(self.history, 1):
            p = p + (each - p) / i
        s = math.sqrt(p * (1 - p) / len(self.history))
        counter = len(self.history) + 1
        if counter < self.min_instances:
            return ""
        self.levels.append((p, s))
        p_min, s_min = self.levels[0]
        for level in self.levels:
            if sum(level) <= p_min + s_min:  # the newest of equals
                p_min, s_min = level
        if counter > self.min_instances and p + s > p_min + self.drift * s_min:
            self.history, self.levels = [], []
            return "alarm"
        return "warning" if p + s > p_min + self.warning * s_min else ""

    def statistic(self) -> tuple[float, float]:
        if not self.levels:
            return math.nan, math.nan
        p_min, s_min = min(reversed(self.levels), key=sum)
        return sum(self.levels[-1]), p_min + self.drift * s_min


class ADWIN:
    """ADWIN (Bifet & Gavaldà 2007) with exponential buckets; an alarm empties the window."""

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
        return any(difference > bound for difference, bound in self.cuts(window))

    def cuts(self, window: list[float]) -> list[tuple[float, float]]:
        """At each cut, the difference of the means and its bound."""
        n = len(window)
        mean = math.fsum(window) / n
        variance = math.fsum((x - mean) ** 2 for x in window) / n
        cut, found = 0, []
        for part in self.parts:
            cut += len(part)
            if cut < self.shortest or n - cut < self.shortest:
                continue
            old, new = window[:cut], window[cut:]
            m = 1 / (len(old) - self.shortest + 1) + 1 / (len(new) - self.shortest + 1)
            confidence = math.log(2 * math.log(n) / self.delta)
            bound = math.sqrt(2 * m * variance * confidence) + 2 / 3 * confidence * m
            found.append((abs(math.fsum(old) / len(old) - math.fsum(new) / len(new)), bound))
        return found

    def statistic(self) -> tuple[float, float]:
        window = [x for part in self.parts for x in part]
        if len(window) <= max(1, self.grace) or not (found := self.cuts(window)):
            return math.nan, math.nan
        return max(difference / bound for difference, bound in found), 1.0


class Every:
    """Blind: an alarm at every n-th error."""

    def __init__(self, every: int) -> None:
        self.every, self.count = every, 0

    def update(self, x: float) -> str:
        self.count += 1
        return "" if self.count % self.every else "alarm"
