"""Runs one of our learners and its peers on every stream."""

from __future__ import annotations

import sys
from functools import partial
from pathlib import Path

import streamgauge as sg
from bench.parity import runners
from bench.parity.cells import Cells
from bench.parity.page import Row
from bench.parity.peers import Peers
from bench.parity.streams import CLASSIFICATION, REGRESSION, opened


class Comparison:
    """Compares learners on streams, with River on the first `few` rows; each cell is made once."""

    def __init__(self, cells: Cells, folder: Path, rows: int, few: int) -> None:
        self._cells, self._folder, self._rows, self._few = cells, folder, rows, few
        self._streams: dict[str, sg.Stream | None] = {}
        self.missing: dict[str, str] = {}

    def rows_of(self, peers: Peers, seeds: int) -> list[Row]:
        """Results of one learner and its peers on every stream."""
        names = REGRESSION if peers.regression else CLASSIFICATION
        streams = [stream for name in names if (stream := self._stream(name)) is not None]
        return [self._row(peers, stream, seeds if peers.seeds else 1) for stream in streams]

    def _row(self, peers: Peers, stream: sg.Stream, seeds: int) -> Row:
        rows = stream.rows or 0
        few = min(self._few, rows)
        made = self._cells.get
        row = Row(stream.name, rows, self._few)
        for seed in range(1, seeds + 1):
            where = (stream.name, rows, seed)
            us = partial(runners.ours, stream, peers.ours, seed)
            them = partial(self._capymoa, stream, peers.capymoa, seed)
            row.ours.append(made("ours", peers.ours, *where, us))
            row.capymoa.append(made("CapyMOA", peers.capymoa, *where, them))
        if not few or not peers.river:
            return row
        head, river = stream.take(few), f"river:{peers.river}"
        # With so few rows, more seeds would add nothing.
        where = (stream.name, few, 1)
        by_our_rules = partial(runners.in_our_loop, head, peers.ours)
        row.river = [made("River", river, *where, partial(runners.in_our_loop, head, river))]
        row.ours_on_few = [made("ours", f"{peers.ours}, our rules", *where, by_our_rules)]
        return row

    def _capymoa(self, stream: sg.Stream, learner: str, seed: int) -> runners.Figures:
        return runners.capymoas(runners.as_arff(stream, self._folder), learner, seed).figures

    def _stream(self, name: str) -> sg.Stream | None:
        if name not in self._streams:
            try:
                self._streams[name] = opened(name, self._rows)
            except sg.StreamgaugeError as error:
                self._streams[name] = None
                self.missing[name] = str(error)
                print(f"{name}: left out: {error}", file=sys.stderr)
        return self._streams[name]
