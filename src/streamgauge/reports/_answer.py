"""The answer in words, which a page begins with."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from contextlib import suppress

import numpy as np

from streamgauge._support.errors import StreamgaugeError
from streamgauge.experiments.results import Results
from streamgauge.rendering.words import join_words, plural
from streamgauge.reports._best import MOST_ROWS, best_first, compared
from streamgauge.reports.material import Entry, Material

_SEEDS = "Each score is the mean of"  # begins the sentence of a ranking that is no answer
_MAX_NAMED = 3  # streams; of more only the number is given
_ORDER = ("better", "worse", "no clear difference", "open", "too few rows to say")


def answer(material: Material, metric: str | None) -> list[str]:
    """Sentences: who is best, against the references, and what is missing."""
    sentences = [text for each in material.results for text in _experiment(each, metric)]
    if len(material.entries) == 1:
        sentences += str(material.entries[0].run.verdict).splitlines()
    elif len(material.groups) == 1:
        sentences += _one_stream(next(iter(material.groups.values())))
    else:
        sentences += _against_references(material)
    for pair in material.comparisons:
        sentences += paragraph(str(pair))
    return [*sentences, *_missing(material)]


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
        lines = [f"{within}{line}" for line in paragraph(str(ranking))]
        sentences = [*sorted(lines, key=lambda line: _SEEDS in line), *sentences]
    return sentences


def _one_stream(group: Sequence[Entry]) -> list[str]:
    """The best two learners compared, then each against its strongest reference."""
    ordered = best_first(group)
    sentences = []
    if len(ordered) > 1 and ordered[0].run.counts.rows <= MOST_ROWS:
        with suppress(StreamgaugeError):  # runs without predictions cannot be compared
            sentences.append(paragraph(str(compared(*ordered[:2])))[0])
    verdicts = [str(each.run.verdict) for each in ordered if each.run.verdict.against]
    return [*sentences, *(text.split("\n", 1)[0] for text in verdicts)]


def _against_references(material: Material) -> list[str]:
    """For each learner, on how many streams it beats the strongest reference there."""
    sentences = []
    for learner in material.learners:
        entries = [each for each in material.entries if each.learner == learner]
        first = {each.group: each for each in reversed(entries) if each.run.verdict.against}
        own = list(first.values())[::-1]  # of several seeds, the first
        if own:
            sentences.append(f"{learner} against the strongest reference: {_counts(own)}.")
    return sentences


def _counts(own: Sequence[Entry]) -> str:
    words: dict[str, list[str]] = {}
    for each in own:
        against = each.run.verdict.against[0]
        words.setdefault(against.word, []).append(f"{each.stream}, {against.reference}")
    parts = []
    for word in sorted(words, key=_ORDER.index):
        where = words[word]
        named = f" ({'; '.join(where)})" if len(where) <= _MAX_NAMED else ""
        parts.append(f"{word} on {len(where)} of {plural(len(own), 'stream')}{named}")
    return ", ".join(parts)


def _missing(material: Material) -> list[str]:
    """How many cells have no run."""
    if not material.holes:
        return []
    counts = Counter(hole.status for hole in material.holes)
    names = {"failed": "failed", "damaged": "damaged", "missing": "not run yet"}
    listed = [f"{counts[status]:,} {name}" for status, name in names.items() if counts[status]]
    total = len(material.entries) + len(material.holes)
    return [
        f"{len(material.entries):,} of {plural(total, 'cell')} "
        f"{'is' if len(material.entries) == 1 else 'are'} complete: {join_words(listed)}; "
        "they are listed below and left out of the tables."
    ]
