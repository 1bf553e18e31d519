"""The user's modules are known by their content, packages by their version."""

from __future__ import annotations

import importlib
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from streamgauge._support.user_code import package_of, user_modules


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """A folder on the import path; what was imported from it is forgotten afterwards."""
    monkeypatch.syspath_prepend(tmp_path)
    before = set(sys.modules)
    yield tmp_path
    for name in set(sys.modules) - before:
        del sys.modules[name]


def write(folder: Path, **texts: str) -> None:
    for name, text in texts.items():
        path = folder.joinpath(*name.split("__")).with_suffix(".py")
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)


def test_packages_have_versions_and_the_users_modules_do_not(folder: Path) -> None:
    write(folder, mine_a="__version__ = '1.0'")
    importlib.import_module("mine_a")
    import numpy as np

    assert package_of("numpy.random") == f"numpy {np.__version__}"
    assert package_of("json") == "json"
    assert package_of("streamgauge.learners") == "streamgauge"
    assert package_of("mine_a") is None  # its version does not change with every edit
    assert package_of("__main__") is None


def test_users_module_with_a_name_of_python_is_the_users(folder: Path) -> None:
    write(folder, this="x = 1", antigravity="")  # Python's own is not imported
    assert package_of("this") is None  # not loaded yet
    importlib.import_module("this")
    assert package_of("this") is None
    assert list(user_modules("this")) == ["this"]


def test_module_that_makes_up_attributes_is_the_users(folder: Path) -> None:
    write(folder, lazy_a="def __getattr__(name):\n    raise ImportError(name)\n")
    importlib.import_module("lazy_a")
    assert package_of("lazy_a") is None


def test_all_modules_that_a_module_imports_count(folder: Path) -> None:
    write(
        folder,
        mine_b="import numpy\nfrom helper_b import x\ndef f():\n    import pack_b.late\n",
        helper_b="from pack_b import first\nx = 1",
        pack_b__first="from .second import y\nfrom . import third\n",
        pack_b__second="y = 2",
        pack_b__third="",
        pack_b__late="raise RuntimeError('is not run')",
        other_b="",
    )
    (folder / "pack_b/__init__.py").touch()
    importlib.import_module("mine_b")
    assert list(user_modules("mine_b")) == [
        "helper_b", "mine_b", "pack_b", "pack_b.first", "pack_b.late", "pack_b.second",
        "pack_b.third",
    ]  # fmt: skip
    assert "pack_b.late" not in sys.modules


def test_module_imported_by_other_means_counts(folder: Path) -> None:
    write(
        folder, mine_c="import importlib\nh = importlib.import_module('helper' + '_c')", helper_c=""
    )
    importlib.import_module("mine_c")
    assert list(user_modules("mine_c")) == ["helper_c", "mine_c"]


def test_modules_that_import_each_other_and_broken_ones(folder: Path) -> None:
    write(folder, mine_d="import other_d", other_d="def f():\n    import mine_d, broken_d, gone_d")
    (folder / "broken_d.py").write_bytes(b"\xff\x00 def")
    importlib.import_module("mine_d")
    assert list(user_modules("mine_d")) == ["broken_d", "mine_d", "other_d"]


def test_content_counts_as_it_was_loaded(folder: Path) -> None:
    write(folder, mine_e="x = 1")
    module = importlib.import_module("mine_e")
    first = user_modules("mine_e")
    write(folder, mine_e="x = 20")
    assert user_modules("mine_e") == first  # this process still has the old code
    importlib.reload(module)
    assert user_modules("mine_e") != first
