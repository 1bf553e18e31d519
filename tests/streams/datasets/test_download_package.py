"""Packages: pip downloads wheels only, so that no code of a package ever runs."""

from __future__ import annotations

import io
import tarfile
from pathlib import Path

import pytest

import streamgauge as sg
from tests.streams.datasets.test_card import GOOD

SETUP = """
import pathlib, setuptools
pathlib.Path({path!r}).write_text("the code of the package ran")
setuptools.setup(name="evil", version="1.0")
"""


def write_sdist(folder: Path, setup: str) -> None:
    """Write evil-1.0.tar.gz, a source package whose setup.py is `setup`."""
    with tarfile.open(folder / "evil-1.0.tar.gz", "w:gz") as package:
        for name, text in (
            ("setup.py", setup),
            ("PKG-INFO", "Metadata-Version: 2.1\nName: evil\nVersion: 1.0\n"),
        ):
            member = tarfile.TarInfo(f"evil-1.0/{name}")
            member.size = len(text)
            package.addfile(member, io.BytesIO(text.encode()))


@pytest.fixture
def card(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A card whose package is in a folder that pip finds its packages in."""
    monkeypatch.delenv("STREAMGAUGE_DATA", raising=False)
    monkeypatch.setenv("STREAMGAUGE_CACHE", str(tmp_path / "cache"))
    monkeypatch.setenv("PIP_NO_INDEX", "1")
    monkeypatch.setenv("PIP_FIND_LINKS", str(tmp_path))
    path = tmp_path / "evil.toml"
    path.write_text(f'{GOOD}[package]\nname = "evil"\nversion = "1.0"\nmember = "evil/x.csv"\n')
    return path


def test_source_package_is_refused_and_its_code_does_not_run(card: Path, tmp_path: Path) -> None:
    write_sdist(tmp_path, SETUP.format(path=str(tmp_path / "ran")))
    with pytest.raises(
        sg.DownloadError, match=r"cannot download a wheel of evil==1\.0 .*ERROR: No "
    ):
        sg.load(str(card))
    assert not (tmp_path / "ran").exists()


def test_module_called_pip_in_the_current_folder_is_not_run(
    card: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    ran = tmp_path / "ran"
    (tmp_path / "pip.py").write_text(f"import pathlib; pathlib.Path({str(ran)!r}).write_text('')")
    with pytest.raises(sg.DownloadError, match="No matching distribution"):
        sg.load(str(card))
    assert not ran.exists()
