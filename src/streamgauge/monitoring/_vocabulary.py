"""Texts as codes: classes, models and segments, numbered as they are first seen."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from streamgauge._support.types import Codes, Label
from streamgauge.streams.formats.arrow_cells import as_text
from streamgauge.streams.formats.schema_inference import (
    is_canonical_number,
    key_of,
    numeric_label,
)

MISSING = -1


class Vocabulary:
    """Numbers distinct texts in the order in which they come."""

    state_fields = ("texts",)

    def __init__(self) -> None:
        self.texts: list[str] = []
        self._codes: dict[str, int] = {}

    def encode(self, column: pa.Array, keep: Sequence[str] = ()) -> Codes:
        """The codes of cells, -1 for a missing one; `keep` as in `as_text`."""
        if not pa.types.is_dictionary(column.type):
            column = pc.dictionary_encode(column)
        found = as_text(column.dictionary, keep).to_pylist()
        used = np.asarray(pc.fill_null(column.indices, len(found)).to_numpy(False), np.int64)
        # Number texts in the order of their lines, not of Arrow's dictionary.
        numbers = np.full(len(found) + 1, MISSING, np.int32)
        known, first = np.unique(used, return_index=True)
        for place in known[np.argsort(first)]:
            if place < len(found) and found[place] is not None:
                numbers[place] = self._code(found[place])
        return numbers[used]

    def load_state(self, state: Mapping[str, Any]) -> None:
        """Go on from a snapshot."""
        self.texts = state["texts"]
        self._codes = {text: code for code, text in enumerate(self.texts)}

    def _code(self, text: str) -> int:
        code = self._codes.get(text)
        if code is None:
            code = self._codes[text] = len(self.texts)
            self.texts.append(text)
        return code


def learn_classes(texts: Sequence[str]) -> tuple[Label, ...]:
    """The classes that labels spell: numbers if all do, in the usual way, else text; in order."""
    if all(map(is_canonical_number, texts)):
        return tuple(sorted(set(map(numeric_label, texts))))
    return tuple(sorted(set(texts)))


def class_codes(texts: Sequence[str], classes: Sequence[Label]) -> Codes:
    """The class of each text, -1 if it is not among them."""
    by_text = {key_of(label): code for code, label in enumerate(classes)}
    numbers: dict[Label, int] = {
        label: code for code, label in enumerate(classes) if not isinstance(label, str | bool)
    }
    codes = np.full(len(texts) + 1, MISSING, np.int32)  # the last: a missing cell
    for place, text in enumerate(texts):
        code = by_text.get(text)
        if code is None and numbers:
            code = numbers.get(_number(text))
        if code is None and text.lower() in ("true", "false"):
            code = by_text.get(text.lower())
        codes[place] = MISSING if code is None else code
    return codes


def is_sign(text: str) -> bool:
    """Whether a text spells -1, 0 or 1: where two of them are the classes, 1 is positive."""
    return _number(text) in (-1, 0, 1)


def _number(text: str) -> Label:
    try:
        return numeric_label(text)
    except ValueError:
        return text
