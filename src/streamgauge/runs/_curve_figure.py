"""The curves of runs as a figure: what to draw of them, and what the caption says."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np
import pyarrow as pa

from streamgauge._support.arrow_numbers import arrow_floats, arrow_integers, arrow_names
from streamgauge._support.errors import UsageError, did_you_mean
from streamgauge.figures.colours import context_of
from streamgauge.figures.kappa_family import kappa_family
from streamgauge.figures.metric_curve import Marks, metric_curve
from streamgauge.measures.curves import Curve
from streamgauge.measures.reference import accuracy_column
from streamgauge.measures.verdict import score_text
from streamgauge.rendering.outcomes import OUTCOMES
from streamgauge.rendering.words import percent_text
from streamgauge.runs._seed_curves import SeedCurve, seed_curve

if TYPE_CHECKING:
    from streamgauge.runs.run import Run

_MOST_SENTENCES = 3  # about single learners, without a sentence about all of them
_DATES: dict[str, Any] = {"times": True, "x_title": "time of the label"}
_FULL = 0.995  # label coverage from which it needs no strip

_KAPPAS = "kappas"  # what `plot` calls them all
_MEANINGS = {  # what a learner scores like whose value of the kappa is 0
    "kappa": "predicting at random",
    "kappa_majority": "the majority class",
    "kappa_temporal": "repeating the last label",
    "kappa_transition": "the usual next label",
    "kappa_seasonal": "the label of a season ago",
    "kappa_plus": "random or repeating",
}
_RANGE = (0.1, 0.9)  # of the points along the stream


def curve_figure(
    seeds: Mapping[str, Sequence[Run]],
    metric: str | None,
    *,
    forget: Any = None,
    references: bool | Sequence[str] = True,
    alarms: Iterable[int] = (),
    zoom: bool = False,
    highlight: str | Sequence[str] = (),
) -> Any:
    """Draw a metric of runs along the stream; see `plot`. Several runs of one name are seeds."""
    named = {name: several[0] for name, several in seeds.items()}
    _check_one_stream(seeds)
    asked = _highlighted(named, highlight)
    if metric == _KAPPAS:
        return _kappas_figure(named, forget)
    drawn = {name: run for name, run in named.items() if run.counts.scored}
    first = next(iter(drawn.values()), next(iter(named.values())))
    metric = metric or ("mae" if first.confusion is None else "accuracy")
    kept = _chosen_forgettings(first.curve, forget)
    wanted = _chosen(first, references) if drawn else ()
    frames, shown = [], []
    places = _place_of(first)
    for text in kept:
        series = {name: seed_curve(seeds[name], (metric, text)) for name in drawn}
        beside = _references(seeds[next(iter(drawn))], wanted, metric, text) if drawn else {}
        frames.append(_frame(series | beside, text, places))
        shown = list(beside)
    several = len(kept) > 1
    table = pa.concat_tables(frames)
    longest = max(named.values(), key=lambda run: run.counts.scored)
    return metric_curve(
        table if several else table.drop_columns("panel"),
        metric,
        title=f"{_stream_title(seeds)}: {metric}" + ("" if several else f", {kept[0]}"),
        references=shown,
        marks=_marks(longest, _rows(alarms), places),
        caption=[*_caption(seeds, longest, metric), *_band_words(seeds)],
        zero=metric in _MEANINGS,
        zoom=zoom,
        **({} if places is _rows_themselves else _DATES),
        percent=metric in first.scales and first.scales[metric].unit == "fraction",
        why=first.curve.undefined(kept[0]).get(metric, (0, ""))[1],
        context=context_of(_merits({name: seeds[name] for name in drawn}, metric), asked),
        ordered=_differ_in_labels(drawn),
    )


def _highlighted(named: Mapping[str, Run], asked: str | Sequence[str]) -> list[str]:
    """The series to draw in colour, by the names shown or by the class of the learner."""
    names = [asked] if isinstance(asked, str) else list(asked)
    for name in names:
        if not any(_is_called(shown, name) for shown in named):
            close = did_you_mean(str(name), named)
            raise UsageError(
                f"highlight={name!r}: no such learner{close}; expected some of {', '.join(named)}"
            )
    return [shown for shown in named if any(_is_called(shown, name) for name in names)]


def _is_called(shown: str, name: str) -> bool:
    return shown == name or shown.partition("(")[0] == name


def _merits(seeds: Mapping[str, Sequence[Run]], metric: str) -> dict[str, float]:
    """How good each learner is over the whole stream: higher is better."""
    found = {}
    for name, runs in seeds.items():
        scale = runs[0].scales.get(metric)
        value = float(np.mean([run.overall.get(metric, math.nan) for run in runs]))
        found[name] = -value if scale is not None and scale.direction == "lower" else value
    return found


def _differ_in_labels(named: Mapping[str, Run]) -> bool:
    """Whether the runs are one learner's under several label policies."""
    labels = {run.settings.labels for run in named.values()}
    return len(named) > 2 and len({r.title for r in named.values()}) == 1 and len(labels) > 1


def _chosen_forgettings(curve: Curve, wanted: Any) -> list[str]:
    """The forgettings to draw: those asked for, or the first one that forgets."""
    if wanted is None:
        forgets = (each for each in curve.forgettings if each != "Cumulative()")
        return [next(forgets, curve.forgettings[0])]
    asked = [wanted] if isinstance(wanted, str) or not isinstance(wanted, Sequence) else wanted
    if not asked:
        raise UsageError("forget=[]: expected a forgetting that the runs have kept, or several")
    return list(dict.fromkeys(each if isinstance(each, str) else repr(each) for each in asked))


def _check_one_stream(seeds: Mapping[str, Sequence[Run]]) -> None:
    """Streams that differ in their seed alone are one, if every learner has all of them."""
    each = [frozenset(run.stream.name for run in runs) for runs in seeds.values()]
    streams = sorted(frozenset().union(*each))
    origins = {run.stream.origin.unseeded for runs in seeds.values() for run in runs}
    if len(streams) > 1 and (len(set(each)) > 1 or len(origins) > 1):
        raise UsageError(
            f"the runs are on different streams: {', '.join(streams)}; expected runs on one: draw "
            "a figure for each stream"
        )


def _rows(alarms: Iterable[int]) -> list[float]:
    try:
        return [float(row) for row in alarms]
    except (TypeError, ValueError):
        wrong = alarms if isinstance(alarms, str) or not isinstance(alarms, list) else alarms[0]
        raise UsageError(f"alarms: got {wrong!r}; expected row numbers, such as [500]") from None


def _chosen(run: Run, references: bool | Sequence[str]) -> Sequence[str]:
    """The references to draw: all, none, or those named."""
    if isinstance(references, bool):
        return tuple(run.references) if references else ()
    names = [references] if isinstance(references, str) else list(references)
    for name in names:
        if name not in run.references:
            close = did_you_mean(str(name), run.references)
            known = ", ".join(run.references)
            raise UsageError(f"the run has no reference {name!r}{close}; expected some of {known}")
    return names


def _references(
    runs: Sequence[Run], names: Sequence[str], metric: str, text: str
) -> dict[str, SeedCurve]:
    """The curves of the references; in regression only their value over the whole stream."""
    run, found = runs[0], {}
    for name in names:
        column = accuracy_column(name)
        overall = float(np.mean([r.references[name].get(metric, math.nan) for r in runs]))
        if metric in ("accuracy", "error") and column in run.curve.metrics:
            mean = seed_curve(runs, (column, text))
            value = mean.value if metric == "accuracy" else 1 - mean.value
            none = np.full(len(mean.rows), np.nan)
            found[name] = SeedCurve(mean.rows, value, none, none)
        elif run.confusion is None and math.isfinite(overall):
            ends, none = run.curve.rows[[0, -1]], np.full(2, np.nan)
            found[f"{name} (whole stream)"] = SeedCurve(ends, np.full(2, overall), none, none)
    return found


def _frame(series: Mapping[str, SeedCurve], panel: str, places: Places) -> pa.Table:
    lengths = {name: len(curve.rows) for name, curve in series.items()}
    rows = np.concatenate([np.empty(0, np.int64), *(each.rows for each in series.values())])
    columns = {
        key: np.concatenate([np.empty(0), *(getattr(each, key) for each in series.values())])
        for key in ("value", "low", "high")
    }
    if not np.isfinite(columns["low"]).any():
        del columns["low"], columns["high"]
    return pa.table(
        {
            "series": arrow_names(lengths),
            "rows": arrow_integers(np.asarray(places(rows), np.int64)),
            **{key: arrow_floats(each) for key, each in columns.items()},
            "panel": arrow_names({panel: len(rows)}),
        }
    )


Places = Callable[[Any], Any]


def _rows_themselves(rows: Any) -> Any:
    return rows


def _place_of(run: Run) -> Places:
    """What turns numbers of scored rows into places on the axis: dates, where labels have dates."""
    moments = run.curve.times
    if moments is None or moments.dtype.kind != "M" or len(moments) < 2:
        return _rows_themselves
    known = moments.astype("datetime64[ms]").astype(np.int64)
    return lambda rows: np.interp(rows, run.curve.rows, known).astype(np.int64)


def _marks(run: Run, alarms: Sequence[float], places: Places) -> Marks:
    labels = _labels(run)
    if places is _rows_themselves:
        return Marks(_drifts(run), scored_by(run, alarms), labels)
    if labels is not None:
        at = arrow_integers(places(labels["rows"].to_numpy()))
        labels = labels.set_column(0, "rows", at)
    drifts = [tuple(places(list(ends)).tolist()) for ends in _drifts(run)]
    return Marks(drifts, list(map(float, places(scored_by(run, alarms)))), labels)


def _stream_title(seeds: Mapping[str, Sequence[Run]]) -> str:
    """The stream; without its seed if there are several."""
    runs = [run for several in seeds.values() for run in several]
    streams = {run.stream.name for run in runs}
    return runs[0].stream.title if len(streams) == 1 else runs[0].stream.origin.short


def _band_words(seeds: Mapping[str, Sequence[Run]]) -> list[str]:
    counts = sorted({len(runs) for runs in seeds.values() if len(runs) > 1})
    if not counts:
        return []
    many = " or ".join(map(str, counts))
    return [f"Lines: means over {many} seeds; bands: ± one standard deviation."]


def scored_by(run: Run, rows: Sequence[float]) -> list[float]:
    """How many rows are scored when the stream reaches each of these rows.

    Exact if every label came, in the order of the rows; otherwise between the blocks of the run.
    """
    scored, warmup = run.counts.scored, run.settings.warmup
    if scored + warmup == run.counts.rows:
        return [float(min(max(row - warmup, 0), scored)) for row in rows]
    curve = run.cost_curve
    arrived, by_then = np.r_[warmup, curve["arrived"]], np.r_[0, curve["rows"]]
    return np.interp(rows, arrived, by_then).tolist()


def _drifts(run: Run) -> list[tuple[float, float]]:
    starts = scored_by(run, [each.position - each.width / 2 for each in run.drifts])
    ends = scored_by(run, [each.position + each.width / 2 for each in run.drifts])
    inside = [each.position < run.counts.rows for each in run.drifts]
    return [pair for pair, seen in zip(zip(starts, ends, strict=True), inside, strict=True) if seen]


def _labels(run: Run) -> pa.Table | None:
    """The fraction of rows whose label is known, along the run; None if it is almost all."""
    curve = run.cost_curve
    if run.settings.protocol is not None:
        return None
    asked = curve["arrived"] - run.settings.warmup
    seen = asked > 0
    rows, known = curve["rows"][seen], (curve["rows"] / np.where(seen, asked, 1))[seen]
    if not len(known) or known.min() >= _FULL:
        return None
    columns = {"rows": np.r_[0, rows], "value": np.r_[known[0], known]}
    return pa.table({name: arrow_floats(each) for name, each in columns.items()})


def _caption(seeds: Mapping[str, Sequence[Run]], longest: Run, metric: str) -> list[str]:
    """What the verdicts say against the strongest reference, failures, and missing labels."""
    named = {name: runs[0] for name, runs in seeds.items()}
    judged = {name: run for name, run in named.items() if run.verdict.against}
    if len(named) == 1 and max(map(len, seeds.values())) == 1:
        lines = [str(run.verdict).split("\n", 1)[0] for run in judged.values()]
    else:
        lines = [_against(name, seeds[name]) for name in judged]
    if len(lines) > _MOST_SENTENCES:
        lines.insert(0, _in_short(judged))
    for name, run in ((name, run) for name, runs in seeds.items() for run in runs):
        if run.failure:
            said = f"{name} failed at row {run.failure.row:,}: {run.failure.message}"
            lines.insert(min(1, len(lines)), said)
    counts = longest.counts
    if _labels(longest) is not None and counts.rows > longest.settings.warmup:
        known = counts.scored / (counts.rows - longest.settings.warmup)
        lines.append(
            f"At the end the labels of {percent_text(round(known, 3))} of the rows are known."
        )
    if metric in _MEANINGS and metric != "kappa_plus":
        lines.append(f"0: no better than {_MEANINGS[metric]}.")
    return lines


def _in_short(judged: Mapping[str, Run]) -> str:
    """How many learners have each outcome against the strongest reference."""
    words = [run.verdict.against[0].word for run in judged.values()]
    beaten = dict.fromkeys(run.verdict.against[0].reference for run in judged.values())
    ordered = [word for word in OUTCOMES if word in words]
    ordered += [word for word in dict.fromkeys(words) if word not in ordered]
    counts = [f"{words.count(word)} {word}" for word in ordered]
    return f"{len(words)} learners against {' or '.join(beaten)}: {', '.join(counts)}."


def _against(name: str, runs: Sequence[Run]) -> str:
    """The outcome against the strongest reference: of one run, or of how many seeds each."""
    best = runs[0].verdict.against[0]
    if len(runs) == 1:
        own, other = (
            score_text(each, runs[0].confusion is None)
            for each in (best.learner_score, best.reference_score)
        )
        return f"{name} against {best.reference}: {best.word} ({own}, {other})."
    words = [
        each.word
        for run in runs
        for each in run.verdict.against
        if each.reference == best.reference
    ]
    counts = [f"{word} for {words.count(word)}" for word in dict.fromkeys(words)]
    return f"{name} against {best.reference}: {', '.join(counts)} of {len(runs)} seeds."


def _kappas_figure(named: Mapping[str, Run], forget: Any) -> Any:
    """Draw every kappa over the whole stream, and its range along it."""
    first = next(iter(named.values()))
    if first.confusion is None:
        raise UsageError("metric='kappas': kappas are for classification; expected e.g. 'mae'")
    (kept, *more) = _chosen_forgettings(first.curve, forget)
    if more:
        raise UsageError(f"forget: got {1 + len(more)} forgettings; 'kappas' shows one")
    rows = []
    for metric in _MEANINGS:
        for name, run in named.items():
            curve = run.curve[metric, kept]
            known = curve[np.isfinite(curve)]
            low, high = np.quantile(known, _RANGE).tolist() if len(known) else (None, None)
            value = run.overall.get(metric, math.nan)
            shown = None if math.isnan(value) else float(value)
            rows.append(
                {"series": name, "metric": metric, "value": shown, "low": low, "high": high}
            )
    return kappa_family(
        pa.Table.from_pylist(rows, schema=_SCHEMA),
        _MEANINGS,
        title=f"{first.stream.title}: every kappa",
        caption=[
            "Points: over the whole stream. 0: no better than what is named on the left.",
            f"Bars: from the 10 % lowest to the 10 % highest values along the stream, {kept}.",
        ],
    )


_SCHEMA = pa.schema(
    [("series", pa.string()), ("metric", pa.string())]
    + [(name, pa.float64()) for name in ("value", "low", "high")]
)
