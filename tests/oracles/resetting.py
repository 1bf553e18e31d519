"""Oracle for Resetting: one event at a time, with a new learner for each reset."""

from collections.abc import Callable, Iterable
from typing import Any


def play(
    events: Iterable[tuple[str, int, Any, int]],
    make: Callable[[], Any],
    detector: Any,
) -> tuple[list[int], list[int]]:
    """Play events: (P, A or L; the row's slot; what the learner gets; the label, -1 if it is not
    learned). Returns all predictions, and for each alarm the number of errors before it."""
    current, heir = make(), None
    first: dict[int, int] = {}
    answers, alarms, fed = [], [], 0
    for kind, row_id, event, label in events:
        if kind != "L":
            answers.append(current.ask(event))
            if kind == "P":
                first[row_id] = answers[-1]
            continue
        if label < 0:
            continue
        found = detector.update(float(first[row_id] != label))
        if found == "alarm":
            alarms.append(fed)
            current, heir = heir or make(), None
        elif found == "warning":
            heir = heir or make()
            heir.learn(event)
        else:
            heir = None
        fed += 1
        current.learn(event)
    return answers, alarms
