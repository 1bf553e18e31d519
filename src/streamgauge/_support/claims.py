"""Every claim that a sentence of ours makes beyond the rows at hand, by its id.

`make calibration` simulates how often each is false and writes docs/calibration.md; a test fails
for a claim without a row there. A sentence that only describes these rows is no claim.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final


@dataclass(frozen=True)
class Claim:
    """What a sentence says, and in how many of 100 streams it may be false."""

    id: str  # "verdict.better": who says it, and what
    says: str
    nominal: float = 1.0  # per cent


_ALL: Final = (
    Claim("verdict.better", "the learner is better, or worse, than a reference"),
    Claim("verdict.any", "the same of four references at once: any of the sentences"),
    Claim("verdict.lately", "on the last quarter of the rows it is the other way round"),
    Claim("verdict.equal", "the learner is equal to a reference", 0.0),
    Claim("compare.equal", "two are equal within ±x", 1.0),
    Claim("compare.anytime", "on these rows A was better, looked at after every row"),
    Claim("compare.lasting", "A is better, looked at again and again (monitor)"),
    Claim("compare.stretch", "on a stretch of the stream A is better"),
    Claim("compare.costs", "A is better, by losses that differ in size"),
    Claim("compare.mcnemar", "McNemar's test is significant, if rows are independent"),
    Claim("verdict.order", "the order of the labels carries information"),
    Claim("verdict.dependence", "the errors depend on each other over about L rows or more", 0.5),
    Claim("inspect.period", "labels recur every m rows"),
    Claim("inspect.priors", "class priors change along the stream"),
    Claim("inspect.dependence", "a label depends on the last one"),
    Claim("inspect.order", "the last label, or value, is worth using"),
    Claim("inspect.beat", "the reference to beat is another than the simplest"),
    Claim("inspect.waits", "waits depend on the class"),
    Claim("detector.guarantee", "EDetector: an alarm within a tenth of the rows guaranteed", 10.0),
    Claim("detector.calibrated", "calibrate: an alarm within a tenth of the rows promised", 10.0),
    Claim("inspect.leak", "one feature alone predicts 99 % of the labels", 0.0),
    # At alpha = 0.05, as is usual for ranks; the user may ask for another.
    Claim("rank.differ", "ranks are not in random order (Friedman)", 5.0),
    Claim("rank.ahead", "a learner is clearly ahead of others (Nemenyi): any pair", 5.0),
    Claim("rank.pairs", "two learners differ (Wilcoxon, Holm's correction): any pair", 5.0),
    Claim("rank.control", "a learner is better, or worse, than the control: any of them", 5.0),
    Claim("rank.equal", "two learners are equal within ±x over streams", 5.0),
    Claim("ablate.better", "features add to past labels, or past labels alone are better"),
    Claim("ablate.equal", "past labels alone predict what the features do", 0.0),
    Claim("scorecard.better", "a detector is better than chance"),
    Claim("scorecard.any", "the same of several detectors at once: any of the sentences"),
    Claim("scorecard.dependence", "errors are not independent"),
    Claim("monitor.false_alarms", "false alarms per 1,000 rows are within the interval"),
    Claim("monitor.early", "early labels mislead"),
    Claim("monitor.reweighted", "the score of all labels will be within the interval"),
    Claim(
        "plan.rows", "as many rows find the effect, with a power of 80 % (false: they do not)", 20.0
    ),
)

CLAIMS: Final = {claim.id: claim for claim in _ALL}
