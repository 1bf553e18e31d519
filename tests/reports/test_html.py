"""HTML: text never becomes markup."""

from __future__ import annotations

import json
from html import unescape

import pytest

from streamgauge.reports.html import inline_json, preformatted, tag
from tests.hostile_text import HOSTILE, problems


def test_text_and_attributes_are_escaped() -> None:
    made = tag("p", "<b>&", title="\"'>", data_x="<")
    assert made == '<p title="&quot;&#x27;&gt;" data-x="&lt;">&lt;b&gt;&amp;</p>'


def test_elements_inside_stay_markup() -> None:
    assert tag("p", tag("b", "<"), None, "x") == "<p><b>&lt;</b>x</p>"


def test_false_attributes_are_left_out() -> None:
    assert tag("input", hidden=True, disabled=False, value=None) == "<input hidden>"


def test_hostile_text_is_shown_and_not_obeyed() -> None:
    for made in (tag("p", HOSTILE), tag("p", title=HOSTILE)):
        assert problems(unescape(made)) == []
        assert "<script" not in made


@pytest.mark.parametrize("name", ["</script>", "<!--", "\u2028\u2029", '"', "\\", "\x00", HOSTILE])
def test_json_of_any_text_stays_inside_its_element(name: str) -> None:
    text = inline_json({"name": [name]})
    assert not set("<>&\u2028\u2029\n\r\x00") & set(text)
    assert json.loads(text) == {"name": [name]}


def test_traceback_keeps_its_lines() -> None:
    assert preformatted("a\n<b>\x1b") == '<pre tabindex="0">a\n&lt;b&gt;\\x1b</pre>'
