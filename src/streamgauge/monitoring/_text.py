"""The status of a monitor as text: the answer first, then the figures, then what is left out."""

from __future__ import annotations

import math
from collections.abc import Iterator
from typing import Any

from streamgauge._support.types import Clock
from streamgauge.rendering.words import plural

SHOWN = ("accuracy", "kappa", "kappa_temporal", "balanced_accuracy", "mae", "rmse", "r2")
_UNDEFINED = "–"
_UNITS = (("d", 86400 * 10**9), ("h", 3600 * 10**9), ("min", 60 * 10**9), ("s", 10**9))


def status_text(status: dict[str, Any], clock: Clock) -> str:
    """The whole status, a few lines per model."""
    lines = [_headline(status, clock), *_alarm_lines(status, clock)]
    for name, model in status["models"].items():
        lines += ["", *_model_lines(name, model, clock)]
    for pair in status["comparisons"]:
        lines += ["", pair_line(pair)]
    told = status["notifications"]
    if told["waiting"] and told["problem"]:
        lines += ["", f"{plural(told['waiting'], 'notification')} not delivered: {told['problem']}"]
    if status["counts"]:
        lines += ["", "Not scored:"]
        lines += [f"  {count:,} × {reason}" for reason, count in status["counts"].items()]
    lines += [f"  e.g. {example}" for example in status["examples"]]
    return "\n".join(lines)


def _headline(status: dict[str, Any], clock: Clock) -> str:
    end = status["watermark"]
    when = "nothing scored yet" if end is None else f"up to {moment_text(end, clock)}"
    held = f"{status['held']:,} held"
    if status["idle"]:
        held += f" ({' and '.join(status['idle'])} idle)"
    return f"{status['name']} · {when} · {lines_text(status)} · {held} · {status['classes']}"


def lines_text(status: dict[str, Any]) -> str:
    """How many lines each feed has given, bad ones too."""
    read = ", ".join(f"{lines:,} ({kind})" for kind, lines in status["lines"].items())
    return f"lines read: {read}"


def _alarm_lines(status: dict[str, Any], clock: Clock) -> Iterator[str]:
    firing = [each for each in status["alarms"] if each["firing"]]
    for alarm in status["alarms"]:
        if not alarm["matched"] and status["models"]:
            mark = f"ALARM since {moment_text(alarm['since'], clock)}: " if alarm["firing"] else ""
            yield f"{mark}{alarm['alarm']} has matched nothing yet"
    for alarm in firing:
        if not alarm["matched"]:
            continue
        where = (
            alarm["model"] if alarm["segment"] is None else f"{alarm['model']}, {alarm['segment']}"
        )
        value = number_text(alarm["value"])
        yield (
            f"ALARM {alarm['alarm']} ({where}) since {moment_text(alarm['since'], clock)}: {value} "
            "at the last check"
        )
    if status["alarms"] and not firing:
        yield f"No alarm ({plural(len(status['alarms']), 'rule')})."


def _model_lines(name: str, model: dict[str, Any], clock: Clock) -> Iterator[str]:
    yield (
        f"{name}: {plural(model['arrived'], 'prediction')}, {model['scored']:,} scored, "
        f"{model['waiting']:,} waiting, {model['timed_out']:,} timed out"
    )
    yield f"  {now_text(model['now'], clock)}"
    metrics = [each for each in SHOWN if each in next(iter(model["figures"].values()))]
    rows = [("", *metrics)]
    rows += [
        (over, *(number_text(figures[each]) for each in metrics))
        for over, figures in model["figures"].items()
    ]
    rows += [
        (f"{reference} (cumulative)", *(number_text(figures.get(each)) for each in metrics))
        for reference, figures in model["references"].items()
    ]
    for column, values in model["segments"].items():
        for value, each in values.items():
            over = each["now"]["over"]
            figures = each["figures"].get(over, {})
            few = each["now"]["few"]
            numbers = (_UNDEFINED if few else number_text(figures.get(m)) for m in metrics)
            rows.append((f"{column}={value}, {over} (n = {each['now']['rows']:,})", *numbers))
    yield from _table(rows)
    for column, values in model["segments"].items():
        for value, each in values.items():
            if each["now"]["change"]["word"] == "beyond chance":
                yield f"  {column}={value}: {now_text(each['now'], clock)}"
    yield from (f"  {sentence}" for sentence in model["verdict"])
    for detector in model["detectors"]:
        alarms = f"  {detector['detector']}: {plural(detector['alarms'], 'alarm')}"
        yield f"{alarms}; {false_alarms_text(detector['false_alarms'])}"
    yield from maturity_lines(model["maturity"], clock)
    for reason, count in model["counts"].items():
        yield f"  {count:,} × {reason}"


def now_text(now: dict[str, Any], clock: Clock) -> str:
    """The newest window in a sentence: score, number of rows, interval, and the baseline."""
    if not now["rows"]:
        return "Now: no row has been scored."
    since = f"since {moment_text(now['from'], clock)}"
    if now["few"]:
        right = "" if now["right"] is None else f"{now['right']} of "
        what = plural(now["rows"], "prediction")
        return f"Now: {right}{what}{' right' if right else ''} {since}: too few to say."
    points = now["metric"] == "accuracy"
    figure = _percent if points else number_text
    score = f"Now: {now['metric']} {figure(now['score'])}{_interval(now, figure)}"
    base, moved = now["baseline"], now["change"]
    text = f"{score} on {now['rows']:,} rows {since}"
    if not base["rows"]:
        return f"{text}; no baseline yet."
    better = moved["effect"] >= 0
    up = better if points else not better
    size, sides = abs(moved["effect"]), sorted(abs(moved[each] or 0) for each in ("low", "high"))
    amount = f"{100 * size:.1f} points" if points else number_text(size)
    name = "the baseline" if base["declared"] else "all rows before"
    if _unknown(moved["low"]):
        says = "too few rows for an interval"
    elif moved["word"] == "beyond chance":
        low, high = ((f"{100 * s:.1f}" if points else number_text(s)) for s in sides)
        amount, says = f"{amount} ({low} to {high})", "beyond chance"
    else:
        says = "within chance"
    return (
        f"{text}, {'up' if up else 'down'} {amount} against {name}, {figure(base['score'])} on "
        f"{base['rows']:,} rows up to {moment_text(base['to'], clock)}: {says}."
    )


def _unknown(value: float | None) -> bool:
    return value is None or math.isnan(value)


def _percent(value: float) -> str:
    return f"{100 * value:.1f} %"


def _interval(period: dict[str, Any], figure: Any) -> str:
    if _unknown(period["low"]):
        return ""
    return f" (99 % interval {figure(period['low'])} to {figure(period['high'])})"


def false_alarms_text(found: dict[str, Any]) -> str:
    """How often a detector would alarm without a drift, and how that was measured."""
    dependence = found["dependence"]
    r = f"(autocorrelation {dependence['autocorrelation']:+.2f})" if dependence["fails"] else ""
    if not found["block"]:
        why = f"the errors depend on each other for too long {r}" if r else "too few rows"
        return f"how many would come without a drift is unknown: {why}"
    low, rate, high = (number_text(found[name]) for name in ("low", "rate", "high"))
    since = f", since errors are not independent {r}" if r else ""
    return (
        f"without a drift {rate} per 1,000 rows (99 % interval {low} to {high}), measured on the "
        f"last {found['rows']:,} errors in random order, by blocks of {found['block']:,}{since}"
    )


def maturity_lines(maturity: dict[str, Any], clock: Clock) -> Iterator[str]:
    recent = maturity["recent"]
    if recent["arrived"]:
        bounds = ""
        if recent["worst"] is not None and not math.isnan(recent["worst"]):
            low, high = number_text(recent["worst"]), number_text(recent["best"])
            bounds = f", between {low} and {high} once all are in"
        yield (
            f"  Rows that may still get a label: {recent['labelled']:,} of {recent['arrived']:,} "
            f"labelled; score so far {number_text(recent['score'])}, reweighted by past waits "
            f"{_reweighted_text(recent)}{bounds}."
        )
    covered = maturity["coverage_by_age"]
    if covered:
        half = next(
            (each for each in covered if each["coverage"] >= covered[-1]["coverage"] / 2),
            covered[-1],
        )
        yield (
            f"  Estimate: {covered[-1]['coverage']:.1%} of rows get a label, half of these within "
            f"{span_text(half['age'], clock)}."
        )
    bias = maturity["bias"]
    if bias is not None:
        better = "too good" if bias["early"] > bias["late"] else "too bad"
        yield (
            f"  Early labels mislead: those that come within {span_text(bias['wait'], clock)} are "
            f"right in {bias['early']:.1%}, later ones of the same cohorts in {bias['late']:.1%}; "
            f"scores of young rows look {better}."
        )


def _reweighted_text(recent: dict[str, Any]) -> str:
    low, value, high = (
        number_text(recent[name]) for name in ("reweighted_low", "reweighted", "reweighted_high")
    )
    unknown = "too few earlier rows for an interval"
    interval = unknown if low == _UNDEFINED else f"99 % interval {low} to {high}"
    return value if value == _UNDEFINED else f"{value} ({interval})"


def pair_line(pair: dict[str, Any]) -> str:
    word = {
        "better": f"{pair['a']} is better than {pair['b']}",
        "worse": f"{pair['a']} is worse than {pair['b']}",
        "equal": f"{pair['a']} and {pair['b']} are equal",
        "no clear difference": f"No clear difference between {pair['a']} and {pair['b']}",
        "open": f"Open whether {pair['a']} or {pair['b']} is better",
    }.get(pair["word"], f"Too few rows to compare {pair['a']} with {pair['b']}")
    if pair["by"] == "time blocks":
        interval = ""
        if not _unknown(pair["low"]):
            low, high = number_text(pair["low"]), number_text(pair["high"])
            interval = f" (99 % interval of the difference {low} to {high})"
        return (
            f"{word}: {pair['metric']} {number_text(pair['a_score'])} on {pair['a_rows']:,} rows "
            f"against {number_text(pair['b_score'])} on {pair['b_rows']:,} other rows of the same "
            f"{plural(pair['blocks'], 'block')} of time{interval}."
        )
    return (
        f"{word}: {pair['metric']} {number_text(pair['a_score'])} against "
        f"{number_text(pair['b_score'])} on {plural(pair['rows'], 'row')} that both predicted."
    )


def moment_text(moment: str, clock: Clock) -> str:
    """A time in a sentence: an integer would not be read as one."""
    return f"time {moment}" if clock == "integers" else moment


def span_text(length: int, clock: Clock) -> str:
    """A duration for people."""
    if clock == "integers":
        return f"{length:,}"
    for unit, size in _UNITS:
        if length >= size:
            return f"{length / size:.3g} {unit}"
    return f"{length / 10**9:.3g} s"


def span_unit(longest: int, clock: Clock) -> tuple[int, str]:
    """The unit in which durations up to this one read best: its size and its name."""
    if clock == "integers":
        return 1, "unit of the times"
    fitting = ((size, unit) for unit, size in _UNITS if longest >= 2 * size)
    return next(fitting, (10**9, "s"))


def number_text(value: Any) -> str:
    if value is None or (isinstance(value, float) and math.isnan(value)):
        return _UNDEFINED
    return f"{value:.4f}" if abs(value) < 10 else f"{value:.5g}"


def _table(rows: list[tuple[str, ...]]) -> Iterator[str]:
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    for first, *others in rows:
        cells = [cell.rjust(width) for cell, width in zip(others, widths[1:], strict=True)]
        yield "  ".join(["  " + first.ljust(widths[0]), *cells]).rstrip()
