"""A reproduced paper: its parts with our numbers beside the printed ones, as text or as a file."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from pathlib import Path

from streamgauge._support.errors import UsageError
from streamgauge.papers._latex import report_latex
from streamgauge.papers._markdown import report_markdown
from streamgauge.papers._page import report_page
from streamgauge.papers.claim import PaperClaim
from streamgauge.papers.paper import Paper, PaperPart, PaperSection
from streamgauge.rendering.layout import wide
from streamgauge.rendering.text_table import sheet_text
from streamgauge.reports.page import write_page


@dataclass(frozen=True)
class Report:
    """The sections of a paper in its order, its claims, and what is missing.

    Parameters
    ----------
    paper
        The paper.
    profile
        The profile that was run: "quick" or "full".
    sections
        The parts that were run, and what each of them shows.
    missing
        What could not be had, and why.
    """

    paper: Paper
    profile: str
    sections: list[tuple[PaperPart, PaperSection]]
    missing: list[str] = field(default_factory=list)

    @property
    def claims(self) -> list[PaperClaim]:
        """The claims of all sections."""
        return [claim for _, section in self.sections for claim in section.claims]

    @property
    def answer(self) -> str:
        """How many claims hold, in a sentence."""
        words = Counter(claim.word for claim in self.claims)
        if not words:
            return "No claim was judged."
        return (
            f"Claims: {words['holds']} hold, {words['does not hold']} do not hold, "
            f"{words['cannot be told']} cannot be told."
        )

    @property
    def title(self) -> str:
        """The key and title of the paper, and the profile."""
        return f"{self.paper.key}: {self.paper.title} (profile {self.profile})"

    def __str__(self) -> str:
        return "\n\n".join(self._texts())

    def _texts(self) -> Iterator[str]:
        yield self.title
        yield self.answer
        yield self.paper.about
        for part, section in self.sections:
            yield part.title + "\n" + "=" * len(part.title)
            for table in section.tables:
                yield f"{table.caption}\n\n{sheet_text(table.sheet)}"
            if section.claims:
                yield "\n".join(f"- {claim}" for claim in section.claims)
            yield from section.notes
        if self.missing:
            yield "Missing\n" + "\n".join(f"- {each}" for each in self.missing)

    def save(self, path: str | Path) -> Path:
        """Write the report: .html is one page, .md and .tex have their figures in a folder beside.

        Parameters
        ----------
        path
            The file to write; its ending says how.

        Returns
        -------
        Path
            The file.
        """
        path = Path(path)
        with wide(None):
            write_page(path, _WRITERS[check_report_path(path)](self, path))
        return path


_WRITERS: dict[str, Callable[[Report, Path], str]] = {
    ".html": report_page,
    ".md": report_markdown,
    ".tex": report_latex,
    ".txt": lambda report, _: f"{report}\n",
}


def check_report_path(path: Path) -> str:
    """The ending of a file that a report can be saved as; any other is an error."""
    if path.suffix not in _WRITERS:
        raise UsageError(f"{path}: expected a name that ends in {', '.join(_WRITERS)}")
    return path.suffix
