"""The answer in words, which a page begins with."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from contextlib import suppress

import numpy as np

from streamgauge._support.errors import StreamgaugeError
from streamgauge.experiments.results import Results
from streamgauge.rendering.words import join_words, plural
from streamgauge.reports._best import MOST_ROWS, best_first, compared
from streamgauge.reports.report_data import Group, NamedRun, ReportData

_SEEDS = "Each score is the mean of"  # begins the sentence of a ranking that is no answer
_MAX_NAMED = 3  # streams; of more only the number is given
_DIFFERS = "not the same for every seed"
_ORDER = (
    *("better", "worse", "equal", "no clear difference", "open", "too few rows to say"),
    _DIFFERS,
)


def answer(data: ReportData, metric: str | None) -> list[str]:
    """Sentences: who is best, against the references, and what is missing."""
    sentences = [text for each in data.results for text in _experiment(each, metric)]
    if len(data.entries) == 1:
        sentences += str(data.entries[0].run.verdict).splitlines()
    elif len(data.groups) == 1:
        sentences += _one_stream(next(iter(data.groups.values())))
    else:
        sentences += _against_references(data)
    for pair in data.comparisons:
        sentences += paragraph(pair.details)
    return [*sentences, *missing(data)]


def paragraph(report: str) -> list[str]:
    """The sentences below the header of a report."""
    paragraphs = [each for each in report.split("\n\n") if each.strip()]
    return paragraphs[min(1, len(paragraphs) - 1)].splitlines()


def _experiment(found: Results, metric: str | None) -> list[str]:
    """What the table of an experiment says: wins, average ranks, tests."""
    try:
        table = found.table(value=metric) if metric else found.table()
    except StreamgaugeError:
        return []  # nothing is complete yet: `_missing` says so
    sentences = []
    merit = table.scale.merit(table.mean)
    known = merit[~np.isnan(merit).all(axis=1)]
    if table.scale.direction and len(table.columns) > 1 and len(known) > 1:
        wins = Counter(table.columns[int(np.nanargmax(line))] for line in known)
        shown = [f"{name} on {count}" for name, count in wins.most_common()]
        rows = "streams" if table.sides[0] == ("stream",) else "rows of the table"
        sentences.append(f"Best {table.value} on the {len(known):,} {rows}: {join_words(shown)}.")
    for ranking in table.rankings.values():
        within = f"{ranking.variant}: " if ranking.variant else ""
        lines = [f"{within}{line}" for line in paragraph(ranking.details)]
        sentences = [*sorted(lines, key=lambda line: _SEEDS in line), *sentences]
    return sentences


def _one_stream(group: Sequence[NamedRun]) -> list[str]:
    """The best two learners compared, then each against its strongest reference."""
    ordered = best_first(group)
    sentences = []
    if len(ordered) > 1 and ordered[0].run.counts.rows <= MOST_ROWS:
        with suppress(StreamgaugeError):  # runs without predictions cannot be compared
            sentences.append(paragraph(compared(*ordered[:2]).details)[0])
    verdicts = [str(each.run.verdict) for each in ordered if each.run.verdict.against]
    return [*sentences, *(text.split("\n", 1)[0] for text in verdicts)]


def _against_references(data: ReportData) -> list[str]:
    """For each learner, on how many streams it beats the strongest reference there."""
    sentences = []
    for learner in data.learners:
        groups: dict[Group, list[NamedRun]] = {}
        for each in data.entries:
            if each.learner == learner and each.run.verdict.against:
                groups.setdefault(each.group, []).append(each)
        if groups:
            where = _conditions(groups)
            sentences.append(f"{learner} against the strongest reference on {where}: "
                             f"{_outcomes(groups)}.")  # fmt: skip
    return sentences


def _outcomes(groups: Mapping[Group, Sequence[NamedRun]]) -> str:
    """How often the learner is better, worse, ...: once per stream and policy, not per seed."""
    found: dict[str, list[str]] = {}
    several = len({labels for _, _, labels in groups}) > 1
    for (_, origin, labels), entries in groups.items():
        strongest = [entry.run.verdict.against[0] for entry in entries]
        words = {each.word for each in strongest}
        streams = {entry.stream for entry in entries}
        name = streams.pop() if len(streams) == 1 else origin.title
        word = words.pop() if len(words) == 1 else _DIFFERS
        place = [name, *([labels] if several else []), strongest[0].reference]
        found.setdefault(word, []).append(", ".join(place))
    parts = []
    for word in sorted(found, key=_ORDER.index):
        where = found[word]
        named = f" ({'; '.join(where)})" if len(where) <= _MAX_NAMED else ""
        parts.append(f"{word} on {len(where)}{named}")
    return ", ".join(parts)


def _conditions(groups: Iterable[Group]) -> str:
    """How many streams there are, and under how many label policies: seeds do not count."""
    found = set(groups)
    streams = len({(experiment, origin) for experiment, origin, _ in found})
    policies = len({labels for _, _, labels in found})
    under = (
        "" if len(found) == streams else f" under {policies} label policies ({len(found)} cases)"
    )
    return f"{plural(streams, 'stream')}{under}"


def missing(data: ReportData) -> list[str]:
    """How many cells have no run."""
    left_out = [
        f"{plural(data.left_out, 'run')} in the folder "
        f"{'belongs' if data.left_out == 1 else 'belong'} to no experiment, perhaps because a "
        "learner or a setting has changed since; the page leaves "
        f"{'it' if data.left_out == 1 else 'them'} out."
    ] if data.left_out else []  # fmt: skip
    if not data.holes:
        return left_out
    counts = Counter(hole.status for hole in data.holes)
    names = {"failed": "failed", "damaged": "damaged", "missing": "not run yet"}
    listed = [f"{counts[status]:,} {name}" for status, name in names.items() if counts[status]]
    total = len(data.entries) + len(data.holes)
    return [
        f"{len(data.entries):,} of {plural(total, 'cell')} "
        f"{'is' if len(data.entries) == 1 else 'are'} complete: {join_words(listed)}; "
        "they are listed below and left out of the tables.",
        *left_out,
    ]
