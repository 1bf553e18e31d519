"""The answer of comparisons, for people: who is better by how much, one small table.

`_text.py` has everything else that there is to say of them.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import TYPE_CHECKING

import numpy as np

from streamgauge._support.printable import printable
from streamgauge.measures.forgetting import Cumulative
from streamgauge.rendering.layout import wrap
from streamgauge.rendering.outcomes import meaning_text, outcome_text
from streamgauge.rendering.text_table import fitted, spark
from streamgauge.rendering.units import percent, readable
from streamgauge.rendering.words import (
    about_rows,
    count_words,
    join_words,
    percent_text,
    plural,
    sentence,
)
from streamgauge.runs.text import labels_text

if TYPE_CHECKING:
    from streamgauge.comparison.result import Comparison

_EXPLAINED = ("no clear difference", "open")


def show_pair(pair: Comparison) -> str:
    """Two participants: what is compared, the answer, their errors."""
    head = _header(pair, f"A = {pair.names[0]}, B = {pair.names[1]}")
    words = [pair_answer(pair), *_why(pair), *_equal(pair), *_lately(pair)]
    below = [*_where(pair), *_left_out(pair)]
    return _shown([head, *words], _pair_table(pair), below)


def show_pairs(pairs: Sequence[Comparison]) -> str:
    """One participant against several: a sentence on all, a line each."""
    first = pairs[0].names[0]
    head = _header(pairs[0], f"{first} against {plural(len(pairs), 'other')}")
    confidence = pairs[0].options.confidence
    any_error = min(1.0, (1 - confidence) * len(pairs))
    found = dict.fromkeys(_outcome(pair) for pair in pairs)
    below = [meaning_text(word) for word in _EXPLAINED if word in found]
    below += [f"{pair.names[1]}: {line}" for pair in pairs for line in _equal(pair)]
    below += [line for pair in pairs for line in _left_out(pair)]
    if len(pairs) > 1:
        below.append(
            f"{len(pairs)} comparisons, each at {percent_text(confidence)}: the chance of at least "
            f"one error is up to {percent_text(any_error)}."
        )
    return _shown([head, _all(pairs)], _pairs_table(pairs), below)


def advantage_text(pair: Comparison) -> str:
    """The outcome for A, by how much it is more accurate than B, and the interval.

    It is for classes, where the two are the same learner with and without its features.
    """
    word = {"better": "worse", "worse": "better"}.get(pair.batch_means.word, _outcome(pair))
    mark = outcome_text(word).strip()
    a, b = pair.names
    if not pair.pair.difference.any():
        return f"{mark}: {a} and {b} never differ on these rows."
    sign = -_lead(pair)
    if not sign:
        return f"{mark}: {a} is as accurate as {b} on these rows{_between(pair, -1)}."
    more = "more" if sign > 0 else "less"
    limited = "" if word in ("better", "worse") else " on these rows"
    amount = _amount(pair, abs(_difference(pair)))
    return f"{mark}: {a} is {amount} {more} accurate than {b}{limited}{_between(pair, -sign)}."


def _shown(words: Sequence[str], table: str, below: Sequence[str]) -> str:
    parts = [wrap("\n".join(map(printable, words))), table]
    if below:
        parts.append(wrap("\n".join(map(printable, below))))
    return "\n\n".join(parts)


def _header(pair: Comparison, who: str) -> str:
    """The stream, who is compared, and under what."""
    conditions = pair.conditions
    labels = labels_text(conditions.labels_text())
    parts = [conditions.stream, who, plural(len(pair), "row"), labels]
    if not _is_error_rate(pair):
        parts.append(f"{pair.loss} loss")
    return " · ".join(parts)


def _is_error_rate(pair: Comparison) -> bool:
    return pair.loss == "zero_one"


def _outcome(pair: Comparison) -> str:
    """The outcome for B; equal within a margin where that was asked and nothing is clearer."""
    word = pair.batch_means.word
    return "equal" if pair.equivalent and word not in ("better", "worse") else word


def pair_answer(pair: Comparison) -> str:
    """The outcome for B, by how much, and whether it is so all along the stream."""
    word = _outcome(pair)
    mark = outcome_text(word).strip()
    if not pair.pair.difference.any():
        return f"{mark}: A and B never differ on these rows."
    sign = _lead(pair)
    if not sign:
        fact = "A and B have the same error" if _is_error_rate(pair) else "A and B lose the same"
        return f"{mark}: {fact} on these rows{_between(pair)}."
    if _is_error_rate(pair):
        more = "more" if sign > 0 else "less"
        fact = f"B is {_amount(pair, abs(_difference(pair)))} {more} accurate"
    else:
        lower = "lower" if sign > 0 else "higher"
        fact = f"the loss of B is {lower} by {_amount(pair, abs(_difference(pair)))}"
    limited = "" if word in ("better", "worse") else " on these rows"
    return f"{mark}: {fact}{limited}{_between(pair, sign)}{_parts(pair, sign)}."


@np.errstate(over="ignore", invalid="ignore")  # infinite losses are data, too
def _difference(pair: Comparison) -> float:
    a, b = pair.pair.losses.mean(axis=1).tolist()
    return float(a - b)


@np.errstate(over="ignore", invalid="ignore")
def _lead(pair: Comparison) -> int:
    """1 if B lost less on these rows, -1 if A did, 0."""
    total = float(pair.pair.difference.sum())
    return int(total > 0) - int(total < 0)


def _interval(pair: Comparison) -> tuple[float, float]:
    """The interval of the mean difference; NaN where no test is valid."""
    test = pair.batch_means
    if not test.standard_error > 0 or test.by_few_rows:
        return math.nan, math.nan
    return test.interval(pair.interval_level)


def _between(pair: Comparison, sign: int = 1) -> str:
    low, high = sorted(sign * end for end in _interval(pair))
    if not (math.isfinite(low) and math.isfinite(high)):
        return ""
    return f" ({_number(pair, low)} to {_number(pair, high)})"


def _parts(pair: Comparison, sign: int) -> str:
    parts = pair.batch_means.parts
    if not parts:
        return ""
    return f", ahead in {sum(np.sign(parts) == sign)} of {len(parts)} parts"


def _number(pair: Comparison, value: float, signed: bool = False) -> str:
    """A difference of losses; of error rates in percentage points."""
    sign = "+" if signed else ""
    if _is_error_rate(pair):
        digits = 1 if not abs(value) < 0.0005 else 3
        text = f"{100 * value:{sign}.{digits}f}"
    else:
        text = f"{value:{sign}.3g}"
    return text.replace("-", "−")


def _amount(pair: Comparison, value: float) -> str:
    return f"{_number(pair, value)} points" if _is_error_rate(pair) else _number(pair, value)


def _why(pair: Comparison) -> list[str]:
    """What the outcome rests on, in a sentence, if it leaves a question."""
    test = pair.batch_means
    if _outcome(pair) == "no clear difference":
        return ["A valid test does not tell the two apart."]
    if _outcome(pair) != "open":
        return []
    if test.by_few_rows:
        why = f"{about_rows(round(test.effective))} with large differences outweigh all others"
    elif test.dependent:
        why = f"Differences depend on each other over {about_rows(test.dependence)} or more"
    else:
        why = "Differences may depend on each other over long stretches"
    return [sentence(f"{why}: these rows do not show whether that would hold on more of the same")]


def _equal(pair: Comparison) -> list[str]:
    """Whether the two are equal within the margin, if that was asked."""
    margin = pair.options.equal_within
    if margin is None:
        return []
    points = _is_error_rate(pair)
    noun = "point" if margin == 0.01 else "points"
    within = f"± {100 * margin:g} {noun}" if points else f"± {margin:g}"
    return [f"{'Equal' if pair.equivalent else 'Not shown to be equal'} within {within}."]


def _lately(pair: Comparison) -> list[str]:
    test = pair.batch_means
    if test.recent not in ("better", "worse") or test.recent == test.word:
        return []
    return [f"Lately, on the last {test.recent_rows:,} rows, B is {test.recent}."]


def _where(pair: Comparison) -> list[str]:
    """On how much of the stream one of the two is clearly ahead."""
    share = pair.shares
    if share[None] == 1:
        return []
    ahead = [f"{who} on {percent(share[who])}" for who in ("B", "A") if share[who]]
    return [f"Clearly ahead along the stream: {join_words(ahead)} of the rows."]


def _left_out(pair: Comparison) -> list[str]:
    rows = pair.scored - len(pair)
    if not rows:
        return []
    who = f"{pair.names[0]} or {pair.names[1]}"
    return [f"Left out: {plural(rows, 'row')} that {who} did not predict."]


def _columns(pair: Comparison) -> list[str]:
    recent = [str(each) for each in pair.options.forget if each != Cumulative()]
    return ["error" if _is_error_rate(pair) else "mean loss", *recent]


@np.errstate(over="ignore", invalid="ignore")
def _losses(pair: Comparison, which: int) -> list[str]:
    """The mean loss of A or B, and at the end under each forgetting that forgets."""
    recent = [each for each in pair.options.forget if each != Cumulative()]
    values = [float(pair.pair.losses[which].mean())]
    values += [pair.curve.last(each)[("loss_a", "loss_b")[which]] for each in recent]
    return [readable("fraction" if _is_error_rate(pair) else "number", each) for each in values]


def _pair_table(pair: Comparison) -> str:
    parts = pair.batch_means.parts
    largest = max(map(abs, parts), default=0.0)
    over_time = [["B over time"], [""], [spark(parts, largest)]] if parts else [[], [], []]
    lines = [
        ["", *_columns(pair), *over_time[0]],
        [f"A = {pair.names[0]}", *_losses(pair, 0), *over_time[1]],
        [f"B = {pair.names[1]}", *_losses(pair, 1), *over_time[2]],
    ]
    last = len(lines[0]) - 1
    return fitted(lines, (0, last) if parts else (0,), range(last - bool(parts), 1, -1))


def _pairs_table(pairs: Sequence[Comparison]) -> str:
    """A line per participant, the best first; that of A below."""
    first = pairs[0]
    largest = max((abs(part) for pair in pairs for part in pair.batch_means.parts), default=0.0)
    columns = _columns(first)
    lines = [["", *columns, "less by", "over time", "outcome"]]
    for pair in sorted(pairs, key=lambda pair: -_difference(pair)):
        low, high = _interval(pair)
        reach = (high - low) / 2
        spread = f" ± {_number(pair, reach)}" if math.isfinite(reach) else ""
        lines.append(
            [
                pair.names[1],
                *_losses(pair, 1),
                f"{_number(pair, _difference(pair), signed=True)}{spread}",
                spark(pair.batch_means.parts, largest),
                outcome_text(_outcome(pair)),
            ]
        )
    if len({len(pair) for pair in pairs}) == 1:
        lines.append([f"A = {first.names[0]}", *_losses(first, 0), "", "", ""])
    names = (0, len(columns) + 2, len(columns) + 3)
    return fitted(lines, names, [*range(2, len(columns) + 1), len(columns) + 2])


def _all(pairs: Sequence[Comparison]) -> str:
    """One sentence on all pairs."""
    first = pairs[0].names[0]
    by_word: dict[str, list[str]] = {}
    for pair in pairs:
        by_word.setdefault(_outcome(pair), []).append(pair.names[1])
    parts = []
    for word, link in _LINKS.items():
        if names := by_word.get(word):
            who = join_words(names) if len(names) <= 2 else count_words(len(names))
            verb = "is" if len(names) == 1 else "are"
            parts.append(f"{who} {verb} {link}{f' {first}' if word in _NAMING else ''}")
    return sentence("; ".join(parts))


_NAMING = ("better", "worse", "equal", "no clear difference")
_LINKS = {
    "better": "better than",
    "worse": "worse than",
    "equal": "equal to",
    "no clear difference": "not clearly different from",
    "open": "open",
    "too few rows to say": "too short to say",
}
