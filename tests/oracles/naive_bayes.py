"""Oracle for naive Bayes as in MOA: label and probabilities of every row, semantics §13."""

import math


def predictions(
    events: list[tuple[str, int]],
    X: list[list[float]],
    y: list[int],
    cardinality: list[int],
    k: int,
) -> dict[int, tuple[int, list[float]]]:
    """First predicted label (-1 abstains) and probabilities (then nan) of every row."""
    answers: dict[int, tuple[int, list[float]]] = {}
    learned: list[int] = []  # rows, in the order of their reveals
    for kind, row in events:
        if kind == "L":
            learned.append(row)
        elif row not in answers and not learned:
            answers[row] = (-1, [math.nan] * k)
        elif row not in answers:
            products = []
            for label in range(k):
                examples = [X[r] for r in learned if y[r] == label]
                prior = len(examples) / len(learned)
                products.append(_product(X[row], prior, examples, cardinality))
            total = sum(products)
            probabilities = [p / total if total != 0.0 else 0.0 for p in products]
            answers[row] = (products.index(max(products)), probabilities)  # ties: lowest code
    return answers


def _product(
    x: list[float], prior: float, examples: list[list[float]], cardinality: list[int]
) -> float:
    """The prior times each attribute's factor, in attribute order, in plain doubles."""
    product = prior
    for j, value in enumerate(x):
        if math.isnan(value):
            continue
        seen = [example[j] for example in examples if not math.isnan(example[j])]
        if not seen:
            product *= 0.0
        elif cardinality[j] == 0:
            product *= _gaussian(value, seen)
        else:
            product *= _nominal(value, seen)
    return product


def _gaussian(value: float, seen: list[float]) -> float:
    n = 0
    mean = 0.0
    s = 0.0
    for v in seen:  # Welford
        n += 1
        last_mean = mean
        mean = v if n == 1 else mean + (v - last_mean) / n
        s = 0.0 if n == 1 else s + (v - last_mean) * (v - mean)
    variance = s / (n - 1) if n > 1 else 0.0
    sd = math.sqrt(variance)
    if sd == 0.0:
        return 1.0 if value == mean else 0.0
    diff = value - mean
    return (1.0 / (math.sqrt(2.0 * math.pi) * sd)) * math.exp(-(diff * diff / (2.0 * sd * sd)))


def _nominal(value: float, seen: list[float]) -> float:
    values = int(max(seen)) + 1  # the highest code seen in this class, plus one
    return (seen.count(value) + 1) / (len(seen) + values)
