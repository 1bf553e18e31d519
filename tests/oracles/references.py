"""Oracle for the reference classifiers Majority, Persistent and Transition, semantics §5."""


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
