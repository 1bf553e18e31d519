"""The sections of a monitor's page."""

from __future__ import annotations

import math
from collections.abc import Iterator
from typing import Any

from streamgauge._support.types import Clock
from streamgauge.monitoring._text import (
    SHOWN,
    lines_text,
    maturity_lines,
    moment_text,
    now_text,
    number_text,
    pair_line,
)
from streamgauge.monitoring.serving._figures import curves, maturity
from streamgauge.monitoring.serving._reading import Reading
from streamgauge.rendering.outcomes import outcome_text
from streamgauge.rendering.sheet import Sheet, SheetCell, words
from streamgauge.rendering.units import readable
from streamgauge.rendering.words import join_words, plural
from streamgauge.reports.html import Html, joined, tag
from streamgauge.reports.page import (
    Content,
    PageSection,
    figures_html,
    make_head,
    require_javascript,
    section_html,
)
from streamgauge.reports.series_buttons import series_buttons
from streamgauge.reports.sheets import sheet_section
from streamgauge.reports.tiles import tile

_EVENTS = 20  # of the alarms that are listed


def make_content(reading: Reading) -> Content:
    """The whole page of a reading."""
    require_javascript()
    status = reading.status
    charts: list[dict[str, Any]] = []
    sections = [
        PageSection("answer", "Now", _answer(status)),
        PageSection("alarms", "Alarms", _alarms(status)),
        PageSection("scores", "Scores", _scores(status)),
        PageSection("curves", "Along time", figures_html(charts, curves(reading))),
        PageSection("maturity", "Labels that are in and out", _maturity(reading, charts)),
        PageSection("pairs", "A against B", _paragraphs(map(pair_line, status["comparisons"]))),
        PageSection("detectors", "Detectors", _detectors(status)),
        PageSection("counts", "What was not scored", _counts(status)),
    ]
    shown = [each for each in sections if each.content]
    head = make_head(status["name"], _subtitle(status), shown)
    names = list(dict.fromkeys([*status["models"], *_references(status)]))
    main = [series_buttons(names, _references(status)), *map(section_html, shown)]
    return Content(head, joined(main), charts)


def status_html(reading: Reading) -> Html:
    """What changes every second: how far the monitor is, and which alarms are on."""
    status = reading.status
    when = "nothing scored yet" if status["watermark"] is None else f"up to {status['watermark']}"
    firing = [each["alarm"] for each in status["alarms"] if each["firing"]]
    said = tag("p", f"{when[0].upper()}{when[1:]}; {lines_text(status)}; {status['held']:,} held.")
    on = tag("p", tag("strong", f"Alarm: {'; '.join(firing)}.")) if firing else None
    return joined([said, on])


def _subtitle(status: dict[str, Any]) -> str:
    return (
        f"{plural(len(status['models']), 'model')} · {status['classes']} · monitored by streamgauge"
    )


def _references(status: dict[str, Any]) -> list[str]:
    return [name for model in status["models"].values() for name in model["references"]]


def _paragraphs(lines: Any) -> Html | None:
    return joined(tag("p", each) for each in lines) or None


def _answer(status: dict[str, Any]) -> Html:
    """Alarms that are on, tiles per model, and all of it in sentences, folded."""
    firing = [each for each in status["alarms"] if each["firing"]]
    alarms = [tag("p", tag("strong", _alarm_text(alarm))) for alarm in firing]
    if not status["models"]:
        return joined([*alarms, tag("p", "No prediction has been joined with a label yet.")])
    tiles = [_model_tiles(name, model, status) for name, model in status["models"].items()]
    sentences = [tag("p", each) for each in _sentences(status)]
    folded = tag("details", tag("summary", "In sentences"), *sentences, id="sentences")
    return joined([*alarms, *tiles, folded])


def _alarm_text(alarm: dict[str, Any]) -> str:
    value = number_text(alarm["value"]) if alarm["matched"] else "it has matched nothing"
    return f"Alarm “{alarm['alarm']}” of {_who(alarm)}: {value}, since {alarm['since']}."


def _model_tiles(name: str, model: dict[str, Any], status: dict[str, Any]) -> Html:
    """How good a model is now, against what is to beat, what is outstanding, and its alarms."""
    return joined(
        [
            tag("h3", name),
            tag(
                "div",
                _score_tile(model["now"], status["clock"]),
                _reference_tile(model),
                tile(
                    "Labels in",
                    f"{model['scored']:,}",
                    f"{model['waiting']:,} outstanding, {model['timed_out']:,} timed out",
                ),
                _alarm_tile(name, status),
                class_="tiles",
            ),
        ]
    )


def _score_tile(now: dict[str, Any], clock: Clock) -> Html:
    """The newest window; few rows are counted and not scored."""
    if now["few"] or not now["rows"]:
        return tile("Now", "too few rows", f"{plural(now['rows'], 'row')} in {now['over']}")
    percent = now["metric"] == "accuracy"
    shown, low, high = (
        readable(
            "fraction" if percent else "target", now[each] if now[each] is not None else math.nan
        )
        for each in ("score", "low", "high")
    )
    known = now["low"] is not None and not math.isnan(now["low"])
    interval = f"{low} to {high}, " if known else ""
    word = now["change"]["word"]
    effect = now["change"]["effect"]
    worse = word == "beyond chance" and (effect < 0 if percent else effect > 0)
    base = (
        ""
        if word is None
        else f"; {word} of the baseline"
        if word == "within chance"
        else (f"; {'worse' if worse else 'better'} than the baseline, beyond chance")
    )
    note = f"{interval}{now['rows']:,} rows since {moment_text(now['from'], clock)}{base}"
    return tile(f"Now: {now['metric']}", shown, note, bad=worse)


def _reference_tile(model: dict[str, Any]) -> Html:
    """The outcome against the strongest reference, over all rows."""
    words_by_name = model["against"]
    if not words_by_name:
        return tile("Against the strongest reference", "–", "no reference")
    strongest, word = next(iter(words_by_name.items()))
    others = [name for name, each in words_by_name.items() if each == "worse" and name != strongest]
    also = f"; also worse than {join_words(others)}" if others else ""
    note = f"{strongest}, over all rows{also}"
    bad = word == "worse" or bool(others)
    return tile("Against the strongest reference", outcome_text(word).strip(), note, bad=bad)


def _alarm_tile(name: str, status: dict[str, Any]) -> Html:
    rules = [each for each in status["alarms"] if each["model"] in (name, None)]
    firing = [each for each in rules if each["firing"]]
    if not rules:
        return tile("Alarms", "no rule", "none has been checked yet")
    note = (
        join_words([f"“{each['alarm']}”" for each in firing])
        if firing
        else (f"of {plural(len(rules), 'rule')}")
    )
    return tile("Alarms", f"{len(firing)} on", note, bad=bool(firing))


def _sentences(status: dict[str, Any]) -> Iterator[str]:
    for name, model in status["models"].items():
        yield (
            f"{name}: {plural(model['arrived'], 'prediction')}, {model['scored']:,} scored, "
            f"{model['waiting']:,} waiting for a label, {model['timed_out']:,} timed out."
        )
        yield now_text(model["now"], status["clock"])
        yield from model["verdict"][:1]


def _who(alarm: dict[str, Any]) -> str:
    return ", ".join(each for each in (alarm["model"], alarm["segment"]) if each) or "any model"


def _state(alarm: dict[str, Any]) -> str:
    state = "on" if alarm["firing"] else "off"
    return state if alarm["matched"] else f"{state}: has matched nothing yet"


def _alarms(status: dict[str, Any]) -> Html | None:
    if not status["alarms"]:
        return None
    lines = [
        [
            words(each["alarm"]),
            words(_who(each)),
            words(_state(each)),
            words(each["since"] or "–"),
            _cell(each["value"]),
            SheetCell(f"{each['raised']:,}"),
        ]
        for each in status["alarms"]
    ]
    header = ["alarm", "of", "state", "since", "value at the last check", "times raised"]
    table = sheet_section(Sheet(header, [lines], names=4), "Rules")
    events = [tag("li", each["text"]) for each in reversed(status["events"][-_EVENTS:])]
    return joined([table, tag("ul", *events) if events else None])


def _scores(status: dict[str, Any]) -> Html | None:
    groups = []
    models = status["models"]
    found = [figures for model in models.values() for figures in model["figures"].values()]
    metrics = [each for each in SHOWN if found and each in found[0]]
    for name, model in models.items():
        group = [_line(name, over, figures, metrics) for over, figures in model["figures"].items()]
        group += [
            _line(
                name,
                f"{column}={value}, {over}; n = {segment['now']['rows']:,} now",
                {} if segment["now"]["few"] else figures,
                metrics,
            )
            for column, values in model["segments"].items()
            for value, segment in values.items()
            for over, figures in segment["figures"].items()
        ]
        group += [
            _line(reference, f"on the rows of {name}, all", figures, metrics)
            for reference, figures in model["references"].items()
        ]
        groups.append(group)
    if not groups:
        return None
    table = sheet_section(Sheet(["", "over", *metrics], groups, names=2), "Scores of all models")
    verdicts = [
        tag("details", tag("summary", f"Verdict on {name}"), _paragraphs(model["verdict"]))
        for name, model in models.items()
    ]
    return joined([table, *verdicts])


def _line(name: str, over: str, figures: dict[str, Any], metrics: list[str]) -> list[SheetCell]:
    return [words(name), words(over), *(_cell(figures.get(each)) for each in metrics)]


def _cell(value: float | None) -> SheetCell:
    return SheetCell(number_text(value), number=value is not None)


def _maturity(reading: Reading, charts: list[dict[str, Any]]) -> Html | None:
    models = reading.status["models"]
    lines = [
        line.strip() if len(models) == 1 else f"{name}: {line.strip()}"
        for name, model in models.items()
        for line in maturity_lines(model["maturity"], reading.clock)
    ]
    return joined([_paragraphs(lines), figures_html(charts, maturity(reading))]) or None


def _detectors(status: dict[str, Any]) -> Html | None:
    lines = [
        [
            words(detector["detector"]),
            words(name),
            words(detector["last"][-1]["time"] if detector["last"] else "–"),
            SheetCell(f"{detector['alarms']:,}"),
            *(_cell(detector["false_alarms"][each]) for each in ("rate", "low", "high")),
        ]
        for name, model in status["models"].items()
        for detector in model["detectors"]
    ]
    header = ["detector", "of", "last alarm", "alarms", "false alarms per 1,000 rows", "from", "to"]
    note = (
        "False alarms: those on blocks of the latest errors in random order, where nothing drifts, "
        "with their 99 % interval."
    )
    return sheet_section(Sheet(header, [lines], [note], names=3), "Detectors") if lines else None


def _counts(status: dict[str, Any]) -> Html | None:
    lines = [
        [words(reason), words(""), SheetCell(f"{n:,}")] for reason, n in status["counts"].items()
    ]
    lines += [
        [words(reason), words(name), SheetCell(f"{n:,}")]
        for name, model in status["models"].items()
        for reason, n in model["counts"].items()
    ]
    if not lines:
        return None
    table = sheet_section(Sheet(["what", "model", "count"], [lines], names=2), "Counted apart")
    return joined(
        [table, *(tag("p", f"E.g. {each}", class_="note") for each in status["examples"])]
    )
