"""streamgauge data: list, info, get, and variants in evaluate."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from streamgauge.streams.datasets.catalog import read_card
from tests.cli.running import Shell
from tests.conftest import real_data
from tests.streams.datasets.site import serving
from tests.streams.tables import write

CARD = """name = "mine"
title = "My table"
about = "Which is it?"
paper = "none"
licence = "CC0"
notes = "Made up."
target = "y"
classes = ["no", "yes"]
features = ["noise", "colour"]
nominal = ["colour"]
arrives = "t"

[leaks]
hint = "it says all"

[variants.bare]
about = "one feature"
features = ["noise"]
"""
TABLE = "noise,colour,t,hint,y\n" + "".join(
    f"{i % 5},{'red' if i % 3 else 'blue'},{i},1,{'no' if i // 4 % 2 else 'yes'}\n"
    for i in range(40)
)


@pytest.fixture
def mine(tmp_path: Path) -> None:
    """A user's card, with its table beside it."""
    (tmp_path / "mine.toml").write_text(CARD)
    write(tmp_path / "mine.csv.gz", TABLE)


@pytest.fixture
def nothing_here(tmp_path: Path, mine: None, monkeypatch: pytest.MonkeyPatch) -> Path:
    """An empty cache and no data folder."""
    monkeypatch.delenv("STREAMGAUGE_DATA", raising=False)
    monkeypatch.setenv("STREAMGAUGE_CACHE", str(tmp_path / "cache"))
    monkeypatch.setenv("no_proxy", "127.0.0.1")
    return tmp_path / "cache" / "data"


def test_list_shows_figures_and_sources(
    shell: Shell, nothing_here: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    nothing_here.mkdir(parents=True)
    (nothing_here / "weather.csv.gz").touch()
    Path("folder").mkdir()
    Path("folder/covtype.csv.gz").touch()
    monkeypatch.setenv("STREAMGAUGE_DATA", "folder")
    code, out, err = shell("data", "list")
    assert (code, err) == (0, "")
    head, *lines = out.splitlines()
    assert head.split() == ["rows", "features", "classes", "P(M)", "P(T)", "source", "verified"]
    table = {line.split()[0]: line.split()[1:] for line in lines[:16]}
    assert table["elec2"] == ["45,312", "6", "2", "0.5755", "0.8533", "download", "yes"]
    assert table["weather"] == ["18,159", "8", "2", "0.6862", "0.6803", "cache", "yes"]
    assert table["covtype"][-2:] == ["folder", "yes"]
    assert table["bike_hour"][1:] == ["12", "regression", "-", "-", "download", "no"]
    assert table["insects"] == ["-", "33", "-", "-", "-", "download", "no"]
    assert table["airlines_atl_2008w1"][-2:] == ["unavailable", "no"]


def test_info_shows_the_card(shell: Shell, nothing_here: Path) -> None:
    code, out, err = shell("data", "info", "elec2")
    assert (code, err) == (0, "")
    facts = {line[:16].strip(): line[16:] for line in out.splitlines()[3:]}
    assert out.startswith("elec2: Elec2\nIs the price of electricity above or below")
    assert facts["rows"] == "45,312"
    assert facts["target"] == "target, 2 classes: DOWN, UP"
    assert facts["P(M), P(T)"] == "0.5755, 0.8533"
    assert facts["features"].startswith("6: period, ")
    assert "five features used in papers" in facts["variant papers"]
    assert facts["leaks"].startswith("nswprice: ")
    assert facts["paper"].startswith("Harries 1999")
    assert "BSD" in facts["licence"]
    assert facts["download"] == "package scikit-multiflow 0.4.1"
    assert f"source download to {nothing_here / 'elec2.csv.gz'}" in " ".join(out.split())
    assert len(facts["content_sha256"]) == 64
    assert "nominal" not in facts  # day is nominal, but only in other variants
    assert "(nominal: day)" in " ".join(out.split())

    out = shell("data", "info", "insects").out
    assert "(unverified)" in out
    assert "content_sha256  - (not verified yet)" in out
    assert "rows            -\n" in out
    out = shell("data", "info", "airlines_atl_2008w1").out
    assert "arrives predict_ts_min, revealed label_ts_min" in out
    assert "source          unavailable: put airlines_atl_2008w1.csv.gz into a folder" in out
    assert "target          target, regression" in shell("data", "info", "bike_hour").out
    assert "rialto.data and https://" in " ".join(shell("data", "info", "rialto").out.split())


def test_info_verifies_a_user_card(shell: Shell, nothing_here: Path) -> None:
    code, out, err = shell("data", "info", "mine.toml", "--verify")
    assert (code, err) == (0, "")
    assert "times           arrives t, revealed -" in out
    assert "leaks           hint: it says all" in out
    assert "notes           Made up." in out
    head, after = out.split("\nComputed from all rows:\n")
    assert "nominal         colour" in head
    found = dict(line.split(maxsplit=1) for line in after.splitlines())
    assert found["rows"] == "40 (not on the card)"
    sha256 = found["content_sha256"].removesuffix(" (not on the card)")

    said = f'rows = 40\np_majority = 0.5\ncontent_sha256 = "{sha256}"\n'
    Path("mine.toml").write_text(CARD.replace("\n[leaks]", f"{said}\n[leaks]"))
    code, out, _ = shell("data", "info", "mine.toml", "--verify")
    assert code == 0
    assert out.count("not on the card") == 1  # p_persistent
    write(Path("mine.csv.gz"), TABLE.replace("red", "green", 1) + "9,red,40,1,no\n")
    code, out, err = shell("data", "info", "mine.toml", "--verify")
    assert code == 2
    assert "streamgauge: mine: mine.csv.gz does not match its card: rows is 41, expected 40" in err
    assert f"expected {sha256}" in err
    assert err.count("\n") == 1


def test_real_rows_match_their_card(shell: Shell) -> None:
    real_data("weather")
    code, out, err = shell("data", "info", "weather", "--verify")
    assert (code, err) == (0, "")
    assert "not on the card" not in out
    assert out.endswith(f"{read_card('weather').content_sha256}\n")


def test_get_downloads_once(shell: Shell, nothing_here: Path) -> None:
    code, out, err = shell("data", "get", "mine.toml")
    assert (code, out, err) == (0, "mine: already in the folder: mine.csv.gz\n", "")
    Path("mine.csv.gz").unlink()
    with serving() as site:
        site.files["/t.csv"] = TABLE.encode()
        Path("mine.toml").write_text(f'{CARD}\n[https]\nurl = "{site.address}/t.csv"\n')
        code, out, err = shell("data", "get", "mine.toml")
        assert (code, err) == (0, "")
        (path,) = nothing_here.glob("mine-*.csv.gz")
        assert out == f"mine: downloaded to {path}\n"
        code, out, _ = shell("data", "get", "mine.toml")
        assert out == f"mine: already in the cache: {path}\n"
        Path("mine.toml").write_text(f'{CARD}\n[https]\nurl = "{site.address}/u.csv"\n')
        code, out, err = shell("data", "get", "mine.toml")
    assert (code, out) == (2, "")
    assert "streamgauge: My table: https://127.0.0.1" in err
    assert "the server answered 404 Not Found" in err
    assert err.count("\n") == 1


@pytest.mark.parametrize("verb", ["info", "get"])
def test_unknown_data_set_and_invalid_card_are_errors(
    shell: Shell, nothing_here: Path, verb: str
) -> None:
    code, out, err = shell("data", verb, "elec")
    assert (code, out) == (2, "")
    assert "streamgauge: unknown data set 'elec' (did you mean 'elec2'?)\n" in err
    Path("bad.toml").write_text(CARD + "rowz = 3")
    code, out, err = shell("data", verb, "bad.toml")
    assert (code, out) == (2, "")
    assert "streamgauge: bad.toml: variants[...]: unknown key 'rowz'" in err


@pytest.mark.parametrize("verb", ["list", "info", "get"])
def test_every_verb_has_help(shell: Shell, verb: str) -> None:
    code, out, _ = shell("data", verb, "-h")
    assert code == 0
    assert "--debug" in out
    assert f"Usage: streamgauge data {verb}" in out


def test_evaluate_takes_a_variant(shell: Shell, mine: None) -> None:
    for variant, shown in (
        (None, "mine · 40 rows · 2 features"),
        ("bare", "mine:bare · 40 rows · 1"),
    ):
        option = [] if variant is None else ["--variant", variant]
        code, out, err = shell("evaluate", "mine.toml", *option, "--json", "o.json", "--delay", "2")
        assert (code, err) == (0, "")
        assert out.startswith(shown)
        (run,) = json.loads(Path("o.json").read_text(encoding="utf-8"))
        assert run["stream"]["name"] == (f"mine:{variant}" if variant else "mine")
    assert len(list(Path("results").iterdir())) == 2
    code, _, err = shell("evaluate", "mine.toml", "--target", "y")
    assert (code, "mine.toml is a data set with fixed columns; remove --target" in err) == (
        2,
        True,
    )
    code, _, err = shell("evaluate", "elec2", "--variant", "five")
    assert (
        code,
        "elec2 has no variant 'five'; expected one of default, papers, prices, all" in err,
    ) == (
        2,
        True,
    )
    code, _, err = shell("evaluate", "table.csv", "--variant", "bare")
    assert code == 2
    assert "--variant bare: only data sets have variants, and table.csv is a file" in err
