"""User modules: only files of their own folder, loaded from there, and nothing in their place."""

from __future__ import annotations

import importlib.util
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

import streamgauge as sg
from streamgauge._support.user_modules import find_modules

NAME = "user_module_of_this_test"


@pytest.fixture(autouse=True)
def _restored() -> Iterator[None]:
    path, finders, known = list(sys.path), list(sys.meta_path), set(sys.modules)
    yield
    assert sys.path == path
    sys.meta_path[:] = finders
    for name in set(sys.modules) - known:
        del sys.modules[name]


def write(folder: Path, text: str, name: str = NAME) -> Path:
    folder.mkdir(parents=True, exist_ok=True)
    path = folder / f"{name}.py"
    path.write_text(text)
    return path


@pytest.mark.parametrize(
    "name",
    ["", ".", "..", "../mine", "/tmp/mine", "mine.py ", "a/b", "a\\b", "..mine", "mine\0", "a-b",
     "C:mine", "mine:Learner", "__import__('os')", "mine\n"],
)  # fmt: skip
def test_only_names_are_modules(tmp_path: Path, name: str) -> None:
    write(tmp_path.parent, "", "mine")
    with pytest.raises(sg.UsageError, match="is not the name of a module; expected a name such as"):
        find_modules([name], tmp_path)


@pytest.mark.parametrize("name", ["subprocess", "os", "builtins", "sys", "os.path", "streamgauge"])
def test_modules_of_python_are_refused_even_with_a_file(tmp_path: Path, name: str) -> None:
    write(tmp_path, "", name.partition(".")[0])
    with pytest.raises(sg.UsageError, match=r"is a module of (Python|streamgauge); expected"):
        find_modules([name], tmp_path)


def test_installed_packages_are_refused(tmp_path: Path) -> None:
    with pytest.raises(sg.UsageError, match=r"no module 'numpy'; expected .*numpy\.py"):
        find_modules(["numpy"], tmp_path)
    write(tmp_path, "", "numpy")
    with pytest.raises(sg.UsageError, match=r"__init__\.py has the same name; rename .*numpy\.py"):
        find_modules(["numpy"], tmp_path)


def test_links_out_of_the_folder_are_refused(tmp_path: Path) -> None:
    folder = tmp_path / "experiment"
    outside = write(tmp_path / "elsewhere", "", "outside")
    (tmp_path / "elsewhere" / "package").mkdir()
    write(tmp_path / "elsewhere" / "package", "", "__init__")
    folder.mkdir()
    (folder / f"{NAME}.py").symlink_to(outside)
    (folder / "package").symlink_to(tmp_path / "elsewhere" / "package")
    for name in (NAME, "package"):
        with pytest.raises(sg.UsageError, match=r"is a link to .*elsewhere.*; copy the file into"):
            find_modules([name], folder)
    write(folder, "", "inside")
    (folder / "link.py").symlink_to(folder / "inside.py")
    assert list(find_modules(["link"], folder)) == ["link"]


def test_packages_and_helpers_are_loaded_from_the_folder(tmp_path: Path) -> None:
    write(tmp_path / NAME, "from .part import A\nclass B(A): pass", "__init__")
    write(tmp_path / NAME, "from helper_of_this_test import one\nclass A: x = one", "part")
    write(tmp_path, "one = 1", "helper_of_this_test")
    found = find_modules([NAME, f"{NAME}.part", "helper_of_this_test"], tmp_path)
    assert found[NAME].find("B").x == 1
    assert found[f"{NAME}.part"].find("A").x == 1
    assert found[NAME].find("A").x == 1  # of a part of the package
    with pytest.raises(ValueError, match="does not define a class or function 'one'"):
        found[NAME].find("one")


def test_files_of_the_folder_take_no_installed_modules_place(tmp_path: Path) -> None:
    write(tmp_path, "raise SystemExit('a stray file was imported')", "wave")
    write(tmp_path, "import wave\nclass A: pass")
    assert "wave" not in sys.modules
    find_modules([NAME], tmp_path)[NAME].find("A")
    assert Path(str(sys.modules["wave"].__file__)).parent != tmp_path


def test_only_listed_files_of_the_folder_can_be_imported(tmp_path: Path) -> None:
    write(tmp_path, "import helper_of_this_test\nclass A: pass")
    write(tmp_path, "import deeper_helper_of_this_test", "helper_of_this_test")
    write(tmp_path, "raise SystemExit('a stray file was imported')", "deeper_helper_of_this_test")
    with pytest.raises(ValueError, match=r"'helper_of_this_test' is in .*, but not listed: add it"):
        find_modules([NAME], tmp_path)[NAME].find("A")
    listed = [NAME, "helper_of_this_test"]
    advice = rf"add it to modules = \['{NAME}', 'helper_of_this_test', 'deeper_helper_of_this_test"
    with pytest.raises(ValueError, match=advice):
        find_modules(listed, tmp_path)[NAME].find("A")
    write(tmp_path, "", "helper_of_this_test")
    assert find_modules(listed, tmp_path)[NAME].find("A")
    assert importlib.util.find_spec("deeper_helper_of_this_test") is None


def test_optional_imports_of_packages_find_no_file_of_the_folder(tmp_path: Path) -> None:
    """As those of pandas: a package that is not installed may have a file of its name here."""
    write(tmp_path, "class A: pass")
    write(tmp_path, "raise SystemExit('a stray file was imported')", "bottleneck")
    find_modules([NAME], tmp_path)[NAME].find("A")
    with pytest.raises(ImportError):
        importlib.import_module("bottleneck")


def test_module_of_an_unlisted_package_can_use_its_package(tmp_path: Path) -> None:
    write(tmp_path / NAME, "x = 1", "__init__")
    write(tmp_path / NAME, "from . import x\nclass A: value = x", "part")
    assert find_modules([f"{NAME}.part"], tmp_path)[f"{NAME}.part"].find("A").value == 1


def test_each_folder_has_its_own_module_of_a_name(tmp_path: Path) -> None:
    text = "from helper_of_this_test import x\nclass A: value = x"
    for folder in ("a", "b"):
        write(tmp_path / folder, text)
        write(tmp_path / folder, f"x = {folder!r}", "helper_of_this_test")
    for folder in ("a", "b", "a"):
        listed = find_modules([NAME, "helper_of_this_test"], tmp_path / folder)
        assert listed[NAME].find("A").value == folder


def test_edit_of_the_same_second_is_not_missed(tmp_path: Path) -> None:
    for value in (1, 2):
        write(tmp_path, f"class A: x = {value}")
        assert find_modules([NAME], tmp_path)[NAME].find("A").x == value
        del sys.modules[NAME]  # as in a new process


@pytest.mark.parametrize(
    ("text", "name", "defined"),
    [
        ("class A: pass", "A", True),
        ("def f(): pass", "f", True),
        ("A, B = 1, 2", "B", True),
        ("A: int = 1", "A", True),
        ("try:\n    import nothing\nexcept ImportError:\n    class A: pass", "A", True),
        ("if 1:\n    pass\nelse:\n    A = 1", "A", True),
        ("from os import system", "system", False),
        ("import os", "os", False),
        ("def f():\n    class A: pass", "A", False),
        ("class A:\n    def method(): pass", "method", False),
    ],
)
def test_text_is_checked_without_running_it(
    tmp_path: Path, text: str, name: str, defined: bool
) -> None:
    write(tmp_path, f"{text}\nraise SystemExit('it ran')")
    module = find_modules([NAME], tmp_path)[NAME]
    if defined:
        module.check_defines(name)
    else:
        with pytest.raises(ValueError, match="does not define a class or function"):
            module.check_defines(name)


@pytest.mark.parametrize("text", ["class A(", "\0", "x = " + "(" * 9000, "raise KeyError('why')"])
def test_broken_module_is_an_error_with_its_reason(tmp_path: Path, text: str) -> None:
    write(tmp_path, text)
    module = find_modules([NAME], tmp_path)[NAME]
    with pytest.raises(ValueError, match=f"module '{NAME}' (cannot be imported|does not define)"):
        module.check_defines("A")
    with pytest.raises(ValueError, match=f"module '{NAME}' cannot be imported: "):
        module.find("A")
    assert NAME not in sys.modules
