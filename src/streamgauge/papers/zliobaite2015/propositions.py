"""Propositions 5 to 9 of zliobaite2015 and what §4 and §7 say about kappas, checked on data."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Mapping, Sequence

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from streamgauge._support.arrow_numbers import numbers
from streamgauge._support.types import Floats
from streamgauge.inspection.profile import Profile
from streamgauge.papers.claim import PaperClaim, judge_each
from streamgauge.papers.paper import PaperSection, PaperTable
from streamgauge.papers.scores import CellScores
from streamgauge.papers.study import PaperStudy
from streamgauge.papers.zliobaite2015.plan import (
    DEPENDENT,
    SIZES,
    SMALL,
    STREAMS,
    Zliobaite2015Plan,
    errors,
    majorities,
    ordinary,
    profile_of,
    version_name,
)
from streamgauge.papers.zliobaite2015.tables import labels_of
from streamgauge.rendering.sheet import sheet_of
from streamgauge.runs.run import Run

_QUANTILE = 2.576  # of the normal distribution, 99 % two-sided
_RATE = 0.5  # error rate of the class that errs less, in Proposition 8
_SAMPLE = 100  # rows of the "easy test" of §7
_SLIGHT = 0.02  # two kappas are the same within this


def propositions(study: PaperStudy, plan: Zliobaite2015Plan) -> PaperSection:
    """Propositions 5 to 9."""
    scores, sizes = ordinary(study, plan), majorities(study, plan)
    profiles = {name: profile_of(study, name) for name in plan.streams}
    lines = [["", *(f"n = {n}" for n in SIZES), "Persistent"]]
    for name in plan.streams:
        if name in DEPENDENT:
            accuracies = [sizes.mean(name, f"Majority {n}") for n in SIZES]
            own = [*accuracies, sizes.mean(name, "Persistent")]
            lines.append([name, *(f"{100 * value:.2f}" for value in own)])
    caption = "Proposition 9: accuracy in % of the majority among the last n labels."
    return PaperSection(
        [PaperTable(caption, sheet_of(lines))],
        claims=[
            *_baseline_claims(scores, profiles),
            *_error_claims(errors(study, plan), profiles.get("Elec2")),
            _sample_size_claim(sizes, profiles),
        ],
    )


def _baseline_claims(
    scores: CellScores, profiles: Mapping[str, Profile | None]
) -> Iterator[PaperClaim]:
    above, no_information, orders, independent, signs = {}, {}, {}, {}, {}
    for name, profile in profiles.items():
        shuffled = version_name(name, "shuffled")
        prior = math.nan if profile is None else profile.p_majority
        no_information[name] = prior - (1 / len(profile.classes) if profile else math.nan)
        for stream in (name, shuffled):
            for learner in scores.learners(stream):
                p, kappa = (scores.mean(stream, learner, m) for m in ("accuracy", "kappa"))
                above[f"{learner} on {stream}"] = prior - (p - kappa) / (1 - kappa)
        orders[name] = scores.mean(name, "Majority") - scores.mean(shuffled, "Majority")
        independent[name] = scores.mean(shuffled, "Majority") - scores.mean(shuffled, "Persistent")
        gap = math.nan if profile is None else profile.p_temporal - prior
        persistent = scores.mean(name, "Persistent") - scores.mean(name, "Majority")
        signs[name] = persistent * math.copysign(1, gap) if gap == gap else math.nan
    yield judge_each(
        "Proposition 5: p_maj ≥ p_ran.",
        "P(M) − p_ran is at least 0 for every classifier on every stream, original and shuffled.",
        above or {"figure 2": math.nan},
        lambda gap: gap >= 0,
    )
    yield judge_each(
        "Proposition 5: p_maj ≥ p_0.",
        "P(M) − 1/k is at least 0.",
        no_information,
        lambda gap: gap >= 0,
    )
    yield judge_each(
        "Proposition 5: p_maj is the same whether there is temporal information or not.",
        "The accuracies of Majority on the original and on the shuffled stream differ by at most "
        "0.005 (both learn the majority on the way).",
        orders,
        lambda gap: abs(gap) <= 0.005,
    )
    yield judge_each(
        "Proposition 6: if data are independent, p_maj ≥ p_per.",
        "On every shuffled stream the accuracy of Majority − that of Persistent is at least 0.",
        independent,
        lambda gap: gap >= 0,
    )
    yield judge_each(
        "Proposition 7: Persistent is more accurate than Majority if Σ P(i, i) > P(M).",
        "The accuracy of Persistent − that of Majority has the sign of P(T) − P(M) on every "
        "stream; the values are multiplied by that sign.",
        signs,
        lambda gap: gap > 0,
    )


def _error_claims(scores: CellScores, elec2: Profile | None) -> Iterator[PaperClaim]:
    """Proposition 8: errors are independent if observations are, or under two conditions."""
    shuffled = scores.runs(version_name("Elec2", "shuffled"), "NB")
    yield judge_each(
        "Proposition 8, 1: errors are independent if the observations are.",
        "Naive Bayes on five shuffles of Elec2: the mean lag-1 autocorrelation of its errors is "
        f"within ±{_QUANTILE}/√(5n); the value is a fraction of that.",
        {"naive Bayes": _error_dependence(shuffled)},
        lambda share: abs(share) <= 1,
    )
    yield judge_each(
        "Where observations depend on each other, errors do.",
        "Naive Bayes on Elec2: the lag-1 autocorrelation of its errors is outside "
        f"±{_QUANTILE}/√n; the value is a multiple of that.",
        {"naive Bayes": _error_dependence(scores.runs("Elec2", "NB")[:1])},
        lambda share: abs(share) > 1,
    )
    exact = (
        "A classifier errs at these rates given the class, and otherwise at random, on the labels "
        "of Elec2: the lag-1 autocorrelation of its errors, computed from P(i, j), is within "
        f"±{_QUANTILE}/√n; the value is a fraction of that."
    )
    yield judge_each(
        "Proposition 8, 2: errors are independent if P(error | A) = P(error | B).",
        exact,
        {f"both {_RATE}": _dependence_at(elec2, lambda _: np.full(2, _RATE))},
        lambda share: abs(share) <= 1,
    )
    claim = judge_each(
        "Proposition 8, 3: errors are independent if P(error | A) / P(error | B) = "
        "(P(B | B) − P(B)) / (P(A | A) − P(A)).",
        exact,
        {"ratio as printed": _dependence_at(elec2, _printed_rates)},
        lambda share: abs(share) <= 1,
    )
    why = (
        " The proof has the priors in this ratio, the proposition has lost them; with them, and "
        "P(A, B) = P(B, A), it is condition 2."
    )
    yield claim if claim.word == "holds" else claim._replace(reason=claim.reason + why)


def _error_dependence(runs: Sequence[Run]) -> float:
    """The mean lag-1 autocorrelation of some runs' errors as a fraction of its band."""
    if not runs:
        return math.nan
    return float(np.mean([_autocorrelation(run) for run in runs]) * math.sqrt(len(runs)))


def _autocorrelation(run: Run) -> float:
    """The lag-1 autocorrelation of a run's errors as a fraction of its band."""
    table = run.predictions
    wrong = pc.fill_null(pc.not_equal(table["y"], table["prediction"]), True)
    centred = numbers(wrong.cast(pa.float64()))
    centred = centred - centred.mean()
    lag1 = float((centred[1:] * centred[:-1]).sum() / (centred**2).sum())
    return lag1 * math.sqrt(len(centred)) / _QUANTILE


def _dependence_at(profile: Profile | None, rates_of: Callable[[Profile], Floats]) -> float:
    """The same for a classifier that errs at a rate for each class, whatever it sees."""
    if profile is None:
        return math.nan
    rates, joint = rates_of(profile), profile.joint
    first, second = joint.sum(axis=1) @ rates, joint.sum(axis=0) @ rates
    covariance = float(rates @ joint @ rates - first * second)
    return float(covariance / (second * (1 - second)) * math.sqrt(profile.labelled) / _QUANTILE)


def _printed_rates(profile: Profile) -> Floats:
    """Error rates in the printed ratio, the smaller one `_RATE` unless the other exceeds 1."""
    a, b = profile.stays - profile.prior
    ratio: Floats = np.array([b / a, 1.0])
    rates: Floats = ratio * min(_RATE / ratio.min(), 1 / ratio.max())
    return rates


def _sample_size_claim(sizes: CellScores, profiles: Mapping[str, Profile | None]) -> PaperClaim:
    steps = {}
    for name in profiles:
        if name in DEPENDENT:
            persistent = sizes.mean(name, "Persistent")
            gaps = [persistent - sizes.mean(name, f"Majority {n}") for n in SIZES]
            steps[f"{name}, n = {SIZES[0]}"] = -abs(gaps[0])
            for i in range(1, SIZES.index(SMALL) + 1):
                steps[f"{name}, n = {SIZES[i]}"] = gaps[i] - gaps[i - 1]
    return judge_each(
        "Proposition 9: for small training samples of n rows the accuracy of Majority approaches "
        "that of Persistent.",
        f"At n = 1 the two accuracies are equal, and up to n = {SMALL} the gap grows with every n "
        "of the table; the values are the growth of the gap.",
        steps,
        lambda growth: growth >= 0,
    )


def text(study: PaperStudy, plan: Zliobaite2015Plan) -> PaperSection:
    """What §4.3 to §4.5 and §7 say about kappas and the easy test."""
    scores = ordinary(study, plan)
    originals = list(plan.streams)
    shuffled = [version_name(name, "shuffled") for name in originals]
    dependent = [name for name in originals if name in DEPENDENT]

    def kappas(streams: list[str], learner: str, metric: str = "kappa") -> dict[str, float]:
        return {name: scores.mean(name, learner, metric) for name in streams}

    claims = [
        judge_each(
            "§4.3: the kappa of Majority is 0.",
            f"It is within ±{_SLIGHT} on every stream, original and shuffled.",
            kappas(originals + shuffled, "Majority"),
            lambda kappa: abs(kappa) <= _SLIGHT,
        ),
        judge_each(
            "§4.3: without temporal dependence the kappa of Persistent is 0.",
            f"On every shuffled stream |z| = |κ|/δ0 (Eq. 12) is at most {_QUANTILE}.",
            {name: _z(scores, name, profile_of(study, original)) for name, original in
             zip(shuffled, originals, strict=True)},
            lambda z: abs(z) <= _QUANTILE,
        ),
        judge_each(
            "§4.3: with positive temporal dependence the kappa of Persistent is positive.",
            "It is above 0 on Elec2, Cover and KDD99.",
            kappas(dependent, "Persistent"),
            lambda kappa: kappa > 0,
        ),
        judge_each(
            "§4.4: the kappa-temporal of Majority is negative if Σ P(i, i) > P(M).",
            "It is below 0 on Elec2, Cover and KDD99.",
            kappas(dependent, "Majority", "kappa_temporal"),
            lambda kappa: kappa < 0,
        ),
        judge_each(
            "§4.4: the kappa-temporal of Majority is positive if there is no temporal dependence "
            "and priors are not equal.",
            "It is above 0 on every shuffled stream.",
            kappas(shuffled, "Majority", "kappa_temporal"),
            lambda kappa: kappa > 0,
        ),
        judge_each(
            "§7: without temporal dependence the Combined measure gives the same results as kappa.",
            f"On every shuffled stream κ⁺ − max(0, κ) of each classifier is within ±{_SLIGHT}.",
            {
                f"{learner} on {name}": scores.mean(name, learner, "kappa_plus")
                - max(0.0, scores.mean(name, learner, "kappa"))
                for name in shuffled
                for learner in plan.learners
            },
            lambda gap: abs(gap) <= _SLIGHT,
        ),
        _easy_test(study, plan),
    ]  # fmt: skip
    return PaperSection(claims=claims)


def _z(scores: CellScores, stream: str, profile: Profile | None) -> float:
    """The z of Persistent's kappa (Eq. 12); its p_ran is Σ P(i)²."""
    if profile is None:
        return math.nan
    chance = profile.p_chance
    return scores.mean(stream, "Persistent", "kappa") / math.sqrt(
        chance / (profile.labelled * (1 - chance))
    )


def _easy_test(study: PaperStudy, plan: Zliobaite2015Plan) -> PaperClaim:
    shares = {name: _agreement(study, name) for name in plan.streams if name in STREAMS}
    return judge_each(
        "§7: an easy test for temporal dependence compares Majority with Persistent on about 100 "
        "rows.",
        f"On at least 95 % of the successive pieces of {_SAMPLE} rows, P(T) − P(M) has the sign "
        "that it has over all rows; the values are those fractions.",
        shares,
        lambda share: share >= 0.95,
    )


def _agreement(study: PaperStudy, name: str) -> float:
    entry = STREAMS[name]
    stream, profile = study.load(entry["load"], entry.get("variant")), profile_of(study, name)
    if stream is None or profile is None:
        return math.nan
    labels = labels_of(stream)
    pieces = labels[: len(labels) // _SAMPLE * _SAMPLE].reshape(-1, _SAMPLE)
    repeated = (pieces[:, 1:] == pieces[:, :-1]).mean(axis=1)
    counts = np.stack([(pieces == i).sum(axis=1) for i in range(len(profile.classes))])
    majority = counts.max(axis=0) / _SAMPLE
    sign = math.copysign(1, profile.p_temporal - profile.p_majority)
    return float(((repeated - majority) * sign > 0).mean())
