"""Files as the https sources serve them, made from a table in each card's layout."""

from __future__ import annotations

import csv
import gzip
import io
import zipfile
from collections.abc import Callable
from pathlib import Path

import numpy as np

from streamgauge.streams.datasets._card import Card

Rows = list[list[str]]


def real_rows(path: Path, card: Card) -> Rows:
    """The card's columns of a file in the data folder."""
    with gzip.open(path, "rt", newline="", encoding="utf-8") as file:
        header, *rows = csv.reader(file)
    places = [header.index(name) for name in card.columns]
    return [[row[place] for place in places] for row in rows]


def made_up_rows(card: Card, count: int = 300) -> Rows:
    """Random numbers, categories and labels."""
    random = np.random.default_rng(1)
    classes = list(map(str, card.classes or ("ae-female", "ae-male")))
    rows = [
        [
            random.choice(["x", "y", "zz"]) if name in card.nominal else f"{random.random():.4f}"
            for name in card.features
        ]
        for _ in range(count)
    ]
    number = card.task == "regression"
    return [[*row, str(i * 7 % 500 if number else classes[i % len(classes)])]
            for i, row in enumerate(rows)]  # fmt: skip


def _lines(rows: Rows, separator: str = ",") -> bytes:
    return "".join(separator.join(row) + "\n" for row in rows).encode()


def _dotted(rows: Rows) -> Rows:
    return [[*row[:-1], f"{row[-1]}."] for row in rows]


def _kdd99(card: Card, rows: Rows) -> bytes:
    return gzip.compress(_lines(_dotted(rows)), 1)


def _ozone(card: Card, rows: Rows) -> bytes:
    return _lines([["1/1/1998", *(cell or "?" for cell in row)] for row in _dotted(rows)])


def _bike(card: Card, rows: Rows) -> bytes:
    header = ["instant", "dteday", *card.features, "casual", "registered", "cnt"]
    table = [[str(i), "2011-01-01", *row[:-1], "0", row[-1], row[-1]] for i, row in enumerate(rows)]
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("Readme.txt", "Read me.")
        archive.writestr("hour.csv", _lines([header, *table]))
    return packed.getvalue()


def _arff(label: str) -> Callable[[Card, Rows], bytes]:
    def write(card: Card, rows: Rows) -> bytes:
        lines = ["% of old", "@relation table", ""]
        for j, name in enumerate((*card.features, label)):
            nominal = name in card.nominal or name == label
            values = "{" + ",".join(sorted({row[j] for row in rows})) + "}"
            lines.append(f"@attribute {name} {values if nominal else 'numeric'}")
        return "\n".join([*lines, "", "@data", ""]).encode() + _lines(rows)

    return write


def _rialto(card: Card, rows: Rows) -> bytes:
    return _lines([row[:-1] for row in rows], " ")


def _insects(card: Card, rows: Rows) -> bytes:
    return _lines(rows)


_LAYOUTS: dict[str, Callable[[Card, Rows], bytes]] = {
    "kdd99_10pct": _kdd99,
    "ozone_onehr": _ozone,
    "ozone_eighthr": _ozone,
    "bike_hour": _bike,
    "airlines": _arff("Delay"),
    "powersupply": _arff("class"),
    "rialto": _rialto,
    "insects": _insects,
}
NAMES = sorted(_LAYOUTS)


def upstream(card: Card, rows: Rows) -> dict[str, bytes]:
    """The source's files: the table, and the labels if they have a separate file."""
    files = {"/table": _LAYOUTS[card.name](card, rows)}
    if card.https is not None and card.https.label_url is not None:
        files["/labels"] = _lines([row[-1:] for row in rows])
    return files
