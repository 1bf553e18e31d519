"""The registry: modules of public names, and the same names in `__init__.pyi`."""

from __future__ import annotations

import ast
from pathlib import Path

import pytest

import streamgauge as sg
from streamgauge._support import registry


@pytest.mark.parametrize("name", sorted(registry.PUBLIC))
def test_public_name_is_defined_by_its_module(name: str) -> None:
    found = getattr(sg, name)
    assert found.__name__ == registry.SECOND_NAMES.get(name, name)
    assert found.__module__ == registry.module_of(name)


def test_stub_declares_the_registered_names() -> None:
    tree = ast.parse(Path(str(sg.__file__)).with_suffix(".pyi").read_text())
    declared = {
        alias.asname: node.module
        for node in tree.body
        if isinstance(node, ast.ImportFrom)
        for alias in node.names
    }
    assert declared.pop("testing") == "streamgauge"
    assert declared == {name: registry.module_of(name) for name in registry.PUBLIC}


def test_dir_shows_public_names_only() -> None:
    assert set(dir(sg)) == {*registry.PUBLIC, "testing", "__version__"}


@pytest.mark.parametrize(("second", "first"), registry.SECOND_NAMES.items())
def test_second_name_is_accepted_and_the_first_is_shown(second: str, first: str) -> None:
    assert getattr(sg, second) is getattr(sg, first)
    text = {"SWT": "SWT(Majority())"}.get(second, second)
    assert sg.evaluate("SEA(100)", text).name.startswith(first)
    listed = registry.shown_names("reference", "wrapper")
    assert first in listed
    assert second not in listed


def test_unknown_name_is_an_attribute_error() -> None:
    with pytest.raises(AttributeError, match=r"'NaiveBaies' .did you mean 'NaiveBayes'"):
        sg.NaiveBaies  # type: ignore[attr-defined]  # noqa: B018


def test_every_public_name_has_one_kind() -> None:
    listed = [name for kind in registry.KINDS for name in registry.own_names(kind)]
    assert sorted(listed) == sorted(registry.PUBLIC)


@pytest.mark.parametrize("name", registry.own_names("metric"))
def test_metric_is_defined_under_its_name(name: str) -> None:
    metric = registry.find(name, "metric")
    assert isinstance(metric, sg.Metric)
    assert metric.name == name


def test_name_is_found_under_its_own_kind_only() -> None:
    assert registry.find("evaluate", "verb") is not registry.find("evaluate")
    assert "kappa" not in registry.PUBLIC
