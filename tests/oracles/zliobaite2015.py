"""Oracle for Algorithm 1 of zliobaite2015 as in semantics §3, with its missing `else`s."""

import math


def algorithm1(y: list[int], pred: list[int], k: int, alpha: float) -> dict[str, list[float]]:
    """The four estimates after each row; alpha is the weight of the new row."""
    p = 0.0
    prior = [1 / k] * k  # P(i)
    predicted = [1 / k] * k  # P_h(i)
    stays = [1 / k] * k  # P(i|i)
    y_prev = 0
    out: dict[str, list[float]] = {
        "accuracy": [],
        "kappa": [],
        "kappa_temporal": [],
        "kappa_plus": [],
    }
    for label, answer in zip(y, pred, strict=True):
        p = _smooth(p, answer == label, alpha)
        for i in range(k):
            prior[i] = _smooth(prior[i], i == label, alpha)
            predicted[i] = _smooth(predicted[i], i == answer, alpha)
            if i == label:
                stays[i] = _smooth(stays[i], i == y_prev, alpha)
        y_prev = label

        p_ran = sum(prior[i] * predicted[i] for i in range(k))
        p_per = sum(prior[i] * stays[i] for i in range(k))
        kappa = _better_than(p, p_ran)
        temporal = _better_than(p, p_per)
        out["accuracy"].append(p)
        out["kappa"].append(kappa)
        out["kappa_temporal"].append(temporal)
        out["kappa_plus"].append(_combined(kappa, temporal))
    return out


def _smooth(old: float, hit: bool, alpha: float) -> float:
    if hit:
        return alpha + old * (1 - alpha)
    return old * (1 - alpha)


def _better_than(p: float, p_ref: float) -> float:
    return (p - p_ref) / (1 - p_ref) if p_ref != 1 else math.nan


def _combined(kappa: float, temporal: float) -> float:
    if math.isnan(kappa) or math.isnan(temporal):
        return math.nan
    return math.sqrt(max(0.0, kappa) * max(0.0, temporal))
