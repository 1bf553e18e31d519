"""The parsers of lines by their format, and the names of columns that a first line gave them."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from streamgauge.monitoring.sources.csv_lines import CsvLines
from streamgauge.monitoring.sources.json_lines import JsonLines

Parser = CsvLines | JsonLines
PARSERS: dict[str, Callable[[Sequence[str], str], Parser]] = {"csv": CsvLines, "jsonl": JsonLines}


def header_of(parser: Parser) -> list[str] | None:
    """The names of the columns, if the first line says them and was read."""
    return parser.header if isinstance(parser, CsvLines) else None


def resume_header(parser: Parser, header: list[str] | None) -> None:
    """Go on after a first line that was read before."""
    if isinstance(parser, CsvLines) and header is not None:
        parser.start(header)
