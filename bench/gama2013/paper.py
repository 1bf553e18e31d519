"""The numbers that gama2013 prints: delay as mean ± sd (runs with a miss; with a false alarm).

The printed headers are garbled: the columns are MC and NBa for each stream, and the last column of
Table 2 is in the text.
"""

from __future__ import annotations

import re
from typing import NamedTuple

STREAMS = ("LED", "RBF", "RandomTree", "Waveform")
LEAVES = ("mc", "nba")
COLUMNS = tuple((stream, leaf) for stream in STREAMS for leaf in LEAVES)

_TABLE_2 = """
Cumulative()    miss      miss     miss       miss      miss      miss      miss      19698±3935
Fading(0.997)   2155±370  486±10   3632±4413  1416±342  911±132   800±84    1456±326  836±490
Fading(0.9985)  3391±797  693±15   4288±4413  1992±430  1317±177  1163±121  2072±437  1129±565
Fading(0.999)   4279±947  872±19   6474±4995  2454±486  1676±212  1481±153  2678±541  1420±740
Fading(0.9993)  5433±1130 1076±24  9241±7769  3023±571  2122±255  1861±190  3452±656  1766±952
Fading(0.9994)  6103±1331 1183±26  9818±7587  3369±644  2365±279  2068±208  3874±718  1931±1002
Window(1000)    2542±512  725±14   3765±4444  1617±321  1157±120  1054±79   1637±290  1069±444
Window(2000)    3484±619  1146±30  4631±4430  2397±338  1866±156  1718±121  2491±353  1622±523
Window(3000)    4454±619  1503±36  7085±5205  3151±344  2549±206  2331±164  3366±400  2158±713
Window(4000)    5436±804  1836±49  8315±5320  3987±384  3209±249  2925±203  4246±433  2654±824
Window(5000)    6419±860  2162±55  9198±5683  4899±466  3859±295  3507±237  5152±463  3133±918
"""
_TABLE_3 = """
Fading(0.999)  miss           349±11 787±190      384±38      325±39      262±27      780±171      457±161
Fading(0.9993) 969±255(4;0)   281±8  563±100      309±29      261±33      211±25      541±65       348±89
Fading(0.9994) 856±186(3;0)   264±7  522±92       291±28      244±32      198±24      496±57(2;0)  324±77(1;0)
Window(3000)   1254±355(1;0)  473±27 779±94       489±48      429±93(0;1) 350±51(0;1) 762±62       551±102
Window(4000)   1089±261       423±26 710±100(0;1) 465±41(0;1) 397±79(0;2) 312±52(0;1) 673±57       501±102
Window(5000)   1005±216       397±25 679±98(0;2)  440±45(0;2) 384±67(0;3) 299±37(0;3) 662±60(0;5)  468±93
"""  # noqa: E501 - a table
_CELL = re.compile(r"(\d+)±(\d+)(?:\((\d+);(\d+)\))?$")


class Cell(NamedTuple):
    """A delay as printed; None where all runs missed, the sd also where all but one did."""

    mean: float | None
    sd: float | None
    misses: int
    false: int

    def __str__(self) -> str:
        """The cell as printed."""
        if self.mean is None:
            return "miss"
        runs = f" ({self.misses};{self.false})" if self.misses or self.false else ""
        spread = "" if self.sd is None else f"±{self.sd:.0f}"
        return f"{self.mean:.0f}{spread}{runs}"


def _cell(text: str) -> Cell:
    if text == "miss":
        return Cell(None, None, 10, 0)
    found = _CELL.match(text)
    assert found is not None, text
    mean, sd, misses, false = found.groups()
    return Cell(float(mean), float(sd), int(misses or 0), int(false or 0))


Table = dict[str, dict[tuple[str, str], Cell]]


def _table(text: str) -> Table:
    """Cells by estimate (in Table 3: the long one), then by column."""
    rows = [line.split() for line in text.strip().splitlines()]
    return {name: dict(zip(COLUMNS, map(_cell, cells), strict=True)) for name, *cells in rows}


TABLE_2, TABLE_3 = _table(_TABLE_2), _table(_TABLE_3)
