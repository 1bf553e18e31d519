"""The claims of grzenda2019 about classification, each with its own criterion.

A gain counts if it is more than half the width of a 95 % band, which is stated with the data set.
"""

from __future__ import annotations

import math
from collections.abc import Mapping

import numpy as np

from streamgauge.papers.claim import PaperClaim, judge
from streamgauge.papers.grzenda2019.plan import DATA, FINAL, FIRST, LATE, LEARNERS, SHOWN_BINS
from streamgauge.papers.grzenda2019.scores import BinScores, at, best_by_bin
from streamgauge.papers.grzenda2019.tables import CLOSE, Agreement, printed_value
from streamgauge.runs.run import Run

BY_OURS = ("NB", "NC", "MC", "kNN", "HT")  # no random numbers, and parameters that are known
ByLearner = Mapping[str, BinScores]


def table1_claims(scores: Mapping[str, ByLearner], found: Agreement) -> list[PaperClaim]:
    """What the paper concludes from all data sets."""
    expected = [(data, name) for data in DATA if data != "Hyperplane" for name in BY_OURS]
    lacking = [f"{name} on {data}" for data, name in expected if (data, name) not in found]
    worst = found.worst(BY_OURS)
    reason = f"Not run: {', '.join(lacking)}." if lacking else f"Largest difference: {worst:.2f}."
    rising, pairs, falling = _final_is_highest(scores)
    theirs = sum(_printed_final_is_lower(data, name) for data in DATA for name in LEARNERS)
    near = [data for data in DATA if data != "Electricity"]
    late = {data: _gain(scores[data], "kNN", FIRST, LATE) for data in DATA}
    single = {data: len({*best_by_bin(scores[data])}) if scores[data] else math.nan
              for data in ("Airlines", "Electricity", "Cover type")}  # fmt: skip
    return [
        judge(
            "Table 1 is what the authors' program gives for NB, NC, MC, kNN and HT.",
            f"Each of their 75 values without Hyperplane is within {CLOSE} points of ours.",
            None if lacking else worst < CLOSE + 1e-9,
            reason,
        ),
        judge(
            "The final prediction depicts optimistic results, for each learner in all experiments.",
            "No learner on any data set has a higher accuracy at b = 0 or 45 than at b = 51.",
            None if lacking and not falling else not falling,
            f"It is highest in {rising} of {pairs} pairs; not for {', '.join(falling) or 'none'}. "
            f"In the printed table it is not highest in {theirs} of {len(DATA) * len(LEARNERS)}.",
        ),
        judge(
            "kNN is typically more accurate at b = 45 than at b = 0, but less so on Electricity.",
            "Its gain from b = 0 to 45 is below 0 on Electricity and above 0 on all others.",
            late["Electricity"] < 0 and all(late[data] > 0 for data in near),
            late,
        ),
        judge(
            "On Airlines, Electricity and Cover type no single model is best in all bins.",
            "On each of them at least two learners are the best one of some bin.",
            min(single.values()) > 1,
            {f"best ones on {data}": float(count) for data, count in single.items()},
        ),
    ]


def _gain(scores: ByLearner, learner: str, first: int, last: int) -> float:
    return at(scores, learner, last) - at(scores, learner, first)


def _final_is_highest(scores: Mapping[str, ByLearner]) -> tuple[int, int, list[str]]:
    """Pairs of learner and data set whose final prediction is best, all pairs, and the others."""
    pairs = [(data, name) for data, found in scores.items() for name in found if name in LEARNERS]
    falling = [
        f"{name} on {data}"
        for data, name in pairs
        if max(at(scores[data], name, b) for b in (FIRST, LATE)) > at(scores[data], name, FINAL)
    ]
    return len(pairs) - len(falling), len(pairs), falling


def _printed_final_is_lower(data: str, name: str) -> bool:
    first, late, final = (printed_value("table1", data, b, name) for b in SHOWN_BINS)
    return max(first, late) > final


def hyperplane_claims(scores: ByLearner) -> list[PaperClaim]:
    """Figure 3, on a generated stand-in."""
    gains = {name: _gain(scores, name, FIRST, FINAL) for name in LEARNERS}
    still = max(abs(gains["NC"]), abs(gains["MC"]))
    growing = ("NB", "HT", "HAT", "kNN", "ARF")
    first = {name: at(scores, name, FIRST) for name in LEARNERS}
    ahead = ("NB", "HT", "HAT", "ARF")
    return [
        judge(
            "NB, HT, HAT and ARF give the most accurate first predictions.",
            "Mean of ten generated streams: each of the four is above kNN, NC and MC at b = 0.",
            min(first[name] for name in ahead) > max(first[n] for n in first if n not in ahead),
            first,
        ),
        judge(
            "The accuracy of NB, HT, HAT, kNN and ARF grows during the wait; NC and MC are stable.",
            "Mean of ten generated streams: each of the five gains more than NC and MC move.",
            min(gains[name] for name in growing) > still,
            gains,
        ),
    ]


def airlines_claims(scores: ByLearner) -> list[PaperClaim]:
    """Figure 4."""
    final = {name: at(scores, name, FINAL) for name in LEARNERS}
    third = max((final[name] for name in ("HT", "HAT", "NC", "MC")), default=math.nan)
    gains = {name: _gain(scores, name, FIRST, FINAL) for name in ("NB", "kNN", "ARF", "MC")}
    half = scores["MC"].half_width if "MC" in scores else math.nan
    similar = [scores[name].band[FIRST] for name in ("kNN", "HT", "HAT") if name in scores]
    overlap = min((b[1] for b in similar), default=math.nan) > max(
        (b[0] for b in similar), default=math.nan
    )
    return [
        judge(
            "kNN is best at b = 51, followed by NB and ARF.",
            "kNN is above NB and ARF, and both are above all others.",
            final["kNN"] > max(final["NB"], final["ARF"])
            and min(final["NB"], final["ARF"]) > third,
            final,
        ),
        judge(
            "kNN, HT and HAT have similar accuracies at b = 0.",
            "Their 95 % bands share a point.",
            bool(overlap),
            {name: at(scores, name, FIRST) for name in ("kNN", "HT", "HAT")},
        ),
        judge(
            "NB, kNN and ARF clearly benefit from the newest labels, MC does not.",
            f"From b = 0 to 51 each of the three gains more than {half:.2f} points, half the width "
            "of a 95 % band, and MC less.",
            min(gains[name] for name in ("NB", "kNN", "ARF")) > half > abs(gains["MC"]),
            gains,
        ),
        not_linear("Airlines", scores),
    ]


def not_linear(data: str, scores: ByLearner) -> PaperClaim:
    """Whether some learner's accuracy departs from a line between its first and final one."""
    found = {}
    for name, each in scores.items():
        if name in LEARNERS:
            line = np.linspace(each.mean[0], each.mean[-1], len(each.mean))
            found[name] = float(np.abs(each.mean - line).max())
    half = next(iter(scores.values())).half_width if scores else math.nan
    return judge(
        f"No linear trend of the accuracy during the wait can be assumed on {data}.",
        f"Some learner is more than {half:.2f} points, half the width of a 95 % band, off the "
        "straight line from b = 0 to 51 in some bin.",
        max(found.values(), default=math.nan) > half,
        found or {data: math.nan},
    )


def electricity_claims(scores: ByLearner) -> list[PaperClaim]:
    """Figure 5."""
    first, final = ({name: at(scores, name, b) for name in LEARNERS} for b in (FIRST, FINAL))
    below = math.nan
    if {"kNN", "HAT"} <= {*scores}:
        below = float((scores["kNN"].mean < scores["HAT"].mean)[1:-1].sum())
    return [
        judge(
            "NC is best at b = 51.", "It has the highest accuracy.",
            final["NC"] == max(final.values()), final,
        ),
        judge(
            "kNN is best at b = 0.", "It has the highest accuracy.",
            first["kNN"] == max(first.values()), first,
        ),
        judge(
            "kNN is below HAT in some bins.",
            "kNN's accuracy is lower than HAT's in at least one of bins 1 to 50.",
            below > 0,
            {"bins where kNN is below": below},
        ),
        not_linear("Electricity", scores),
    ]  # fmt: skip


def best_when_final(data: str, scores: ByLearner, bins: tuple[int, ...]) -> PaperClaim:
    """Figure 6: kNN and HAT are at their best just before the label comes."""
    values = {f"{name} b={b}": at(scores, name, b) for name in ("kNN", "HAT") for b in bins}
    highest = [
        at(scores, name, FINAL) == max(at(scores, name, b) for b in bins) for name in ("kNN", "HAT")
    ]
    return judge(
        f"On {data} both kNN and HAT are at their best at b = 51.",
        f"Of bins {', '.join(map(str, bins))}, b = 51 has the highest accuracy for both.",
        all(highest),
        values,
    )


def cover_claims(scores: ByLearner) -> list[PaperClaim]:
    """Figure 7."""
    first, final = ({name: at(scores, name, b) for name in LEARNERS} for b in (FIRST, FINAL))
    overtakes = {name: _overtakes(scores, name, "NB") for name in ("HAT", "ARF")}
    last_two = sorted(final, key=lambda name: final[name])[-2:]
    return [
        judge(
            "NB is best at b = 0.", "It has the highest accuracy.",
            first["NB"] == max(first.values()), first,
        ),
        judge(
            "HAT and ARF overtake NB only close to bin 40.",
            "The first bin in which either is above NB lies between 35 and 45.",
            35 <= min(overtakes.values()) <= 45,
            {f"{name} first above NB in bin": b for name, b in overtakes.items()},
        ),
        judge(
            "ARF and kNN rise with the bin and obtain good results only at b = 51.",
            "At b = 51 they are the two best; at b = 0 both are below NB.",
            {*last_two} == {"ARF", "kNN"} and max(first["ARF"], first["kNN"]) < first["NB"],
            {f"{name} b={b}": at(scores, name, b) for b in (FIRST, FINAL) for name in LEARNERS},
        ),
    ]  # fmt: skip


def _overtakes(scores: ByLearner, name: str, other: str) -> float:
    if not {name, other} <= {*scores}:
        return math.nan
    above = np.flatnonzero(scores[name].mean > scores[other].mean)
    return float(above[0]) if len(above) else math.inf


def led_claims(scores: ByLearner) -> list[PaperClaim]:
    """Figure 8."""
    models = ("NB", "kNN", "HT", "HAT", "ARF")
    gains = {
        f"{name} {a} to {b}": _gain(scores, name, a, b)
        for name in models
        for a, b in ((FIRST, LATE), (LATE, FINAL))
    }
    return [
        judge(
            "Every model but NC and MC becomes more accurate towards b = 51.",
            "NB, kNN, HT, HAT and ARF gain from b = 0 to 45 and from 45 to 51.",
            min(gains.values()) > 0,
            gains,
        )
    ]


def agrawal_claims(scores: ByLearner) -> list[PaperClaim]:
    """Figure 9."""
    best = max((each.band[FIRST, 1] for each in scores.values()), default=math.nan)
    lows = {
        f"low end of {name}": float(scores[name].band[LATE, 0]) if name in scores else math.nan
        for name in ("HT", "HAT")
    }
    return [
        judge(
            "HT and HAT at b = 45 are significantly more accurate than the best first predictions.",
            "The 95 % bands of both at b = 45 lie above every learner's band at b = 0.",
            min(lows.values()) > best,
            lows | {"highest band at b = 0": float(best)},
        )
    ]


def agrawal_along_claims(scores: ByLearner, runs: Mapping[str, Run]) -> list[PaperClaim]:
    """Figure 10."""
    hat = {f"HAT b={b}": at(scores, "HAT", b) for b in (25, 45, 51)}
    knn = {f"kNN b={b}": at(scores, "kNN", b) for b in (0, 25, 45, 51)}
    early = max([hat["HAT b=25"], at(scores, "HAT", 0), *knn.values()])
    falls = math.nan
    if "HAT" in runs:
        curve = runs["HAT"].bins.curve(LATE)
        score = 100 * curve["accuracy", "Cumulative()"]
        after = curve.rows > 2000
        falls = float(score[after].max() - score[~after][-1])
    return [
        judge(
            "HAT at b = 45 and 51 is better than HAT in earlier bins and than kNN in all.",
            "Both values are above HAT at b = 0 and 25 and above kNN at b = 0, 25, 45 and 51.",
            min(hat["HAT b=45"], hat["HAT b=51"]) > early,
            hat | knn,
        ),
        judge(
            "After the first drift, around row 2,000, HAT only decreases in accuracy.",
            "After 2,000 labels its accuracy so far in bin 45 is never above that at 2,000.",
            falls <= 0,
            {"highest afterwards minus that at 2,000 labels": falls},
        ),
    ]
