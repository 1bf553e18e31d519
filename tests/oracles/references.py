"""Oracles for the reference classifiers, semantics §5."""


def predictions(which: str, events: list[tuple[str, int]], y: list[int], k: int) -> dict[int, int]:
    """The first prediction of every row; -1 is an abstention."""
    answers: dict[int, int] = {}
    last_seen: dict[int, int] = {}  # row -> the label last revealed when it was predicted, or -1
    learned: list[int] = []  # rows, in the order of their reveals
    for kind, row in events:
        if kind == "L":
            learned.append(row)
        elif row not in answers:
            labels = [y[r] for r in learned]
            last_seen[row] = labels[-1] if labels else -1
            if not labels:
                answers[row] = -1
            elif which == "majority":
                answers[row] = _most_frequent(labels, k)
            elif which == "persistent":
                answers[row] = labels[-1]
            elif which == "transition":
                followers = [y[r] for r in learned if last_seen[r] == labels[-1]]
                answers[row] = _most_frequent(followers or labels, k)
            else:
                raise ValueError(f"unknown reference {which!r}")
    return answers


def majority_forgetting(
    events: list[tuple[str, int]], y: list[int], k: int, kind: str, parameter: float
) -> dict[int, int]:
    """First predictions of Majority when its label counts are forgotten as in §2."""
    answers: dict[int, int] = {}
    labels: list[int] = []  # in the order of their reveals
    for event, row in events:
        if event == "L":
            labels.append(y[row])
        elif row not in answers:
            answers[row] = _forgetful_majority(labels, k, kind, parameter) if labels else -1
    return answers


def seasonal(events: list[tuple[str, int]], y: list[int]) -> list[int]:
    """The answers of Seasonal, in order; -1 is an abstention.

    Events: "P", a row arrives and is predicted; "A", it is predicted again; "H", a held-out row is
    predicted; "L", a label is revealed.
    """
    arrival: dict[int, int] = {}  # row -> its place in order of arrival
    revealed: dict[int, int] = {}  # place -> label
    labels: list[int] = []  # in the order of their reveals
    hits = dict.fromkeys(range(1, 1025), 0.0)
    block = dict.fromkeys(range(1, 1025), 0)
    ranked: list[int] = []
    answers = []
    for kind, row in events:
        if kind == "L":
            labels.append(y[row])
            for place, label in revealed.items():  # pairs of which this is the second label
                lag = abs(arrival[row] - place)
                if lag <= 1024 and label == y[row]:
                    block[lag] += 1
            revealed[arrival[row]] = y[row]
            if len(labels) % 64 == 0:
                hits = {lag: 0.9999**64 * hits[lag] + block[lag] for lag in hits}
                block = dict.fromkeys(block, 0)
                ranked = sorted(hits, key=lambda lag: (-hits[lag], lag))
            continue
        if kind == "P":
            arrival[row] = len(arrival)
        usable = [] if kind == "H" else [m for m in ranked if arrival[row] - m in revealed]
        if usable:
            answers.append(revealed[arrival[row] - usable[0]])
        else:
            answers.append(labels[-1] if labels else -1)
    return answers


def _forgetful_majority(labels: list[int], k: int, kind: str, parameter: float) -> int:
    if kind == "cumulative":
        return _most_frequent(labels, k)
    if kind == "window":
        oldest = max(0, len(labels) - int(parameter))
        return _most_frequent(labels[oldest:], k)
    if kind == "fading":
        counts = [0.0] * k
        for label in labels:  # S <- x + a*S, for every class
            counts = [(1.0 if i == label else 0.0) + parameter * counts[i] for i in range(k)]
        return counts.index(max(counts))
    raise ValueError(f"unknown forgetting {kind!r}")


def _most_frequent(labels: list[int], k: int) -> int:
    counts = [labels.count(i) for i in range(k)]
    return counts.index(max(counts))  # the first of the largest: ties go to the lowest code
