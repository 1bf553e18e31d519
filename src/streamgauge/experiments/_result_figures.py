"""Results as figures: score against cost, against one number that varies or two, and worth."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np
import pyarrow as pa

from streamgauge._support import registry
from streamgauge._support.errors import UsageError, did_you_mean
from streamgauge._support.printable import printable
from streamgauge._support.selection import Where
from streamgauge.experiments._delay_figure import draw_delay
from streamgauge.experiments._sweeps import Coordinates, check_swept, coordinates, swept_names
from streamgauge.experiments._worth_figure import draw_worth
from streamgauge.experiments.tables.cell_values import choose, pickled_in
from streamgauge.experiments.tables.table_text import pickled_sizes
from streamgauge.figures.cost_and_score import cost_and_score
from streamgauge.figures.sweep import sweep
from streamgauge.figures.sweep_grid import sweep_grid
from streamgauge.measures.scale import Scale
from streamgauge.ranking.score_table import LearnerScore
from streamgauge.rendering.words import plural
from streamgauge.runs.facts import BY_SIZE

if TYPE_CHECKING:
    from streamgauge.experiments.results import Results

_KINDS = ("cost", "sweep", "grid", "worth", "delay")
_MOST_PANELS = 12
_COSTS = {
    "seconds": "learner CPU seconds",
    "model_bytes": "model size in bytes",
    "ram_hours": "RAM-hours",
}


def draw_results(
    results: Results,
    what: str | None,
    value: str | None,
    x: str | None,
    y: str | None,
    cost: str,
    forget: str | None,
    where: Where | None,
) -> Any:
    """The figure that `Results.plot` returns."""
    if what is not None and what not in _KINDS:
        close = did_you_mean(str(what), _KINDS)
        raise UsageError(f"plot({what!r}): unknown figure{close}; expected {', '.join(_KINDS)}")
    if what == "worth":
        return draw_worth(results, where)
    if what == "delay":
        given = [name for name, each in (("value", value), ("x", x), ("y", y)) if each is not None]
        if given:
            raise UsageError(f"plot('delay', {given[0]}=...): expected where= only")
        return draw_delay(results, where)
    metric = value or _default_metric(results)
    scores = results.score_list(metric, forget, where)
    swept = swept_names(scores) if what != "cost" else []
    kind = what or _kind(swept, x, y)
    caption = _missing(scores, metric)
    scale = results.scale_of(metric, where)
    if kind == "cost":
        return _draw_cost(results, scores, metric, scale, cost, forget, where, caption)
    wanted = _numbers(kind, x, y, swept)
    places = coordinates(scores, wanted)
    if kind == "sweep":
        return _draw_sweep(scores, places, metric, scale, wanted[0], caption)
    return _draw_grid(scores, places, metric, scale, wanted, caption)


def _default_metric(results: Results) -> str:
    known = next((each.summary for each in results), {})
    return "mae" if "mae" in known else "kappa"


def _kind(swept: Sequence[str], x: str | None, y: str | None) -> str:
    """What to draw if it is not said: the numbers that vary, else the cost."""
    if y is not None or (x is None and len(swept) == 2):
        return "grid"
    return "sweep" if x is not None or swept else "cost"


def _numbers(kind: str, x: str | None, y: str | None, swept: Sequence[str]) -> list[str]:
    """The names of the numbers to draw."""
    wanted = [("x", x)] if kind == "sweep" else [("x", x), ("y", y)]
    for option, name in wanted:
        if name is not None:
            check_swept(option, name, swept)
    given = [name for _, name in wanted if name is not None]
    free = [name for name in swept if name not in given]
    if len(given) + len(free) < len(wanted):
        raise UsageError(
            f"plot({kind!r}): {plural(len(swept), 'number')} between the cells"
            f"{': ' + ', '.join(swept) if swept else ''}; expected at least {len(wanted)}, such as "
            "the grace_period of HoeffdingTree(grace_period=100) or the n of Delay(n)"
        )
    return [name if name is not None else free.pop(0) for _, name in wanted]


def _missing(scores: Sequence[LearnerScore], metric: str) -> list[str]:
    """A sentence on cells that are not drawn."""
    holes = sum(math.isnan(score.value) for score in scores)
    if not holes:
        return []
    return [f"Left out: {plural(holes, 'cell')} without a run or with an undefined {metric}."]


def _draw_cost(
    results: Results, scores: Sequence[LearnerScore], metric: str, scale: Scale, cost: str,
    forget: str | None, where: Where | None, caption: list[str],
) -> Any:  # fmt: skip
    if cost not in _COSTS:
        close = did_you_mean(str(cost), _COSTS)
        raise UsageError(f"cost={cost!r}: unknown cost{close}; expected one of {', '.join(_COSTS)}")
    costs = results.score_list(cost, forget, where)
    chosen = choose(results.cell_results, results.folder, where)
    pickled = pickled_in(chosen) if cost in BY_SIZE else ()
    panel = _panel_names([(score.stream, score.labels) for score in scores], _prefix(scores))
    keys = [(p, printable(score.learner)) for p, score in zip(panel, scores, strict=True)]
    kept, note = _first_panels(panel)
    means = _means(keys, [score.value for score in scores], kept)
    prices = _means(keys, [score.value for score in costs], kept)
    rows = [
        {"panel": p, "series": name, "cost": prices[p, name][0], "value": mean, "spread": spread}
        for (p, name), (mean, spread) in means.items()
    ]
    kinds = [("panel", pa.string()), ("series", pa.string())]
    kinds += [(name, pa.float64()) for name in ("cost", "value", "spread")]
    return cost_and_score(
        pa.Table.from_pylist([_plain(row) for row in rows], pa.schema(kinds)),
        metric,
        _COSTS[cost],
        title=f"{_prefix(scores)}{metric} against {_COSTS[cost]}",
        references=_references(name for _, name in means),
        direction=scale.direction,
        percent=scale.unit == "fraction",
        caption=[*caption, *note, *_seeds(scores), *pickled_sizes(pickled)],
    )


def _draw_sweep(
    scores: Sequence[LearnerScore], places: Sequence[Coordinates], metric: str, scale: Scale,
    x: str, caption: list[str],
) -> Any:  # fmt: skip
    panel = _panel_names([(each.stream, each.labels) for each in places], _prefix(scores))
    kept, note = _first_panels(
        [p for p, each in zip(panel, places, strict=True) if each.at[0] is not None]
    )
    keys = [(p, printable(each.learner), each.at[0]) for p, each in zip(panel, places, strict=True)]
    drawn = [each.at[0] is not None or each.of_learner for each in places]
    left_out = len(drawn) - sum(drawn)
    if left_out:
        note.append(f"Left out: {plural(left_out, 'cell')} without {x}.")
    values = [s.value if on else math.nan for s, on in zip(scores, drawn, strict=True)]
    means = _means(keys, values, kept)
    rows = [
        {"panel": p, "series": name, "x": at, "value": mean, "spread": spread}
        for (p, name, at), (mean, spread) in means.items()
    ]
    rows.sort(key=lambda row: (row["x"] is None, row["x"] or 0))
    rows.sort(key=lambda row: kept.index(row["panel"]))
    return sweep(
        pa.Table.from_pylist([_plain(row) for row in rows], _schema("x", "spread")),
        metric,
        _number_words(x),
        title=f"{_prefix(scores)}{metric} against {_number_words(x)}",
        references=_references(name for _, name, _ in means),
        percent=scale.unit == "fraction",
        caption=[*caption, *note, *_seeds(scores)],
    )


def _draw_grid(
    scores: Sequence[LearnerScore], places: Sequence[Coordinates], metric: str, scale: Scale,
    wanted: Sequence[str], caption: list[str],
) -> Any:  # fmt: skip
    inside = [each for each in places if None not in each.at]
    values = [s.value for s, each in zip(scores, places, strict=True) if None not in each.at]
    panel = _panel_names([(each.learner, each.stream, each.labels) for each in inside])
    kept, note = _first_panels(panel)
    if len(inside) < len(places):
        words = f"without {' and '.join(wanted)}"
        note.append(f"Left out: {plural(len(places) - len(inside), 'cell')} {words}.")
    keys = [(p, *each.at) for p, each in zip(panel, inside, strict=True)]
    means = _means(keys, values, kept)
    rows = [
        dict(zip(("panel", "x", "y"), key, strict=True), value=mean)
        for key, (mean, _) in means.items()
    ]
    x, y = map(_number_words, wanted)
    return sweep_grid(
        pa.Table.from_pylist([_plain(row) for row in rows], _schema("x", "y", series=False)),
        metric,
        x,
        y,
        title=f"{_prefix(scores)}{metric} against {x} and {y}",
        percent=scale.unit == "fraction",
        caption=[*caption, *note, *_seeds(scores)],
    )


def _prefix(scores: Sequence[LearnerScore]) -> str:
    """The stream, if there is only one."""
    streams = {score.stream for score in scores}
    return f"{printable(streams.pop())}: " if len(streams) == 1 else ""


def _number_words(name: str) -> str:
    """A number's name in a sentence: that of a call is its argument."""
    words = {"Delay": "n of Delay(n)", "inject": "order of the injection"}
    return words.get(name, printable(name))


def _panel_names(keys: Sequence[tuple[str, ...]], title: str = "") -> list[str]:
    """The parts of each key that differ between keys; if none does, the first unless titled so."""
    parts = [len({key[i] for key in keys}) > 1 for i in range(len(keys[0]))] if keys else []
    if not any(parts):
        parts = [i == 0 and not title for i in range(len(parts))]
    shown = [[text for text, on in zip(key, parts, strict=True) if on] for key in keys]
    return [printable(" · ".join(texts)) for texts in shown]


def _first_panels(names: Iterable[str]) -> tuple[list[str], list[str]]:
    """The panels to draw, and a note if there are more."""
    every = list(dict.fromkeys(names))
    if len(every) <= _MOST_PANELS:
        return every, []
    note = f"The first {_MOST_PANELS} of {len(every)} panels; choose others by where=."
    return every[:_MOST_PANELS], [note]


def _means(
    keys: Sequence[tuple[Any, ...]], values: Sequence[float], panels: Sequence[str]
) -> dict[tuple[Any, ...], tuple[float, float | None]]:
    """Mean and standard deviation of the defined values of each key, over seeds."""
    found: dict[tuple[Any, ...], list[float]] = {}
    for key, value in zip(keys, values, strict=True):
        if key[0] in panels:
            found.setdefault(key, []).append(value)
    return {key: _mean([v for v in several if math.isfinite(v)]) for key, several in found.items()}


def _mean(values: Sequence[float]) -> tuple[float, float | None]:
    spread = float(np.std(values, ddof=1)) if len(values) > 1 else None
    return (float(np.mean(values)) if values else math.nan), spread


def _plain(row: dict[str, Any]) -> dict[str, Any]:
    """Undefined numbers as None."""
    return {
        key: None if isinstance(value, float) and math.isnan(value) else value
        for key, value in row.items()
    }


def _schema(*numbers: str, series: bool = True) -> pa.Schema:
    texts = ("panel", "series") if series else ("panel",)
    columns = [(name, pa.string()) for name in texts]
    return pa.schema([*columns, *((name, pa.float64()) for name in (*numbers, "value"))])


def _seeds(scores: Sequence[LearnerScore]) -> list[str]:
    seeds = len({(score.seed, score.model) for score in scores})
    return [f"Means over {seeds} seeds; bars: ± one standard deviation."] if seeds > 1 else []


def _references(names: Iterable[str]) -> list[str]:
    """Those names that are our references: without parameters of their own."""
    known = registry.own_names("reference")
    return list(dict.fromkeys(name for name in names if name.partition("(")[0] in known))
