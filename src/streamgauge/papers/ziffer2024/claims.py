"""The claims of ziffer2024, and whether they hold in our runs."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from streamgauge._support.types import Floats
from streamgauge.comparison.ranking import Ranking
from streamgauge.papers.ziffer2024 import printed
from streamgauge.papers.ziffer2024.plan import DRIFTS, Profile, synthetic
from streamgauge.papers.ziffer2024.scores import Scores

_ABOUT = 5.0  # points of kappa within which scores count as equal
_CLEAR = 10.0  # points of kappa that count as a clear lead


class Claim(NamedTuple):
    """A claim, whether it holds (None: its learners or streams were not run), and the evidence."""

    statement: str
    holds: bool | None
    evidence: str

    def __str__(self) -> str:
        verdict = {True: "holds", False: "does NOT hold", None: "not run"}[self.holds]
        return f"{self.statement}: {verdict}" + (f" ({self.evidence})" if self.evidence else "")


def _means(
    scores: Scores, profile: Profile, injected: bool, drifts: Sequence[str] = DRIFTS
) -> dict[str, float]:
    names = (*printed.LEARNERS, printed.NO_CHANGE, "HAT+past", "ARF+past")
    streams = [synthetic(*key) for key in profile.keys(injected, drifts)]
    return dict(zip(names, scores.table(streams, names).mean(axis=0).tolist(), strict=True))


def _claim(statement: str, values: dict[str, float], holds: bool) -> Claim:
    """Make a claim from its values; a NaN among them means that something was not run."""
    if any(np.isnan(value) for value in values.values()):
        return Claim(statement, None, "")
    evidence = ", ".join(f"{name} {value:.1f}" for name, value in values.items())
    return Claim(statement, bool(holds), evidence)


def claims_of_table_ii(scores: Scores, profile: Profile) -> list[Claim]:
    """Claims about the means over the original and the injected streams."""
    injected, original = _means(scores, profile, True), _means(scores, profile, False)
    no_change = injected[printed.NO_CHANGE]
    streams = [synthetic(*key) for key in profile.keys(True)]
    median = float(np.median(scores.table(streams, [printed.NO_CHANGE])))

    def pick(means: dict[str, float], *names: str) -> dict[str, float]:
        return {name: means[name] for name in names}

    swt = pick(injected, "SWT HAT", "SWT ARF")
    leaders = sorted(pick(original, *printed.LEARNERS).items(), key=lambda item: -item[1])[:2]
    abrupt, gradual = (_means(scores, profile, False, [drift]) for drift in DRIFTS)
    return [
        _claim(
            "Injected: No-Change scores about 48 on most streams",
            {"median": median, "mean": no_change},
            abs(median - 48.14) < _ABOUT,
        ),
        _claim(
            "Injected: plain HAT and ARF fall below No-Change",
            pick(injected, "HAT", "ARF", "No-Change"),
            max(injected["HAT"], injected["ARF"]) < no_change,
        ),
        _claim(
            "Injected: with past labels HAT and ARF reach No-Change but do not exceed it",
            {**swt, **pick(injected, "No-Change")},
            all(no_change - _ABOUT <= value <= no_change + _ABOUT for value in swt.values())
            and swt["SWT HAT"] > injected["HAT"]
            and swt["SWT ARF"] > injected["ARF"],
        ),
        _claim(
            "Injected: cLSTM is clearly better than all of them (printed: 67)",
            pick(injected, "cLSTM", "SWT HAT", "SWT ARF", "No-Change"),
            injected["cLSTM"]
            > max(*swt.values(), injected["HAT"], injected["ARF"], no_change) + _CLEAR,
        ),
        _claim(
            "Originals: ARF and cLSTM lead (printed: 84)",
            pick(original, *printed.LEARNERS),
            {name for name, _ in leaders} == {"ARF", "cLSTM"},
        ),
        _claim(
            "Originals: gradual drifts are harder than abrupt ones",
            {
                f"{name} {m}": means[name]
                for name in ("HAT", "ARF", "cLSTM")
                for m, means in (("A", abrupt), ("G", gradual))
            },
            all(gradual[name] < abrupt[name] for name in printed.LEARNERS),
        ),
        _claim(
            "Ours: with past features too, HAT or ARF reaches cLSTM on injected streams",
            pick(injected, "HAT+past", "ARF+past", "cLSTM"),
            max(injected["HAT+past"], injected["ARF+past"]) > injected["cLSTM"] - _ABOUT,
        ),
    ]


def claims_of_table_iii(scores: Scores, streams: Sequence[str]) -> list[Claim]:
    """Claims about cyclic labels: P(T) = 0 hides what Transition, not in the paper, predicts."""
    found = []
    for name in ("PowerSupply", "Rialto"):
        values = {each: scores.kappa(name, each) for each in ("Transition", "No-Change")}
        statement = f"Ours: on {name} the last label alone predicts nearly every label"
        if name in streams:
            found.append(_claim(statement, values, values["Transition"] > 95 > values["No-Change"]))
    return found


def claims_of_ranks(synthetic_ranks: Ranking | None, real_ranks: Ranking | None) -> list[Claim]:
    """Claims about Figure 5: Nemenyi's test."""
    found = []
    if synthetic_ranks is not None:
        ranks = synthetic_ranks.average_ranks
        clear = all(
            rank - ranks["cLSTM"] > synthetic_ranks.critical_difference
            for name, rank in ranks.items()
            if name != "cLSTM"
        )
        evidence = _ranks(synthetic_ranks)
        found.append(
            Claim("Synthetic: cLSTM is clearly ahead of all others (Nemenyi)", clear, evidence)
        )
        rest = [rank for name, rank in ranks.items() if name != "cLSTM"]
        alike = max(rest) - min(rest) <= synthetic_ranks.critical_difference
        statement = "Synthetic: no significant difference between the others (Nemenyi)"
        found.append(Claim(statement, alike, evidence))
    if real_ranks is not None:
        first = next(iter(real_ranks.average_ranks)) == "cLSTM"
        found.append(Claim("Real: cLSTM ranks first", first, _ranks(real_ranks)))
        spread = [*real_ranks.average_ranks.values()]
        alike = spread[-1] - spread[0] <= real_ranks.critical_difference
        statement = "Real: no significant difference between any two (Nemenyi)"
        found.append(Claim(statement, alike, ""))
    return found


def claims_of_fig_3(orders: Sequence[int], curves: dict[tuple[str, bool], Floats]) -> list[Claim]:
    """Claims about Figure 3; `curves` holds mean kappa by order for (learner, injected)."""
    found: list[Claim] = []
    indices = {order: index for index, order in enumerate(orders)}
    if not {0, 2, max(orders)} <= indices.keys():
        return []
    first, second, last = (indices[order] for order in (0, 2, max(orders)))
    for name in dict.fromkeys(name for name, _ in curves):
        injected, original = curves[name, True], curves[name, False]
        later = injected[second:]
        found.append(
            _claim(
                f"Fig. 3, {name}, injected: past labels help up to order 2 but hardly beyond",
                {
                    "order 0": injected[first],
                    "order 2": injected[second],
                    f"order {max(orders)}": injected[last],
                },
                injected[second] > injected[first] + 1 and later.max() - injected[second] < _ABOUT,
            )
        )
        found.append(
            _claim(
                f"Fig. 3, {name}, originals: many past labels make it worse",
                {"order 0": original[first], f"order {max(orders)}": original[last]},
                original[last] < original[first],
            )
        )
    return found


def _ranks(ranking: Ranking) -> str:
    listed = ", ".join(f"{name} {rank:.2f}" for name, rank in ranking.average_ranks.items())
    return f"{listed}; critical difference {ranking.critical_difference:.2f}"
