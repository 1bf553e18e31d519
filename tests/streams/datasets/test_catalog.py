"""Data sets by name: from STREAMGAUGE_DATA, the cache, or a fake download."""

from __future__ import annotations

import gzip
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import streamgauge as sg
from streamgauge.testing import check_stream
from tests.conftest import real_data
from tests.streams.datasets.pip import (
    FEATURES,
    HEADER,
    MEMBER,
    OURS,
    ROWS,
    Pip,
    member,
    not_a_zip,
    wheel,
)
from tests.streams.tables import whole, write


def left(folder: Path) -> list[str]:
    """All file names in the cache."""
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


def test_data_folder_takes_precedence_over_cache(
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


def test_cached_file_is_used(cached: Path) -> None:
    cached.mkdir(parents=True)
    write(cached / "elec2.csv.gz", OURS + "1,1,1,1,1,1,UP\n2,2,2,2,2,2,DOWN\n")
    stream = sg.load("elec2")
    assert (stream.rows, stream.schema.classes) == (2, ("DOWN", "UP"))
    assert left(cached) == ["elec2.csv.gz"]


def test_package_download_is_normalised_and_cached(
    cached: Path, any_rows: Callable[..., None], monkeypatch: pytest.MonkeyPatch
) -> None:
    any_rows()
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
    assert command[:5] == [sys.executable, "-P", "-m", "pip", "download"]
    assert command[-1] == "scikit-multiflow==0.4.1"
    for option in ("--no-deps", "--only-binary=:all:", "cp37m", "manylinux1_x86_64", "3.7"):
        assert option in command
    again = sg.load("elec2")
    assert len(pip.commands) == 1  # the second time it is in the cache
    assert again.fingerprint() == stream.fingerprint()


def test_downloaded_rows_equal_the_data_folder(
    cached: Path, monkeypatch: pytest.MonkeyPatch, tmp_path_factory: pytest.TempPathFactory
) -> None:
    """The real rows in the wheel's layout give the data folder's table."""
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
         "cannot download a wheel of scikit-multiflow==0.4.1 from the package index: "
         "ERROR: No matching distribution; check the network, or put"),
        (Pip(code=1, stderr="No module named pip"), "index: No module named pip; check"),
        (Pip(code=1), "pip gave no reason"),
        (Pip(code=0), "pip gave no reason"),  # success, but no wheel
        (Pip(wheel(member()), code=1, stderr="ERROR: hash"), "ERROR: hash"),
        (Pip(wheel(member(10))), "manylinux1_x86_64.whl has 10 rows, expected 45,312"),
        (Pip(wheel(member(ROWS + 1))), "has 45,313 rows, expected 45,312"),
        (Pip(wheel(HEADER)), "has 0 rows, expected 45,312"),
        (Pip(wheel("")), "does not match its card: Empty CSV file"),
        (Pip(wheel(member(), name="skmultiflow/else.csv")), f"does not match its card: .*{MEMBER}"),
        (Pip(wheel(member().replace("0.5,", "half,"))), "does not match its card: .*half"),
        (Pip(wheel(member().replace("0.5,", ""))), "does not match its card"),  # one column less
        (Pip(wheel(member()[:-2] + "2\n")), "card: unexpected label '2'; expected one of 0, 1"),
        (Pip(wheel(member())), "whl contains a different table: its content_sha256 is [0-9a-f]{6}"),
        (Pip(wheel(member().encode("utf-16"))), "does not match its card: "),
        (Pip(not_a_zip), "x.whl does not match its card: File is not a zip file"),
    ],
)  # fmt: skip
def test_failed_download_explains_and_leaves_nothing(
    cached: Path, monkeypatch: pytest.MonkeyPatch, pip: Pip, complaint: str
) -> None:
    monkeypatch.setattr(subprocess, "run", pip)
    with pytest.raises(sg.DownloadError, match=complaint):
        sg.load("elec2")
    assert left(cached) == []  # no partial file stays


def test_failed_download_can_be_repeated(
    cached: Path, any_rows: Callable[..., None], monkeypatch: pytest.MonkeyPatch
) -> None:
    any_rows()
    monkeypatch.setattr(subprocess, "run", Pip(wheel(member(10))))
    with pytest.raises(sg.DownloadError):
        sg.load("elec2")
    monkeypatch.setattr(subprocess, "run", Pip(wheel(member())))
    assert sg.load("elec2").rows == ROWS


def test_damaged_wheel_is_rejected(cached: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def write_damaged(folder: Path) -> None:
        wheel(member())(folder)
        (path,) = folder.glob("*.whl")
        data = bytearray(path.read_bytes())
        data[len(data) // 2 : len(data) // 2 + 40] = bytes(40)
        path.write_bytes(data)

    monkeypatch.setattr(subprocess, "run", Pip(write_damaged))
    with pytest.raises(sg.DownloadError, match="does not match its card: "):
        sg.load("elec2")
    assert left(cached) == []


def test_pip_timeout_is_a_download_error(cached: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def sleep(command: list[str], **options: Any) -> None:
        wheel(member()[:5000])(Path(command[command.index("--dest") + 1]))  # a partial wheel
        raise subprocess.TimeoutExpired(command, options["timeout"])

    monkeypatch.setattr(subprocess, "run", sleep)
    with pytest.raises(sg.DownloadError) as caught:
        sg.load("elec2")
    assert "scikit-multiflow==0.4.1: no answer from the package index" in str(caught.value)
    assert "STREAMGAUGE_DATA" in str(caught.value)
    assert isinstance(caught.value, OSError)
    assert left(cached) == []


def test_interrupted_download_leaves_nothing(cached: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def interrupt(command: list[str], **options: Any) -> None:
        wheel(member())(Path(command[command.index("--dest") + 1]))
        raise KeyboardInterrupt

    monkeypatch.setattr(subprocess, "run", interrupt)
    with pytest.raises(KeyboardInterrupt):
        sg.load("elec2")
    assert left(cached) == []


def test_unwritable_cache_is_a_download_error(
    cached: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "file").write_text("no folder")
    monkeypatch.setenv("STREAMGAUGE_CACHE", str(tmp_path / "file"))
    with pytest.raises(sg.DownloadError, match="Elec2: cannot write to ") as caught:
        sg.load("elec2")
    assert "STREAMGAUGE_CACHE" in str(caught.value)


def test_unknown_name_gets_a_suggestion(cached: Path) -> None:
    with pytest.raises(sg.UsageError) as caught:
        sg.load("elec3")
    assert str(caught.value) == "unknown data set 'elec3' (did you mean 'elec2'?)"
    with pytest.raises(sg.UsageError) as caught:
        sg.load("nothing")
    assert "`streamgauge data list`" in str(caught.value)
    assert "read('nothing', target=...)" in str(caught.value)


def test_data_set_without_source_explains_where_to_put_the_file(cached: Path) -> None:
    with pytest.raises(
        sg.DownloadError, match=r"no download source is known; .*_2008w1\.csv\.gz \(columns Y"
    ):
        sg.load("airlines_atl_2008w1")


def test_airlines_atl_2008w1_has_late_labels() -> None:
    real_data("airlines_atl_2008w1")
    stream = sg.load("airlines_atl_2008w1")
    assert stream.describe() == "airlines_atl_2008w1 · 7,541 rows · 10 features · 3 classes"
    assert stream.schema.classes == ("before_time", "delayed", "on_time")
    block = whole(stream)
    assert block.arrives is not None
    assert block.revealed is not None
    assert (block.revealed > block.arrives).all()
    check_stream(stream.take(2000))
