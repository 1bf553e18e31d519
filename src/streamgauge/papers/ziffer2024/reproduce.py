"""Runs the experiments of ziffer2024 and writes a report: our numbers beside the printed ones."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from streamgauge._support.errors import MissingExtra, UsageError
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
from streamgauge.rendering.words import plural
from streamgauge.streams.generators.tenet import tenet_stream

_NOTES = (
    "Kappa in percent over all rows, mean over the seeds; printed values in brackets. SWT: with "
    "the last two labels as features; +past: with the last two feature vectors as well.",
    "cLSTM uses Adam with rate 0.01 instead of the printed SGD with rate 0.1, which converges "
    "slowly, and standardised numeric features.",
    "STAGGER's P(T) is higher here than printed (docs/tenet.md), and so is the score of No-Change. "
    "Insects was not run: no verified copy is available.",
)


@dataclass
class Report:
    """Sections of text in the paper's order, claims, figure files and remarks."""

    title: str
    sections: list[tuple[str, str]] = field(default_factory=list)
    claims: list[Claim] = field(default_factory=list)
    files: list[Path] = field(default_factory=list)
    remarks: list[str] = field(default_factory=list)

    def __str__(self) -> str:
        parts = [self.title, *(f"{heading}\n\n{text}" for heading, text in self.sections)]
        if self.claims:
            parts.append("Claims\n\n" + "\n".join(f"- {claim}" for claim in self.claims))
        parts.append("\n".join(f"- {remark}" for remark in (*_NOTES, *self.remarks)))
        return "\n\n".join(parts)

    def to_markdown(self) -> str:
        """Format as Markdown, with the tables as code blocks."""
        parts = [f"# {self.title}"]
        parts += [f"## {heading}\n\n```\n{text}\n```" for heading, text in self.sections]
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
    """Run the cells that the store lacks and write the report to STORE/report-PROFILE.

    Parameters
    ----------
    profile
        "quick", "full" or a profile.
    only
        Some of table1, table2, table3, fig3, fig4, fig5; by default all.
    store
        The folder for runs and report.
    learners
        Use only these columns.
    workers, progress
        As in `sg.run`.
    """
    if isinstance(profile, str):
        if profile not in PROFILES:
            raise UsageError(f"profile={profile!r}: expected {' or '.join(PROFILES)}")
        profile = PROFILES[profile]
    parts = check_parts(only)
    profile, missing = profile.with_learners(learners).without_missing(parts)
    report = Report(
        f"ziffer2024, profile {profile.name}: {profile.rows:,} rows, "
        f"{plural(profile.seeds, 'seed')}",
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
    if "fig3" in found:
        orders = figures.fig_3(found["fig3"], profile)
        report.sections.append(("Figure 3", str(orders)))
        report.claims += claims_of_fig_3(orders.orders, orders.means)
        _save(report, folder / "fig3.svg", orders.plot)
    if "fig4" in parts:
        name, drift, _ = FIG_4
        drifts = tenet_stream(name, drift, profile.rows).drifts  # type: ignore[arg-type]
        curves = figures.fig_4(_scores(found, "table2"), list(profile.learners))
        report.sections.append((f"Figure 4: {name}, {drift}, injected", str(curves)))
        positions = [each.position for each in drifts]
        _save(report, folder / "fig4.svg", lambda: curves.plot(positions))
    if "fig5" in parts:
        both = {
            "synthetic": figures.fig_5_synthetic(_scores(found, "table2"), profile),
            "real": figures.fig_5_real(_scores(found, "table3"), profile),
        }
        report.remarks.append(
            "Figure 5 ranks synthetic streams as the paper does, originals and injected ones in "
            "one table. Such rows are not independent, so differences look clearer than they are; "
            "`streamgauge rank` ranks them apart."
        )
        for name, fig in both.items():
            text = "not run" if fig.ours is None else str(fig.ours)
            report.sections.append((f"Figure 5, {name} streams, ours", text))
            report.sections.append((f"Figure 5, {name} streams, printed", str(fig.paper)))
            if fig.ours is not None:
                _save(report, folder / f"fig5-{name}.svg", fig.ours.plot)
        report.claims += claims_of_ranks(both["synthetic"].ours, both["real"].ours)


def _save(report: Report, path: Path, draw: Callable[[], Any]) -> None:
    """Draw a figure if Altair is installed, else add a remark."""
    try:
        draw().save(path)
        report.files.append(path)
    except MissingExtra as error:
        report.remarks.append(f"{path.name} was not drawn: {error}")
