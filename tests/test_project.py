"""The files of the project: CI, citation, changelog, and the packages that it is and needs."""

from __future__ import annotations

import re
import subprocess
import tomllib
import venv
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
_NOT_IN_A_COPY = "a copy of the project has no such file"

# What the oldest allowed packages must still do: kernels, frames, files, stores, the command line.
_TRIED_WITH_OLDEST = (
    "tests/learners/test_naive_bayes.py", "tests/learners/trees/test_hoeffding_tree.py",
    "tests/streams/test_frames.py", "tests/streams/formats/csv/test_reader.py",
    "tests/runs/test_store.py", "tests/experiments/test_results.py", "tests/cli/test_evaluate.py",
)  # fmt: skip
_OLDEST = ("numpy", "numba", "pyarrow")


def text_of(name: str) -> str:
    path = ROOT / name
    if not path.exists():
        pytest.skip(_NOT_IN_A_COPY)  # CONTRIBUTING's recipes are tried in a copy
    return path.read_text()


@pytest.mark.parametrize("name", [".ci/run", ".github/workflows/check.yml"])
def test_ci_runs_make_check(name: str) -> None:
    assert re.search(r"^\s*(- run: )?make check$", text_of(name), re.M)


def test_citation_is_of_this_version() -> None:
    citation = text_of("CITATION.cff")
    assert f"\nversion: {PROJECT['version']}\n" in citation
    assert "\n  - name: The streamgauge developers\n" in citation
    assert f"\nlicense: {PROJECT['license']}\n" in citation


def test_security_page_says_what_is_trusted_and_is_linked() -> None:
    page = text_of("SECURITY.md")
    assert re.findall(r"^## (.*)$", page, re.M) == ["Reporting", "Trusted", "Not trusted"]
    trusted = page.partition("## Trusted")[2].partition("## Not trusted")[0]
    for what in ("modules", "monitor.toml", "command", "state", "STREAMGAUGE_CACHE"):
        assert f"`{what}`" in trusted
    assert "](SECURITY.md)" in text_of("CONTRIBUTING.md")
    for name in ("experiments", "data", "architecture", "monitoring"):
        assert "](../SECURITY.md)" in text_of(f"docs/{name}.md")


def test_hooks_need_nothing_from_elsewhere() -> None:
    assert set(re.findall(r"repo: (\S+)", text_of(".pre-commit-config.yaml"))) == {"local"}


def test_changelog_has_the_usual_sections() -> None:
    page = text_of("CHANGELOG.md")
    versions = re.findall(r"^## (.*)$", page, re.M)
    assert versions[0] == "[Unreleased]"
    sections = re.findall(r"^### (.*)$", page, re.M)
    usual = ["Added", "Changed", "Deprecated", "Removed", "Fixed", "Security", "Numbers change"]
    assert set(sections) <= set(usual)
    assert sections == sorted(sections, key=usual.index)


@pytest.mark.long
def test_oldest_allowed_packages_work(tmp_path: Path) -> None:
    pins = [
        f"{name}=={version}.*"
        for each in PROJECT["dependencies"]
        for name, version in [each.split(">=")]
        if name in _OLDEST
    ]
    assert len(pins) == len(_OLDEST)
    python = environment(tmp_path / "venv", *pins, "-e", f"{ROOT}[test]")
    done = run(python, "-m", "pytest", "-p", "no:cacheprovider", *_TRIED_WITH_OLDEST)
    assert done.returncode == 0, done.stdout[-3000:]
    assert " passed" in done.stdout


@pytest.mark.long
def test_wheel_runs_the_demo() -> None:
    done = subprocess.run(["make", "dist"], cwd=ROOT, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr[-3000:]
    assert "NaiveBayes" in done.stdout
    assert "the demo ran from the wheel" in done.stdout


def environment(folder: Path, *packages: str) -> Path:
    """A new virtual environment with these packages; its Python."""
    venv.create(folder, with_pip=True)
    python = folder / "bin" / "python"
    installed = run(python, "-m", "pip", "install", "--disable-pip-version-check", *packages)
    assert installed.returncode == 0, installed.stderr[-3000:]
    return python


def run(python: Path, *arguments: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [python, *arguments], cwd=ROOT, capture_output=True, text=True, check=False
    )
