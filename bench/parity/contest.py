"""The comparison itself: a learner of ours and its peers on every stream."""

from __future__ import annotations

import sys
from functools import partial
from pathlib import Path

import streamgauge as sg
from bench.parity import peers
from bench.parity.cells import Cells
from bench.parity.page import Row
from bench.parity.rivals import Rival
from bench.parity.streams import CLASSIFICATION, REGRESSION, opened


class Contest:
    """Learners on streams, River on the first `few` rows of each; a cell is made once."""

    def __init__(self, cells: Cells, folder: Path, rows: int, few: int) -> None:
        self._cells, self._folder, self._rows, self._few = cells, folder, rows, few
        self._streams: dict[str, sg.Stream | None] = {}
        self.missing: dict[str, str] = {}

    def rows_of(self, rival: Rival, seeds: int) -> list[Row]:
        """One learner and its peers on every stream."""
        names = REGRESSION if rival.regression else CLASSIFICATION
        streams = [stream for name in names if (stream := self._stream(name)) is not None]
        return [self._row(rival, stream, seeds if rival.seeds else 1) for stream in streams]

    def _row(self, rival: Rival, stream: sg.Stream, seeds: int) -> Row:
        rows = stream.rows or 0
        few = min(self._few, rows)
        head, river, made = stream.take(few), f"river:{rival.river}", self._cells.get
        row = Row(stream.name, rows, self._few)
        for seed in range(1, seeds + 1):
            where = (stream.name, rows, seed)
            us = partial(peers.ours, stream, rival.ours, seed)
            them = partial(self._capymoas, stream, rival.capymoa, seed)
            row.ours.append(made("ours", rival.ours, *where, us))
            row.capymoa.append(made("CapyMOA", rival.capymoa, *where, them))
        if not few:
            return row
        # River has so few rows that more seeds would tell nothing.
        where = (stream.name, few, 1)
        by_our_rules = partial(peers.in_our_loop, head, rival.ours)
        row.river = [made("River", river, *where, partial(peers.in_our_loop, head, river))]
        row.ours_on_few = [made("ours", f"{rival.ours}, our rules", *where, by_our_rules)]
        return row

    def _capymoas(self, stream: sg.Stream, learner: str, seed: int) -> peers.Figures:
        return peers.capymoas(peers.as_arff(stream, self._folder), learner, seed).figures

    def _stream(self, name: str) -> sg.Stream | None:
        if name not in self._streams:
            try:
                self._streams[name] = opened(name, self._rows)
            except sg.StreamgaugeError as error:
                self._streams[name] = None
                self.missing[name] = str(error)
                print(f"{name}: left out: {error}", file=sys.stderr)
        return self._streams[name]
