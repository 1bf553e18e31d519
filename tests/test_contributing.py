"""CONTRIBUTING.md: every recipe is carried out as printed, in a copy of the project."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import NamedTuple

import pytest

ROOT = Path(__file__).parent.parent
PAGE = (ROOT / "CONTRIBUTING.md").read_text()
_FILE = re.compile(r"^`(?P<path>[\w/.]+)`:\n\n```\w+\n(?P<text>.*?)```$", re.M | re.S)
_LINE = re.compile(
    r'^In `src/streamgauge/_support/registry.py`, under `"(?P<kind>[\w ]+)"`:\n\n'
    r"```python\n(?P<line>.*?)```$",
    re.M | re.S,
)
_INSERTED = re.compile(
    r"^In `(?P<path>src/[\w/.]+)`, before `(?P<line>[^`]+)`:\n\n```\n(?P<text>.*?)```$",
    re.M | re.S,
)
_DOC = re.compile(r"^In `docs/numbers.md`, [^\n]*:\n\n```\n(?P<line>.*?)```$", re.M | re.S)


class Recipe(NamedTuple):
    """The files and the registry lines that a recipe adds."""

    name: str
    files: dict[str, str]
    lines: list[tuple[str, str]]  # kind, line

    @property
    def tests(self) -> list[str]:
        return [path for path in self.files if path.startswith("tests/")]


def recipes() -> list[Recipe]:
    _, *sections = re.split(r"^### ", PAGE.partition("## Recipes")[2], flags=re.M)
    return [
        Recipe(
            section.partition("\n")[0],
            {found["path"]: found["text"] for found in _FILE.finditer(section)},
            [(found["kind"], found["line"]) for found in _LINE.finditer(section)],
        )
        for section in sections
    ]


RECIPES = recipes()


@pytest.fixture(scope="module")
def copy(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A copy of the project with all recipes carried out."""
    folder = tmp_path_factory.mktemp("project")
    left_out = shutil.ignore_patterns("__pycache__", "*.egg-info")
    for name in ("src", "tests", "docs", "examples", "bench"):
        shutil.copytree(ROOT / name, folder / name, ignore=left_out)
    for name in ("pyproject.toml", "README.md", "CONTRIBUTING.md", "CHANGELOG.md"):
        shutil.copy(ROOT / name, folder / name)
    registry = folder / "src" / "streamgauge" / "_support" / "registry.py"
    table = registry.read_text()
    for recipe in RECIPES:
        for path, text in recipe.files.items():
            (folder / path).parent.mkdir(parents=True, exist_ok=True)
            (folder / path).write_text(text)
            if path.startswith("tests/"):
                (folder / path).parent.joinpath("__init__.py").touch()
        for kind, line in recipe.lines:
            table, count = re.subn(rf'(^    "{kind}": {{)', rf"\1\n{line}", table, flags=re.M)
            assert count == 1, f"the registry has no kind {kind!r}"
    registry.write_text(table)
    for found in _INSERTED.finditer(PAGE):
        file = folder / found["path"]
        assert file.read_text().count(f"\n{found['line']}\n") == 1, found["line"]
        before, line, after = file.read_text().partition(f"{found['line']}\n")
        file.write_text(before + found["text"] + line + after)
    with (folder / "docs" / "numbers.md").open("a") as page:
        page.writelines(found["line"] for found in _DOC.finditer(PAGE))
    done = run(folder, "-m", "streamgauge._support.stub")
    assert done.returncode == 0, done.stderr
    return folder


def run(folder: Path, *arguments: str) -> subprocess.CompletedProcess[str]:
    """Run Python in the copy; its package comes before the installed one."""
    environment = os.environ | {
        "PYTHONPATH": f"{folder / 'src'}{os.pathsep}{folder}",
        "NUMBA_DISABLE_JIT": "1",  # a copy would compile every kernel again
    }
    environment.pop("PYTEST_ADDOPTS", None)
    return subprocess.run(
        [sys.executable, *arguments],
        cwd=folder,
        env=environment,
        capture_output=True,
        encoding="utf-8",
        check=False,
        timeout=600,
    )


def run_tests(folder: Path, files: Sequence[str], which: str) -> subprocess.CompletedProcess[str]:
    options = ["-vv", "-p", "no:cacheprovider", "-p", "no:xdist", "-k", which]
    return run(folder, "-m", "pytest", *options, *files)


def test_page_has_a_recipe_for_each_kind_of_thing() -> None:
    assert [recipe.name for recipe in RECIPES] == [
        "A metric", "A learner", "A reference", "A label policy", "A detector", "A generator",
        "A file format", "A monitor source", "A data set", "A figure",
        "An option of evaluate", "A verb", "A paper",
    ]  # fmt: skip


@pytest.mark.parametrize("recipe", RECIPES, ids=lambda recipe: recipe.name)
def test_recipe_is_one_file_one_registry_line_one_test(recipe: Recipe) -> None:
    folder = recipe.name == "A paper"  # paper, printed numbers and the mark of a package
    declared = recipe.name == "An option of evaluate"  # lines in files that exist
    assert len(recipe.files) == (4 if folder else 1 if declared else 2)
    assert len(recipe.tests) == 1
    folders = recipe.name in ("A data set", "A figure", "A paper")  # are their own registries
    lines = 0 if folders or declared else 1
    assert [line.count("\n") for _, line in recipe.lines] == [1] * lines


def test_recipes_pass_their_tests_and_keep_the_rules(copy: Path) -> None:
    """Their own tests, the layout, the registry, and the docs of the new names."""
    own = [test for recipe in RECIPES for test in recipe.tests]
    rules = ["tests/test_layout.py", "tests/_support/test_registry.py"]
    documented = "[NearestMean] or [FirstClass] or [Nightly] or [ErrorRate] or [Ring]"
    chosen = [Path(test).stem for test in (*own, *rules)]
    done = run_tests(
        copy,
        [*own, *rules, "tests/test_docstrings.py", "tests/test_docs.py"],
        " or ".join([*chosen, documented, "explains_every_metric"]),
    )
    assert done.returncode == 0, done.stdout[-3000:]
    for test in own:
        assert f"{test}::" in done.stdout
    where = run(copy, "-c", "import streamgauge; print(streamgauge.__file__)").stdout
    assert where.startswith(str(copy))
