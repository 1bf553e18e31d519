"""Tables I, II and III of ziffer2024: our numbers, then the printed ones."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import numpy as np

from streamgauge.papers.claim import PaperClaim, judge
from streamgauge.papers.paper import PaperSection, PaperTable
from streamgauge.papers.printed import PrintedTable, printed
from streamgauge.papers.study import PaperStudy
from streamgauge.papers.ziffer2024 import claims
from streamgauge.papers.ziffer2024.plan import (
    DRIFTS,
    NO_CHANGE,
    ORDER,
    PAPERS,
    Ziffer2024Plan,
    run_table2,
    run_table3,
)
from streamgauge.papers.ziffer2024.scores import SeedOutcomes, printed_scores, read_scores
from streamgauge.rendering.sheet import Sheet, SheetCell, sheet_of, words
from streamgauge.streams.base import Stream
from streamgauge.streams.generators.tenet import tenet_stream
from streamgauge.streams.transforms.inject import inject

_MARKS = {"abrupt": "A", "gradual": "G"}
_CLOSE = 0.03  # of Table I


def table1(study: PaperStudy, profile: Ziffer2024Plan) -> PaperSection:
    """Table I: what the streams are like, over 100,000 rows in every profile."""
    paper = printed("ziffer2024")["table1"]
    lines = [["", "rows", "features", "classes", *paper.columns[6:]]]
    far: list[str] = []
    for name in profile.streams:
        for drift in DRIFTS:
            stream = tenet_stream(name, drift)  # type: ignore[arg-type]
            measured = [*_probabilities(stream), *_probabilities(inject(stream, ORDER))]
            label = f"{name} {_MARKS[drift]}"
            lines.append(_about(label, stream, measured, paper, name))
            for column, ours in zip(paper.columns[6:], measured, strict=True):
                if abs(ours - paper.value(name, column)) > _CLOSE:
                    far.append(f"{column} of {label} ({ours:.3f})")
    order: list[tuple[str, float, float]] = []
    for name, entry in profile.real.items():
        found = study.load(entry["load"], entry.get("variant"))
        if found is not None:
            both = _probabilities(found)
            lines.append(_about(name, found, both, paper, name))
            if name in ("Elec2", "Weather"):
                order.append((name, *both))
    caption = (
        "Ours / printed. A: abrupt, G: gradual drifts. P(M): share of the most frequent class. "
        "P(T): how often a label repeats the one before."
    )
    return PaperSection(
        [PaperTable(caption, sheet_of(lines))], claims=_claims_of_table1(far, order)
    )


def _claims_of_table1(far: list[str], order: list[tuple[str, float, float]]) -> list[PaperClaim]:
    reason = f"Farther: {', '.join(far)}." if far else "All are."
    return [
        judge(
            "Table I: P(M) and P(T) of the synthetic streams.",
            f"All are within {_CLOSE} of the printed values.",
            not far,
            reason,
        ),
        judge(
            "Elec2 and Weather have first-order temporal dependence: P(T) > P(M).",
            "So it is in the labels of our files.",
            all(t > m for _, m, t in order) if len(order) == 2 else None,
            "; ".join(f"{name}: P(M) {m:.3f}, P(T) {t:.3f}" for name, m, t in order) + ".",
        ),
    ]


def _about(
    label: str, stream: Stream, measured: Sequence[float], paper: PrintedTable, name: str
) -> list[str]:
    counts = [stream.rows, len(stream.schema.features), len(stream.schema.classes)]
    cells = [f"{c:,} / {p:,}" for c, p in zip(counts, paper.rows[name], strict=False)]
    both = zip(measured, paper.columns[6:], strict=False)
    cells += [f"{m:.2f} / {paper.value(name, column):.2f}" for m, column in both]
    return [label, *cells, *["-"] * (7 - len(cells))]


def _probabilities(stream: Stream) -> tuple[float, float]:
    """P(M) and P(T) of the labels in stream order."""
    y = np.concatenate([block.y for block in stream.blocks(1 << 16)])
    return float(np.bincount(y).max() / len(y)), float((y[1:] == y[:-1]).mean())


def table2(study: PaperStudy, profile: Ziffer2024Plan) -> PaperSection:
    """Table II: kappa on the synthetic streams, original and injected."""
    scores = read_scores(run_table2(study, profile))
    paper = printed("ziffer2024")
    parts = {"original": profile.table2(False), "injected": profile.table2(True)}
    tables = _kappas(scores, printed_scores(paper["table2"]), parts, profile)
    judged = [
        *claims.judge_both(
            lambda each: [
                *claims.claims_of_originals(each, profile),
                *claims.claims_of_injected(each, profile),
                *claims.claims_of_drifts(each, profile),
            ],
            scores,
            printed_scores(paper["table2"]),
        ),
        claims.claim_of_temporal(scores, profile),
        claims.claim_of_past_features(scores, profile),
    ]
    return PaperSection(tables, claims=judged)


def table3(study: PaperStudy, profile: Ziffer2024Plan) -> PaperSection:
    """Table III: kappa on the real streams."""
    scores = read_scores(run_table3(study, profile))
    paper = printed_scores(printed("ziffer2024")["table3"])
    run = [name for name in profile.real if not np.isnan(scores.mean(name, NO_CHANGE))]
    if not run:
        return PaperSection(notes=["No real stream could be had."])
    judged = claims.judge_both(lambda each: claims.claims_of_table3(each, run), scores, paper)
    return PaperSection(
        _kappas(scores, paper, {"real": run}, profile),
        claims=[*judged, *claims.claims_of_cycles(scores)],
        notes=[
            "Insects was not run: there is no verified copy of it. The averages, the printed "
            "ones too, are over the streams that were run."
        ],
    )


def _kappas(
    scores: SeedOutcomes, paper: SeedOutcomes, parts: dict[str, list[str]], profile: Ziffer2024Plan
) -> list[PaperTable]:
    """The paper's columns beside the printed ones, and the columns that the paper lacks."""
    lines = [[(stream, [stream]) for stream in streams] for streams in parts.values()]
    for (part, streams), group in zip(parts.items(), lines, strict=True):
        group.append((f"{part} average", streams))
    if len(parts) > 1:
        lines.append([("overall average", [each for part in parts.values() for each in part])])
    names, further = list(profile.learners), profile.further

    def sheet(header: list[str], line: Callable[[str, list[str]], list[SheetCell]]) -> Sheet:
        return Sheet(header, [[line(*each) for each in group] for group in lines])

    def beside_printed(label: str, streams: list[str]) -> list[SheetCell]:
        return _line(label, streams, scores, paper)

    def lacking(label: str, streams: list[str]) -> list[SheetCell]:
        beating = _beating(streams, scores, profile)
        return [*_plain(label, streams, scores, further), beating]

    def over_all_rows(label: str, streams: list[str]) -> list[SheetCell]:
        return _plain(label, streams, scores, names, "over_all_rows")

    return [
        PaperTable(
            "Kappa in percent: the mean over batches of 128 rows, as the paper scores, averaged "
            "over the seeds, and in brackets the rank among the five learners; ours / printed. "
            "No-Change is not ranked.",
            sheet(["", *PAPERS, NO_CHANGE], beside_printed),
        ),
        PaperTable(
            "Columns that the paper lacks, scored in the same way, and the learners that are more "
            "accurate than every reference by our verdict, with every seed.",
            sheet(["", *further, "better than every reference"], lacking),
        ),
        PaperTable(
            "Kappa in percent over all rows, which credits learners for slow changes of the class "
            "proportions.",
            sheet(["", *names], over_all_rows),
        ),
    ]


def _line(
    label: str, streams: list[str], scores: SeedOutcomes, paper: SeedOutcomes
) -> list[SheetCell]:
    """The kappas of one stream, or the averages over several."""
    ours, theirs = (each.means(streams, [*PAPERS, NO_CHANGE]) for each in (scores, paper))
    ranks, printed_ranks = _ranks(scores, streams), _ranks(paper, streams)
    best = max((value for name, value in ours.items() if name != NO_CHANGE), default=np.nan)
    cells = []
    for name, value in ours.items():
        in_paper = f" / {theirs[name]:.1f}{printed_ranks.get(name, '')}"
        cells.append(
            SheetCell(
                "-" if np.isnan(value) else f"{value:.1f}",
                extra=ranks.get(name, "") + ("" if np.isnan(theirs[name]) else in_paper),
                best=name != NO_CHANGE and value == best,
            )
        )
    return [words(label), *cells]


def _ranks(scores: SeedOutcomes, streams: list[str]) -> dict[str, str]:
    """The ranks of the five learners in brackets, averaged over the streams; none if not run."""
    ranks = scores.average_ranks(streams, PAPERS)
    digits = 0 if len(streams) == 1 else 2
    return {name: f" ({rank:.{digits}f})" for name, rank in ranks.items() if not np.isnan(rank)}


def _plain(
    label: str, streams: list[str], scores: SeedOutcomes, names: list[str], metric: str = "kappa"
) -> list[SheetCell]:
    means = scores.means(streams, names, metric).values()
    return [words(label), *(SheetCell("-" if np.isnan(each) else f"{each:.1f}") for each in means)]


def _beating(streams: list[str], scores: SeedOutcomes, profile: Ziffer2024Plan) -> SheetCell:
    """Who beats every reference on a stream; an average has none."""
    if len(streams) > 1:
        return words("")
    return words(", ".join(scores.beating(streams[0], [*PAPERS, *profile.further])) or "none")
