"""Oracle for the claims of `inspect`: to beat, last label, independence, periods, priors, leaks.

Computed from the list of labels (-1: a row without one) by semantics §7, step by step.
"""

import cmath
import itertools
import math
from statistics import NormalDist

from scipy.stats import f as fisher_f
from scipy.stats import t as student

from tests.oracles.inspection import Labels, known, pairs
from tests.oracles.verdict import batch_means_rule


def binomial_tail(successes: int, trials: int) -> float:
    """P(B >= successes), B binomial with probability 1/2."""
    ways = sum(math.comb(trials, i) for i in range(successes, trials + 1))
    return float(ways / 2**trials)


def last_label(y: Labels, k: int) -> float:
    """The p of whether the last label is worth using; nan with fewer than two classes."""
    both = pairs(y)
    followers = {b for _, b in both}
    if len(followers) < 2:
        return math.nan
    usual = max(range(k), key=lambda i: (sum(b == i for _, b in both), -i))
    smallest, place, guessed = 2.0, -1, -1
    for j in range(k):
        after = [b for a, b in both if a == j]
        guess = max(range(k), key=lambda i: (after.count(i), -i))
        a, b = after.count(guess), after.count(usual)
        p = binomial_tail(a, a + b) if a > b else 1.0
        if p < smallest:
            smallest, place, guessed = p, j, guess
    looks = len({a for a, _ in both}) * (len(followers) - 1)
    if looks * smallest < 0.01:
        gains = [float((b == guessed) - (b == usual)) for a, b in both if a == place]
        word, t, freedom = batch_means_rule(gains)
        if word != "too few rows to say":
            both_sides = 2 * student.sf(abs(t), freedom) if math.isfinite(t) else 0.0
            above = sum(gains) > 0 and word != "equal"
            smallest = max(smallest, both_sides) if above else 1.0
    return min(1.0, looks * smallest)


def to_beat(hits: list[list[int]], helps: bool) -> int:
    """Which of the references, given as their hits per labelled row, the simplest first."""
    chosen = 0
    for r in range(1, len(hits)):
        rows = [float(a - b) for a, b in zip(hits[r], hits[chosen], strict=True)]
        word, _, _ = batch_means_rule(rows, alpha=0.01 / 3)
        lottery = word in ("open", "too few rows to say") and sum(rows) > 0
        if word == "better" or (chosen == 0 and helps and lottery):
            chosen = r
    return chosen


def independence(y: Labels) -> tuple[float, int, float, bool]:
    """Chi-squared, its degrees of freedom, p, and whether p is Fisher's."""
    both = pairs(y)
    if min(len({a for a, _ in both}), len({b for _, b in both})) < 2:
        return math.nan, 0, math.nan, False
    groups = [{i} for i in sorted({i for pair in both for i in pair})]

    def expected(one: set[int], other: set[int]) -> float:
        return sum(a in one for a, _ in both) * sum(b in other for _, b in both) / len(both)

    def small() -> bool:
        return any(expected(one, other) < 5 for one in groups for other in groups)

    while len(groups) > 2 and small():
        groups.sort(key=lambda group: (sum(label in group for pair in both for label in pair),
                                       -min(group)))  # fmt: skip
        groups = [groups[0] | groups[1], *groups[2:]]
    if small():
        return math.nan, 1, fisher(both, groups[0]), True
    freedom = (len(groups) - 1) ** 2
    statistic = math.fsum(
        (sum(a in one and b in other for a, b in both) - expected(one, other)) ** 2
        / expected(one, other)
        for one in groups
        for other in groups
    )
    return statistic, freedom, chi2_survival(statistic, freedom), False


def fisher(both: list[tuple[int, int]], group: set[int]) -> float:
    """Two-sided exact p of the 2 x 2 table of a group of classes and the rest, in integers."""
    n, row = len(both), sum(a in group for a, _ in both)
    column = sum(b in group for _, b in both)
    seen = sum(a in group and b in group for a, b in both)

    def ways(x: int) -> int:
        return math.comb(row, x) * math.comb(n - row, column - x)

    possible = range(max(0, row + column - n), min(row, column) + 1)
    rare = sum(ways(x) for x in possible if ways(x) <= ways(seen))
    return rare / sum(ways(x) for x in possible)


def chi2_survival(x: float, freedom: int) -> float:
    """Survival function, by the recurrence from one or two degrees of freedom."""
    p = math.erfc(math.sqrt(x / 2)) if freedom % 2 else math.exp(-x / 2)
    for v in range(1 if freedom % 2 else 2, freedom, 2):
        p += math.exp(v / 2 * math.log(x / 2) - x / 2 - math.lgamma(v / 2 + 1)) if x else 0.0
    return p


def label_series(y: Labels, k: int) -> list[list[float]]:
    """The series in which periods of labels are searched."""
    labels = known(y)
    seen = sorted((i for i in range(k) if i in labels), key=lambda i: (-labels.count(i), i))
    if len(seen) < 2:
        return []
    tested = seen[:1] if len(seen) == 2 else seen[:4]
    return [[0.0 if v < 0 else (v == i) - labels.count(i) / len(labels) for v in y] for i in tested]


def value_series(y: list[float]) -> list[list[float]]:
    """The series of regression targets; nan is unknown."""
    there = [v for v in y if not math.isnan(v)]
    mean = math.fsum(there) / len(there)
    return [[0.0 if math.isnan(v) else v - mean for v in y]]


def whitened(x: list[float]) -> list[float]:
    """Step 1."""
    phi = math.fsum(a * b for a, b in itertools.pairwise(x)) / math.fsum(v * v for v in x)
    phi = min(max(phi, -0.98), 0.9999)
    n = next(n for n in range(len(x) - 1, 0, -1) if smooth(n))
    return [x[t] - phi * x[t - 1] for t in range(1, n + 1)]


def smooth(n: int) -> bool:
    """Whether n is a product of powers of 2, 3 and 5."""
    for prime in (2, 3, 5):
        while n % prime == 0:
            n //= prime
    return n == 1


def lines(x: list[float], longest: int, tests: int) -> list[tuple[float, float]]:
    """Frequency and p of the lines of a series, steps 1 to 3."""
    if len(x) < 40:
        return []
    z = whitened(x)
    n, last = len(z), len(z) // 2
    turns = [cmath.exp(-2j * cmath.pi * i / n) for i in range(n)]
    X = [sum(v * turns[k * t % n] for t, v in enumerate(z)) for k in range(last + 1)]
    power = [0.0] + [abs(each) ** 2 for each in X[1:]]
    mean = math.fsum(power) / len(power)
    first = max(10, -(-n // longest))
    clear = []
    for k in range(first, last + 1):
        sides = [range(k - 27, k - 2), range(k + 3, k + 28)]
        there = [[power[i] for i in side if 1 <= i <= last] for side in sides]
        there = [side for side in there if len(side) >= 5]
        around = max([1e-9 * mean, *(math.fsum(side) / len(side) for side in there)])
        ratio, m = power[k] / around, sum(map(len, there))
        if power[k] <= 1e-9 * mean or not m:
            continue
        p = fisher_f.sf(ratio, 1 if 2 * k == n else 2, 2 * m)
        if p < 0.01 / ((last - first + 1) * tests):
            clear.append((ratio, k, p))
    found: list[tuple[float, float]] = []
    for _, k, p in sorted(clear, key=lambda each: (-each[0], each[1])):
        if any(abs(f * n - k) <= 2.5 for f, _ in found):
            continue
        delta = 0.0
        if k < last:
            bend = 2 * X[k] - X[k - 1] - X[k + 1]
            delta = min(max(((X[k - 1] - X[k + 1]) / bend).real, -0.5), 0.5)
        found.append(((k + delta) / n, p))
    return found


def lag_of(f: float, r: list[float], bands: list[float], rows: int) -> int:
    """Step 4; r and bands begin with lag 0."""
    longest = len(r) - 1
    multiples = [lag for j in range(1, rows) if 2 <= (lag := round(j / f)) <= longest]
    if not multiples:
        return 0
    j = next(
        (
            j
            for j in range(1, 9)
            if abs(j / f - round(j / f)) <= j / (4 * f * f * rows) and 2 <= round(j / f) <= longest
        ),
        1,
    )
    lag = min(max(round(j / f), 2), longest)
    best = max(multiples, key=lambda each: (r[each], -each))
    if r[best] > r[lag] / 0.8 + bands[best]:
        lag = next(each for each in multiples if r[each] >= 0.8 * r[best])
    return lag


def seasons(series: list[list[float]], r: list[float], rows_known: int) -> list[int]:
    """The lags of the seasons, steps 1 to 5; r is the autocorrelation from lag 0 on."""
    if not series:
        return []
    longest, rows = len(r) - 1, len(series[0])
    z = -NormalDist().inv_cdf(0.01 / 2 / longest)
    bands = [
        z * math.sqrt((1 + 2 * math.fsum(v * v for v in r[1:lag])) / rows_known)
        for lag in range(longest + 1)
    ]
    found = [line for x in series for line in lines(x, longest, len(series))]
    named: dict[int, float] = {}
    for f, _ in sorted(found, key=lambda line: line[1]):
        lag = lag_of(f, r, bands, rows)
        if not lag or not r[lag] > 0:
            continue
        if any(abs(lag - other) <= max(lag * other / rows, other / 10) for other in named):
            continue
        if any(other < lag and harmonic(other, f, rows, 2) for other in named):
            continue
        named[lag] = f
    return sorted(lag for lag in named if not part_of_longer(lag, named, r, rows))


def part_of_longer(lag: int, named: dict[int, float], r: list[float], rows: int) -> bool:
    """Whether a season is a part of a longer one, without a claim of its own."""
    longer = [other for other in named if other > lag and harmonic(other, named[lag], rows, 0)]
    own = [r[lag] >= r[other] / 2 and r[lag] > r[round(lag / 2)] for other in longer]
    return not all(own)


def harmonic(lag: int, f: float, rows: int, least: int) -> bool:
    """Whether a frequency is a multiple, `least` times or more, of that of a season."""
    whole = round(lag * f)
    return whole >= least and abs(lag * f - whole) <= lag / rows


CRITICAL = {
    64: (1.601, 1.951, 2.256),
    32: (1.637, 2.014, 2.374),
    16: (1.756, 2.272, 2.808),
    8: (2.252, 3.443, 5.025),
}


def prior_change(y: Labels, k: int) -> tuple[float, float, int]:
    """The statistic, its critical value and the class that decides; nan and -1: no test."""
    labels = known(y)
    seen = [i for i in range(k) if i in labels]
    if len(labels) < 256 or len(seen) < 2:
        return math.nan, math.nan, -1
    tested = [i for i in seen if labels.count(i) >= 10]
    tested = sorted(tested, key=lambda i: (-labels.count(i), i))[:100]
    if len(seen) == 2:
        tested = [max(seen)]
    best = (-1.0, math.nan, -1)
    for i in tested:
        statistic, groups = cusum(batch_shares(labels, i))
        critical = critical_value(groups, len(tested))
        if best[2] < 0 or statistic / critical > best[0] / best[1]:
            best = (statistic, critical, i)
    return best


def batch_shares(labels: Labels, i: int) -> list[float]:
    """m_1, ..., m_128."""
    n, length = len(labels), 1
    while n > 2048 * length:
        length *= 2

    def so_far(place: float) -> float:
        start = int(place // length) * length
        end = min(start + length, n)
        inside = labels[start:end].count(i) * (place - start) / (end - start) if end > start else 0
        return labels[:start].count(i) + inside

    return [(so_far(n * s / 128) - so_far(n * (s - 1) / 128)) * 128 / n for s in range(1, 129)]


def cusum(m: list[float]) -> tuple[float, int]:
    """The statistic and G."""
    mean = math.fsum(m) / 128
    largest = max(abs(math.fsum(v - mean for v in m[:t])) for t in range(1, 129))
    groups, spread = 0, 0.0
    for groups in (64, 32, 16, 8):
        size = 128 // groups
        means = [math.fsum(m[g * size : (g + 1) * size]) / size for g in range(groups)]
        place = [g - (groups - 1) / 2 for g in range(groups)]
        slope = math.fsum(p * v for p, v in zip(place, means, strict=True)) / math.fsum(
            p * p for p in place
        )
        middle = math.fsum(means) / groups
        e = [v - middle - slope * p for p, v in zip(place, means, strict=True)]
        spread = math.fsum(v * v for v in e)
        if spread <= 1e-20 * groups:
            return (math.inf if largest > 1.28e-8 else 0.0), groups
        r = math.fsum(a * b for a, b in itertools.pairwise(e)) / spread
        if (r + 1 / groups) * math.sqrt(groups) <= 0.524:
            break
    variance = spread / (groups - 2) * 128 / groups
    return largest / math.sqrt(128 * variance), groups


def critical_value(groups: int, tests: int) -> float:
    """At 1 % divided by the number of classes."""
    place = math.log10(tests)
    left = min(int(place), 1)
    values = CRITICAL[groups]
    return values[left] + (place - left) * (values[left + 1] - values[left])


def leak_accuracy(
    values: list[float], y: Labels, features: int, k: int, lag: int
) -> tuple[float, int] | None:
    """Accuracy of a feature alone, and the labels scored; None if it was given up."""
    bins = min(256, 4_000_000 // (2 * features * k) - 1)
    distinct = sorted({v for v in values[:1000] if math.isfinite(v)})
    if len(distinct) > bins:
        distinct = [distinct[i * (len(distinct) - 1) // (bins - 1)] for i in range(bins)]
    edges = [a / 2 + b / 2 for a, b in itertools.pairwise(distinct)]

    def bin_of(value: float) -> int:
        return -1 if math.isnan(value) else sum(edge < value for edge in edges)

    counts: dict[int, dict[int, int]] = {}
    guess: dict[int, int] = {}
    right = scored = 0
    check = 500
    for t, label in enumerate(y):
        if label < 0:
            continue
        if t >= 1000:
            scored += 1
        if t >= lag:
            place = bin_of(values[t - lag])
            if t >= 1000:
                right += guess.get(place) == label
            own = counts.setdefault(place, {})
            own[label] = own.get(label, 0) + 1
            if place not in guess or own[label] > own[guess[place]]:
                guess[place] = label
        if scored == check:
            if right < 0.95 * scored:
                return None
            check *= 2
    return (right / scored, scored) if scored >= 500 else None
