"""The claims of ziffer2024 about its tables, judged on our scores and on the printed ones."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import TypeVar

import numpy as np

from streamgauge.papers.claim import PaperClaim, judge
from streamgauge.papers.ziffer2024.plan import DRIFTS, NO_CHANGE, PAPERS, Ziffer2024Plan
from streamgauge.papers.ziffer2024.scores import SeedOutcomes

T = TypeVar("T")
Pair = tuple[str, str, str]  # stream, the learner said to be better, the other
_SWT = {"SWT HAT": "HAT", "SWT ARF": "ARF"}


def judge_both(judged: Callable[[T], list[PaperClaim]], ours: T, paper: T) -> list[PaperClaim]:
    """Judge claims on our numbers; the reason adds the printed ones where they say otherwise."""
    return [
        mine
        if theirs.word in (mine.word, "cannot be told")
        else mine._replace(
            reason=f"{mine.reason} By the printed numbers it {theirs.word}: {theirs.reason}"
        )
        for mine, theirs in zip(judged(ours), judged(paper), strict=True)
    ]


def _above(
    statement: str, criterion: str, scores: SeedOutcomes, pairs: Iterable[Pair]
) -> PaperClaim:
    """Judge that on each stream the first learner's kappa is above the second's."""
    pairs = list(pairs)
    missing = {f"{a} on {s}" for s, *both in pairs for a in both if np.isnan(scores.mean(s, a))}
    if missing or not pairs:
        return judge(statement, criterion, None, f"Not run: {', '.join(sorted(missing)[:3])}.")
    values = [(scores.mean(stream, a), scores.mean(stream, b)) for stream, a, b in pairs]
    broken = [
        f"{a} {x:.1f} against {b} {y:.1f} on {stream}"
        for (stream, a, b), (x, y) in zip(pairs, values, strict=True)
        if not x > y
    ]
    kept = f"So in {len(pairs) - len(broken)} of {len(pairs)} comparisons"
    shown = "; ".join(broken[:3]) + ("; ..." if len(broken) > 3 else "")
    reason = f"{kept}; not {shown}." if broken else f"{kept}."
    return judge(statement, criterion, not broken, reason)


def claims_of_originals(scores: SeedOutcomes, profile: Ziffer2024Plan) -> list[PaperClaim]:
    """Claims about Table II, streams without temporal dependence."""
    streams = profile.table2(False)
    means = scores.means(streams, PAPERS)
    ranks = scores.average_ranks(streams, PAPERS)
    stagger = [stream for stream in streams if stream.startswith("STAGGER")]
    others = [stream for stream in streams if stream not in stagger]
    return [
        judge(
            "On the original streams ARF is the best.",
            "ARF has the lowest average rank of the five learners.",
            min(ranks, key=lambda name: ranks[name]) == "ARF",
            ranks,
        ),
        _above(
            "On the original streams both SWT fall below their base learners, except on STAGGER.",
            "The kappa of SWT HAT is below HAT's and that of SWT ARF below ARF's on every other "
            "stream, and above on STAGGER.",
            scores,
            [(s, base, swt) for s in others for swt, base in _SWT.items()]
            + [(s, swt, base) for s in stagger for swt, base in _SWT.items()],
        ),
        judge(
            "On the original streams cLSTM is at least comparable to the SWT learners.",
            "Its mean kappa is not below that of either SWT.",
            means["cLSTM"] >= max(means["SWT HAT"], means["SWT ARF"]),
            {name: means[name] for name in ("cLSTM", *_SWT)},
        ),
    ]


def claims_of_injected(scores: SeedOutcomes, profile: Ziffer2024Plan) -> list[PaperClaim]:
    """Claims about Table II, streams with temporal injection."""
    streams = profile.table2(True)
    means = scores.means(streams, [*PAPERS, NO_CHANGE])
    temporal = scores.means(streams, list(_SWT), "kappa_temporal")
    return [
        judge(
            "On the injected streams No-Change scores about 48.",
            "Its mean kappa is within 1 point of the printed mean, 48.14.",
            abs(means[NO_CHANGE] - 48.14) <= 1,
            {NO_CHANGE: means[NO_CHANGE]},
        ),
        _above(
            "Temporal dependence affects learning: HAT and ARF fall below No-Change.",
            "No-Change's kappa is above HAT's and ARF's on every injected stream.",
            scores,
            [(s, NO_CHANGE, base) for s in streams for base in _SWT.values()],
        ),
        _above(
            "On the injected streams the SWT learners improve on their base learners.",
            "The kappa of each SWT is above its base learner's on every injected stream.",
            scores,
            [(s, swt, base) for s in streams for swt, base in _SWT.items()],
        ),
        judge(
            "The SWT learners hardly outperform No-Change.",
            "The mean kappa of each is at most 1 point above No-Change's.",
            max(means[name] for name in _SWT) <= means[NO_CHANGE] + 1,
            {name: means[name] for name in (*_SWT, NO_CHANGE)},
        ),
        judge(
            "The kappa-temporal of the SWT learners is almost null.",
            "The mean kappa-temporal of each over the injected streams lies between -10 and 10.",
            all(abs(value) <= 10 for value in temporal.values()),
            temporal,
        ),
        _above(
            "On the injected streams cLSTM is the best.",
            "cLSTM's kappa is above that of the other four learners on every injected stream.",
            scores,
            [(s, "cLSTM", name) for s in streams for name in PAPERS if name != "cLSTM"],
        ),
    ]


def claims_of_drifts(scores: SeedOutcomes, profile: Ziffer2024Plan) -> list[PaperClaim]:
    """Claims about Table II, abrupt against gradual drifts."""
    kinds = {True: "injected", False: "original"}
    gap = {
        injected: {
            name: scores.means(profile.table2(injected, [DRIFTS[0]]), [name])[name]
            - scores.means(profile.table2(injected, [DRIFTS[1]]), [name])[name]
            for name in PAPERS
        }
        for injected in kinds
    }
    return [
        judge(
            "On the injected streams the results with abrupt and gradual drifts are similar.",
            "Abrupt minus gradual, in mean kappa, is at most 5 points either way for each of the "
            "five learners.",
            all(abs(each) <= 5 for each in gap[True].values()),
            gap[True],
        ),
        judge(
            "Gradual drift further complicates the classification.",
            "Abrupt minus gradual, in mean kappa, is above 0 for each of the five learners, on "
            "original and on injected streams.",
            all(each > 0 for values in gap.values() for each in values.values()),
            {
                f"{name}, {kinds[injected]}": each
                for injected, values in gap.items()
                for name, each in values.items()
            },
        ),
    ]


def claim_of_temporal(scores: SeedOutcomes, profile: Ziffer2024Plan) -> PaperClaim:
    """The claim that kappa-temporal says what kappa says."""
    statement = "The results by kappa-temporal align with those by kappa."
    criterion = "On every stream of Table II the learner with the highest kappa-temporal is the "
    criterion += "one with the highest kappa."
    streams = profile.table2(False) + profile.table2(True)
    both = [scores.table(streams, PAPERS, metric) for metric in ("kappa", "kappa_temporal")]
    if any(np.isnan(each).any() for each in both):
        return judge(statement, criterion, None, "Not all of the five learners were run.")
    same = both[0].argmax(axis=1) == both[1].argmax(axis=1)
    return judge(statement, criterion, same.all(), f"So on {same.sum()} of {len(same)} streams.")


def claims_of_table3(scores: SeedOutcomes, streams: Sequence[str]) -> list[PaperClaim]:
    """Claims about the real streams."""
    table = scores.table(streams, PAPERS)
    behind = dict(zip(streams, (table.max(axis=1) - table[:, -1]).tolist(), strict=True))
    return [
        _above(
            "On the real streams too, temporal augmentation improves the learners.",
            "The kappa of each SWT is above its base learner's on every real stream.",
            scores,
            [(s, swt, base) for s in streams for swt, base in _SWT.items()],
        ),
        judge(
            "On the real streams cLSTM is the best or very close to it.",
            "On every real stream its kappa is at most 5 points behind the best of the five.",
            max(behind.values(), default=np.nan) <= 5,
            behind or "No real stream was run.",
        ),
    ]


def claim_of_past_features(scores: SeedOutcomes, profile: Ziffer2024Plan) -> PaperClaim:
    """Ours: what trees do with the features that cLSTM sees."""
    means = scores.means(profile.table2(True), ("HAT+past", "ARF+past", "cLSTM"))
    return judge(
        "Ours: given past features too, trees reach cLSTM on the injected streams.",
        "The mean kappa of HAT+past or ARF+past is at most 5 points below cLSTM's.",
        max(means["HAT+past"], means["ARF+past"]) >= means["cLSTM"] - 5,
        means,
    )


def claims_of_cycles(scores: SeedOutcomes) -> list[PaperClaim]:
    """Ours: what P(T) = 0 hides on the streams whose labels cycle."""
    found = []
    for name in ("PowerSupply", "Rialto"):
        values = {each: scores.mean(name, each) for each in ("Transition", NO_CHANGE)}
        found.append(
            judge(
                f"Ours: on {name} the last label alone predicts nearly every label, although P(T) "
                "is 0.",
                "Transition's kappa is above 95, No-Change's below 5.",
                values["Transition"] > 95 and values[NO_CHANGE] < 5,
                values,
            )
        )
    return found
