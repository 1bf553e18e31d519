"""Runs what ziffer2024 needs and writes the report: ours beside the paper's, claim by claim."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from streamgauge._support.errors import UsageError
from streamgauge.experiments.results import Results
from streamgauge.experiments.run import run
from streamgauge.papers.ziffer2024 import figures
from streamgauge.papers.ziffer2024.claims import (
    Claim,
    claims_of_fig_3,
    claims_of_ranks,
    claims_of_table_ii,
    claims_of_table_iii,
)
from streamgauge.papers.ziffer2024.plan import (
    FIG_4,
    PROFILES,
    Profile,
    check_parts,
    grids,
)
from streamgauge.papers.ziffer2024.scores import Scores, read_scores
from streamgauge.papers.ziffer2024.tables import table_i, table_ii, table_iii
from streamgauge.streams.generators.tenet import tenet_stream

_NOTES = (
    "Kappa in per cent over all rows, mean over the seeds; the paper's in brackets. SWT: given the "
    "last two labels; +past: and the last two feature vectors.",
    "cLSTM learns by Adam at 0.01, not by the printed SGD at 0.1, which is slow; numbers are "
    "standardised for it.",
    "STAGGER's P(T) cannot be .54 with drifts between its concepts; its No-Change is higher for "
    "it. Insects is not run: no verified copy of it is to be had.",
)


@dataclass
class Report:
    """Sections of text in the paper's order, claims, files written, and what failed."""

    title: str
    sections: list[tuple[str, str]] = field(default_factory=list)
    claims: list[Claim] = field(default_factory=list)
    files: list[Path] = field(default_factory=list)
    remarks: list[str] = field(default_factory=list)

    def __str__(self) -> str:
        parts = [self.title, *(f"{head}\n\n{text}" for head, text in self.sections)]
        if self.claims:
            parts.append("Claims\n\n" + "\n".join(f"- {claim}" for claim in self.claims))
        parts.append("\n".join(f"- {remark}" for remark in (*_NOTES, *self.remarks)))
        return "\n\n".join(parts)

    def to_markdown(self) -> str:
        """The same, tables as they stand."""
        parts = [f"# {self.title}"]
        parts += [f"## {head}\n\n```\n{text}\n```" for head, text in self.sections]
        parts += [f"![{path.stem}]({path.name})" for path in self.files]
        if self.claims:
            parts.append("## Claims\n\n" + "\n".join(f"- {claim}" for claim in self.claims))
        parts.append("\n".join(f"- {remark}" for remark in (*_NOTES, *self.remarks)))
        return "\n\n".join(parts) + "\n"


def reproduce(
    profile: str | Profile = "quick",
    only: Iterable[str] = (),
    store: str | Path = "results/ziffer2024",
    *,
    learners: Iterable[str] = (),
    workers: int | None = None,
    progress: bool | None = None,
) -> Report:
    """Run the cells that the store lacks; the report, also written to STORE/report-PROFILE.

    only: some of table1, table2, table3, fig3, fig4, fig5. learners: some of the columns.
    """
    if isinstance(profile, str):
        if profile not in PROFILES:
            raise UsageError(f"profile={profile!r}: it is {' or '.join(PROFILES)}")
        profile = PROFILES[profile]
    parts = check_parts(only)
    profile, missing = profile.with_learners(learners).without_what_is_missing(parts)
    report = Report(
        f"ziffer2024, profile {profile.name}: {profile.rows:,} rows, {profile.seeds} seed(s)",
        remarks=missing,
    )
    found = {
        name: run(grid, store, workers=workers, progress=progress)
        for name, grid in grids(profile, parts).items()
    }
    for name, results in found.items():
        report.remarks += [
            f"{name}: {cell.learner} on {cell.stream}, seed {cell.seed}, failed: {failure.message}"
            for cell, failure in results.failures
        ]
    folder = Path(store) / f"report-{profile.name}"
    folder.mkdir(parents=True, exist_ok=True)
    _tables(report, parts, profile, found)
    _figures(report, parts, profile, found, folder)
    (folder / "report.md").write_text(report.to_markdown(), encoding="utf-8")
    return report


def _scores(found: dict[str, Results], name: str) -> Scores:
    return read_scores(found[name]) if name in found else Scores({})


def _tables(
    report: Report, parts: Sequence[str], profile: Profile, found: dict[str, Results]
) -> None:
    if "table1" in parts:
        report.sections.append(("Table I", table_i(profile)))
    if "table2" in parts:
        scores = _scores(found, "table2")
        report.sections.append(("Table II", table_ii(scores, profile)))
        report.claims += claims_of_table_ii(scores, profile)
    if "table3" in parts:
        scores = _scores(found, "table3")
        report.sections.append(("Table III", table_iii(scores, profile)))
        report.claims += claims_of_table_iii(scores, profile.real)


def _figures(
    report: Report,
    parts: Sequence[str],
    profile: Profile,
    found: dict[str, Results],
    folder: Path,
) -> None:
    drawn: list[Path | None] = []
    if "fig3" in found:
        orders = figures.fig_3(found["fig3"], profile)
        report.sections.append(("Figure 3", str(orders)))
        report.claims += claims_of_fig_3(orders.orders, orders.means)
        drawn.append(figures.save_figure(folder / "fig3.svg", figures.draw_fig_3, orders))
    if "fig4" in parts:
        name, drift, _ = FIG_4
        drifts = tenet_stream(name, drift, profile.rows).drifts  # type: ignore[arg-type]
        curves = figures.fig_4(_scores(found, "table2"), list(profile.learners))
        report.sections.append((f"Figure 4: {name}, {drift}, injected", str(curves)))
        places = [each.position for each in drifts]
        drawn.append(figures.save_figure(folder / "fig4.svg", figures.draw_fig_4, curves, places))
    if "fig5" in parts:
        both = {
            "synthetic": figures.fig_5_synthetic(_scores(found, "table2"), profile),
            "real": figures.fig_5_real(_scores(found, "table3"), profile),
        }
        for name, fig in both.items():
            text = "not run" if fig.ours is None else str(fig.ours)
            report.sections.append((f"Figure 5, {name} streams, ours", text))
            report.sections.append((f"Figure 5, {name} streams, the paper's", str(fig.paper)))
            if fig.ours is not None:
                drawn.append(fig.ours.save_diagram(folder / f"fig5-{name}.svg"))
        report.claims += claims_of_ranks(both["synthetic"].ours, both["real"].ours)
    if None in drawn:
        report.remarks.append("Drawings need matplotlib: pip install 'streamgauge[plot]'")
    report.files += [path for path in drawn if path is not None]
