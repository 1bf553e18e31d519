"""JSON lines: parsed at once or one by one, the cells are the same."""

from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from streamgauge.streams.formats.arrow_cells import as_text
from streamgauge.streams.formats.json_lines import JsonLines
from streamgauge.streams.formats.pieces import Piece

COLUMNS = ["id", "value"]
FIRST = b'{"id": "a", "value": 1}\n{"id": "b", "value": 2}\n'

cells = st.one_of(
    st.integers(-(2**70), 2**70), st.floats(), st.booleans(), st.none(), st.text(max_size=3),
    st.sampled_from(["2026-01-01", "NaN", 2**53 + 1, 1.0, 7, [1], {"x": 1}]),
)  # fmt: skip
alike = st.sampled_from([st.integers(-(2**60), 2**60), st.floats(width=32), st.text(max_size=3)])
columns = st.one_of(
    st.lists(cells, min_size=1, max_size=8),
    alike.flatmap(lambda kind: st.lists(st.none() | kind, min_size=1, max_size=8)),
)


def texts(piece: Piece) -> dict[str, Any]:
    return {name: as_text(column).to_pylist() for name, column in piece.columns.items()}


def parse_each(text: bytes) -> Piece:
    return JsonLines(COLUMNS, "x.jsonl").parse(text, 1)


@given(first=columns, second=columns)
@example(first=[None], second=[[1]])
@example(first=[{"x": 1}], second=[{"x": 1}, {"y": 2}])
def test_cells_do_not_depend_on_the_lines_before(first: list[Any], second: list[Any]) -> None:
    one, other = (
        "".join(json.dumps({"id": str(i), "value": cell}) + "\n" for i, cell in enumerate(given))
        for given in (first, second)
    )
    parser = JsonLines(COLUMNS, "x.jsonl")
    parser.parse(one.encode(), 1)
    found, expected = parser.parse(other.encode(), 1), parse_each(other.encode())
    assert texts(found) == texts(expected)
    assert (found.lines, found.unreadable) == (expected.lines, expected.unreadable)


@pytest.mark.parametrize(
    "text",
    [
        b'{"id": "c"}{"id": "d"}\n\n',  # two objects in a line
        b'{"id": "c",\n"value": 3}\n{}\n',
        b'{"id": "c", "other": NaN}\n',
        b'{"id": "\xff", "value": 3}\n{"id": "d"}\n',
        b'{"id": "c", "value": 3\n{"id": "d", "value": 4}',
        b'\n{"id": "c", "value": 3}\r\n',
        b'{"id": "c", "id": "d"}\n',
        b"7\n",
        b'{"id":\n"c"}\n{"id": "d"}{"id": "e"}\n',  # as many objects as lines
        b'{"id": "c", "value": true}\n{"id": "d", "value": 1.5}\n',
        b'{"id": "\\ud800"}\n{"id": "\\ud83d\\ude00"}\n',
        b'{"id": "c", "other": ' + b"[" * 3000 + b"]" * 3000 + b"}\n{}\n",
        b'{"id": "c", "value": ' + b"[" * 3000 + b"]" * 3000 + b"}\n{}\n",
        b'{"id": "' + b"]" * 3000 + b'", "value": ' + b"[" * 3050 + b"}\n{}\n",
        b'{"value": 1e400}\n{"value": ' + b"9" * 5000 + b"}\n",
    ],
)
def test_unusual_lines_are_taken_as_one_by_one(text: bytes) -> None:
    parser = JsonLines(COLUMNS, "x.jsonl")
    parser.parse(FIRST, 1)
    found, expected = parser.parse(text, 3), parse_each(text)
    assert texts(found) == texts(expected)
    assert (found.lines, found.unreadable) == (expected.lines, expected.unreadable)


@given(columns, st.integers(0, 8))
@example([1e17, 10**17, 0.5, "x"], 1)
@example([1.5, True], 1)
@example([2**63, 1.0], 1)
def test_cells_do_not_depend_on_their_neighbours(given: list[Any], cut: int) -> None:
    lines = [json.dumps({"id": str(i), "value": cell}) + "\n" for i, cell in enumerate(given)]
    whole, *parts = (
        texts(parse_each("".join(some).encode()))["value"]
        for some in (lines, lines[:cut], lines[cut:])
    )
    assert whole == parts[0] + parts[1]


def test_integers_are_the_same_text_however_they_are_written() -> None:
    lines = b'{"value": 1e17}\n{"value": 100000000000000000}\n{"value": 1.5}\n{"value": "x"}\n'
    for stop in (1, 2, 3, 4):
        text = b"".join(lines.splitlines(keepends=True)[:stop])
        expected = ["1" + "0" * 17, "1" + "0" * 17, "1.5", "x"]
        assert texts(parse_each(text))["value"] == expected[:stop]


def test_lines_with_brackets_are_not_all_too_deep() -> None:
    line = b'{"id": "c", "value": 1, "other": [[1, 2], {"x": "]"}]}\n'
    assert parse_each(line * 100).unreadable == 0


def test_an_unreadable_line_is_named() -> None:
    parser = JsonLines(COLUMNS, "x.jsonl")
    parser.parse(FIRST, 1)
    piece = parser.parse(b'{"id": "c"}\n{"id"\n{"id": "d"}\n', 3)
    assert (piece.lines, piece.unreadable) == (3, 1)
    assert piece.examples[0].startswith("x.jsonl, line 4: ")


def test_lines_of_known_types_are_parsed_at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    parser = JsonLines(COLUMNS, "x.jsonl")
    parser.parse(FIRST, 1)
    monkeypatch.setattr(JsonLines, "_parse_each", None)
    piece = parser.parse(b'{"value": 5, "id": "2026-01-01", "other": [{}]}\n', 3)
    assert texts(piece) == {"id": ["2026-01-01"], "value": ["5"]}
