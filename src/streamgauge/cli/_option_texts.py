"""Turns options into objects: the label policy and the forgettings of a run, modules, cells."""

from __future__ import annotations

import re
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from streamgauge._support.call_parser import build
from streamgauge._support.errors import UsageError
from streamgauge._support.user_modules import NO_MODULES, Modules, find_modules

if TYPE_CHECKING:
    from streamgauge.measures.forgetting import Forgetting
    from streamgauge.prequential.labels import LabelPolicy
    from streamgauge.streams.base import Stream


def parse_where(texts: list[str] | None) -> dict[str, list[str]]:
    """Parse every --where, KEY=VALUE."""
    selected: dict[str, list[str]] = {}
    for text in texts or ():
        key, equals, wanted = text.partition("=")
        if not equals:
            raise UsageError(f"--where {text}: expected KEY=VALUE, e.g. labels=Delay(100)")
        selected.setdefault(key.strip(), []).append(wanted.strip())
    return selected


def split_values(text: str) -> list[str]:
    """Split --value at its commas, but for those in brackets: precision[a,b] is one name."""
    names = [name.strip() for name in re.split(r",(?![^\[]*\])", text)]
    if not all(names):
        raise UsageError(f"--value {text}: expected names separated by commas, e.g. accuracy,kappa")
    return names


def parse_forgettings(texts: list[str] | None) -> list[Forgetting]:
    """Parse every --forget."""
    return [build(text, "forgetting") for text in texts or ()]


def find_own_modules(files: Sequence[str]) -> Modules:
    """The modules of --module, which are files of one folder."""
    paths = [Path(file) for file in files]
    for path in paths:
        if path.suffix not in ("", ".py"):
            raise UsageError(f"--module {path}: expected a Python file, e.g. mine.py")
    folders = {path.absolute().parent for path in paths}
    if len(folders) > 1:
        listed = " and ".join(sorted(map(str, folders)))
        raise UsageError(f"--module: the files are in {listed}; expected one folder")
    try:
        return find_modules([path.stem for path in paths], *folders) if paths else NO_MODULES
    except UsageError as error:
        raise UsageError(f"--module: {error}") from None


def make_label_policy(
    stream: Stream,
    *,
    text: str | None = None,
    delay: int | None = None,
    revealed: str | None = None,
    labels_first: bool = False,
    modules: Modules = NO_MODULES,
) -> LabelPolicy | None:
    """The one label policy given; None for the stream's default."""
    from streamgauge.prequential.labels import Delay, FromStream

    given: list[LabelPolicy] = []
    if text is not None:
        given.append(build(text, "label policy", modules))
    if delay is not None:
        given.append(Delay(delay))
    if labels_first and not stream.schema.time:
        raise UsageError("--labels-first needs reveal times; name their column with --revealed")
    if labels_first:
        given.append(FromStream("labels_first"))
    elif revealed is not None:
        given.append(FromStream())
    if len(given) > 1:
        policies = " and ".join(map(repr, given))
        raise UsageError(f"conflicting label policies: {policies}; give only one")
    return given[0] if given else None
