"""LaTeX tables for the packages booktabs and siunitx, ready to paste."""

from __future__ import annotations

import math
import re
from collections.abc import Sequence
from dataclasses import replace

from streamgauge._support.errors import UsageError
from streamgauge._support.print_widths import inches_of
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
_TURNED = "Rows and columns are exchanged: the best of a row is the best of a column here."
_NEEDS_ROTATING = r"% It also needs \usepackage{rotating}."
_NEEDS_LONGTABLE = r"% It also needs \usepackage{longtable}."
_BOLD = r"\sisetup{detect-weight=true, mode=text}% bold numbers"
_POINTS = 72.27  # of TeX, in an inch
_SMALL = 0.8  # the size of a table that is too wide
_COLUMN_SPACE = 6.0  # points on each side of a column
_PAGE_HEIGHT = 8.5 * _POINTS  # the room of a table that is set sideways
_LINES = 45  # of a table on one page
_NUMBER = re.compile(r"(-?)(\d*)(?:\.(\d*))?(?:e([+-]?)(\d+))?")


def escape(text: str) -> str:
    r"""Escape plain text for LaTeX.

    >>> print(escape("SEA_0 ± 5 %"))
    SEA\_0 $\pm$ 5 \%
    """
    escaped = _PATTERN.sub(lambda found: _SPECIAL[found[0]], printable(text))
    # At the start of a line, the end of the line before would take these as its argument.
    return f"{{{escaped[0]}}}{escaped[1:]}" if escaped.startswith(("[", "*")) else escaped


def sheet_latex(sheet: Sheet, caption: str, label: str, width: str | None = None) -> str:
    """A sheet as a table that floats: caption, numbers aligned at the point, notes below.

    The caption is LaTeX already. Every number column becomes up to three: the number, ± its spread,
    the marks. A table that is wider than `width`, "column" or "page", is set small; if that is not
    enough it is turned over, set sideways on a page, or split into tables below each other. One
    that is longer than a page becomes a longtable.
    """
    if not _LABEL.fullmatch(label):
        raise UsageError(f"label={label!r}: expected letters, digits and : . _ + / -, e.g. 'tab:x'")
    room = math.inf if width is None else inches_of(width) * _POINTS
    is_small = sheet_points(sheet) > room
    room = room / _SMALL if is_small else room
    parts, environment = _laid_out(sheet, room, is_page=width == "page")
    notes = [*sheet.notes, *parts[0].notes]
    sizes = [_BOLD, *([r"\footnotesize\setlength{\tabcolsep}{4pt}"] if is_small else [])]
    if environment == "longtable":
        return _long(parts[0], notes, caption, label, sizes)
    lines = [
        _NEEDS if environment == "table" else f"{_NEEDS}\n{_NEEDS_ROTATING}",
        rf"\begin{{{environment}}}",
        r"\centering",
        rf"\caption{{{caption}}}",
        rf"\label{{{label}}}",
        *sizes,
    ]
    for place, part in enumerate(parts):
        columns = _columns(part)
        lines += [r"\par\medskip"] if place else []
        lines += [rf"\begin{{tabular}}{{{_formats(columns)}}}", *_head(part, columns)]
        lines += [*_body(part, columns), r"\bottomrule", r"\end{tabular}"]
    return "\n".join([*lines, *_notes(notes), rf"\end{{{environment}}}"])


def _long(
    sheet: Sheet, notes: Sequence[str], caption: str, label: str, sizes: Sequence[str]
) -> str:
    """A table over several pages, which repeats its head."""
    columns = _columns(sheet)
    head = _head(sheet, columns)
    lines = [
        f"{_NEEDS}\n{_NEEDS_LONGTABLE}",
        r"\begingroup",
        *sizes,
        rf"\begin{{longtable}}{{{_formats(columns)}}}",
        rf"\caption{{{caption}}}\label{{{label}}}\\",
        *head,
        r"\endfirsthead",
        *head,
        r"\endhead",
        *_body(sheet, columns),
        r"\bottomrule",
        r"\end{longtable}",
    ]
    return "\n".join([*lines, *_notes(notes), r"\endgroup"])


def _columns(sheet: Sheet) -> list[_LatexColumn]:
    return [_LatexColumn(sheet, i) for i in range(len(sheet.header))]


def _formats(columns: Sequence[_LatexColumn]) -> str:
    return " ".join(column.format for column in columns)


def _head(sheet: Sheet, columns: Sequence[_LatexColumn]) -> list[str]:
    names = [column.head(text) for column, text in zip(columns, sheet.header, strict=True)]
    return [r"\toprule", *_spans(sheet, columns), _line(names)]


def _body(sheet: Sheet, columns: Sequence[_LatexColumn]) -> list[str]:
    lines = []
    for group in sheet.groups:
        lines.append(r"\midrule")
        for cells in group:
            shown = [column.cell(cell) for column, cell in zip(columns, cells, strict=True)]
            lines.append(_line(shown))
    return lines


def _notes(notes: Sequence[str]) -> list[str]:
    if not notes:
        return []
    shown = [escape(note) + r"\par" for note in notes]
    return [r"\par\smallskip", r"\begin{minipage}{\linewidth}\footnotesize\raggedright",
            *shown, r"\end{minipage}"]  # fmt: skip


def _laid_out(sheet: Sheet, room: float, *, is_page: bool) -> tuple[list[Sheet], str]:
    """The sheet as one or more that fit in this room, in points, and the environment for them."""
    turned, plain = sheet.transposed(), replace(sheet, notes=())
    if sheet_points(sheet) <= room:
        is_long = math.isfinite(room) and len(sheet.lines) > _LINES
        return [plain], "longtable" if is_long else "table"
    if turned is not None and sheet_points(turned) <= room and len(turned.lines) <= _LINES:
        return [replace(turned, notes=[_TURNED])], "table"
    if is_page and sheet_points(sheet) <= _PAGE_HEIGHT / _SMALL and len(sheet.lines) <= _LINES // 2:
        return [plain], "sidewaystable"
    return _split(sheet, room), "table"


def _split(sheet: Sheet, room: float) -> list[Sheet]:
    """The columns in parts below each other, each with the names of the lines."""
    parts, taken = [], sheet.names
    while taken < len(sheet.header):
        count = len(sheet.header) - taken
        while count > 1 and sheet_points(sheet.part(taken, taken + count)) > room:
            count -= 1
        parts.append(sheet.part(taken, taken + count))
        taken += count
    return parts or [replace(sheet, notes=())]


def sheet_points(sheet: Sheet) -> float:
    """About how wide a sheet is in the text of a paper, in points."""
    wide = 0.0
    for i, head in enumerate(sheet.header):
        cells = [line[i] for line in sheet.lines]
        parts = max(sum(bool(each) for each in (c.spread, c.unit or c.extra or c.mark)) for c in
                    cells) if cells else 0  # fmt: skip
        texts = max((_points(c.plain) + 8 * bool(c.mark) for c in cells), default=0.0)
        wide += max(texts + 2 * parts, _points(head)) + 2 * _COLUMN_SPACE
    return wide


def _points(text: str) -> float:
    """The width of a text in Computer Modern at 10 points."""
    return sum(
        7.1 if each.isupper() or each in "±−+=<>" else 2.8 if each in ".,:;ilI'()[] " else 5.1
        for each in text
    )


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
