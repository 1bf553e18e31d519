"""Opening variants of a data set, including columns derived from the row number."""

from __future__ import annotations

import gzip
import io
import zipfile
from pathlib import Path

import numpy as np
import pytest

import streamgauge as sg
from streamgauge.testing import check_stream
from tests.conftest import real_data
from tests.streams.datasets.pip import OURS
from tests.streams.datasets.site import serving
from tests.streams.tables import whole, write

PAPERS = ("day", "period", "nswdemand", "vicdemand", "transfer")


def write_elec2(cached: Path, days: int = 15) -> None:
    """Put made-up rows with six features into the cache."""
    cached.mkdir(parents=True)
    rows = "".join(f"{i % 48},1,{i},3,4,5,{'UP' if i % 2 else 'DOWN'}\n" for i in range(48 * days))
    write(cached / "elec2.csv.gz", OURS + rows)


def test_derived_day_of_elec2_is_computed(cached: Path) -> None:
    write_elec2(cached)
    stream = sg.load("elec2", variant="papers")
    assert stream.describe() == "elec2:papers · 720 rows · 5 features · 2 classes"
    assert stream.schema.features == PAPERS
    assert stream.schema.values[0] == ("1", "2", "3", "4", "5", "6", "7")
    block = whole(stream)
    day = [int(stream.schema.values[0][int(code)]) for code in block.X[:, 0]]
    assert day == [1 + ((row // 48 + 1) % 7) for row in range(720)]
    assert block.X[100, 1:].tolist() == [4, 100, 4, 5]
    check_stream(stream)
    assert stream.fingerprint() != sg.load("elec2").fingerprint()


def test_derived_day_equals_the_data_folder(cached: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.undo()
    real_data("elec2")
    theirs = sg.load("elec2", variant="papers")
    six = whole(sg.load("elec2"))
    cached.mkdir(parents=True)
    lines = [
        ",".join([*map(repr, x), ("DOWN", "UP")[y]])
        for x, y in zip(six.X.tolist(), six.y.tolist(), strict=True)
    ]
    write(cached / "elec2.csv.gz", OURS + "\n".join(lines) + "\n")
    monkeypatch.delenv("STREAMGAUGE_DATA")
    monkeypatch.setenv("STREAMGAUGE_CACHE", str(cached.parent))
    ours = sg.load("elec2", variant="papers")
    assert ours.schema == theirs.schema
    assert np.array_equal(whole(ours).X, whole(theirs).X)


def test_elec2_all_has_eight_features() -> None:
    real_data("elec2")
    stream = sg.load("elec2", variant="all")
    assert stream.describe() == "elec2:all · 45,312 rows · 8 features · 2 classes"
    assert stream.schema.features[:3] == ("date", "day", "period")
    assert whole(stream).X[0].tolist() == [
        0.0, 1.0, 0.0, 0.056443, 0.439155, 0.003467, 0.422915, 0.414912,
    ]  # fmt: skip
    default = sg.load("elec2", variant="default")
    assert default.describe() == "elec2 · 45,312 rows · 6 features · 2 classes"
    assert default.fingerprint() == sg.load("elec2").fingerprint()


def test_variant_with_missing_column_is_an_error(cached: Path) -> None:
    write_elec2(cached)
    with pytest.raises(sg.UsageError) as caught:
        sg.load("elec2", variant="all")
    assert str(caught.value) == (
        f"elec2, variant 'all': {cached / 'elec2.csv.gz'} has no column date; set "
        "STREAMGAUGE_DATA to a folder whose elec2.csv.gz has it, or choose another variant: "
        "default, papers, prices"
    )


def test_unknown_variant_fails_before_download(cached: Path) -> None:
    with pytest.raises(sg.UsageError) as caught:  # before any download
        sg.load("elec2", variant="paper")
    assert str(caught.value) == ("elec2 has no variant 'paper' (did you mean 'papers'?)")
    with pytest.raises(
        sg.UsageError, match="weather has no variant 'papers'; expected one of default"
    ):
        sg.load("weather", variant="papers")


LOG_CARD = """name = "flights"
title = "Flights"
about = "-"
paper = "-"
licence = "-"
target = "late"
classes = ["no", "yes"]
features = ["taxi", "gate"]
ties = "labels_first"

[variants.gates]
about = "gates nominal"
nominal = ["gate"]

[events]
file = "log.arff.gz"
folder = "airport"
id = "flight"
time = "minute"
"""
LOG = """@relation log
@attribute taxi numeric
@attribute gate string
@attribute late {yes,no}
@attribute flight numeric
@attribute minute numeric
@data
3,10,?,1,0
4,20,?,2,5
4,20,no,2,9
5,20,?,3,9
3,10,yes,1,12
"""


def test_event_log_is_found_in_the_data_folder_or_in_its_own_folder_there(
    cached: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    card = tmp_path / "flights.toml"
    card.write_text(LOG_CARD)
    monkeypatch.setenv("STREAMGAUGE_DATA", str(tmp_path / "data"))
    with pytest.raises(
        sg.DownloadError, match=r"put log.arff.gz \(columns taxi, gate, flight, min"
    ):
        sg.load(str(card))
    (tmp_path / "data" / "airport").mkdir(parents=True)
    write(tmp_path / "data" / "airport" / "log.arff.gz", LOG)
    stream = sg.load(str(card))
    block = whole(stream)
    assert block.X.tolist() == [[3, 10], [4, 20], [5, 20]]
    assert block.y.tolist() == [1, 0, -1]
    assert stream.schema.classes == ("no", "yes")
    assert sg.load(str(card), variant="gates").schema.values == ((), ("10", "20"))


def test_card_says_what_comes_first_at_equal_times(tmp_path: Path) -> None:
    """Row 2 arrives when the label of row 1 is revealed, and its prediction may use it."""
    (tmp_path / "flights.toml").write_text(LOG_CARD)
    write(tmp_path / "log.arff.gz", LOG)
    stream = sg.load(str(tmp_path / "flights.toml"))
    for each in (stream, stream.take(3), stream.skip(0), stream.select(["gate"])):
        run = sg.evaluate(each, sg.Persistent())
        assert run.settings.labels == "FromStream('labels_first')"
    run = sg.evaluate(stream, sg.Persistent(), labels=sg.FromStream())
    assert run.settings.labels == "FromStream()"


def test_downloaded_event_log_is_kept_as_it_is(
    cached: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w") as archive:
        archive.writestr("log.arff", LOG)
    monkeypatch.setenv("no_proxy", "127.0.0.1")
    with serving() as site:
        site.files = {"/log.zip": packed.getvalue()}
        web = f'[https]\nurl = "{site.address}/log.zip"\nmember = "log.arff"\n'
        (tmp_path / "flights.toml").write_text(LOG_CARD + web)
        assert sg.load(str(tmp_path / "flights.toml")).rows == 3
    (file,) = cached.iterdir()
    assert file.name.startswith("flights-")
    assert gzip.decompress(file.read_bytes()).decode() == LOG


CARD = """name = "shifts"
title = "Shifts"
about = "-"
paper = "-"
licence = "-"
target = "y"
features = ["speed", "shift", "hour"]

[derived]
shift = { every = 2, values = [10, -5] }
hour = { every = 1, values = [0, 1, 2] }
"""


def test_user_card_finds_its_file_beside_it_first(
    cached: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "shifts.toml").write_text(CARD)
    path = str(tmp_path / "shifts.toml")
    with pytest.raises(
        sg.DownloadError, match=r"no download source is known; .*shifts.csv.gz \(columns speed"
    ):
        sg.load(path)
    elsewhere = tmp_path / "data"
    elsewhere.mkdir()
    monkeypatch.setenv("STREAMGAUGE_DATA", str(elsewhere))
    write(elsewhere / "shifts.csv.gz", "speed,y\n1,a\n2,b\n")
    assert sg.load(path).rows == 2
    write(tmp_path / "shifts.csv.gz", "y,speed\na,7\nb,8\na,9\nb,10\na,11\n")  # beside its card
    stream = sg.load(path)
    assert stream.schema.values == ((), (), ())
    assert whole(stream).X.tolist() == [
        [7, 10, 0],
        [8, 10, 1],
        [9, -5, 2],
        [10, -5, 0],
        [11, 10, 1],
    ]
    check_stream(stream)
