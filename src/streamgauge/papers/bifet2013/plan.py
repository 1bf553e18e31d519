"""The streams, learners and cells of bifet2013."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field

from streamgauge.papers._cells import Entry, run_cells, shuffled_entry
from streamgauge.papers.claim import PaperClaim, judge_each
from streamgauge.papers.scores import CellScores
from streamgauge.papers.study import PaperStudy

# The paper does not say which features it used: both of MOA's files.
ELECTRICITY: dict[str, Entry] = {
    "Electricity, 6 features": {"load": "elec2"},
    "Electricity, 8 features": {"load": "elec2", "variant": "all"},
}
COVER = "Cover"
PROFILED: dict[str, str] = {  # Table 2
    "Electricity": "elec2",
    "Airlines": "airlines",
    "KDD99": "kdd99_10pct",
    "Ozone": "ozone_onehr",
}
# MOA's settings of 2013: its trees split at δ = 1e-7. VFDT has naive Bayes at its leaves (§1).
LEARNERS = {
    "NB": "NaiveBayes()",
    "VFDT": "HoeffdingTree(delta=1e-7, leaf_prediction='nb')",
    "HAT": "HoeffdingAdaptiveTree(delta=1e-7)",
    "LB": "LeveragingBagging()",
}
NO_CHANGE = "No-Change"
BASELINES = {"Majority": "Majority(forget=Window(1000))", NO_CHANGE: "NoChange()"}
SWEPT = ("VFDT", "HAT", "LB")  # Figures 9, 10, 11


@dataclass(frozen=True)
class Bifet2013Plan:
    """How much of the paper to run."""

    electricity: Mapping[str, Entry] = field(default_factory=lambda: ELECTRICITY)
    cover: Entry = field(default_factory=lambda: {"load": "covtype"})
    learners: Mapping[str, str] = field(default_factory=lambda: LEARNERS)
    orders: tuple[int, ...] = (1, 2, 3, 4, 5, 6, 7, 8, 9, 10)  # of Figures 9 to 11


FULL = Bifet2013Plan()
QUICK = Bifet2013Plan(orders=(1, 2, 3, 5, 10))


def plan_of(study: PaperStudy) -> Bifet2013Plan:
    """The plan of the study's profile."""
    return FULL if study.full else QUICK


def variants(study: PaperStudy, plan: Bifet2013Plan) -> list[str]:
    """The variants of Electricity that are available."""
    return [each["name"] for each in study.available(plan.electricity)]


def swt(name: str) -> str:
    """The name of a wrapped classifier."""
    return f"SWT {name}"


def classifiers(study: PaperStudy, plan: Bifet2013Plan) -> CellScores:
    """Every classifier, plain and wrapped, and the baselines (Figures 2 to 8)."""
    learners = {
        **plan.learners,
        **{swt(name): f"SWT({text})" for name, text in plan.learners.items()},
        **BASELINES,
    }
    streams = study.available({**plan.electricity, COVER: plan.cover})
    return CellScores(run_cells(study, "classifiers", streams, learners))


def shuffled(study: PaperStudy, plan: Bifet2013Plan) -> CellScores:
    """Classifiers on shuffled Electricity, where labels are independent (§3)."""
    streams = [shuffled_entry(each) for each in study.available(plan.electricity)]
    return CellScores(run_cells(study, "shuffled", streams, plan.learners))


def sweeps(study: PaperStudy, plan: Bifet2013Plan) -> CellScores:
    """Wrapped classifiers by the number of past labels, with and without past features."""
    learners = {
        swept(name, order, past): f"SWT({plan.learners[name]}, order={order}, features={past})"
        for name in SWEPT
        for order in plan.orders
        for past in (False, True)
    }
    return CellScores(run_cells(study, "sweeps", study.available(plan.electricity), learners))


def swept(name: str, order: int, past: bool) -> str:
    """The name of a classifier in Figures 9 to 11."""
    return f"{name} {order}{' past' if past else ''}"


def judge_variants(
    statement: str,
    criterion: str,
    values: Mapping[str, Mapping[str, float]],
    holds: Callable[[float], bool],
) -> PaperClaim:
    """Judge a claim on each variant of Electricity; if they disagree it cannot be told.

    >>> values = {"6 features": {"A": 1.0}, "8 features": {"A": -1.0}}
    >>> judge_variants("Gains.", "Above 0.", values, lambda gain: gain > 0).word
    'cannot be told'
    """
    found = {name: judge_each(statement, criterion, own, holds) for name, own in values.items()}
    if not found:
        return judge_each(statement, criterion, {}, holds)
    answers = {claim.word for claim in found.values()}
    reason = " ".join(f"{name}: {each.reason}" for name, each in found.items())
    if len(answers) == 1:
        return PaperClaim(statement, criterion, answers.pop(), reason)
    each = ", ".join(f"with {name} it {claim.word}" for name, claim in found.items())
    why = f"The paper does not say which features it used; {each}. {reason}"
    return PaperClaim(statement, criterion, "cannot be told", why)
