"""The papers that can be run again: every folder here."""

from __future__ import annotations

from importlib import import_module
from pkgutil import iter_modules

import streamgauge.papers
from streamgauge._support.errors import UsageError, did_you_mean
from streamgauge.papers.paper import Paper


def paper_keys() -> list[str]:
    """The keys of all papers, oldest first.

    >>> "ziffer2024" in paper_keys()
    True
    """
    keys = [each.name for each in iter_modules(streamgauge.papers.__path__) if each.ispkg]
    return sorted(keys, key=lambda key: (key[-4:], key))


def find_paper(key: str) -> Paper:
    """The paper of this key."""
    keys = paper_keys()
    if key not in keys:
        raise UsageError(
            f"unknown paper {key!r}{did_you_mean(key, keys)}; expected {', '.join(keys)} or all"
        )
    paper: Paper = import_module(f"streamgauge.papers.{key}.paper").PAPER
    return paper
