"""Saving a figure: formats, and a page that loads and evaluates nothing."""

from __future__ import annotations

import io
import operator
import re
from pathlib import Path
from typing import Any

import pytest

import streamgauge as sg
from streamgauge.figures._style import nothing_to_draw
from streamgauge.figures.saving import html_page, styled
from tests.hostile_text import hostile

START = {".pdf": b"%PDF", ".svg": b"<svg", ".png": b"\x89PNG", ".json": b"{"}


@pytest.fixture
def chart() -> Any:
    return nothing_to_draw("title", "no rows")


def own_part(page: Path) -> str:
    """The page without the JavaScript of Vega."""
    text = page.read_text(encoding="utf-8")
    start, end = text.index("<script>"), text.index("</script>")
    assert end - start > 500_000
    return text[:start] + text[end:]


@pytest.mark.parametrize("suffix", START)
def test_format_follows_the_suffix(tmp_path: Path, chart: Any, suffix: str) -> None:
    chart.save(tmp_path / f"figure{suffix}")
    assert (tmp_path / f"figure{suffix}").read_bytes().startswith(START[suffix])


def test_page_loads_nothing_from_the_network(tmp_path: Path, chart: Any) -> None:
    chart.save(tmp_path / "figure.html")
    page = own_part(tmp_path / "figure.html")
    assert not re.findall(r"src=|href=|https?://(?!vega)", page)
    assert "default-src 'none'" in page
    assert "unsafe-eval" not in page
    assert "ast: true" in page


def test_name_cannot_end_the_script_of_a_page() -> None:
    name = hostile("</script><script>alert(1)</script>")
    page = html_page(nothing_to_draw(name, name).to_dict())
    assert page.count("</script>") == 2
    assert "<script>alert" not in page


@pytest.mark.parametrize("combine", [operator.and_, operator.or_, operator.add])
def test_combined_charts_save_the_same_way(tmp_path: Path, chart: Any, combine: Any) -> None:
    both = combine(chart, chart.copy()).properties(title="mine")
    both.save(tmp_path / "figure.html")
    assert "src=" not in own_part(tmp_path / "figure.html")
    assert both.to_dict()["config"]["legend"]["orient"] == "bottom"
    assert "config" not in str(list(both.to_dict().values())[1:])


def test_settings_of_the_user_win(chart: Any) -> None:
    changed = chart.configure_legend(orient="right").configure_mark(color="red")
    config = changed.to_dict()["config"]
    assert (config["legend"]["orient"], config["legend"]["columns"]) == ("right", 3)
    assert config["mark"] == {"color": "red"}


def test_file_object_with_a_format(chart: Any) -> None:
    file = io.StringIO()
    chart.save(file, format="html")
    assert file.getvalue().startswith("<!DOCTYPE html>")


@pytest.mark.parametrize("name", ["figure.tiff", "figure"])
def test_unknown_suffix_says_what_is_expected(tmp_path: Path, chart: Any, name: str) -> None:
    with pytest.raises(sg.UsageError, match=r"expected one of \.pdf, \.svg, \.png, \.html"):
        chart.save(tmp_path / name)
    assert not list(tmp_path.iterdir())


def test_specification_is_that_of_altair() -> None:
    alt = pytest.importorskip("altair")
    data = alt.InlineData(values=[{"x": 1}])
    plain = alt.layer(alt.Chart(data).mark_point().encode(x="x:Q")).properties(width=5)
    expected, found = plain.to_dict(), styled(plain).to_dict()
    del expected["config"], found["config"]
    assert found == expected


def test_control_characters_do_not_end_the_program(tmp_path: Path, chart: Any) -> None:
    """The converter aborts the process on them; our own figures show names printable."""
    hostile = chart.properties(title="bell\x07")
    with pytest.raises(sg.UsageError, match="text with control characters, which no picture"):
        hostile.save(tmp_path / "figure.svg")
    hostile.save(tmp_path / "figure.html")
    assert [path.name for path in tmp_path.iterdir()] == ["figure.html"]
