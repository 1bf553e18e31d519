"""What the page shows first, per label policy: tiles, and streams × learners by their margin."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import NamedTuple

import numpy as np

from streamgauge.measures.verdict import score_text
from streamgauge.ranking.ranking import Ranking
from streamgauge.rendering.outcomes import OUTCOMES, outcome_text
from streamgauge.rendering.units import readable
from streamgauge.rendering.words import join_words, plural, signed_text
from streamgauge.reports.html import Html, joined, tag
from streamgauge.reports.report_data import NamedRun, ReportData
from streamgauge.reports.sheets import scrolled
from streamgauge.reports.tiles import tile
from streamgauge.runs.text import labels_text

_LEVELS = (0.005, 0.03, 0.10)  # margins where the colour of a cell becomes stronger
_MOST_CHANGES = 12  # that are shown at once
_WIDE, _HIGH = 100, 30  # of a curve in a cell, in its own units


class MatrixCell(NamedTuple):
    """A learner on a stream under a label policy, over its seeds."""

    runs: tuple[NamedRun, ...]
    score: float
    reference: str  # the strongest one
    reference_score: float
    margin: float  # above 0: better than the reference; in regression a share of its error
    word: str  # the outcome; several runs must agree
    parts: tuple[float, ...]  # the margin along the stream, of the first run

    @property
    def regression(self) -> bool:
        """Whether scores are errors."""
        return self.runs[0].run.confusion is None


@dataclass(frozen=True)
class PolicyView:
    """What the page says of one experiment under one label policy."""

    experiment: str
    labels: str
    cells: Mapping[tuple[str, str], MatrixCell]  # by stream and learner
    ranking: Ranking | None

    @cached_property
    def streams(self) -> list[str]:
        """The streams, in the order of the runs."""
        return list(dict.fromkeys(stream for stream, _ in self.cells))

    @cached_property
    def learners(self) -> list[str]:
        """The learners, the best first: by rank, else by their mean margin."""
        names = list(dict.fromkeys(learner for _, learner in self.cells))
        ranks = self.ranking.average_ranks if self.ranking is not None else {}

        def place(name: str) -> tuple[float, float]:
            margins = [each.margin for (_, who), each in self.cells.items() if who == name]
            return ranks.get(name, math.inf), -float(np.mean(margins))

        return sorted(names, key=place)

    def count(self, learner: str, word: str = "better") -> int:
        """On how many streams the learner has this outcome."""
        return sum(each.word == word for (_, who), each in self.cells.items() if who == learner)

    @property
    def ahead(self) -> str:
        """Whether the first learner is clearly ahead, in words; empty without a ranking."""
        if self.ranking is None:
            return ""
        beaten = clearly_behind(self.ranking)
        if not beaten:
            return "not clearly ahead of any other"
        everyone = len(beaten) == len(self.ranking.learners) - 1
        return f"clearly ahead of {'all others' if everyone else join_words(beaten)}"


def clearly_behind(ranking: Ranking) -> list[str]:
    """The learners whose rank is clearly behind the first one's, by Nemenyi's test."""
    ranks = ranking.average_ranks
    lowest = min(ranks.values())
    if not ranking.significant:
        return []
    return [name for name, rank in ranks.items() if rank - lowest > ranking.critical_difference]


def policy_views(data: ReportData) -> list[PolicyView]:
    """The views of a page, in the order of the runs."""
    found: dict[tuple[str, str], dict[tuple[str, str], list[NamedRun]]] = {}
    for entry in data.entries:
        if entry.run.verdict.against:
            view = found.setdefault((entry.experiment or "", entry.labels), {})
            view.setdefault((entry.stream, entry.learner), []).append(entry)
    rankings = _rankings(data)
    return [
        PolicyView(
            experiment,
            labels,
            {place: _cell(entries) for place, entries in cells.items()},
            rankings.get((experiment, labels)) or rankings.get((experiment, "")),
        )
        for (experiment, labels), cells in found.items()
    ]


def _rankings(data: ReportData) -> dict[tuple[str, str], Ranking]:
    """The ranking of each experiment, by label policy if it has several."""
    found = {}
    for results in data.results:
        for variant, ranking in data.rankings_of(results).items():
            found[results.name or "", variant] = ranking
    return found


def _cell(entries: Sequence[NamedRun]) -> MatrixCell:
    strongest = [entry.run.verdict.against[0] for entry in entries]
    words = {each.word for each in strongest}
    score, other = (
        float(np.mean(values))
        for values in zip(
            *((each.learner_score, each.reference_score) for each in strongest), strict=True
        )
    )
    margin = score - other
    if entries[0].run.confusion is None:
        margin = -margin / other if other else math.nan
    return MatrixCell(
        tuple(entries), score, strongest[0].reference, other, margin,
        words.pop() if len(words) == 1 else "open", strongest[0].test.parts,
    )  # fmt: skip


def headline(view: PolicyView) -> str:
    """The answer in at most twenty words."""
    first = view.learners[0]
    n = len(view.streams)
    beats = view.count(first)
    if n == 1:
        best = [name for name in view.learners if view.count(name)]
        if not best:
            return "No learner is clearly better than the strongest reference."
        verb = "beats" if len(best) == 1 else "beat"
        named = join_words(best) if len(best) < 4 else f"{len(best)} of {len(view.learners)}"
        return f"{named} {verb} the strongest reference."
    place = f" ranks first, {view.ahead}," if view.ahead else ""
    if len(place) > 60:
        place = " ranks first"
    and_ = " and" if place else ""
    return f"{first}{place}{and_} beats the strongest reference on {beats} of {n} streams."


def overview(data: ReportData, views: Sequence[PolicyView]) -> Html:
    """Of every policy the headline and the tiles."""
    return joined(
        tag(
            "div",
            tag("p", headline(view), class_="headline"),
            tag("div", *_tiles(data, view), class_="tiles"),
            data_labels=view.labels,
        )
        for view in views
    )


def _tiles(data: ReportData, view: PolicyView) -> Iterator[Html]:
    first = view.learners[0]
    ranks = view.ranking.average_ranks if view.ranking is not None else {}
    rank = f"average rank {ranks[first]:.2f}; " if first in ranks else ""
    yield tile("Best learner", first, f"{rank}{view.ahead}".rstrip("; ") or "by its margin")
    n = len(view.streams)
    most = max(view.learners, key=view.count)
    better = view.count(most)
    yield tile(
        "Better than the strongest reference",
        f"{better} of {n}",
        f"{plural(n, 'stream')[len(str(n)) + 1 :]}, by {most}" if better else "by any learner",
    )
    bad = sum(hole.status in ("failed", "damaged") for hole in data.holes)
    done, total = len(data.entries), len(data.entries) + len(data.holes)
    yield tile("Failed cells", f"{bad:,}", f"{done:,} of {total:,} runs are there", bad=bad > 0)
    runs = [e.run for (_, who), each in view.cells.items() if who == first for e in each.runs]
    seconds = float(np.median([run.cost.seconds for run in runs]))
    size = float(np.median([run.cost.model_bytes for run in runs]))
    shown = "" if math.isnan(size) else f", {readable('bytes', size)}"
    yield tile("Cost of the best", readable("seconds", seconds), f"median of a run{shown}")


def policy_switch(views: Sequence[PolicyView]) -> Html | None:
    """Buttons that show one label policy on the whole page; None if there is one."""
    policies = list(dict.fromkeys(view.labels for view in views))
    if len(policies) < 2:
        return None
    buttons = [
        tag("button", labels_text(each), type="button", aria_pressed="false", data_policy=each)
        for each in policies
    ]
    label = tag("span", "Show:", id="policies-label")
    return tag("div", label, *buttons, id="policies", class_="policies screen", role="group",
               aria_labelledby="policies-label")  # fmt: skip


def matrices(views: Sequence[PolicyView]) -> Html | None:
    """Of every policy a table of streams × learners."""
    return joined(_matrix(view) for view in views) if views else None


def _matrix(view: PolicyView) -> Html:
    head = [tag("th", "stream", scope="col"), tag("th", "to beat", scope="col")]
    head += [tag("th", name, scope="col") for name in view.learners]
    lines = []
    for stream in view.streams:
        cells = [view.cells.get((stream, learner)) for learner in view.learners]
        known = next(cell for cell in cells if cell is not None)
        beaten = f"{known.reference} {score_text(known.reference_score, known.regression)}"
        shown = [tag("td") if cell is None else _cell_html(cell) for cell in cells]
        lines.append(tag("tr", tag("th", stream, scope="row"), tag("td", beaten), *shown))
    words = {cell.word for cell in view.cells.values()}
    legend = "; ".join(
        f"{outcome_text(word)}: {outcome.meaning}"
        for word, outcome in OUTCOMES.items()
        if word in words
    )
    named = f"{view.experiment}: " if view.experiment else ""
    caption = (
        f"{named}margin over the strongest reference, in points (regression: in per cent of its "
        f"error), {labels_text(view.labels)}"
    )
    table = tag("table", tag("caption", caption), tag("thead", tag("tr", *head)),
                tag("tbody", *lines), class_="matrix")  # fmt: skip
    return tag(
        "div", scrolled(table, caption), tag("p", legend, class_="note"), data_labels=view.labels
    )


def _cell_html(cell: MatrixCell) -> Html:
    """The margin and the mark, coloured by the margin; the curve beside it when pointed at."""
    score = score_text(cell.score, cell.regression)
    beaten = score_text(cell.reference_score, cell.regression)
    entry = cell.runs[0]
    said = (
        f"{entry.learner} on {entry.stream}: {score}, {cell.reference} {beaten}; {cell.word}"
        f"{'' if len(cell.runs) == 1 else f'; mean of {len(cell.runs)} runs'}"
    )
    mark = OUTCOMES[cell.word].mark if cell.word in OUTCOMES else ""
    return tag(
        "td",
        tag("span", signed_text(100 * cell.margin), class_="margin"),
        tag("span", mark, class_="mark", aria_hidden="true"),
        tag("span", _curve(cell.parts), tag("span", said), class_="more"),
        class_=f"number m{_level(cell.margin)}",
        aria_label=f"{signed_text(100 * cell.margin)}: {said}",
    )


def _level(margin: float) -> str:
    """The class of a cell's colour: 0, or p1 to p3 above and n1 to n3 below."""
    strength = 0 if math.isnan(margin) else int(np.searchsorted(_LEVELS, abs(margin), "right"))
    return "0" if not strength else f"{'p' if margin > 0 else 'n'}{strength}"


def _curve(parts: Sequence[float]) -> Html | None:
    """The margin along the stream as a line around zero."""
    if len(parts) < 2 or not (largest := max(map(abs, parts))) < math.inf or not largest:
        return None
    step = _WIDE / (len(parts) - 1)
    middle = _HIGH / 2
    places = (
        f"{i * step:.0f},{middle - part / largest * (middle - 2):.1f}"
        for i, part in enumerate(parts)
    )
    zero = tag("line", x1="0", x2=str(_WIDE), y1=str(middle), y2=str(middle), class_="zero")
    line = tag("polyline", points=" ".join(places))
    return tag("svg", zero, line, viewBox=f"0 0 {_WIDE} {_HIGH}", aria_hidden="true")


def changes(views: Sequence[PolicyView]) -> Html | None:
    """Which outcomes are others under another label policy; None if there is one policy."""
    by_experiment: dict[str, list[PolicyView]] = {}
    for view in views:
        by_experiment.setdefault(view.experiment, []).append(view)
    parts = [_changes(each) for each in by_experiment.values() if len(each) > 1]
    return joined(parts) if parts else None


def _changes(views: Sequence[PolicyView]) -> Html:
    places = list(dict.fromkeys(place for view in views for place in view.cells))
    lines = []
    for stream, learner in places:
        cells = [view.cells.get((stream, learner)) for view in views]
        words = {cell.word for cell in cells if cell is not None}
        if len(words) > 1:
            shown = (
                "" if cell is None
                else f"{outcome_text(cell.word)} {signed_text(100 * cell.margin)}"
                for cell in cells
            )  # fmt: skip
            names = tag("th", learner, scope="row"), tag("td", stream)
            lines.append(tag("tr", *names, *(tag("td", text) for text in shown)))
    said = f"{len(lines):,} of {plural(len(places), 'outcome')} change with the label policy."
    if not lines:
        return tag("p", said)
    head = tag("tr", *(tag("th", name, scope="col") for name in (
        "learner", "stream", *(labels_text(view.labels) for view in views))))  # fmt: skip

    def table(rows: Sequence[Html]) -> Html:
        made = tag("table", tag("caption", "Outcomes against the strongest reference"),
                   tag("thead", head), tag("tbody", *rows))  # fmt: skip
        return scrolled(made, "Outcomes that change with the label policy")

    rest = lines[_MOST_CHANGES:]
    more = tag("details", tag("summary", f"{len(rest):,} more"), table(rest)) if rest else None
    return joined([tag("p", said), table(lines[:_MOST_CHANGES]), more])
