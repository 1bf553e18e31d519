"""A study: profiles of data sets, and data that is missing."""

from __future__ import annotations

import gzip
from pathlib import Path

import pytest

import streamgauge as sg
from streamgauge.papers import study as study_module
from streamgauge.papers.study import PaperStudy


def test_a_data_set_is_inspected_once(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    loaded = []

    def load(name: str, variant: str | None) -> sg.Stream:
        loaded.append((name, variant))
        return sg.SEA(100, seed=1)

    monkeypatch.setattr(study_module, "load", load)
    study = PaperStudy("quick", tmp_path, progress=False)
    first, second = study.inspect("elec2", "papers"), study.inspect("elec2", "papers")
    assert first is not None
    assert first is second
    assert first.rows == 100
    assert loaded == [("elec2", "papers")]


def test_variant_that_the_file_cannot_give_is_missing(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    head = "period,nswprice,nswdemand,vicprice,vicdemand,transfer,target\n"
    with gzip.open(tmp_path / "elec2.csv.gz", "wt") as file:
        file.write(head + "0,0.1,0.4,0.1,0.4,0.4,UP\n")
    monkeypatch.setenv("STREAMGAUGE_DATA", str(tmp_path))
    study = PaperStudy("quick", tmp_path, progress=False)
    assert study.inspect("elec2", "all") is None
    assert study.available({"six": {"load": "elec2"}, "eight": {"load": "elec2", "variant": "all"}}
                           ) == [{"load": "elec2", "name": "six"}]  # fmt: skip
    (missing,) = study.missing
    assert "has no column date" in missing
