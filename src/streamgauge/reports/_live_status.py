"""The progress of a running study, as a part of its page."""

from __future__ import annotations

from collections.abc import Sequence

from streamgauge.experiments.status import Status
from streamgauge.reports.html import Html, joined, preformatted, tag

_MAX_LISTED = 50  # cells of one kind


def status_html(statuses: Sequence[Status]) -> Html:
    """The progress of every experiment in a store."""
    return joined([tag("h2", "Progress"), *map(_experiment, statuses)])


def _experiment(status: Status) -> Html:
    settled = status.done + len(status.failures)
    counts = (
        f"{status.done:,} of {status.total:,} cells done, {status.running:,} running, "
        f"{len(status.failures):,} failed, {status.left - status.running:,} waiting"
    )
    bar = tag("progress", max=str(max(status.total, 1)), value=str(settled), aria_label=counts)
    parts = [tag("p", tag("strong", status.name), f": {counts}. {status.progress}."), bar]
    parts += _listed("Running", [str(cell) for cell in status.active])
    if status.failures:
        failed = [
            tag("li", f"{cell}: {failure.kind}: {_first_line(failure.message)}",
                preformatted(failure.traceback) if failure.traceback else None)
            for cell, failure in status.failures[:_MAX_LISTED]
        ]  # fmt: skip
        summary = tag("summary", f"Failed: {len(status.failures):,}")
        parts.append(tag("details", summary, tag("ul", *failed, class_="holes")))
    parts += _listed("Not begun", status.not_begun(), len(status.waiting))
    return joined(parts)


def _listed(name: str, lines: Sequence[str], count: int | None = None) -> list[Html]:
    if not lines:
        return []
    summary = tag("summary", f"{name}: {len(lines) if count is None else count:,}")
    items = [tag("li", line) for line in lines[:_MAX_LISTED]]
    return [tag("details", summary, tag("ul", *items))]


def _first_line(text: str) -> str:
    return text.splitlines()[0] if text else "no message"
