"""`streamgauge monitor init`: a first configuration, from a look at both files."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from streamgauge._support.clock import clock_of, time_text
from streamgauge._support.errors import InputError, UsageError
from streamgauge._support.types import NEVER, Clock, Floats, Longs
from streamgauge.monitoring._vocabulary import learn_classes
from streamgauge.streams.formats.arrow_cells import (
    TIME_KINDS,
    as_text,
    cast_times,
    is_text,
    to_floats,
)
from streamgauge.streams.formats.open_table import open_table

_TIMES = ("time", "timestamp", "ts", "date", "datetime", "created", "at", "asked", "known")
_IDS = ("id", "key", "uuid", "request_id", "prediction_id")
_LABELS = ("label", "y", "true", "y_true", "target", "truth", "actual", "outcome", "answer")
_PREDICTIONS = ("prediction", "pred", "p", "y_pred", "yhat", "predicted", "guess")
_MODELS = ("model", "version", "model_version", "variant", "arm")
_MOST_CLASSES = 50
_MOST_VALUES = 30  # of a segment
_WINDOW = 1000
_UNITS = (("d", 86400 * 10**9), ("h", 3600 * 10**9), ("min", 60 * 10**9), ("s", 10**9))
Columns = dict[str, pa.Array]


@dataclass(frozen=True)
class Found:
    """What both files hold."""

    ids: tuple[str, str]
    times: tuple[str, str]
    prediction: str
    label: str
    model: str | None
    segments: list[str]
    classes: list[Any] | None  # None: numbers
    clock: Clock
    waits: Longs  # of joined rows
    lateness: int
    moments: Longs  # when labels came, in order
    errors: Floats  # … of these rows


def first_config(predictions: Path, labels: Path, home: Path) -> str:
    """A configuration in TOML for two files, with comments; paths are relative to `home`."""
    return _toml(_look(predictions, labels), _shown(predictions, home), _shown(labels, home))


def _shown(path: Path, home: Path) -> str:
    whole = path.absolute()
    top = home.absolute()
    return whole.relative_to(top).as_posix() if whole.is_relative_to(top) else whole.as_posix()


def _look(predictions: Path, labels: Path) -> Found:
    asked, answered = _load(predictions), _load(labels)
    ids = _ids(asked, answered, predictions, labels)
    times = tuple(
        _time(columns, name, path)
        for columns, name, path in ((asked, ids[0], predictions), (answered, ids[1], labels))
    )
    kinds = {_moments(c[t])[1] for c, t in zip((asked, answered), times, strict=True)}
    if len(kinds) > 1:
        raise InputError(
            f"{predictions} and {labels}: times in {times[0]!r} are of another kind than in "
            f"{times[1]!r}; expected integers, times with a zone, or times without, in both"
        )
    clock = next(iter(kinds)) or "integers"
    rest = [name for name in answered if name not in (ids[1], times[1])]
    label = _named(rest, _LABELS) or (rest[-1] if rest else None)
    if label is None:
        raise InputError(f"{labels}: no column is left for the label beside id and time")
    given = [name for name in asked if name not in (ids[0], times[0])]
    prediction = _named(given, _PREDICTIONS) or _like(asked, given, answered[label])
    if prediction is None:
        raise InputError(
            f"{predictions}: no column holds values like those of {label!r} in {labels}; expected "
            "a column of predictions"
        )
    given.remove(prediction)
    model = _named(given, _MODELS)
    segments = [n for n in given if n != model and _is_segment(asked[n])]
    classes = _classes(answered[label])
    made, known = _moments(asked[times[0]])[0], _moments(answered[times[1]])[0]
    rows, places = _joined(asked[ids[0]], answered[ids[1]])
    waits = known[places] - made[rows]
    fine = (made[rows] != NEVER) & (known[places] != NEVER) & (waits >= 0)
    rows, places, waits = rows[fine], places[fine], waits[fine]
    if not len(rows):
        raise InputError(
            f"{predictions} and {labels}: no label comes after the prediction with its id in "
            f"{ids[0]!r} and {ids[1]!r}; expected some: give the right files, in this order"
        )
    errors = _errors(asked[prediction].take(rows), answered[label].take(places), classes is None)
    if model is not None:  # thresholds are about one model: the first
        texts = as_text(asked[model].take(rows))
        mine = pc.equal(texts, texts[0]).fill_null(False).to_numpy(zero_copy_only=False)
        errors, places, waits = errors[mine], places[mine], waits[mine]
    order = np.argsort(known[places], kind="stable")
    return Found(
        ids, (times[0], times[1]), prediction, label, model, segments, classes, clock, waits,
        max(_disorder(made), _disorder(known)), known[places][order], errors[order],
    )  # fmt: skip


def _load(path: Path) -> Columns:
    if path.suffix.lower() in (".jsonl", ".ndjson"):
        from pyarrow import json

        try:
            table = json.read_json(path)
        except (OSError, pa.ArrowInvalid) as error:
            raise InputError(f"{path}: {error}") from None
        return {name: table[name].combine_chunks() for name in table.column_names}
    if path.suffix.lower() != ".csv":
        raise UsageError(
            f"{path}: expected a .csv, .jsonl or .ndjson file; for a folder of others write the "
            "configuration by hand (docs/monitoring.md)"
        )
    table = open_table(path)
    return dict(table.load_columns(list(table.names)))


def _named(columns: Sequence[str], usual: Sequence[str]) -> str | None:
    """The first of the usual names that there is, in any case; else one that contains it."""
    lower = {name.lower(): name for name in reversed(columns)}
    return next((lower[each] for each in usual if each in lower), None)


def _ids(asked: Columns, answered: Columns, *paths: Path) -> tuple[str, str]:
    """The columns that share most values, of those whose values hardly repeat among labels."""
    best: tuple[float, int, str, str] | None = None
    for mine, column in asked.items():
        if pa.types.is_floating(column.type) or mine.lower() in _TIMES:
            continue
        texts = pc.unique(as_text(column))
        for other, values in answered.items():
            found = as_text(values)
            distinct = pc.unique(found)
            timed = pa.types.is_floating(values.type) or other.lower() in _TIMES
            if timed or len(distinct) < 0.5 * len(found):
                continue
            share = pc.mean(pc.is_in(distinct, texts).cast(pa.int8())).as_py() or 0.0
            usual = (mine.lower() in _IDS) + (mine == other)
            candidate = (round(share, 1), usual, mine, other)
            if share > 0 and (best is None or candidate[:2] > best[:2]):
                best = candidate
    if best is None:
        raise InputError(f"no column of {paths[0]} shares ids with a column of {paths[1]}")
    return best[2], best[3]


def _time(columns: Columns, id: str, path: Path) -> str:
    """The column of times: one that is called so, else timestamps."""
    found = {name: _moments(column)[1] for name, column in columns.items() if name != id}
    good = [name for name, clock in found.items() if clock is not None]
    stamps = [name for name in good if found[name] != "integers"]
    name = (
        _named(good, _TIMES)
        or next(iter(stamps), None)
        or next(
            (name for name in good if bool((np.diff(_moments(columns[name])[0]) >= 0).all())), None
        )
    )
    if name is None:
        raise InputError(
            f"{path}: no column of times in {', '.join(columns)}; expected integers or ISO 8601"
        )
    return name


def _moments(column: pa.Array) -> tuple[Longs, Clock | None]:
    """Times as integers, and what they count; None if they are no times."""
    texts = column if not is_text(column.type) else as_text(column)
    for kind in TIME_KINDS:
        if pa.types.is_integer(column.type) != (kind == pa.int64()) and not is_text(column.type):
            continue
        found = cast_times(texts, kind)
        if found is not None and found.null_count < 0.5 * len(found):
            return np.array(pc.fill_null(found, NEVER).to_numpy(), np.int64), clock_of(kind)
    return np.empty(0, np.int64), None


def _like(columns: Columns, names: Sequence[str], label: pa.Array) -> str | None:
    """The column whose values are most often those of the labels."""
    known = pc.unique(as_text(label))
    share = {
        name: pc.mean(pc.is_in(as_text(columns[name]), known).cast(pa.int8())).as_py() or 0.0
        for name in names
    }
    best = max(share, key=lambda name: share[name], default=None)
    return best if best is not None and share[best] > 0.5 else None


def _is_segment(column: pa.Array) -> bool:
    return is_text(column.type) and 2 <= len(pc.unique(as_text(column))) <= _MOST_VALUES


def _classes(column: pa.Array) -> list[Any] | None:
    texts = pc.unique(as_text(column).drop_null()).to_pylist()
    numbers = pa.types.is_floating(column.type)
    if numbers and any(float(text) != int(float(text)) for text in texts):
        return None
    if len(texts) > _MOST_CLASSES:
        return None
    return list(learn_classes(texts))


def _joined(asked: pa.Array, answered: pa.Array) -> tuple[Longs, Longs]:
    """Rows of predictions with the first label of their id."""
    known = as_text(answered)
    distinct = pc.unique(known)
    first = np.full(len(distinct), -1, np.int64)
    codes = pc.index_in(known, distinct).to_numpy(zero_copy_only=False)
    first[codes[::-1]] = np.arange(len(known))[::-1]
    found = pc.index_in(as_text(asked), distinct)
    rows = np.flatnonzero(found.is_valid().to_numpy(zero_copy_only=False))
    return rows, first[found.drop_null().to_numpy().astype(np.int64)]


def _errors(predictions: pa.Array, labels: pa.Array, regression: bool) -> Floats:
    if regression:
        return np.asarray(np.abs(to_floats(predictions) - to_floats(labels)))
    same = pc.equal(as_text(predictions), as_text(labels)).fill_null(False)
    return np.asarray(1.0 - same.to_numpy(zero_copy_only=False).astype(np.float64))


def _disorder(times: Longs) -> int:
    """How far nearly all times are at most behind an earlier line."""
    known = times[times != NEVER]
    behind = np.maximum.accumulate(known) - known
    return int(np.quantile(behind, 0.999)) if len(behind) else 0


def _span(length: float, clock: Clock) -> str:
    """A duration as TOML, rounded up."""
    if clock == "integers":
        return str(math.ceil(length))
    unit, size = next(((u, s) for u, s in _UNITS if length >= 2 * s), _UNITS[-1])
    return f'"{max(1, math.ceil(length / size))}{unit}"'


def _words(length: float, clock: Clock) -> str:
    return _span(length, clock).strip('"')


def _alarms(found: Found, errors: Floats) -> list[list[str]]:
    """Three rules, with thresholds from the baseline period."""
    window = min(_WINDOW, max(100, len(errors) // 10))
    whole = errors[: len(errors) // window * window].reshape(-1, window)
    mean = float(np.nanmean(errors)) if len(errors) else 0.5
    spread = float(np.nanstd(np.nanmean(whole, axis=1))) if len(whole) >= 8 else 0.025
    bad, good = mean + max(4 * spread, 0.01 * (mean or 1)), mean + 2 * spread
    over = f'over = "Window({window})"'
    seen = f"# the baseline has {{}} ± {spread:.3g} over {window:,} rows: four times that below it"
    if found.classes is None:
        return [
            [seen.format(f"{mean:.4g}").replace("below", "above"), 'name = "errors are too large"',
             'metric = "mae"', over, f"above = {bad:.4g}", f"clear = {good:.4g}"],
            ['name = "errors have changed"', 'detector = "ADWIN()"'],
            ['name = "worse than all labels\' mean"', 'metric = "r2"', over, "below = 0.0",
             "clear = 0.05"],
        ]  # fmt: skip
    below = min(0.999, max(0.001, 1 - bad))
    clear = min(1.0, max(below, 1 - good))
    return [
        [seen.format(f"{1 - mean:.4g}"), 'name = "accuracy is too low"', over,
         f"below = {below:.4g}", f"clear = {clear:.4g}"],
        ['name = "worse than repeating the last label"', over, 'worse_than = "Persistent"'],
        ['name = "errors have changed"', 'detector = "ADWIN()"'],
    ]  # fmt: skip


def _toml(found: Found, predictions: str, labels: str) -> str:
    quoted: Callable[[Any], str] = _quoted
    longest = float(np.quantile(found.waits, 0.99))
    timeout = _span(max(1.5 * longest, 1), found.clock)
    first, last = int(found.moments[0]), int(found.moments[-1])
    share = 30 * _UNITS[0][1] if found.clock != "integers" else 0
    third = max(1, (last - first) // 3)
    baseline = share if 0 < share <= third else third
    errors = found.errors[found.moments <= first + baseline]
    median, most = (np.quantile(found.waits, each) for each in (0.5, 0.99))
    size = len(found.errors)
    lines = [
        "# Made by `streamgauge monitor init`: look it through, then",
        "#   streamgauge monitor FILE --once    (every key: docs/monitoring.md)",
        'name = "model"',
    ]
    if found.classes is None:
        lines.append('task = "regression"')
    else:
        classes = ", ".join(map(quoted, found.classes))
        lines.append(f"classes = [{classes}]    # those of the labels")
    lines += ["", "[predictions]", f"path = {quoted(predictions)}"]
    lines += [f"id = {quoted(found.ids[0])}", f"time = {quoted(found.times[0])}"]
    lines += [f"prediction = {quoted(found.prediction)}"]
    if found.model is not None:
        lines.append(f"model = {quoted(found.model)}    # figures and alarms for each")
    if found.segments:
        lines.append(f"segments = [{', '.join(map(quoted, found.segments))}]")
    lines += ["", "[labels]", f"path = {quoted(labels)}", f"id = {quoted(found.ids[1])}"]
    lines += [f"time = {quoted(found.times[1])}", f"label = {quoted(found.label)}"]
    lines += [
        "",
        "[join]",
        f"# of {size:,} joined rows, half had their label within {_words(median, found.clock)}, "
        f"99 % within {_words(most, found.clock)}",
        f"timeout = {timeout}    # later labels are counted, not scored",
        f"lateness = {_span(found.lateness, found.clock) if found.lateness else 0}"
        "    # how far lines are out of order",
        "",
        "[scores]",
        'forget = ["Window(1000)", "Cumulative()"]',
        'detectors = ["ADWIN()"]',
        "",
        "[baseline]    # what the newest window is compared with",
        f"first = {_span(baseline, found.clock)}    # of the labels, from "
        f"{time_text(first, found.clock)}",
    ]
    for rule in _alarms(found, errors):
        lines += ["", "[[alarms]]", *rule]
    lines += [
        "",
        '# command = ["notify", "{text}"]    # put it at the top; or webhook = "https://..."',
    ]
    return "\n".join(lines) + "\n"


def _quoted(value: Any) -> str:
    import json

    return json.dumps(value, ensure_ascii=False)


def write_first_config(predictions: Path, labels: Path, output: Path) -> str:
    """Write a first configuration, which must not exist; return its text."""
    if output.exists():
        raise UsageError(f"{output} exists; give another name with -o, or remove it")
    text = first_config(predictions, labels, output.absolute().parent)
    output.write_text(text, encoding="utf-8")
    return text
