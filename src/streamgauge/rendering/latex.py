"""LaTeX tables for the booktabs package."""

from __future__ import annotations

import re
from collections.abc import Sequence

from streamgauge._support.printable import printable

_SPECIAL = {
    "\\": r"\textbackslash{}", "&": r"\&", "%": r"\%", "$": r"\$", "#": r"\#", "_": r"\_",
    "{": r"\{", "}": r"\}", "~": r"\textasciitilde{}", "^": r"\textasciicircum{}", "<": "$<$",
    ">": "$>$", "±": r"$\pm$", "χ²": r"$\chi^2$", "·": r"$\cdot$", "–": "--", "−": "$-$",
}  # fmt: skip
_PATTERN = re.compile("|".join(map(re.escape, _SPECIAL)))


def escape(text: str) -> str:
    r"""Escape plain text for LaTeX.

    >>> print(escape("SEA_0 ± 5 %"))
    SEA\_0 $\pm$ 5 \%
    """
    escaped = _PATTERN.sub(lambda found: _SPECIAL[found[0]], printable(text))
    # At the start of a line, the end of the line before would take these as its argument.
    return f"{{{escaped[0]}}}{escaped[1:]}" if escaped.startswith(("[", "*")) else escaped


def bold(text: str) -> str:
    """Escape plain text and set it in bold."""
    return rf"\textbf{{{escape(text)}}}"


def tabular(header: Sequence[str], *groups: Sequence[Sequence[str]]) -> str:
    """Format a tabular with a rule between groups of lines; cells must already be escaped."""
    lines = [rf"\begin{{tabular}}{{l{'r' * (len(header) - 1)}}}", r"\toprule", _line(header)]
    for group in groups:
        lines += [r"\midrule", *map(_line, group)]
    return "\n".join([*lines, r"\bottomrule", r"\end{tabular}"])


def _line(cells: Sequence[str]) -> str:
    return rf"{' & '.join(cells)} \\"
