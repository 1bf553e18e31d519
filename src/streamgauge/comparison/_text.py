"""Comparisons as text: the answer in words, then the numbers that support it."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import TYPE_CHECKING

import numpy as np

from streamgauge._support.printable import printable
from streamgauge.comparison._anytime import Anytime
from streamgauge.comparison._stretches import segment_rows
from streamgauge.rendering.text_table import align
from streamgauge.rendering.units import readable
from streamgauge.rendering.words import about_rows, p_text, percent_text, plural, signed_text

if TYPE_CHECKING:
    from streamgauge.comparison.result import Comparison

_SHOWN_STRETCHES = 20


def show_comparison(pair: Comparison) -> str:
    """Two participants: the stream, the answer, the numbers, the stretches."""
    return "\n\n".join(
        [
            comparison_header(pair),
            _lines(comparison_sentences(pair)),
            _numbers([pair]),
            _stretches(pair),
        ]
    )


def show_comparisons(pairs: Sequence[Comparison]) -> str:
    """One participant against several: each answer, then one table."""
    words = [_lines([*comparison_sentences(pair), comparison_where(pair)]) for pair in pairs]
    confidence = pairs[0].options.confidence
    any_error = min(1.0, (1 - confidence) * len(pairs))
    together = (
        f"{len(pairs)} comparisons, each at {percent_text(confidence)}: the chance of at least one "
        f"error is up to {percent_text(any_error)}."
    )
    return "\n\n".join([comparison_header(pairs[0]), *words, together, _numbers(pairs)])


def comparison_sentences(pair: Comparison) -> list[str]:
    """The answer, then each test, the one that answers first."""
    lines = [comparison_answer(pair)]
    if pair.options.equal_within is not None:
        lines.append(_equal(pair, pair.options.equal_within))
    if pair.pair.difference.any():
        lines += [_batches(pair), _anytime(pair)]
        if pair.has_now:
            lines.append(_now(pair))
        if pair.pair.wrong is not None:
            lines.append(_mcnemar(pair))
    if pair.scored > len(pair):
        lines.append(
            f"Left out: {plural(pair.scored - len(pair), 'row')} that one of the two did not "
            "predict."
        )
    return lines


def _lines(sentences: Sequence[str]) -> str:
    return "\n".join(map(printable, sentences))


def comparison_header(pair: Comparison) -> str:
    """What is compared, in one line."""
    stream, labels = pair.conditions.stream, pair.conditions.labels_text()
    rows = f"{plural(len(pair), 'row')} compared"
    return printable(" · ".join([stream, rows, f"labels {labels}", f"loss {pair.loss}"]))


def _loss(pair: Comparison, loss: float) -> str:
    """A mean loss; an error rate in per cent."""
    return f"{100 * loss:.2f} %" if _is_error_rate(pair) else f"{loss:.4g}"


def _is_error_rate(pair: Comparison) -> bool:
    return pair.loss == "zero_one"


@np.errstate(over="ignore", invalid="ignore")  # infinite losses are data, too
def _losses(pair: Comparison, first: int = 0) -> str:
    noun = "error rate" if _is_error_rate(pair) else "mean loss"
    losses = pair.pair.losses.mean(axis=1).tolist()
    return f"{noun} {_loss(pair, losses[first])} against {_loss(pair, losses[1 - first])}"


def _range(pair: Comparison, low: float, high: float, sign: str = "") -> str:
    """A range of losses; of error rates in percentage points."""
    if _is_error_rate(pair):
        text = f"{100 * low:{sign}.2f} to {100 * high:{sign}.2f} percentage points"
    else:
        text = f"{low:{sign}.4g} to {high:{sign}.4g}"
    return text.replace("-", "−")


def comparison_answer(pair: Comparison) -> str:
    """Which one is better, in words."""
    a, b = pair.names
    if not pair.pair.difference.any():
        return f"{a} and {b} never differ: {_losses(pair)} on all {plural(len(pair), 'row')}."
    match pair.batch_means.word:
        case "open":
            return _open(pair)
        case "too few rows to say":
            return f"Too few rows to say whether {a} or {b} is better: {_losses(pair)}."
        case "better" | "worse":
            winner = pair.names.index(str(pair.better))
            head = f"{pair.better} is better than {pair.names[1 - winner]}"
            return f"{head}: {_losses(pair, winner)}, {_effect(pair, winner)}."
    return f"No clear difference between {a} and {b}: {_losses(pair)}, {_effect(pair, 0)}."


def _effect(pair: Comparison, winner: int) -> str:
    """By how much the loss of one is lower, with its interval."""
    test = pair.batch_means
    if not test.standard_error > 0:
        return test.t_text
    low, high = test.interval(pair.options.confidence)
    sign = 1 if winner else -1
    low, high = sorted((sign * low, sign * high))
    return f"a loss lower by {_range(pair, low, high)}"


def _open(pair: Comparison) -> str:
    """What happened on these rows, and why that is all they show."""
    test, total = pair.batch_means, float(pair.pair.difference.sum())
    sign = int(total > 0) - int(total < 0)
    winner = int(sign > 0)
    if sign:
        compared = "was more accurate than" if _is_error_rate(pair) else "had a smaller loss than"
        fact = (
            f"{pair.names[winner]} {compared} {pair.names[1 - winner]} on these rows: "
            f"{_losses(pair, winner)}, {test.parts_text(sign)}"
        )
    else:
        fact = f"{pair.names[0]} and {pair.names[1]} were equal on these rows: {_losses(pair)}"
    if test.by_few_rows:
        why = f"{about_rows(round(test.effective))} with large differences outweigh all others"
    elif test.dependent:
        rows = about_rows(test.dependence)
        why = f"their differences depend on each other over {rows} or more"
    else:
        why = "their differences may depend on each other over long stretches"
    effect = _effect(pair, winner)
    return (
        f"Open: {fact}, {effect}; {why}, so these rows do not show whether that would hold on more "
        "of the same."
    )


def _equal(pair: Comparison, margin: float) -> str:
    """Whether the two are equal within ± margin, and by what."""
    a, b = pair.names
    within = f"within ± {margin:g}"
    if _is_error_rate(pair):
        within = f"within ± {100 * margin:g} percentage point{'' if margin == 0.01 else 's'}"
    if pair.batch_means.word == "equal":
        return f"{a} and {b} are equal {within} on these rows: they never differ."
    low, high = pair.batch_means.interval(pair.interval_level)
    if math.isnan(low):
        return f"{a} and {b} are not shown to be equal {within}: no interval of the batch means."
    gap = _range(pair, low, high, "+")
    interval = f"the {percent_text(pair.interval_level)} interval of the batch means is {gap}"
    if pair.equivalent:
        return f"{a} and {b} are equal {within}: {interval}."
    return f"{a} and {b} are not shown to be equal {within}: {interval}."


def _anytime(pair: Comparison) -> str:
    why = pair.why_not_anytime
    if why is not None:
        return f"No anytime bounds: {why}."
    bounds = pair.anytime
    head = (
        f"Anytime bounds ({percent_text(bounds.confidence)}, on these rows, however often you "
        "look): "
    )
    late = f" (labels come up to {bounds.wait:,} rows late)" if bounds.wait > 1 else ""
    gap = _gap(pair, bounds)
    if not bounds.sign:
        return f"{head}too wide to decide, loss of A minus loss of B is {gap}{late}."
    better = pair.names[int(bounds.sign > 0)]
    return f"{head}the loss of {better} is lower by {gap}{late}."


def _now(pair: Comparison) -> str:
    """Who is better on the newest rows."""
    bounds = pair.now()
    rows = int(bounds.rows[-1] - bounds.since[-1])
    head = (
        f"Now, on the last {rows:,} rows (anytime bounds that start again every {pair.window:,}): "
    )
    if not bounds.sign:
        return f"{head}open, loss of A minus loss of B is {_gap(pair, bounds)}."
    better = pair.names[int(bounds.sign > 0)]
    return f"{head}the loss of {better} is lower by {_gap(pair, bounds)}."


def _gap(pair: Comparison, bounds: Anytime) -> str:
    """The bounds at the end; without a sign if they exclude 0."""
    low, high = float(bounds.low[-1]), float(bounds.high[-1])
    if not bounds.sign:
        return _range(pair, low, high, "+")
    return _range(pair, min(abs(low), abs(high)), max(abs(low), abs(high)))


def _batches(pair: Comparison) -> str:
    test, (a, b) = pair.batch_means, pair.names
    if not test.batches:
        return f"Batch means, which allow for differences that come in runs: {test.word}."
    by = (
        f"eight cosines over {plural(test.batches, 'batch')}"
        if test.by_cosines
        else plural(test.batches, "batch")
    )
    numbers = f"{test.t_text}, {by} of {test.length:,} rows"
    words = {"better": f"{b} is better", "worse": f"{a} is better"}.get(test.word, test.word)
    return (
        f"Batch means, which allow for differences that come in runs, at the end: {words} "
        f"({numbers})."
    )


def _mcnemar(pair: Comparison) -> str:
    forgetting = pair.options.forget[0]
    last = pair.curve.last(forgetting)
    statistic, p = last["mcnemar"], last["p"]
    significant = abs(statistic) > pair.threshold
    line = (
        f"McNemar's test, which assumes independent rows, under {forgetting}: M = "
        f"{signed_text(statistic)}, p {p_text(p)}"
    )
    if significant and pair.batch_means.dependent and pair.better is None:
        return f"{line}; do not trust it, the rows are not independent."
    return f"{line} (significant beyond ± {pair.threshold:.3f})."


def _numbers(pairs: Sequence[Comparison]) -> str:
    return align(number_lines(pairs)) + "".join(f"\n  {note}" for note in number_notes(pairs))


def number_lines(pairs: Sequence[Comparison]) -> list[list[str]]:
    """Losses and statistics at the end, a line per forgetting, below a header."""
    classes = pairs[0].pair.wrong is not None
    head = ["", "loss A", "loss B", "Q"]
    head += ["only A wrong", "only B wrong", "McNemar", "p"] if classes else []
    lines = [head]
    for pair in pairs:
        against = f" against {pair.names[1]}" if len(pairs) > 1 else ""
        for forgetting in pair.options.forget:
            last = pair.curve.last(forgetting)
            line = [
                f"{forgetting}{against}",
                readable("number", last["loss_a"]),
                readable("number", last["loss_b"]),
                signed_text(last["q"], 3),
            ]
            if classes:
                counts = [f"{last[name]:,.6g}" for name in ("only_a_wrong", "only_b_wrong")]
                p = p_text(last["p"]).removeprefix("= ")
                line += [*counts, signed_text(last["mcnemar"]), p]
            lines.append(line)
    return lines


def number_notes(pairs: Sequence[Comparison]) -> list[str]:
    """What A and B are, and why Q is undefined where it is."""
    a = pairs[0].names[0]
    b = pairs[0].names[1] if len(pairs) == 1 else "the other"
    notes = [f"at the end of the stream; A = {a}, B = {b}; positive values favour B"]
    for pair in pairs:
        for forgetting in pair.options.forget:
            if "q" in (holes := pair.curve.undefined(forgetting)):
                count, reason = holes["q"]
                notes.append(
                    f"Q is undefined at {count:,} of {len(pair.curve):,} points under "
                    f"{forgetting}: {reason}"
                )
    return notes


def comparison_where(pair: Comparison) -> str:
    """The fraction of rows on which each is better."""
    share = pair.shares
    if share[None] == 1:
        rows = segment_rows(len(pair), pair.options.stretch)
        return (
            f"Along the stream: no segment of {rows:,} rows alone shows which is better; all rows "
            "together may."
        )
    return (
        f"Along the stream, on these rows: {pair.names[0]} is better on {share['A']:.0%}, "
        f"{pair.names[1]} on {share['B']:.0%}, open on {share[None]:.0%}."
    )


def _stretches(pair: Comparison) -> str:
    rows = segment_rows(len(pair), pair.options.stretch)
    called = {"A": pair.names[0], "B": pair.names[1], None: "open"}
    lines = [["scored rows", "better", "loss A", "loss B"]]
    lines += [
        [
            f"{s.start:,} to {s.stop - 1:,}",
            called[s.better],
            readable("number", s.loss_a),
            readable("number", s.loss_b),
        ]
        for s in pair.stretches[:_SHOWN_STRETCHES]
    ]
    note = (
        f"  tested by batch means in segments of {rows:,} rows, at "
        f"{percent_text(pair.options.confidence)} for all segments together"
    )
    if len(pair.stretches) > _SHOWN_STRETCHES:
        more = len(pair.stretches) - _SHOWN_STRETCHES
        note += f'\n  and {more:,} more: comparison.to_frame("stretches")'
    return f"{comparison_where(pair)}\n\n{align(lines)}\n{note}"
