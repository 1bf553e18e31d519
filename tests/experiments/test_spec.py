"""The spec of an experiment: units, and documentation of every key."""

from __future__ import annotations

import re
import tomllib
from pathlib import Path

import streamgauge as sg
from streamgauge.experiments._spec import make_spec

ROOT = Path(__file__).parents[2]


def test_max_memory_accepts_units() -> None:
    for text, size in (("2 GB", 2 * 10**9), ("512MiB", 2**29), ("1.5 kB", 1500), (77, 77)):
        assert sg.Grid(["SEA(9)"], ["NaiveBayes"], max_memory=text).spec.memory_bytes == size


def test_docs_show_every_key() -> None:
    page = (ROOT / "docs" / "experiments.md").read_text()
    (block,) = re.findall(r"```toml\n(.*?)```", page, re.DOTALL)
    spec = make_spec(tomllib.loads(block), "docs")
    assert set(tomllib.loads(block)) == set(spec.__struct_fields__)
