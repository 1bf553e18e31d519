"""Cards are parsed strictly: every mistake is named."""

from __future__ import annotations

import gzip
import json
from pathlib import Path
from typing import Any

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

import streamgauge as sg
from streamgauge.streams.datasets._card import Card, Cycle, Https, Package, Variant, parse_card

GOOD = """
name = "mine"
title = "My table"
about = "-"
paper = "-"
licence = "-"
target = "y"
features = ["a", "b"]
"""
WHEEL = '[package]\nname = "x"\nversion = "1"\n'
LOG = "[events]\nid = 'i'\nfolder = 'f'\n"
WEB = '[https]\nurl = "https://example.org/x.csv"\n'


def test_optional_keys_have_defaults_and_a_card_is_frozen() -> None:
    card = parse_card(GOOD + WEB, "it")
    assert (card.name, card.features, card.file) == ("mine", ("a", "b"), "mine.csv.gz")
    assert (card.rows, card.content_sha256, card.package) == (None, None, None)
    assert card.https is not None
    assert not card.https.unverified
    with pytest.raises(AttributeError):
        card.rows = 3  # type: ignore[misc]


@pytest.mark.parametrize(
    ("more", "complaint"),
    [
        ("rowz = 3", "unknown key 'rowz' (did you mean 'rows'?)"),
        ("zzzzz = 3", "unknown key 'zzzzz'; expected one of 24 names, such as name"),
        (WEB + "urll = 3", "https: unknown key 'urll' (did you mean 'url'?)"),
        (WHEEL + 'versions = "1"', "package: unknown key 'versions' (did you mean 'version'?)"),
        ("[variants.v]\nabot = 3", "unknown key 'abot' (did you mean 'about'?)"),
        ("[derived.a]\never = 3", "unknown key 'ever' (did you mean 'every'?)"),
        ('rows = "3"', "rows: expected an integer, got a text in quotes"),
        ("rows = true", "rows: expected an integer, got true or false"),
        ("rows = 3.0", "rows: expected an integer, got a number"),
        ("rows = 2013-01-01", "rows: expected an integer, got a date"),
        ("rows = 0", "rows: expected an integer >= 1"),
        (f"rows = 1{'0' * 30}", "rows: expected an integer <= "),
        (f"rows = 1{'0' * 5000}", ", line 9: expected numbers of at most 4,300 digits"),
        ("p_majority = 1.5", "p_majority: expected a number <= 1.0"),
        ("p_majority = nan", "p_majority: expected a number >= 0.0"),
        ('content_sha256 = "abc"', "content_sha256: expected a text in quotes matching regex"),
        ('content_sha256 = "%s\\n"' % ("0" * 64), "content_sha256: expected a text in quotes"),
        ('task = "clustering"', "task: invalid enum value 'clustering'"),
        ("nominal = ['c']", "nominal: ['c'] not among the features of any variant"),
        ("[derived.c]\nevery = 3\nvalues = [1]", "derived: ['c'] not among the features of any"),
        ("[derived.a]\nevery = 3\nvalues = []", "derived[...].values: expected a list of length"),
        ("arrives = 'a'", "arrives: 'a' is also a feature of variant 'default'"),
        ("classes = ['x']", "classes: expected two or more distinct classes"),
        ("classes = ['1', 1]", "classes: expected two or more distinct classes"),
        ("classes = [1.5, 2.5]", "classes[0]: expected an integer or a text in quotes, got"),
        ("task = 'regression'\nclasses = [1, 2]", "a regression data set has no classes, p_maj"),
        ("task = 'regression'\np_persistent = 0", "a regression data set has no classes, p_maj"),
        ("[variants.v]\nabout = '-'\nfeatures = ['a', 'a']", "variant 'v' lists a feature more th"),
        ("[variants.v]\nabout = '-'\nfeatures = ['y']", "target: 'y' is also a feature of varia"),
        ("[variants.default]\nabout = '-'\nfeatures = ['a']", "variants.default: this name is res"),
        ("[variants.v]\nabout = '-'\nnominal = ['c']", "nominal: ['c'] not among the features of"),
        (LOG + "time = 't'\nfile = 'x.csv.gz'", "events.file: expected a text in quotes"),
        (LOG + "file = 'x.arff.gz'", "events: missing key 'time'"),
        ("arrives = 'c'\n" + LOG + "time = 't'\nfile = 'x.arff.gz'", "an event log has no columns"),
        (WHEEL + "abi = 'x'", "package: python, abi and platform go together"),
        ("[package]\nname = '-r'\nversion = '1'", "package.name: expected a text in quotes"),
        (WHEEL + WEB, "expected one source, package or https, not both"),
        ("[https]", "https: missing key 'url'"),
        ("[https]\nurl = 3", "https.url: expected a text in quotes, got an integer"),
        (WEB + "decimals = 99", "https.decimals: expected an integer <= 15"),
        (WEB + "separator = 'ab'", "https.separator: expected a text in quotes matching regex"),
        ("[[https]]\nurl = 'x'", "https: expected a table, got a list"),
        ("rows = 3\nrows = 4", "invalid TOML: Cannot overwrite a value (at "),
        ("rows", "invalid TOML: "),
        ("x = " + "[" * 3000, "lists or tables are nested too deeply"),
    ],
)  # fmt: skip
def test_invalid_card_names_the_wrong_key(more: str, complaint: str) -> None:
    with pytest.raises(sg.UsageError) as caught:
        parse_card(f"{GOOD}{more}", "mine.toml")
    assert str(caught.value).startswith(("mine.toml: ", "mine.toml, line "))
    assert complaint in str(caught.value)


@pytest.mark.parametrize(
    "key", ["name", "title", "about", "paper", "licence", "target", "features"]
)
def test_missing_required_key_is_named(key: str) -> None:
    lines = [line for line in GOOD.splitlines() if not line.startswith(f"{key} ")]
    with pytest.raises(sg.UsageError, match=f"mine: missing key '{key}'"):
        parse_card("\n".join(lines), "mine")
    with pytest.raises(sg.UsageError, match="mine: name: expected a text in quotes matching"):
        parse_card(GOOD.replace("mine", "../mine"), "mine")


def test_load_takes_a_path_and_rejects_other_types(tmp_path: Path) -> None:
    (tmp_path / "machine.toml").write_text(
        'name = "machine"\ntitle = "m"\nabout = "a"\npaper = "none"\nlicence = "ours"\n'
        'target = "y"\nfeatures = ["a"]\n'
    )
    with gzip.open(tmp_path / "machine.csv.gz", "wt") as file:
        file.write("a,y\n1,no\n2,yes\n")
    assert sg.load(tmp_path / "machine.toml").rows == 2
    for wrong in (None, 3):
        with pytest.raises(
            sg.UsageError, match=r"load\(.*\): expected the name of a data set, such as 'elec2'"
        ):
            sg.load(wrong)  # type: ignore[arg-type]


def test_unreadable_card_is_a_usage_error(tmp_path: Path) -> None:
    for path, complaint in (
        (tmp_path / "none.toml", "No such file"),
        (tmp_path, r"Is a directory|missing|cannot read"),
    ):
        with pytest.raises(sg.UsageError, match=complaint):
            sg.load(f"{path}" if path.suffix else f"{path}/.toml")
    path = tmp_path / "x.toml"
    path.write_bytes(b"\xff\xfe")
    with pytest.raises(sg.UsageError, match=r"x\.toml: cannot read the card: 'utf-8' codec"):
        sg.load(str(path))


def parsed(text: str) -> Card | None:
    """The card, or None after a UsageError; any other error is a bug."""
    try:
        return parse_card(text, "it")
    except sg.UsageError:
        return None


@given(st.text())
def test_any_text_is_a_card_or_a_usage_error(text: str) -> None:
    """The result is a card or a UsageError, never another error."""
    for each in (text, GOOD + text):
        assert isinstance(parsed(each), Card | None)


KEYS = [
    field.name
    for table in (Card, Package, Https, Variant, Cycle)
    for field in msgspec.structs.fields(table)
]
_plain = st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=8)
_plain |= st.sampled_from(["a", "b", "y", "https://x.org/y", "csv", "none", "regression", "0" * 64])
_keys = st.sampled_from(KEYS) | st.text(max_size=5)
_values = st.recursive(
    _plain,
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(_keys, inner, max_size=5),
    max_leaves=12,
)


def toml(value: Any) -> str:
    """A value as TOML, on one line; None is a date."""
    if isinstance(value, dict):
        return "{" + ", ".join(f"{quoted(k)} = {toml(v)}" for k, v in value.items()) + "}"
    if isinstance(value, list):
        return "[" + ", ".join(map(toml, value)) + "]"
    if isinstance(value, bool):
        return str(value).lower()
    if value is None:
        return "1979-05-27T07:32:00Z"
    return quoted(value) if isinstance(value, str) else repr(value)


def quoted(text: str) -> str:
    return json.dumps(text).replace("\x7f", "\\u007f")


@given(st.dictionaries(_keys, _values, max_size=6))
def test_any_values_are_a_card_or_a_usage_error(values: dict[str, Any]) -> None:
    """Known keys with wrong values, and unknown keys, nested or not, in a valid card."""
    good = [line for line in GOOD.splitlines() if line.split(" ")[0] not in values]
    lines = [f"{quoted(key)} = {toml(value)}" for key, value in values.items()]
    card = parsed("\n".join([*good, *lines]))
    if card is not None:
        assert set(values) <= set(KEYS)
        assert card.columns[-1] == card.target
        assert card.features_of(None) == card.features
