"""What bifet2013 says of its figures, and when we say that it holds."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from streamgauge.papers._curves import positive_share
from streamgauge.papers.bifet2013.plan import (
    COVER,
    NO_CHANGE,
    Bifet2013Plan,
    judge_variants,
    swept,
    swt,
)
from streamgauge.papers.claim import PaperClaim, judge_each
from streamgauge.papers.scores import CellScores

_MODERATE = 0.4  # on Landis and Koch's scale of kappa
_PLUS = "kappa_temporal"  # the κ⁺ of this paper


def _gaps(scores: CellScores, stream: str, pairs: Iterable[tuple[str, str]]) -> dict[str, float]:
    """How many points of accuracy the first of each pair is above the second."""
    return {
        f"{a} over {b}": 100 * (scores.mean(stream, a) - scores.mean(stream, b)) for a, b in pairs
    }


def _plus(scores: CellScores, stream: str, names: Iterable[str]) -> dict[str, float]:
    return {name: scores.mean(stream, name, _PLUS) for name in names}


def figure2(scores: CellScores, streams: Sequence[str]) -> list[PaperClaim]:
    """Good beside the majority class, worse than No-Change."""
    return [
        judge_variants(
            "NB and VFDT seem to perform very well compared to the majority class.",
            "Each is at least 5 points above Majority over 1000 rows.",
            {s: _gaps(scores, s, [("NB", "Majority"), ("VFDT", "Majority")]) for s in streams},
            lambda gap: gap >= 5,
        ),
        judge_variants(
            "Kappa is good enough, at least for the decision tree.",
            f"κ of VFDT is at least {_MODERATE}, moderate on Landis and Koch's scale.",
            {s: {"VFDT": scores.mean(s, "VFDT", "kappa")} for s in streams},
            lambda kappa: kappa >= _MODERATE,
        ),
        judge_variants(
            "No-Change performs much better.",
            "It is at least 5 points above both.",
            {s: _gaps(scores, s, [(NO_CHANGE, "NB"), (NO_CHANGE, "VFDT")]) for s in streams},
            lambda gap: gap >= 5,
        ),
    ]


def figure3(scores: CellScores) -> list[PaperClaim]:
    """On Cover κ⁺ of NB and VFDT is negative."""
    return [
        judge_each(
            "On Cover κ⁺ of No-Change is zero.",
            "|κ⁺| over all rows is at most 0.001.",
            _plus(scores, COVER, [NO_CHANGE]),
            lambda kappa: abs(kappa) <= 0.001,
        ),
        judge_each(
            "On Cover κ⁺ of naive Bayes and VFDT is negative.",
            "κ⁺ over all rows is below 0.",
            _plus(scores, COVER, ["NB", "VFDT"]),
            lambda kappa: kappa < 0,
        ),
    ]


def figure4(scores: CellScores) -> list[PaperClaim]:
    """HAT and LB are better, and still worse than No-Change."""
    pairs = [(a, b) for a in ("HAT", "LB") for b in ("NB", "VFDT")]
    return [
        judge_each(
            "On Cover HAT and leveraging bagging improve over the previous classifiers.",
            "Each is more than 0 points above NB and VFDT.",
            _gaps(scores, COVER, pairs),
            lambda gap: gap > 0,
        ),
        judge_each(
            "Their κ⁺ is still negative.",
            "κ⁺ over all rows is below 0.",
            _plus(scores, COVER, ["HAT", "LB"]),
            lambda kappa: kappa < 0,
        ),
    ]


def figure5(scores: CellScores, streams: Sequence[str]) -> list[PaperClaim]:
    """On Electricity κ⁺ is positive for a long time, but not always."""
    shares = {
        stream: {name: positive_share(scores.run(stream, name), _PLUS) for name in ("HAT", "LB")}
        for stream in streams
    }
    return [
        judge_variants(
            "On Electricity κ⁺ of HAT and leveraging bagging is positive for a long period.",
            "It is above 0 at more than half of the points along the stream.",
            shares,
            lambda share: share > 0.5,
        ),
        judge_variants(
            "It still contains some negative results.",
            "It is not above 0 at some point.",
            shares,
            lambda share: share < 1,
        ),
    ]


def figure6(scores: CellScores, streams: Sequence[str], plan: Bifet2013Plan) -> list[PaperClaim]:
    """Wrapped classifiers beat No-Change on Electricity."""
    wrapped = {name: swt(name) for name in plan.learners}
    return [
        judge_variants(
            "On Electricity κ⁺ of the SWT classifiers is positive: they outperform No-Change.",
            "κ⁺ over all rows is above 0 with every base.",
            {stream: _plus(scores, stream, wrapped.values()) for stream in streams},
            lambda kappa: kappa > 0,
        ),
        judge_variants(
            "SWT improves substantially over the classifiers without temporal information.",
            "Every base gains at least 2 points of accuracy.",
            {s: _gaps(scores, s, [(b, a) for a, b in wrapped.items()]) for s in streams},
            lambda gain: gain >= 2,
        ),
    ]


def figure7(scores: CellScores, plan: Bifet2013Plan) -> list[PaperClaim]:
    """Wrapped classifiers beat No-Change on Cover."""
    wrapped = {name: swt(name) for name in plan.learners}
    return [
        judge_each(
            "On Cover κ⁺ of the SWT classifiers is positive: they outperform No-Change.",
            "κ⁺ over all rows is above 0 with every base.",
            _plus(scores, COVER, wrapped.values()),
            lambda kappa: kappa > 0,
        ),
        judge_each(
            "SWT improves substantially over the classifiers without temporal information.",
            "Every base gains at least 2 points of accuracy.",
            _gaps(scores, COVER, [(b, a) for a, b in wrapped.items()]),
            lambda gain: gain >= 2,
        ),
    ]


def swept_figure(
    scores: CellScores, streams: Sequence[str], plan: Bifet2013Plan, name: str
) -> list[PaperClaim]:
    """Results do not depend much on the number of past labels, nor on past features."""
    gaps = {
        stream: {
            swept(name, order, past): 100
            * (scores.mean(stream, swept(name, order, past))
               - scores.mean(stream, swept(name, plan.orders[0], False)))
            for order in plan.orders
            for past in (False, True)
        }
        for stream in streams
    }  # fmt: skip
    return [
        judge_variants(
            f"The results of SWT {name} are stable under varying ℓ and feature space.",
            "Its accuracy is within 2 points of that with one past label, at every ℓ, with and "
            "without past features.",
            gaps,
            lambda gap: abs(gap) <= 2,
        )
    ]
