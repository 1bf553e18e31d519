"""What zliobaite2015 says of its figures, and when we say that it holds."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping

import numpy as np

from streamgauge.inspection.profile import Profile
from streamgauge.papers.claim import PaperClaim, judge, judge_each
from streamgauge.papers.scores import CellScores
from streamgauge.papers.zliobaite2015.plan import (
    DEPENDENT,
    LEAKING,
    PROBABILITIES,
    VERSIONS,
    Zliobaite2015Plan,
    orders_of,
    random_name,
    version_name,
    wrapped_name,
)

_MODERATE, _POOR = 0.4, 0.2  # Landis and Koch's scale of kappa: moderate, slight
_FEWEST_ROWS = 1000  # behind a Δ(ℓ) that is judged


def _dependent(plan: Zliobaite2015Plan) -> list[str]:
    return [name for name in plan.streams if name in DEPENDENT]


def figure2(scores: CellScores, plan: Zliobaite2015Plan) -> list[PaperClaim]:
    """Persistent beats every classifier, which kappa hides and kappa-temporal shows."""
    dependent, ozone = _dependent(plan), version_name("Ozone", "shuffled")

    def metric(streams: list[str], name: str) -> dict[str, float]:
        return {
            f"{learner} on {stream}": scores.mean(stream, learner, name)
            for stream in streams
            for learner in plan.learners
        }

    return [
        judge_each(
            "On the original Elec2, Cover and KDD99 Persistent performs better than any "
            "intelligent classifier.",
            "The accuracy of Persistent − that of the classifier is above 0 for all of them.",
            {
                f"{learner} on {stream}": scores.mean(stream, "Persistent")
                - scores.mean(stream, learner)
                for stream in dependent
                for learner in plan.learners
            },
            lambda gap: gap > 0,
        ),
        judge_each(
            "Kappa is high and indicates good performance on Elec2, Cover and KDD99.",
            f"κ of every classifier is above {_MODERATE}, moderate on Landis and Koch's scale.",
            metric(dependent, "kappa"),
            lambda kappa: kappa > _MODERATE,
        ),
        judge_each(
            "Kappa-temporal is negative in all these cases.",
            "κ_per of every classifier is below 0.",
            metric(dependent, "kappa_temporal"),
            lambda kappa: kappa < 0,
        ),
        judge_each(
            "Kappa signals that the high accuracy on Ozone is due to class imbalance.",
            f"κ of every classifier on Ozone is at most {_POOR}, slight on that scale.",
            metric(["Ozone"], "kappa"),
            lambda kappa: kappa <= _POOR,
        ),
        judge_each(
            "On shuffled Ozone kappa signals poor performance.",
            f"κ of every classifier is at most {_POOR}.",
            metric([ozone], "kappa"),
            lambda kappa: kappa <= _POOR,
        ),
        judge_each(
            "On shuffled Ozone kappa-temporal gives good indications.",
            "κ_per of every classifier is above 0.",
            metric([ozone], "kappa_temporal"),
            lambda kappa: kappa > 0,
        ),
    ]


def figure3(scores: CellScores, plan: Zliobaite2015Plan) -> list[PaperClaim]:
    """Both wrappers help where labels come in runs, and hardly beat Persistent."""

    def accuracy(stream: str, kind: str, base: str) -> float:
        return 100 * scores.mean(stream, wrapped_name(kind, base))

    def gains(streams: list[str]) -> dict[str, float]:
        return {
            f"{kind} {base} on {stream}": accuracy(stream, kind, base) - accuracy(stream, "", base)
            for stream in streams
            for base in plan.learners
            for kind in ("TC", "TA")
        }

    def above_persistent(streams: list[str]) -> dict[str, float]:
        return {
            f"{kind} {base} on {stream}": accuracy(stream, kind, base)
            - 100 * scores.mean(stream, "Persistent")
            for stream in streams
            for base in plan.learners
            for kind in ("TC", "TA")
        }

    pairs = [
        accuracy(stream, "TA", base) - accuracy(stream, "TC", base)
        for stream in plan.streams
        for base in plan.learners
    ]
    ordinary = {
        stream: {base: accuracy(stream, "", base) for base in plan.learners}
        for stream in plan.streams
    }
    best = {stream: max(own.items(), key=lambda each: each[1])[0]
            for stream, own in ordinary.items()}  # fmt: skip
    known = not any(math.isnan(value) for own in ordinary.values() for value in own.values())
    strong = list(plan.learners)[-1]
    return [
        judge_each(
            "Temporal Correction and Temporally Augmented strongly outperform the ordinary "
            "classifiers on Elec2 and Cover.",
            "Each of them gains at least 2 points of accuracy with every base.",
            gains([name for name in plan.streams if name in ("Elec2", "Cover")]),
            lambda gain: gain >= 2,
        ),
        judge_each(
            "To some extent they do so on KDD99.",
            "Each of them gains more than 0 points with every base.",
            gains(["KDD99"]),
            lambda gain: gain > 0,
        ),
        judge_each(
            "On Ozone ordinary and new classifiers perform very similarly.",
            "Each of them differs by at most 2 points from its base.",
            gains(["Ozone"]),
            lambda gain: abs(gain) <= 2,
        ),
        judge(
            "Temporally Augmented performs in most cases slightly better than Temporal Correction.",
            "It is more accurate in more than half of the cases.",
            sum(gap > 0 for gap in pairs) > len(pairs) / 2,
            {"cases": float(len(pairs)),
             "better": math.nan if any(map(math.isnan, pairs)) else sum(g > 0 for g in pairs)},
        ),
        judge_each(
            "On Elec2, Cover and KDD99 they are close to or just slightly better than Persistent.",
            "Each of them is within 3 points of Persistent.",
            above_persistent(_dependent(plan)),
            lambda gap: abs(gap) <= 3,
        ),
        judge_each(
            "On Ozone the improvement over Persistent is generally large.",
            "Each of them is at least 1 point above Persistent.",
            above_persistent(["Ozone"]),
            lambda gap: gap >= 1,
        ),
        judge(
            f"{strong} is the best of the ordinary classifiers.",
            "It is the most accurate of them on every stream.",
            all(name == strong for name in best.values()) if known else None,
            f"Best: {', '.join(f'{name} on {stream}' for stream, name in best.items())}."
            if known else "A cell was not run.",
        ),
    ]  # fmt: skip


def figure4(
    scores: CellScores, shares: Mapping[tuple[str, str], float], plan: Zliobaite2015Plan, base: str
) -> list[PaperClaim]:
    """κ⁺ over time: 0 without past labels, positive with them."""
    kinds = {"": base, "TC": f"TC {base}", "TA": f"TA {base}"}

    def over_all(kind: str, metric: str) -> dict[str, float]:
        return {
            f"{kinds[kind]} on {stream}": scores.mean(stream, wrapped_name(kind, base), metric)
            for stream in ("Ozone",)
        }

    ozone = {kind: next(iter(over_all(kind, "kappa_plus").values())) for kind in kinds}
    return [
        judge_each(
            f"On Elec2, Cover and KDD99 the ordinary {base} almost never reaches κ⁺ above 0.",
            "κ⁺ is above 0 at no more than 10 % of the points along the stream.",
            {name: shares[name, ""] for name in _dependent(plan)},
            lambda share: share <= 0.1,
        ),
        judge_each(
            "On Elec2 and Cover both approaches reach positive κ⁺.",
            "κ⁺ is above 0 at more than half of the points along the stream.",
            {
                f"{kinds[kind]} on {name}": shares[name, kind]
                for name in ("Elec2", "Cover")
                for kind in ("TC", "TA")
                if name in plan.streams
            },
            lambda share: share > 0.5,
        ),
        judge_each(
            "On KDD99 it is nearly impossible to outperform Persistent.",
            "κ_per over all rows is at most 0.1 for all three.",
            {name: scores.mean("KDD99", wrapped_name(kind, base), "kappa_temporal")
             for kind, name in kinds.items()},
            lambda kappa: kappa <= 0.1,
        ),
        judge(
            f"On Ozone the ordinary {base} performs well.",
            "Its κ⁺ is above 0 at more than half of the points along the stream.",
            shares.get(("Ozone", ""), math.nan) > 0.5,
            {"fraction": shares.get(("Ozone", ""), math.nan)},
        ),
        judge(
            "On Ozone Temporally Augmented has no advantage.",
            "Its κ⁺ over all rows is at most 0.02 above that of the ordinary one.",
            ozone["TA"] - ozone[""] <= 0.02,
            {"TA": ozone["TA"], "ordinary": ozone[""]},
        ),
        judge(
            "On Ozone Temporal Correction performs slightly better.",
            "Its κ⁺ over all rows is above that of the ordinary one.",
            ozone["TC"] > ozone[""],
            {"TC": ozone["TC"], "ordinary": ozone[""]},
        ),
    ]  # fmt: skip


def figure5(profiles: Mapping[str, Profile | None], day: float) -> list[PaperClaim]:
    """Dependence of the first and second order, hardly of higher ones; Δ(48)."""
    deltas = {
        name: [_largest_delta(profile, times) for times in range(11)]
        for name, profile in profiles.items()
    }
    elec2 = profiles.get("Elec2")
    after = math.nan if elec2 is None else _largest_delta(elec2, 48)
    before = math.nan if elec2 is None else _largest_delta(elec2, 47)
    return [
        judge_each(
            "Both data sets have strong first order dependence.",
            "|Δ(0)| = |P(i) − P(i|i)| is at least 0.2 for some class.",
            {name: own[0] for name, own in deltas.items()},
            lambda delta: delta >= 0.2,
        ),
        judge_each(
            "They have some second order dependence.",
            "|Δ(1)| is at least 0.02 for some class.",
            {name: own[1] for name, own in deltas.items()},
            lambda delta: delta >= 0.02,
        ),
        judge_each(
            "There is almost no higher order dependence.",
            "|Δ(ℓ)| is below 0.05 for every ℓ from 2 to 10 and every class with at least "
            f"{_FEWEST_ROWS:,} rows behind it.",
            {f"{name}, ℓ = {times}": delta for name, own in deltas.items()
             for times, delta in enumerate(own) if times >= 2},
            lambda delta: delta < 0.05,
        ),
        judge(
            f"Elec2: Δ(48) = {day}.",
            "|Δ(48)| of a class rounds to it.",
            round(after, 2) == day,
            {"|Δ(48)|": after, "|Δ(47)|": before},
        ),
    ]  # fmt: skip


def _largest_delta(profile: Profile | None, times: int) -> float:
    """The largest |Δ(ℓ)| of a class with enough rows; at 47 and more, of any class."""
    if profile is None:
        return math.nan
    own = profile.repeats
    if times >= len(own.delta):
        return math.nan
    enough = own.rows[times + 1] >= (_FEWEST_ROWS if times < 47 else 1)
    values = np.abs(own.delta[times])[enough]
    return float(np.nanmax(values)) if len(values) else 0.0


def figure6(scores: CellScores, plan: Zliobaite2015Plan) -> list[PaperClaim]:
    """A second past label helps a little, more do not."""

    def accuracy(stream: str, base: str, order: int) -> float:
        return 100 * scores.mean(stream, f"{base} {order}")

    cases = [(stream, base) for stream in plan.figure6 for base in plan.learners]
    second = {
        f"{base} on {stream}": accuracy(stream, base, 2) - accuracy(stream, base, 1)
        for stream, base in cases
    }
    later = {
        f"{base} on {stream}, ℓ = {order}": accuracy(stream, base, order)
        - accuracy(stream, base, 2)
        for stream, base in cases
        for order in orders_of(plan, stream)
        if order > 2
    }
    by_stream = {
        stream: {base: second[f"{base} on {stream}"] for base in plan.learners}
        for stream in plan.figure6
    }
    lead = {
        stream: own["DDM"] - max(gain for base, gain in own.items() if base != "DDM")
        for stream, own in by_stream.items()
    }
    return [
        judge_each(
            "Taking second order dependence into account improves the classifiers a little.",
            "The accuracy with two past labels − that with one is above 0 points with every base.",
            second,
            lambda gain: gain > 0,
        ),
        judge_each(
            "It improves DDM in particular.",
            "The gain of DDM − the largest gain of any other base is above 0 points.",
            lead,
            lambda gain: gain > 0,
        ),
        judge_each(
            "There is no further improvement, not even with the labels of a day.",
            "With more than two past labels no base gains more than 0.5 points over two.",
            later,
            lambda gain: gain <= 0.5,
        ),
    ]


def figure7(scores: CellScores, plan: Zliobaite2015Plan) -> list[PaperClaim]:
    """False alarms raise accuracy where labels come in runs, and lower it elsewhere."""
    streams = [name for name in plan.figure7 if name != LEAKING]
    found = list(_trends(scores, streams))
    best = {
        version_name(stream, version): 100
        * (scores.mean(version_name(stream, version), random_name(1.0))
           - scores.mean(version_name(stream, version), "DDM"))
        for stream in streams for version in ("original", "temporal")
    }  # fmt: skip
    overlaps = [("Elec2", "shuffled"), ("Cover", "shuffled"), ("Elec2", "temporal")]
    names = [version_name(*each) for each in overlaps if each[0] in streams]
    limits = {
        f"{version_name(stream, version)}, p = {p:g}": 100
        * (scores.mean(version_name(stream, version), "Persistent")
           - scores.mean(version_name(stream, version), random_name(p)))
        for stream in streams for version in ("original", "temporal") for p in PROBABILITIES
    }  # fmt: skip
    return [
        *found,
        judge_each(
            "DDM is clearly outperformed by random alarms when temporal dependence is present.",
            "DDM-random with p = 1 is more than 1 point above DDM, original and temporal.",
            best,
            lambda gain: gain > 1,
        ),
        judge_each(
            "On Elec2 shuffled, Cover shuffled and Elec2 temporal NB and DDM overlap: no changes "
            "are detected.",
            "Their accuracies differ by at most 0.1 points.",
            {name: 100 * (scores.mean(name, "DDM") - scores.mean(name, "NB")) for name in names},
            lambda gap: abs(gap) <= 0.1,
        ),
        judge_each(
            "Persistent is the limit of what false alarms can reach.",
            "Persistent − DDM-random is at least 0 points at every p, original and temporal.",
            limits,
            lambda gap: gap >= 0,
        ),
    ]


def _trends(scores: CellScores, streams: list[str]) -> Iterator[PaperClaim]:
    for stream in streams:
        for version in VERSIONS:
            name = version_name(stream, version)
            learners = ["NB", *map(random_name, PROBABILITIES)]
            values = [100 * scores.mean(name, learner) for learner in learners]
            rises = version != "shuffled"
            word = "rises" if rises else "falls"
            yield judge_each(
                f"{stream}, {version}: accuracy {word} with the probability of false alarms.",
                f"The mean accuracy {word} from no alarm to p = 0.0001, and at every step to "
                "p = 1; the values are the steps in points.",
                {learner: b - a for learner, a, b in
                 zip(learners[1:], values, values[1:], strict=False)},
                _is_rise if rises else _is_fall,
            )  # fmt: skip


def _is_rise(step: float) -> bool:
    return step > 0


def _is_fall(step: float) -> bool:
    return step < 0
