"""Oracle for the wrappers that use past labels, event by event, around a toy, semantics §6."""

from collections.abc import Sequence
from dataclasses import dataclass, field

Cell = float | None  # None: missing
Shares = list[float] | None  # None: abstains


@dataclass(frozen=True)
class Event:
    """P: a row arrives and is asked; A, F: asked again; L: its label is revealed."""

    kind: str
    row: int
    x: tuple[Cell, ...]  # as it is now
    y: int
    weight: float


@dataclass
class Toy:
    """A classifier that every cell of every lesson moves: votes by the number of equal cells."""

    k: int
    lessons: list[tuple[tuple[Cell, ...], int, float]] = field(default_factory=list)

    def ask(self, x: Sequence[Cell]) -> Shares:
        if not self.lessons:
            return None
        votes = [0.25 * (label + 1) for label in range(self.k)]
        for age, (known, label, weight) in enumerate(reversed(self.lessons)):
            votes[label] += weight * sum(
                1 + place for place, (a, b) in enumerate(zip(x, known, strict=True)) if a == b
            ) / (1 + age)  # fmt: skip
        return [vote / sum(votes) for vote in votes]

    def learn(self, x: Sequence[Cell], y: int, weight: float) -> None:
        self.lessons.append((tuple(x), y, weight))


def best(shares: Shares) -> int:
    """The most probable class, the lowest of equals; -1 abstains."""
    return -1 if shares is None else shares.index(max(shares))


def augmented(
    events: Sequence[Event],
    toy: Toy,
    order: int = 1,
    features: bool = False,
    refresh: bool = False,
    history: str = "revealed",
) -> list[Shares]:
    """What is answered to each question."""
    answers: list[Shares] = []
    revealed: list[Cell] = []  # labels, in the order they came
    said: list[Cell] = []  # first predictions of the rows, in the order they arrived
    arrived: list[tuple[Cell, ...]] = []
    labels: dict[int, list[Cell]] = {}  # of each row, what it got when it was first predicted
    predictions: dict[int, list[Cell]] = {}
    vectors: dict[int, list[Cell]] = {}
    for event in events:
        row = event.row
        if event.kind == "P":
            labels[row] = _newest(revealed, order)
            predictions[row] = _newest(said, order)
            before = arrived[::-1][:order]
            before += [(None,) * len(event.x)] * (order - len(before))
            vectors[row] = [cell for vector in before for cell in vector]
            arrived.append(event.x)
        elif event.kind in "AF" and refresh:
            labels[row] = _newest(revealed, order)
        x = list(event.x)
        x += labels[row] if history in ("revealed", "both") else []
        x += predictions[row] if history in ("predicted", "both") else []
        x += vectors[row] if features else []
        if event.kind != "L":
            answer = toy.ask(x)
            answers.append(answer)
            if event.kind == "P":
                said.append(None if answer is None else best(answer))
        elif event.weight > 0:
            toy.learn(x, event.y, event.weight)
            revealed.append(event.y)
    return answers


def _newest(things: list[Cell], order: int) -> list[Cell]:
    newest = things[::-1][:order]
    return newest + [None] * (order - len(newest))


def corrected(events: Sequence[Event], toy: Toy) -> list[Shares]:
    """What is answered to each question."""
    answers: list[Shares] = []
    known: list[tuple[int | None, int, float]] = []  # c, label, weight of every revealed label
    last: dict[int, int | None] = {}  # of each row: c, the label last revealed at its arrival
    for event in events:
        row = event.row
        if event.kind == "P":
            last[row] = known[-1][1] if known else None
        if event.kind == "L":
            if event.weight > 0:
                toy.learn(event.x, event.y, event.weight)
                known.append((last[row], event.y, event.weight))
            continue
        answer, c = toy.ask(event.x), last[row]
        if answer is not None and c is not None:
            scores = []
            for i in range(toy.k):
                after_c = [(label, w) for before, label, w in known if before == c]
                i_after_c = sum(w for label, w in after_c if label == i)
                p_i_given_c = (i_after_c + 1) / (sum(w for _, w in after_c) + toy.k)
                n_i = sum(w for _, label, w in known if label == i)
                p_i = (n_i + 1) / (sum(w for _, _, w in known) + toy.k)
                scores.append(p_i_given_c / p_i * answer[i])
            answer = [score / sum(scores) for score in scores]
        answers.append(answer)
    return answers
