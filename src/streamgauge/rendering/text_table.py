"""Plain-text tables: aligned columns, rates."""

from __future__ import annotations

import math
from collections.abc import Collection, Iterator, Sequence

from streamgauge._support.printable import printable
from streamgauge.rendering.layout import folded, table_width, wrap
from streamgauge.rendering.outcomes import MARKS
from streamgauge.rendering.sheet import Sheet, SheetCell

_LARGE, _NOTHING = 1 / 3, 1 / 100  # of the largest value of a curve in characters


def align(
    lines: Sequence[Sequence[str]], left: Collection[int] = (0,), names: int | None = None
) -> str:
    """Align columns: those in `left` (indices from 0) to the left, all others to the right.

    What is wider than the terminal is folded: the columns that do not fit come below, with the
    names again; names that take too much room have a line of their own. `names`: the first columns
    that hold names, by default one if it is set to the left.

    >>> print(align([["", "kappa"], ["NaiveBayes", "0.428"]]))
                kappa
    NaiveBayes  0.428
    """
    lines = [list(map(printable, line)) for line in lines]
    limit = table_width()
    widths = _widths(lines)
    if limit is None or _total(widths) <= limit:
        return "\n".join(_aligned(lines, left))
    names = (1 if 0 in left else 0) if names is None else names
    if names > 1 and _total(widths[:names]) + 2 + max(widths[names:], default=0) > limit:
        names = 1
    if names == 1 and widths[0] > limit // 2:
        return "\n\n".join("\n".join(part) for part in _stacked(lines, left, limit))
    return "\n\n".join("\n".join(part) for part in _folded(lines, left, names, limit))


def fitted(
    lines: Sequence[Sequence[str]], left: Collection[int] = (0,), spare: Sequence[int] = ()
) -> str:
    """Align columns as `align`; what is too wide first goes without its `spare` columns, in order.

    >>> from streamgauge.rendering.layout import wide
    >>> lines = [["", "error", "over time"], ["a learner of many words", "9.1 %", "▔▀▔"]]
    >>> with wide(40):
    ...     print(fitted(lines, spare=[2]))
                             error
    a learner of many words  9.1 %
    """
    columns = list(range(len(lines[0])))
    limit, widths = table_width(), _widths([list(map(printable, line)) for line in lines])
    for column in spare:
        if limit is None or _total([widths[i] for i in columns]) <= limit:
            break
        columns.remove(column)
    kept = [[line[i] for i in columns] for line in lines]
    return align(kept, [place for place, i in enumerate(columns) if i in left])


def _folded(
    lines: Sequence[Sequence[str]], left: Collection[int], names: int, limit: int
) -> Iterator[list[str]]:
    """The table in parts that fit, each with its columns of names."""
    for chosen in folded(_widths(lines), names, limit):
        part = [[line[i] for i in chosen] for line in lines]
        yield _aligned(part, [place for place, i in enumerate(chosen) if i in left])


def _stacked(
    lines: Sequence[Sequence[str]], left: Collection[int], limit: int
) -> Iterator[list[str]]:
    """The table without its column of names, which stand above their lines."""
    rest = [i - 1 for i in left if i]
    header, *body = lines
    for chosen in folded(_widths([line[1:] for line in lines]), 0, limit - 2):
        part = [[line[i + 1] for i in chosen] for line in lines]
        head, *numbers = _aligned(part, [place for place, i in enumerate(chosen) if i in rest])
        stacked = [f"{header[0]}\n  {head}" if header[0] else f"  {head}"]
        for line, own in zip(body, numbers, strict=True):
            stacked += [line[0], f"  {own}"]
        yield stacked


def width_of(lines: Sequence[Sequence[str]]) -> int:
    """The columns that `align` takes if it need not fold."""
    return _total(_widths(lines))


def _aligned(lines: Sequence[Sequence[str]], left: Collection[int]) -> list[str]:
    widths = _widths(lines)
    return [
        "  ".join(
            cell.ljust(width) if i in left else cell.rjust(width)
            for i, (cell, width) in enumerate(zip(line, widths, strict=True))
        ).rstrip()
        for line in lines
    ]


def _widths(lines: Sequence[Sequence[str]]) -> list[int]:
    return [max(map(len, column)) for column in zip(*lines, strict=True)]


def _total(widths: Sequence[int]) -> int:
    return sum(widths) + 2 * (len(widths) - 1)


def sheet_text(sheet: Sheet) -> str:
    """A sheet as aligned text: a star behind the best cells, the marks of verdicts behind it."""
    left = [i for i in range(len(sheet.header)) if sheet.is_text(i)]
    blank = " " * (sheet.has_best + sheet.has_marks)
    lines = [[text if i in left else text + blank for i, text in enumerate(sheet.header)]]
    for line in sheet.lines:
        lines.append([c.plain if i in left else _marked(sheet, c) for i, c in enumerate(line)])
    if sheet.spans:
        lines = _under(sheet.spans, lines, left)
    notes = [wrap(printable(note)) if table_width() else printable(note) for note in sheet.notes]
    names = sheet.names if len(sheet.header) > sheet.names else None
    return "\n".join([align(lines, left, names), *([""] if notes else []), *notes])


def _under(
    spans: Sequence[tuple[str, int]], lines: list[list[str]], left: Collection[int]
) -> list[list[str]]:
    """The lines, each span's columns joined into one and its text above them."""
    parts, start = [], 0
    for text, count in spans:
        columns = range(start, start + count)
        inner = [i - start for i in left if i in columns]
        joined = _aligned([line[start : start + count] for line in lines], inner)
        width = max(map(len, joined))
        # Padded, so that the columns stay aligned below each other.
        parts.append([printable(text), *(line.ljust(width) for line in joined)])
        start += count
    widths = [max(map(len, part)) for part in parts]
    return [
        [part[i].ljust(width) for part, width in zip(parts, widths, strict=True)]
        for i in range(len(lines) + 1)
    ]


def _marked(sheet: Sheet, cell: SheetCell) -> str:
    star = ("*" if cell.best else " ") * sheet.has_best
    return cell.plain + star + MARKS.get(cell.mark, " ") * sheet.has_marks


def spark(parts: Sequence[float], largest: float) -> str:
    """Values along the stream, a character each: high above 0, low below, thick where large.

    `largest`: the largest of all values that are shown beside each other, in size.

    >>> spark([0.3, 0.05, 0.0, -0.05, -0.3], 0.3)
    '▀▔─▁▄'
    """
    return "".join(_level(part, largest) for part in parts)


def _level(part: float, largest: float) -> str:
    if math.isnan(part) or not largest > 0:
        return "─"
    size = abs(part) / largest
    if size < _NOTHING:
        return "─"
    thick, thin = ("▀", "▔") if part > 0 else ("▄", "▁")
    return thick if size >= _LARGE else thin


def rate(rows_per_second: float) -> str:
    """Format rows per second: 5.1M, 12.0k, 87; a hyphen if undefined."""
    if math.isnan(rows_per_second):
        return "-"
    for unit, size in (("M", 1e6), ("k", 1e3)):
        if rows_per_second >= size:
            return f"{rows_per_second / size:.1f}{unit}"
    return f"{rows_per_second:.0f}"
