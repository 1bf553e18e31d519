"""The answer of runs over one stream, for people: what to beat, a line per learner, one sentence.

`runs/text.py` has everything else that there is to say of them.
"""

from __future__ import annotations

import math
from collections.abc import Collection, Sequence
from typing import TYPE_CHECKING, NamedTuple

from streamgauge.measures.verdict import Against, effect_amount, holm_words, score_text
from streamgauge.rendering.layout import NARROW, table_width, wrap
from streamgauge.rendering.outcomes import OUTCOMES, meaning_text, outcome_text
from streamgauge.rendering.text_table import align, spark, width_of
from streamgauge.rendering.words import count_words, join_words, sentence
from streamgauge.runs._coverage import WARNING
from streamgauge.runs.text import coverage_lines, failure_lines, header, value_text

if TYPE_CHECKING:
    from streamgauge.runs.run import Run


class AnswerLine(NamedTuple):
    """A learner's line."""

    run: Run
    against: Against | None  # the reference to beat; None if there is nothing to compare


def show_answer(runs: Sequence[Run], judged: Sequence[Run] | None = None) -> str:
    """The stream, the reference to beat, a table of the learners, and the answer in a sentence.

    `judged`: the runs that the sentence is about, by default all.
    """
    judged = runs if judged is None else judged
    strongest = _strongest(runs)
    lines = [header(runs[0], short=True)]
    if strongest is not None:
        lines.append(to_beat(strongest.run))
    table, marks_only = _table(runs, strongest)
    lines += ["", table, "", *sentences(judged, runs if marks_only else ())]
    return wrap("\n".join(lines))


def _strongest(runs: Sequence[Run]) -> AnswerLine | None:
    """The run whose verdict says what is to beat: a complete one, if there is any."""
    usable = [run for run in runs if run.verdict.predicted and run.verdict.against]
    if not usable:
        return None
    chosen = next((run for run in usable if not run.failure), usable[0])
    return AnswerLine(chosen, chosen.verdict.against[0])


def to_beat(run: Run) -> str:
    """The strongest reference, those that predict the same, and the others by their scores."""
    verdict = run.verdict
    groups = verdict.same_predictions
    first = groups[0][0]
    others = "; ".join(
        f"{_named(group)} {_bare(group[0].reference_score, verdict.regression)}"
        for group in groups[1:]
    )
    score = score_text(first.reference_score, verdict.regression)
    named = _named(groups[0]) if first.phrase else _same(groups[0])
    inside = "; ".join(part for part in (named, others) if part)
    return f"To beat: {first.phrase or first.reference}, {score}{f' ({inside})' if inside else ''}"


def _bare(score: float, regression: bool) -> str:
    """A score where it is clear which one it is."""
    return score_text(score, regression).removeprefix("MAE ")


def _named(group: Sequence[Against]) -> str:
    same = _same(group)
    return f"{group[0].reference}{', ' if same else ''}{same}"


def _same(group: Sequence[Against]) -> str:
    """How many more predict the same."""
    more = len(group) - 1
    return (
        f"and {count_words(more)} that predict{'s' if more == 1 else ''} the same" if more else ""
    )


def _table(runs: Sequence[Run], strongest: AnswerLine | None) -> tuple[str, bool]:
    """A line per learner, the best first; whether outcomes are marks alone."""
    score, regression = _score(runs[0])
    asked = runs[0].settings.custom_metrics
    extra = [*_COVERAGE] if runs[0].settings.late else []  # the first rows cannot be predicted
    extra += [name for name in asked if name in runs[0].overall]
    entries = [AnswerLine(run, _against(run, strongest)) for run in _best_first(runs)]
    largest = max(
        (abs(part) for each in entries if each.against for part in each.against.test.parts),
        default=0.0,
    )
    header = ["", "MAE" if regression else "accuracy", *extra]
    if strongest is not None and strongest.against is not None:
        beaten = score_text(strongest.against.reference_score, regression)
        header += ["less error by" if regression else f"vs {beaten}", "over time", "verdict"]
    lines = [header]
    for run, against in entries:
        value = _bare(run.overall.get(score, math.nan), regression)
        cells = [run.title + ("*" if run.failure else ""), value]
        cells += [value_text(run, name, run.overall[name]) for name in extra]
        if against is not None:
            cells += [
                effect_amount(against, regression),
                spark(against.test.parts, largest),
                outcome_text(against.word),
            ]
        lines.append(cells + [""] * (len(header) - len(cells)))
    return _fitting(lines, strongest is not None)


def _fitting(lines: list[list[str]], has_verdicts: bool) -> tuple[str, bool]:
    """The table, and whether outcomes are marks alone because it is too wide with their words."""
    *_, over_time, verdict = range(len(lines[0]))
    limit = table_width() or NARROW
    if not has_verdicts:
        return align(lines), False
    marks_only = width_of(lines) > limit
    if marks_only:
        lines = [lines[0], *([*line[:verdict], line[verdict][:1]] for line in lines[1:])]
    if width_of(lines) > limit:
        lines = [[*line[:over_time], line[verdict]] for line in lines]
        return align(lines, (0, over_time)), True
    return align(lines, (0, over_time, verdict)), marks_only


def _against(run: Run, strongest: AnswerLine | None) -> Against | None:
    """The run against the reference that is to beat, which may not be its own strongest one."""
    if strongest is None or strongest.against is None or not run.verdict.predicted:
        return None
    name = strongest.against.reference
    return next((each for each in run.verdict.against if each.reference == name), None)


def _score(run: Run) -> tuple[str, bool]:
    """The metric that verdicts compare, and whether it is that of regression."""
    regression = run.confusion is None
    return ("mae" if regression else "accuracy"), regression


def _best_first(runs: Sequence[Run]) -> list[Run]:
    score, regression = _score(runs[0])

    def merit(run: Run) -> float:
        value = run.overall.get(score, math.nan)
        return math.inf if math.isnan(value) else value if regression else -value

    return sorted(runs, key=merit)


def sentences(runs: Sequence[Run], marked: Sequence[Run] = ()) -> list[str]:
    """The answer, what its words mean, and what the reader has to know beside it.

    `marked`: runs of which a table shows the marks of outcomes alone.
    """
    strongest = _strongest(runs)
    if strongest is None or strongest.against is None:
        return [str(runs[0].verdict), *_caveats(runs)]
    runs = _best_first(runs)
    found = [(run.title, each) for run in runs if (each := _against(run, strongest)) is not None]
    beaten = strongest.against.phrase or strongest.against.reference
    shown = {each.word for run in marked if (each := _against(run, strongest)) is not None}
    lines = [_answer(found, beaten), *_meanings(found, shown), *_lately(found)]
    if not any(each.word == "better" for _, each in found):
        lines += [run.verdict.advice for run in runs if run.verdict.advice][:1]
    return [*lines, *_caveats(runs)]


def _meanings(found: Sequence[tuple[str, Against]], shown: Collection[str]) -> list[str]:
    """What the words that leave a question, or stand as marks alone, mean here: a line each."""
    few = [name for name, each in found if each.word == "open" and each.test.by_few_rows]
    asked = {each.word for name, each in found if name not in few}
    lines = [
        meaning_text(word)
        for word in OUTCOMES
        if word in shown or (word in asked and word not in ("better", "worse"))
    ]
    if few:
        lines.append(
            f"{outcome_text('open')}: a few rows with large errors decide ({join_words(few)})"
        )
    return lines


def _answer(found: Sequence[tuple[str, Against]], beaten: str) -> str:
    """One sentence on all learners, of which all parts hold together (Holm)."""
    if len(found) == 1:
        name, against = found[0]
        return f"{_clause(name, against.word, beaten)}."
    joint = [word for word, _ in holm_words([each.test for _, each in found])]
    by_word: dict[str, list[str]] = {}
    alone = set()  # words of which not all hold together
    for (name, against), together in zip(found, joint, strict=True):
        by_word.setdefault(against.word, []).append(name)
        if against.word in ("better", "worse") and against.word != together:
            alone.add(against.word)
    best = by_word.pop("better", [])
    if best:
        many = sentence(count_words(len(best)))[:-1]
        shown = join_words(best) if len(best) <= 3 else f"{many} learners"
        verb = "is" if len(best) == 1 else "are"
        head = f"{shown} {verb} better than {beaten}{_ALONE if 'better' in alone else ''}"
    else:
        head = f"No learner is clearly better than {beaten}"
    rest = []
    for word, said in _REST.items():
        if names := by_word.get(word):
            verb = "is" if len(names) == 1 else "are"
            rest.append(f"{count_words(len(names))} {verb} {said}{_ALONE if word in alone else ''}")
    return f"{head}; {join_words(rest)}." if rest else f"{head}."


_COVERAGE = ("coverage",)
_ALONE = " (each judged by itself)"
_REST = {
    "worse": "worse",
    "equal": "equal to it",
    "no clear difference": "not clearly different",
    "open": "open",
    "too few rows to say": "too short to say",
}


def _clause(name: str, word: str, beaten: str) -> str:
    return {
        "equal": f"{name} is equal to {beaten}",
        "no clear difference": f"{name} shows no clear difference from {beaten}",
        "open": f"Whether {name} is better than {beaten} is open",
        "too few rows to say": f"Too few rows to compare {name} with {beaten}",
    }.get(word, f"{name} is {word} than {beaten}")


def _lately(found: Sequence[tuple[str, Against]]) -> list[str]:
    """Who is on the other side on the last rows."""
    return [
        f"Lately, on the last {each.test.recent_rows:,} rows, {name} is {each.test.recent}."
        for name, each in found
        if each.test.recent in ("better", "worse") and each.test.recent != each.word
    ]


def _caveats(runs: Sequence[Run]) -> list[str]:
    """Failures, rows without a prediction, warnings: what may mislead is never one step deeper."""
    lines = [*failure_lines(runs), *coverage_lines(runs)]
    lines += [_in_bins(run) for run in runs if run.settings.reevaluate]
    warned: dict[str, list[str]] = {}
    for run in runs:
        notes = (each for each in run.verdict.notes if each.startswith(WARNING))
        for warning in (*(each.removeprefix(WARNING) for each in notes), *run.warnings):
            warned.setdefault(warning, []).append(run.title)
    for warning, names in warned.items():
        lines.append(f"Warning ({join_words(names)}): {warning}")
    return lines


def _in_bins(run: Run) -> str:
    """How predictions improve while rows wait for their labels."""
    score, _ = _score(run)
    first, last = (value_text(run, score, float(run.bins[score][place])) for place in (0, -1))
    return (
        f"{run.title} while rows waited for their labels: {score} {first} at first, {last} at last."
    )
