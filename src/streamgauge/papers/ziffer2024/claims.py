"""What ziffer2024 claims, each in one line: does it hold in our runs?"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from streamgauge._support.types import Floats
from streamgauge.comparison.ranking import Ranking
from streamgauge.papers.ziffer2024 import printed
from streamgauge.papers.ziffer2024.plan import DRIFTS, Profile, synthetic
from streamgauge.papers.ziffer2024.scores import Scores

_ABOUT = 5.0  # points of kappa that count as "about the same"
_CLEAR = 10.0  # points that are clearly more


class Claim(NamedTuple):
    """A claim, whether it holds (None: its learners or streams were not run), and the numbers."""

    words: str
    holds: bool | None
    numbers: str

    def __str__(self) -> str:
        verdict = {True: "holds", False: "does NOT hold", None: "not run"}[self.holds]
        return f"{self.words}: {verdict}" + (f" ({self.numbers})" if self.numbers else "")


def _means(
    scores: Scores, profile: Profile, injected: bool, drifts: Sequence[str] = DRIFTS
) -> dict[str, float]:
    names = (*printed.LEARNERS, printed.NO_CHANGE, "HAT+past", "ARF+past")
    streams = [synthetic(*key) for key in profile.keys(injected, drifts)]
    return dict(zip(names, scores.table(streams, names).mean(axis=0).tolist(), strict=True))


def _claim(words: str, values: dict[str, float], holds: bool) -> Claim:
    """NaN anywhere: not run."""
    if any(np.isnan(value) for value in values.values()):
        return Claim(words, None, "")
    numbers = ", ".join(f"{name} {value:.1f}" for name, value in values.items())
    return Claim(words, bool(holds), numbers)


def claims_of_table_ii(scores: Scores, profile: Profile) -> list[Claim]:
    """On the means over the original and the injected streams."""
    new, old = _means(scores, profile, True), _means(scores, profile, False)
    still = new[printed.NO_CHANGE]
    streams = [synthetic(*key) for key in profile.keys(True)]
    middle = float(np.median(scores.table(streams, [printed.NO_CHANGE])))

    def of(means: dict[str, float], *names: str) -> dict[str, float]:
        return {name: means[name] for name in names}

    swt = of(new, "SWT HAT", "SWT ARF")
    leaders = sorted(of(old, *printed.LEARNERS).items(), key=lambda item: -item[1])[:2]
    fast, slow = (_means(scores, profile, False, [drift]) for drift in DRIFTS)
    return [
        _claim(
            "Injected: No-Change scores about 48 on most streams",
            {"median": middle, "mean": still},
            abs(middle - 48.14) < _ABOUT,
        ),
        _claim(
            "Injected: plain HAT and ARF fall below No-Change",
            of(new, "HAT", "ARF", "No-Change"),
            max(new["HAT"], new["ARF"]) < still,
        ),
        _claim(
            "Injected: with past labels HAT and ARF come up to No-Change and not beyond",
            {**swt, **of(new, "No-Change")},
            all(still - _ABOUT <= value <= still + _ABOUT for value in swt.values())
            and swt["SWT HAT"] > new["HAT"]
            and swt["SWT ARF"] > new["ARF"],
        ),
        _claim(
            "Injected: cLSTM is clearly above all of them (printed: 67)",
            of(new, "cLSTM", "SWT HAT", "SWT ARF", "No-Change"),
            new["cLSTM"] > max(*swt.values(), new["HAT"], new["ARF"], still) + _CLEAR,
        ),
        _claim(
            "Originals: ARF and cLSTM lead (printed: 84)",
            of(old, *printed.LEARNERS),
            {name for name, _ in leaders} == {"ARF", "cLSTM"},
        ),
        _claim(
            "Originals: gradual drifts are harder than abrupt ones",
            {
                f"{name} {m}": means[name]
                for name in ("HAT", "ARF", "cLSTM")
                for m, means in (("A", fast), ("G", slow))
            },
            all(slow[name] < fast[name] for name in printed.LEARNERS),
        ),
        _claim(
            "Ours: past features too bring HAT or ARF to cLSTM on injected streams",
            of(new, "HAT+past", "ARF+past", "cLSTM"),
            max(new["HAT+past"], new["ARF+past"]) > new["cLSTM"] - _ABOUT,
        ),
    ]


def claims_of_table_iii(scores: Scores, streams: Sequence[str]) -> list[Claim]:
    """Cycles: Transition, which the paper has not, explains what P(T) = 0 hides."""
    found = []
    for name in ("PowerSupply", "Rialto"):
        values = {each: scores.kappa(name, each) for each in ("Transition", "No-Change")}
        words = f"Ours: on {name} the last label alone says nearly everything"
        if name in streams:
            found.append(_claim(words, values, values["Transition"] > 95 > values["No-Change"]))
    return found


def claims_of_ranks(synthetic_ranks: Ranking | None, real_ranks: Ranking | None) -> list[Claim]:
    """Fig. 5: Nemenyi's test."""
    found = []
    if synthetic_ranks is not None:
        ranks = synthetic_ranks.average_ranks
        clear = all(
            rank - ranks["cLSTM"] > synthetic_ranks.critical_difference
            for name, rank in ranks.items()
            if name != "cLSTM"
        )
        numbers = _ranks(synthetic_ranks)
        found.append(
            Claim("Synthetic: cLSTM ranks clearly before all others (Nemenyi)", clear, numbers)
        )
        rest = [rank for name, rank in ranks.items() if name != "cLSTM"]
        alike = max(rest) - min(rest) <= synthetic_ranks.critical_difference
        found.append(Claim("Synthetic: the others are not told apart (Nemenyi)", alike, numbers))
    if real_ranks is not None:
        first = next(iter(real_ranks.average_ranks)) == "cLSTM"
        found.append(Claim("Real: cLSTM ranks first", first, _ranks(real_ranks)))
        spread = [*real_ranks.average_ranks.values()]
        alike = spread[-1] - spread[0] <= real_ranks.critical_difference
        found.append(Claim("Real: nobody is told apart (Nemenyi)", alike, ""))
    return found


def claims_of_fig_3(orders: Sequence[int], curves: dict[tuple[str, bool], Floats]) -> list[Claim]:
    """`curves`: mean kappa by order, of (learner, injected)."""
    found: list[Claim] = []
    places = {order: place for place, order in enumerate(orders)}
    if not {0, 2, max(orders)} <= places.keys():
        return []
    first, second, last = (places[order] for order in (0, 2, max(orders)))
    for name in dict.fromkeys(name for name, _ in curves):
        new, old = curves[name, True], curves[name, False]
        later = new[second:]
        found.append(
            _claim(
                f"Fig. 3, {name}, injected: past labels help up to order 2, hardly beyond",
                {"order 0": new[first], "order 2": new[second], f"order {max(orders)}": new[last]},
                new[second] > new[first] + 1 and later.max() - new[second] < _ABOUT,
            )
        )
        found.append(
            _claim(
                f"Fig. 3, {name}, originals: many past labels make it worse",
                {"order 0": old[first], f"order {max(orders)}": old[last]},
                old[last] < old[first],
            )
        )
    return found


def _ranks(ranking: Ranking) -> str:
    listed = ", ".join(f"{name} {rank:.2f}" for name, rank in ranking.average_ranks.items())
    return f"{listed}; critical difference {ranking.critical_difference:.2f}"
