"""Comparisons as text: the answer in words, the numbers that back it."""

from __future__ import annotations

import math
from collections.abc import Sequence

from streamgauge.comparison._stretches import piece_rows
from streamgauge.comparison.result import Comparison
from streamgauge.measures.verdict import signed
from streamgauge.rendering.text_table import align, cell
from streamgauge.rendering.words import plural

_SHOWN_STRETCHES = 20


def show_comparison(pair: Comparison) -> str:
    """Two learners: the stream, the answer, the numbers, the stretches."""
    return "\n\n".join(
        [_header(pair), "\n".join(sentences(pair)), _numbers([pair]), _stretches(pair)]
    )


def show_comparisons(pairs: Sequence[Comparison]) -> str:
    """One learner against several: each answer, then one table."""
    words = ["\n".join([*sentences(pair), _where(pair)]) for pair in pairs]
    share = 1 - pairs[0].setting.confidence
    together = (
        f"{len(pairs)} comparisons, each at {_percent(pairs[0].setting.confidence)}: the chance "
        f"that one of them or more errs is up to {_percent(min(1.0, share * len(pairs)))}."
    )
    return "\n\n".join([_header(pairs[0]), *words, together, _numbers(pairs)])


def sentences(pair: Comparison) -> list[str]:
    """Who is better, then by each of the three tests, the most trustworthy first."""
    lines = [_answer(pair)]
    if pair.pair.difference.any():
        lines += [_anytime(pair), _batches(pair)]
        if pair.pair.wrong is not None:
            lines.append(_mcnemar(pair))
    if pair.scored > len(pair):
        lines.append(
            f"{plural(pair.scored - len(pair), 'row')} left out that one of them did not answer."
        )
    return lines


def _header(pair: Comparison) -> str:
    setting = pair.setting
    parts = [setting.stream, f"{plural(len(pair), 'row')} compared", f"labels {setting.labels}"]
    return " · ".join([*parts, f"loss {setting.loss}"])


def _loss(pair: Comparison, loss: float) -> str:
    """A mean loss, of right and wrong in per cent."""
    return f"{100 * loss:.2f} %" if pair.setting.loss == "zero_one" else f"{loss:.4g}"


def _losses(pair: Comparison, first: int = 0) -> str:
    noun = "errors" if pair.setting.loss == "zero_one" else "mean loss"
    losses = pair.pair.losses.mean(axis=1).tolist()
    return f"{noun} {_loss(pair, losses[first])} against {_loss(pair, losses[1 - first])}"


def _range(pair: Comparison, low: float, high: float, sign: str = "") -> str:
    """From .. to; of right and wrong in points of a per cent."""
    if pair.setting.loss == "zero_one":
        text = f"{100 * low:{sign}.2f} to {100 * high:{sign}.2f} points"
    else:
        text = f"{low:{sign}.4g} to {high:{sign}.4g}"
    return text.replace("-", "−")


def _answer(pair: Comparison) -> str:
    a, b = pair.names
    if not pair.pair.difference.any():
        return f"{a} and {b} never differ: {_losses(pair)} on all {plural(len(pair), 'row')}."
    if pair.better is None:
        return f"No clear difference between {a} and {b}: {_losses(pair)}."
    better = pair.names.index(pair.better)
    return f"{pair.better} is better than {pair.names[1 - better]}: {_losses(pair, better)}."


def _anytime(pair: Comparison) -> str:
    why = pair.why_not_anytime
    if why is not None:
        return f"No anytime bounds: {why}."
    bounds = pair.anytime
    low, high = float(bounds.low[-1]), float(bounds.high[-1])
    head = f"Anytime bounds, {_percent(bounds.confidence)} at whatever row one looks: "
    late = f", wide since labels come up to {bounds.wait:,} rows late" if bounds.wait > 1 else ""
    if not bounds.sign:
        return (
            f"{head}no clear difference, A loses {_range(pair, low, high, '+')} more than B{late}."
        )
    better = pair.names[int(bounds.sign > 0)]
    gap = _range(pair, min(abs(low), abs(high)), max(abs(low), abs(high)))
    if pair.better is not None:
        return f"{head}{better} loses less by {gap}{late}."
    return (
        f"{head}on these rows {better} lost less by {gap}{late}; but the differences come in runs "
        f"(autocorrelation {pair.autocorrelation:.2f}), so on more of the same it need not."
    )


def _batches(pair: Comparison) -> str:
    test, (a, b) = pair.batch_means, pair.names
    numbers = f"z = {signed(test.z)}, {plural(test.batches, 'batch')}"
    words = {"better": f"{b} is better", "worse": f"{a} is better"}.get(test.word, test.word)
    return f"Batch means, for differences that come in runs: {words} ({numbers})."


def _mcnemar(pair: Comparison) -> str:
    all_rows = pair.curve.last(pair.curve.forgettings[0])
    statistic, p = all_rows["mcnemar"], all_rows["p"]
    sure = abs(statistic) > pair.threshold
    line = (
        f"McNemar's test, as if rows were independent, {pair.curve.forgettings[0]}: M = "
        f"{_number(statistic)}, p {p_text(p)}"
    )
    if sure and pair.batch_means.word == "no clear difference":
        return (
            f"{line}: not to be trusted, the differences come in runs (autocorrelation "
            f"{pair.autocorrelation:.2f})."
        )
    return f"{line} (beyond ± {pair.threshold:.3f} is significant)."


def _numbers(pairs: Sequence[Comparison]) -> str:
    classes = pairs[0].pair.wrong is not None
    head = ["", "loss A", "loss B", "Q"]
    head += ["only A wrong", "only B wrong", "McNemar", "p"] if classes else []
    lines = [head]
    for pair in pairs:
        against = f" against {pair.names[1]}" if len(pairs) > 1 else ""
        for forgetting in pair.curve.forgettings:
            last = pair.curve.last(forgetting)
            line = [
                f"{forgetting}{against}",
                cell("", last["loss_a"]),
                cell("", last["loss_b"]),
                _number(last["q"], 3),
            ]
            if classes:
                counts = [f"{last[name]:,.6g}" for name in ("only_a_wrong", "only_b_wrong")]
                line += [*counts, _number(last["mcnemar"]), p_text(last["p"]).removeprefix("= ")]
            lines.append(line)
    a = pairs[0].names[0]
    b = pairs[0].names[1] if len(pairs) == 1 else "the other"
    notes = [f"at the end; A = {a}, B = {b}; a plus speaks for B"]
    for pair in pairs:
        for forgetting in pair.curve.forgettings:
            if "q" in (holes := pair.curve.undefined(forgetting)):
                count, reason = holes["q"]
                notes.append(
                    f"Q is undefined at {count:,} of {len(pair.curve):,} points, {forgetting}: "
                    f"{reason}"
                )
    return align(lines) + "".join(f"\n  {note}" for note in notes)


def _where(pair: Comparison) -> str:
    """Shares of the stream in one line."""
    share = pair.shares
    return (
        f"Along the stream: {pair.names[0]} is better on {share['A']:.0%} of the rows, "
        f"{pair.names[1]} on {share['B']:.0%}, neither clearly on {share[None]:.0%}."
    )


def _stretches(pair: Comparison) -> str:
    rows = piece_rows(len(pair), pair.setting.stretch)
    called = {"A": pair.names[0], "B": pair.names[1], None: "not clear"}
    lines = [["scored rows", "better", "loss A", "loss B"]]
    lines += [
        [
            f"{s.start:,} to {s.stop - 1:,}",
            called[s.better],
            cell("", s.loss_a),
            cell("", s.loss_b),
        ]
        for s in pair.stretches[:_SHOWN_STRETCHES]
    ]
    note = (
        f"  by batch means in pieces of {rows:,} rows, all together at "
        f"{_percent(pair.setting.confidence)}"
    )
    if len(pair.stretches) > _SHOWN_STRETCHES:
        more = len(pair.stretches) - _SHOWN_STRETCHES
        note += f'\n  and {more:,} more: comparison.to_frame("stretches")'
    return f"{_where(pair)}\n\n{align(lines)}\n{note}"


def _number(value: float, digits: int = 1) -> str:
    if math.isnan(value):
        return "undefined"
    return f"{value:+.{digits}f}".replace("-", "−")


def p_text(p: float) -> str:
    """What follows the letter p: = 0.0123, < 0.0001."""
    return "undefined" if math.isnan(p) else "< 0.0001" if p < 0.0001 else f"= {p:.4f}"


def _percent(share: float) -> str:
    return f"{100 * share:.4g} %"
