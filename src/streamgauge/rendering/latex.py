"""LaTeX tables for the packages booktabs and siunitx, ready to paste."""

from __future__ import annotations

import re
from collections.abc import Sequence

from streamgauge._support.errors import UsageError
from streamgauge._support.printable import printable
from streamgauge.rendering.outcomes import MARKS
from streamgauge.rendering.sheet import Sheet, SheetCell

_SPECIAL = {
    "\\": r"\textbackslash{}", "&": r"\&", "%": r"\%", "$": r"\$", "#": r"\#", "_": r"\_",
    "{": r"\{", "}": r"\}", "~": r"\textasciitilde{}", "^": r"\textasciicircum{}", "<": "$<$",
    ">": "$>$", "|": r"\textbar{}", "`": r"\textasciigrave{}", "±": r"$\pm$", "χ²": r"$\chi^2$",
    "·": r"$\cdot$", "×": r"$\times$", "–": "--", "−": "$-$", "∞": r"$\infty$", "µ": r"$\mu$",
    "▲": r"$\bigtriangleup$", "▼": r"$\bigtriangledown$", "○": r"$\bigcirc$", "Δ": r"$\Delta$",
    "ℓ": r"$\ell$", "Σ": r"$\Sigma$", "²": "$^2$", "→": r"$\to$", "…": r"\dots{}",
}  # fmt: skip
_PATTERN = re.compile("|".join(map(re.escape, _SPECIAL)))
_MARKS = {word: _SPECIAL.get(mark, f"${mark}$") for word, mark in MARKS.items()}
_LABEL = re.compile(r"[A-Za-z0-9:._+/-]+")
_NEEDS = r"% Needs \usepackage{booktabs} and \usepackage{siunitx} in the preamble."
_NUMBER = re.compile(r"(-?)(\d*)(?:\.(\d*))?(?:e([+-]?)(\d+))?")


def escape(text: str) -> str:
    r"""Escape plain text for LaTeX.

    >>> print(escape("SEA_0 ± 5 %"))
    SEA\_0 $\pm$ 5 \%
    """
    escaped = _PATTERN.sub(lambda found: _SPECIAL[found[0]], printable(text))
    # At the start of a line, the end of the line before would take these as its argument.
    return f"{{{escaped[0]}}}{escaped[1:]}" if escaped.startswith(("[", "*")) else escaped


def sheet_latex(sheet: Sheet, caption: str, label: str) -> str:
    """A sheet as a table that floats: caption, numbers aligned at the point, notes below.

    The caption is LaTeX already. Every number column becomes up to three: the number, ± its spread,
    the marks.
    """
    if not _LABEL.fullmatch(label):
        raise UsageError(f"label={label!r}: expected letters, digits and : . _ + / -, e.g. 'tab:x'")
    columns = [_LatexColumn(sheet, i) for i in range(len(sheet.header))]
    lines = [
        _NEEDS,
        r"\begin{table}",
        r"\centering",
        rf"\caption{{{caption}}}",
        rf"\label{{{label}}}",
        r"\sisetup{detect-weight=true, mode=text}% bold numbers",
        rf"\begin{{tabular}}{{{' '.join(column.format for column in columns)}}}",
        r"\toprule",
        *_spans(sheet, columns),
        _line([column.head(text) for column, text in zip(columns, sheet.header, strict=True)]),
    ]
    for group in sheet.groups:
        lines.append(r"\midrule")
        for cells in group:
            shown = [column.cell(cell) for column, cell in zip(columns, cells, strict=True)]
            lines.append(_line(shown))
    lines += [r"\bottomrule", r"\end{tabular}"]
    if sheet.notes:
        notes = [escape(note) + r"\par" for note in sheet.notes]
        lines += [r"\par\smallskip", r"\begin{minipage}{\linewidth}\footnotesize\raggedright",
                  *notes, r"\end{minipage}"]  # fmt: skip
    return "\n".join([*lines, r"\end{table}"])


class _LatexColumn:
    """How one column of a sheet becomes columns of LaTeX."""

    def __init__(self, sheet: Sheet, i: int) -> None:
        cells = [line[i] for line in sheet.lines]
        self.is_text = sheet.is_text(i)
        self.has_spread = any(cell.spread for cell in cells)
        self.has_extra = any(cell.extra or cell.mark or cell.unit for cell in cells)
        self.count = 1 if self.is_text else 1 + self.has_spread + self.has_extra
        self.format = "l" if self.is_text else self._formats(cells)

    def _formats(self, cells: Sequence[SheetCell]) -> str:
        numbers = [cell.text for cell in cells if cell.number]
        text = f"S[{_table_format(numbers)}]" if numbers else "r"
        return text + r"@{\,}r" * self.has_spread + r"@{\,}l" * self.has_extra

    def head(self, text: str) -> str:
        return escape(text) if self.is_text else self._across(escape(text))

    def cell(self, cell: SheetCell) -> str:
        if self.is_text:
            return _bold(cell.plain) if cell.best else escape(cell.plain)
        if not cell.number:
            return self._across(_bold(cell.plain) if cell.best else escape(cell.plain))
        parts = [r"\bfseries " * cell.best + cell.text.replace("−", "-")]
        if self.has_spread:
            parts.append(_spread(cell.spread))
        if self.has_extra:
            unit = f" {cell.unit}" if cell.unit else ""
            parts.append(escape(unit + cell.extra).strip() + _MARKS.get(cell.mark, ""))
        return " & ".join(parts)

    def _across(self, text: str) -> str:
        """Words over all columns of this one; braces keep them from being read as a number."""
        return f"{{{text}}}" if self.count == 1 else rf"\multicolumn{{{self.count}}}{{c}}{{{text}}}"


def _spread(text: str) -> str:
    if not text:
        return ""
    return rf"$\pm$\,\num{{{text}}}" if "e" in text else rf"$\pm$\,{text}"  # powers of ten


def _spans(sheet: Sheet, columns: Sequence[_LatexColumn]) -> list[str]:
    """The texts above the header, and a rule under each."""
    if not sheet.spans:
        return []
    texts, rules, done, place = [], [], 0, 1
    for text, count in sheet.spans:
        wide = sum(column.count for column in columns[done : done + count])
        texts.append(rf"\multicolumn{{{wide}}}{{c}}{{{escape(text)}}}")
        if text:
            rules.append(rf"\cmidrule(lr){{{place}-{place + wide - 1}}}")
        done, place = done + count, place + wide
    return [_line(texts), "".join(rules)]


def _table_format(numbers: Sequence[str]) -> str:
    """The space of the widest number: its sign, its digits, its exponent."""
    found = [match.groups() for n in numbers if (match := _NUMBER.match(n.replace("−", "-")))]
    sign = "-" if any(each[0] for each in found) else ""
    whole = max((len(each[1]) for each in found), default=1)
    places = max((len(each[2] or "") for each in found), default=0)
    power = max((len(each[4] or "") for each in found), default=0)
    return f"table-format={sign}{whole}.{places}" + (f"e-{power}" if power else "")


def _bold(text: str) -> str:
    return rf"\textbf{{{escape(text)}}}"


def _line(cells: Sequence[str]) -> str:
    return rf"{' & '.join(cells)} \\"
