"""The claims of ziffer2024 about its figures."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

from streamgauge.papers.claim import PaperClaim, judge
from streamgauge.papers.ziffer2024.scores import SeedOutcomes
from streamgauge.ranking.ranking import Ranking

if TYPE_CHECKING:
    from streamgauge.papers.ziffer2024.figures import Orders, Sweeps


def claims_of_figure1(shares: Mapping[tuple[int, int], Sequence[float]]) -> list[PaperClaim]:
    """Claims about the concepts of Sine1; `shares` of class 1 above and below, by panel."""
    sides = {key: above > below for key, (above, below) in shares.items()}
    turns = [
        sides[c, label] != sides[c + 1, label] for c, label in sides if (c + 1, label) in sides
    ]
    apart = {
        f"concept {c + 1}": abs(shares[c, 1][0] - shares[c, 0][0]) for c, label in shares if label
    }
    return [
        judge(
            "Figure 1: each drift inverts the classes of the concept before, whatever the label "
            "before.",
            "Class 1 is more frequent above the curve in one concept and below it in the next, for "
            "both labels.",
            all(turns),
            f"So at {sum(turns)} of {len(turns)} drifts.",
        ),
        judge(
            "Figure 1: depending on the label before there are two different problems.",
            "In every concept the share of class 1 above the curve differs between the two labels "
            "by more than 0.1.",
            min(apart.values()) > 0.1,
            apart,
        ),
    ]


def claims_of_figure3(sweeps: Sweeps) -> list[PaperClaim]:
    """Claims about the number of past labels."""
    found: list[PaperClaim] = []
    for (name, injected), orders in sweeps.items():
        if {0, 2, 4} <= {*orders.orders}:
            make = _claims_of_injected_orders if injected else _claims_of_original_orders
            found += make(name, orders)
    return found


def _claims_of_injected_orders(name: str, found: Orders) -> list[PaperClaim]:
    first, half = found.gain(0, 2)
    second, _ = found.gain(2, 4)
    widths = found.half_widths
    return [
        judge(
            f"Figure 3, {name}: with injection, two past labels improve it significantly.",
            "The 95 % interval of the mean gain from 0 to 2 labels is above 0.",
            first - half > 0,
            {"gain": first, "half the interval": half},
        ),
        judge(
            f"Figure 3, {name}: with injection, the gain ends with two past labels.",
            "From 2 to 4 labels the mean kappa rises by less than 1 point.",
            second < 1,
            {"gain from 0 to 2": first, "gain from 2 to 4": second},
        ),
        judge(
            f"Figure 3, {name}: the confidence interval widens with the order.",
            "Half the 95 % interval is wider with most past labels than with 2.",
            widths[-1] > widths[found.orders.index(2)],
            {f"half width at {found.orders[i]}": widths[i] for i in range(len(widths))},
        ),
    ]


def _claims_of_original_orders(name: str, found: Orders) -> list[PaperClaim]:
    gains = {order: found.gain(0, order) for order in found.orders[1:]}
    most = found.orders[-1]
    loss, half = gains[most]
    return [
        judge(
            f"Figure 3, {name}: without injection, past labels improve it negligibly.",
            "No number of labels raises the mean kappa by more than 1 point.",
            max(gain for gain, _ in gains.values()) <= 1,
            {f"gain from 0 to {order}": gain for order, (gain, _) in gains.items()},
        ),
        judge(
            f"Figure 3, {name}: without injection, many past labels degrade it significantly.",
            f"The 95 % interval of the mean change from 0 to {most} labels is below 0.",
            loss + half < 0,
            {"change": loss, "half the interval": half},
        ),
    ]


def claims_of_figure4(scores: SeedOutcomes, stream: str) -> list[PaperClaim]:
    """Claims about STAGGER with abrupt drifts, injected."""
    swt = ("SWT HAT", "SWT ARF")
    kappa = {name: scores.mean(stream, name) for name in ("cLSTM", *swt)}
    temporal = {name: scores.mean(stream, name, "kappa_temporal") for name in ("cLSTM", *swt)}
    return [
        judge(
            "Figure 4: cLSTM is ahead of the SWT learners in kappa and in kappa-temporal.",
            "Over the whole stream, its kappa and its kappa-temporal are more than 10 points above "
            "those of both SWT learners.",
            all(each["cLSTM"] - max(each[name] for name in swt) > 10 for each in (kappa, temporal)),
            {f"{name}, kappa": value for name, value in kappa.items()}
            | {f"{name}, kappa-temporal": value for name, value in temporal.items()},
        ),
        judge(
            "Figure 4: the SWT learners have an almost null kappa-temporal.",
            "Over the whole stream it lies between -10 and 10.",
            all(abs(temporal[name]) <= 10 for name in swt),
            {name: temporal[name] for name in swt},
        ),
    ]


def claims_of_synthetic_ranks(ranking: Ranking | None) -> list[PaperClaim]:
    """Claims about Figure 5a."""
    ranks = ranking.average_ranks if ranking else {}
    others = [rank for name, rank in ranks.items() if name != "cLSTM"]
    apart = ranking.critical_difference if ranking else 0.0
    return [
        judge(
            "On the synthetic streams cLSTM is statistically superior to all others.",
            "Its average rank is ahead of every other by more than Nemenyi's critical difference.",
            min(others) - ranks["cLSTM"] > apart if ranking else None,
            _ranks(ranking),
        ),
        judge(
            "On the synthetic streams the other learners do not differ significantly.",
            "Their average ranks are within the critical difference.",
            max(others) - min(others) <= apart if ranking else None,
            _ranks(ranking),
        ),
    ]


def claims_of_real_ranks(ranking: Ranking | None) -> list[PaperClaim]:
    """Claims about Figure 5b."""
    ranks = ranking.average_ranks if ranking else {}
    order = list(ranks)
    return [
        judge(
            "On the real streams cLSTM ranks first.",
            "Its average rank is the lowest of the five.",
            order[0] == "cLSTM" if ranking else None,
            _ranks(ranking),
        ),
        judge(
            "On the real streams the test separates no learners.",
            "All average ranks are within the critical difference.",
            max(ranks.values()) - min(ranks.values()) <= ranking.critical_difference
            if ranking
            else None,
            _ranks(ranking),
        ),
        judge(
            "On the real streams the order is by model, ARF before HAT, and not by augmentation.",
            "ARF and SWT ARF have lower average ranks than HAT and SWT HAT.",
            max(ranks["ARF"], ranks["SWT ARF"]) < min(ranks["HAT"], ranks["SWT HAT"])
            if ranking
            else None,
            _ranks(ranking),
        ),
    ]


def _ranks(ranking: Ranking | None) -> str:
    if ranking is None:
        return "Not all of the five learners were run on two streams or more."
    listed = ", ".join(f"{name} {rank:.2f}" for name, rank in ranking.average_ranks.items())
    return f"{listed}; critical difference {ranking.critical_difference:.2f}."
