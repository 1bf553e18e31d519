"""Docstrings of the public names: numpydoc sections, every parameter, examples that run."""

from __future__ import annotations

import doctest
import importlib.util
import inspect
import re
import sys
from collections.abc import Iterator
from dataclasses import is_dataclass
from functools import cached_property
from pathlib import Path
from typing import Any

import pytest

from streamgauge import testing
from streamgauge._support import registry

TITLE = re.compile(r"^(\w[\w ]*)\n-{3,}$", re.MULTILINE)
BIBLIOGRAPHY = Path(__file__).parent.parent / "docs" / "bibliography.md"
SECTIONS = ("Parameters", "Attributes", "Returns", "Raises", "Notes", "References", "Examples")
OURS = "Ours, not from a paper."  # instead of a key


def find(name: str) -> Any:
    module, _, check = name.rpartition(".")
    return getattr(testing, check) if module else registry.find(name)


def is_check(name: str, value: Any) -> bool:
    """Whether a name of streamgauge.testing is a public function defined there."""
    ours = str(getattr(value, "__module__", "")).startswith(testing.__name__)
    return inspect.isfunction(value) and ours and name[0] != "_"


NAMES = [
    *registry.own_names(*registry.KINDS),
    *(f"testing.{name}" for name, value in vars(testing).items() if is_check(name, value)),
]
CLASSES = [name for name in NAMES if inspect.isclass(find(name))]
PUBLISHED = registry.own_names("learner", "reference", "wrapper", "detector")


def docstring(thing: Any) -> str:
    return inspect.cleandoc(thing.__doc__ or "")


def sections(doc: str) -> dict[str, str]:
    """The text of each section, by title."""
    parts = TITLE.split(doc)
    return dict(zip(parts[1::2], parts[2::2], strict=True))


def entries(section: str) -> dict[str, str]:
    """The explanation of each name in a section; a line `a, b` names two."""
    parts = re.split(r"^(\S.*)$", section, flags=re.MULTILINE)
    return {
        name.strip(" *"): explanation.strip()
        for names, explanation in zip(parts[1::2], parts[2::2], strict=True)
        for name in names.split(",")
    }


def parameters(thing: Any) -> list[str]:
    """The parameters of a function, method or constructor; protocols are not constructed."""
    if getattr(thing, "_is_protocol", False):
        return []
    if isinstance(thing, type) and issubclass(thing, Exception) and "__init__" not in vars(thing):
        return []  # a message, as in every exception
    return [name for name in inspect.signature(thing).parameters if name != "self"]


def members(cls: type) -> Iterator[tuple[str, Any]]:
    """The public methods and properties that the package defines."""
    for name, member in inspect.getmembers_static(cls):
        owner = next(each for each in cls.__mro__ if name in vars(each))
        described = inspect.isroutine(member) or isinstance(member, property | cached_property)
        if described and name[0] != "_" and owner.__module__.startswith("streamgauge"):
            yield name, getattr(cls, name)


def examples(name: str) -> doctest.DocTest:
    section = sections(docstring(find(name))).get("Examples", "")
    return doctest.DocTestParser().get_doctest(section, {}, name, None, None)


@pytest.mark.parametrize("name", NAMES)
def test_docstring_starts_with_one_line_and_has_numpydoc_sections_in_order(name: str) -> None:
    summary, *rest = docstring(find(name)).split("\n")
    assert summary.endswith((".", "?"))
    assert rest[:1] in ([], [""]), "the summary takes more than one line"
    found = TITLE.findall(docstring(find(name)))
    assert found == [title for title in SECTIONS if title in found]


@pytest.mark.parametrize("name", NAMES)
def test_every_parameter_is_explained_and_no_other(name: str) -> None:
    thing = find(name)
    found = sections(docstring(thing))
    explained = entries(found.get("Parameters", ""))
    attributes = entries(found.get("Attributes", ""))
    assert all((explained | attributes).values()), "a parameter without an explanation"
    if is_dataclass(thing) and attributes:
        # A result: the library constructs it, users read its attributes.
        public = [each for each in parameters(thing) if each[0] != "_"]
        assert [*explained, *attributes][: len(public)] == public
    else:
        assert list(explained) == parameters(thing)


@pytest.mark.parametrize("name", [name for name in NAMES if name not in CLASSES])
def test_function_says_what_it_returns(name: str) -> None:
    returns = inspect.signature(find(name)).return_annotation
    section = sections(docstring(find(name))).get("Returns", "")
    assert bool(section.strip()) == (returns not in (None, "None"))


@pytest.mark.parametrize("name", CLASSES)
def test_public_methods_and_properties_have_a_summary(name: str) -> None:
    for member_name, member in members(find(name)):
        doc = inspect.getdoc(member) or ""
        assert doc.split("\n")[0].endswith("."), f"{name}.{member_name}: {doc!r}"
        if explained := entries(sections(doc).get("Parameters", "")):
            assert list(explained) == parameters(member), f"{name}.{member_name}"


@pytest.mark.parametrize("name", NAMES)
def test_example_runs_and_shows_a_result(
    name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A result is more than the object itself: `KNN()` shows nothing that KNN computes."""
    example = examples(name)
    shown = [each.want for each in example.examples if each.want]
    assert shown, "no example that shows a result"
    assert not all(re.match(rf"['\"]?(<|{name}\()", text) for text in shown), "only a repr"
    module = sys.modules[find(name).__module__]
    for package in getattr(module, "__doctest_requires__", {}).get(name, ()):
        if importlib.util.find_spec(package) is None:
            pytest.skip(f"{package} is not installed")
    monkeypatch.chdir(tmp_path)
    report: list[str] = []
    doctest.DocTestRunner(verbose=False).run(example, out=report.append)
    assert not report, "".join(report)


@pytest.mark.parametrize("name", PUBLISHED)
def test_method_names_its_paper_or_says_that_it_is_ours(name: str) -> None:
    assert "References" in sections(docstring(find(name)))


@pytest.mark.parametrize("name", NAMES)
def test_references_are_in_the_bibliography(name: str) -> None:
    known = re.findall(r"^\| ([a-z]+\d{4}[a-z]?) \|", BIBLIOGRAPHY.read_text(), re.MULTILINE)
    assert len(set(known)) == len(known)
    for line in sections(docstring(find(name))).get("References", "").split("\n"):
        keys, marked, end = line.partition(" (docs/bibliography.md)")
        if line not in ("", OURS):
            assert marked, line
            assert not end, line
            assert set(keys.split(", ")) <= set(known), line
