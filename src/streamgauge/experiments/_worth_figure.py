"""What streams are worth: the best learner and the best reference of the runs on each."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np
import pyarrow as pa

from streamgauge._support import registry
from streamgauge._support.errors import UsageError
from streamgauge._support.selection import Where
from streamgauge.experiments._cell_results import CellResult
from streamgauge.experiments.tables.cell_values import choose
from streamgauge.figures.stream_worth import FRAME, stream_worth
from streamgauge.measures.verdict import Against, effect_amount, holm_words
from streamgauge.rendering.outcomes import MARKS
from streamgauge.rendering.words import plural
from streamgauge.runs.run import Run
from streamgauge.runs.text import labels_text

if TYPE_CHECKING:
    from streamgauge.experiments.results import Results

_NEITHER = "no clear difference"


class _Learner(NamedTuple):
    """A learner on a stream against the best reference: its runs with several seeds together."""

    name: str
    score: float
    reference_score: float
    word: str
    against: list[Against]


def draw_worth(results: Results, where: Where | None) -> Any:
    """The figure that `Results.plot("worth")` returns."""
    chosen = choose(results.cell_results, results.folder, where)
    learners = [each for each in chosen if not _is_reference(each.cell.learner)]
    usable = [each for each in learners if each.run is not None and _is_usable(each.run)]
    if not usable:
        raise UsageError(
            f"plot('worth'): none of the {plural(len(chosen), 'cell')} has a classifier with a "
            "verdict; expected complete runs of learners that are not references"
        )
    streams: dict[tuple[str, str], list[CellResult]] = {}
    for each in usable:
        if each.run is not None:
            streams.setdefault((each.cell.stream, each.run.settings.labels), []).append(each)
    policies = list(dict.fromkeys(labels for _, labels in streams))
    rows = []
    for (stream, labels), found in streams.items():
        name = stream if len(policies) == 1 else f"{stream}, {labels_text(labels)}"
        rows.append({"stream": name} | _best_of(found))
    frame = pa.Table.from_pylist(rows, FRAME)
    left_out = len(learners) - len(usable)
    notes = [f"Left out: {plural(left_out, 'cell')} without a verdict."] if left_out else []
    seeds = {each.cell.seed for each in usable}
    if len(seeds) > 1:
        notes.append(f"Means over {len(seeds)} seeds; a verdict is that of every seed.")
    title = worth_title(frame["word"].to_pylist(), rows[0]["stream"])
    axis = f"accuracy, {labels_text(policies[0])}" if len(policies) == 1 else "accuracy"
    return stream_worth(frame, axis, title=title, caption=notes)


def worth_title(words: Sequence[str], stream: str) -> str:
    """What the verdicts on the best learner of each stream say together.

    >>> worth_title(["better", "open", "worse"], "elec2")
    'On 2 of 3 streams, no learner is clearly better than past labels alone'
    """
    beaten = sum(word == "better" for word in words)
    if len(words) == 1:
        subject = "a learner is" if beaten else "no learner is clearly"
        return f"{stream}: {subject} better than past labels alone"
    if beaten == len(words):
        return f"On each of {len(words)} streams, a learner is better than past labels alone"
    count = len(words) - beaten
    verb = f"On {count} of {len(words)} streams" if beaten else f"On none of {len(words)} streams"
    subject = "no learner is clearly" if beaten else "is a learner clearly"
    return f"{verb}{',' if beaten else ''} {subject} better than past labels alone"


def _is_reference(learner: str) -> bool:
    return learner.partition("(")[0] in registry.own_names("reference")


def _is_usable(run: Run) -> bool:
    verdict = run.verdict
    return not run.failure and not verdict.regression and bool(verdict.against)


def _best_of(found: Sequence[CellResult]) -> dict[str, Any]:
    """The best reference, and the best learner: of those that are better than it, if any is."""
    by_learner: dict[str, list[Run]] = {}
    for each in found:
        if each.run is not None:
            by_learner.setdefault(each.cell.learner, []).append(each.run)
    reference = _best_reference([run for runs in by_learner.values() for run in runs])
    learners = _judged(by_learner, reference)
    best = max(learners, key=lambda each: (each.word == "better", each.score))
    ahead = best.score - best.reference_score
    margin = effect_amount(best.against[0], False) if len(best.against) == 1 else _points(ahead)
    return {
        "learner": best.name, "reference": reference, "score": best.score,
        "reference_score": best.reference_score, "word": best.word,
        "mark": MARKS.get(best.word, ""), "margin": margin,
    }  # fmt: skip


def _best_reference(runs: Sequence[Run]) -> str:
    """The one with the highest mean; of equal ones that which the verdicts name first."""
    scores: dict[str, list[float]] = {}
    for run in runs:
        for each in run.verdict.against:
            scores.setdefault(each.reference, []).append(each.reference_score)
    common = {name: own for name, own in scores.items() if len(own) == len(runs)} or scores
    means = {name: float(np.mean(own)) for name, own in common.items()}
    return max(means, key=lambda name: -math.inf if math.isnan(means[name]) else means[name])


def _judged(by_learner: dict[str, list[Run]], reference: str) -> list[_Learner]:
    """Each learner against the reference; better and worse hold for all of them together (Holm).

    The best of several is chosen after the fact, so a test of each by itself would not do.
    """
    sides = {
        name: [a for run in runs for a in run.verdict.against if a.reference == reference]
        for name, runs in by_learner.items()
    }
    sides = {name: own for name, own in sides.items() if own}
    tests = [against.test for own in sides.values() for against in own]
    together = iter([word for word, _ in holm_words(tests)])
    judged = []
    for name, own in sides.items():
        words = set()
        for against in own:
            joint = next(together)
            words.add(joint if against.word in ("better", "worse") else against.word)
        word = words.pop() if len(words) == 1 else _NEITHER
        score = float(np.mean([against.learner_score for against in own]))
        other = float(np.mean([against.reference_score for against in own]))
        judged.append(_Learner(name, score, other, word, own))
    return judged


def _points(ahead: float) -> str:
    return f"{100 * ahead:+.1f}".replace("-", "−")
