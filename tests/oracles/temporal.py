"""Oracle for the wrappers that use past labels, around a toy learner, semantics §6."""

from collections.abc import Sequence
from dataclasses import dataclass, field

Cell = float | None  # None: missing
Probabilities = list[float] | None  # None: abstains


@dataclass(frozen=True)
class Event:
    """P: a row arrives and is predicted; A, F: predicted again; L: its label is revealed."""

    kind: str
    row: int
    x: tuple[Cell, ...]  # its current features
    y: int
    weight: float


@dataclass
class Toy:
    """A classifier that votes by the number of equal cells: every cell it learns matters."""

    k: int
    learned: list[tuple[tuple[Cell, ...], int, float]] = field(default_factory=list)

    def predict(self, x: Sequence[Cell]) -> Probabilities:
        if not self.learned:
            return None
        votes = [0.25 * (label + 1) for label in range(self.k)]
        for age, (known, label, weight) in enumerate(reversed(self.learned)):
            votes[label] += weight * sum(
                1 + place for place, (a, b) in enumerate(zip(x, known, strict=True)) if a == b
            ) / (1 + age)  # fmt: skip
        return [vote / sum(votes) for vote in votes]

    def learn(self, x: Sequence[Cell], y: int, weight: float) -> None:
        self.learned.append((tuple(x), y, weight))


def best(probabilities: Probabilities) -> int:
    """The most probable class, ties to the lowest code; -1 abstains."""
    return -1 if probabilities is None else probabilities.index(max(probabilities))


def augmented(
    events: Sequence[Event],
    toy: Toy,
    order: int = 1,
    features: bool = False,
    refresh: bool = False,
    history: str = "revealed",
    own_features: bool = True,
) -> list[Probabilities]:
    """Predictions at P, A and F events; without `own_features` those of LabelsOnly."""
    predictions: list[Probabilities] = []
    revealed: list[Cell] = []  # labels, in reveal order
    predicted: list[Cell] = []  # first predictions of the rows, in order of arrival
    arrived: list[tuple[Cell, ...]] = []
    labels: dict[int, list[Cell]] = {}  # by row, frozen at its first prediction
    frozen_predicted: dict[int, list[Cell]] = {}
    vectors: dict[int, list[Cell]] = {}
    for event in events:
        row = event.row
        if event.kind == "P":
            labels[row] = _newest(revealed, order)
            frozen_predicted[row] = _newest(predicted, order)
            before = arrived[::-1][:order]
            before += [(None,) * len(event.x)] * (order - len(before))
            vectors[row] = [cell for vector in before for cell in vector]
            arrived.append(event.x)
        elif event.kind in "AF" and refresh:
            labels[row] = _newest(revealed, order)
        x = list(event.x) if own_features else []
        x += labels[row] if history in ("revealed", "both") else []
        x += frozen_predicted[row] if history in ("predicted", "both") else []
        x += vectors[row] if features else []
        if event.kind != "L":
            prediction = toy.predict(x)
            predictions.append(prediction)
            if event.kind == "P":
                predicted.append(None if prediction is None else best(prediction))
        elif event.weight > 0:
            toy.learn(x, event.y, event.weight)
            revealed.append(event.y)
    return predictions


def _newest(things: list[Cell], order: int) -> list[Cell]:
    newest = things[::-1][:order]
    return newest + [None] * (order - len(newest))


def corrected(
    events: Sequence[Event], toy: Toy, window: int | None = None, fading: float = 1.0
) -> list[Probabilities]:
    """Predictions at P, A and F events; labels count if in the window, or fade (§2)."""
    predictions: list[Probabilities] = []
    known: list[tuple[int | None, int, float]] = []  # c, label, weight of every revealed label
    last: dict[int, int | None] = {}  # by row: c, the label last revealed before it arrived
    for event in events:
        row = event.row
        if event.kind == "P":
            last[row] = known[-1][1] if known else None
        if event.kind == "L":
            if event.weight > 0:
                toy.learn(event.x, event.y, event.weight)
                known.append((last[row], event.y, event.weight))
            continue
        prediction, c = toy.predict(event.x), last[row]
        if prediction is not None and c is not None:
            scores = []
            kept = [
                (before, label, w * fading**age)
                for age, (before, label, w) in enumerate(reversed(known))
                if window is None or age < window
            ]
            for i in range(toy.k):
                after_c = [(label, w) for before, label, w in kept if before == c]
                i_after_c = sum(w for label, w in after_c if label == i)
                p_i_given_c = (i_after_c + 1) / (sum(w for _, w in after_c) + toy.k)
                n_i = sum(w for _, label, w in kept if label == i)
                p_i = (n_i + 1) / (sum(w for _, _, w in kept) + toy.k)
                scores.append(p_i_given_c / p_i * prediction[i])
            prediction = [score / sum(scores) for score in scores]
        predictions.append(prediction)
    return predictions
