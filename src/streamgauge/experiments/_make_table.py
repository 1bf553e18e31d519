"""Makes a table, or several shown as one, from cells: which dimensions go where."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TypeAlias

from streamgauge._support.errors import UsageError, did_you_mean
from streamgauge._support.selection import Where
from streamgauge.experiments._cell_results import CellResult
from streamgauge.experiments._entries import Entry, choose, entries_of, forgetting_of
from streamgauge.experiments._table import Table, table_of
from streamgauge.experiments._tables import Tables

METRIC = "metric"  # as columns: one for each value
SIDES = ("stream", "learner", "labels")  # dimensions of rows and columns
Sides: TypeAlias = str | Sequence[str] | None


def make_table(
    cell_results: Sequence[CellResult],
    folder: Path | None,
    rows: Sides,
    cols: Sides,
    value: str | Sequence[str],
    forget: str | None,
    where: Where | None,
    references: bool | None,
) -> Table | Tables:
    """Make the table of one experiment in `folder`; see `Results.table` for the options."""
    several = not isinstance(value, str)
    values = list(dict.fromkeys(value)) if several else [str(value)]
    if not values or not all(isinstance(each, str) and each for each in values):
        raise UsageError(f"value={value!r}: expected a metric or cost, or a list of them")
    down, across = _split("rows", rows), _split("cols", cols)
    by_metric = METRIC in across or (several and rows is None and cols is None)
    if by_metric and len(across) > 1:
        raise UsageError(f"cols={cols!r}: {METRIC} cannot stand beside other columns")
    if by_metric and not several:
        raise UsageError(f"cols={cols!r} needs a list of values: value=[{value!r}]")
    if METRIC in down:
        raise UsageError(f"rows={rows!r}: {METRIC} can only be the columns")
    chosen = choose(cell_results, folder, where)
    forgetting = forgetting_of(chosen, forget)
    shown = by_metric if references is None else references
    entries = entries_of(chosen, forgetting, shown)
    damaged = tuple(str(each.cell) for each in cell_results if each.damage)
    if by_metric:
        others = tuple(side for side in down if side != "learner")
        others = _completed(others, ("learner",), entries)
        order = (*down, *(side for side in (*others, "learner") if side not in down))
        tables = [table_of(entries, others, ("learner",), v, forgetting, damaged) for v in values]
        return Tables(tables, order)
    across, down = across or ("learner",), down or ("stream",)
    if both := set(across) & set(down):
        raise UsageError(f"{both.pop()} cannot be rows and columns at once")
    down = _completed(down, across, entries)
    tables = [table_of(entries, down, across, v, forgetting, damaged) for v in values]
    return Tables(tables) if several else tables[0]


def _completed(
    down: tuple[str, ...], across: tuple[str, ...], entries: Sequence[Entry]
) -> tuple[str, ...]:
    """The dimensions of the rows, with those that would otherwise be averaged: only seeds are."""
    for side in SIDES:
        values = {getattr(each.cell, side) for each in entries}
        if side not in (*across, *down) and len(values) > 1:
            down = (*down, side)
    return down


def _split(option: str, given: Sides) -> tuple[str, ...]:
    if given is None:
        return ()
    sides = tuple(given.split(",")) if isinstance(given, str) else tuple(given)
    for side in sides:
        if side not in (*SIDES, METRIC):
            expected = ", ".join((*SIDES, METRIC))
            close = did_you_mean(side, (*SIDES, METRIC))
            raise UsageError(f"{option}: {side!r}{close}; expected {expected}")
    return sides
