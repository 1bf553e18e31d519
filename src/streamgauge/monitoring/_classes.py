"""The classes of a monitor: declared, or learned from the first labels and then fixed."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from streamgauge._support.types import Codes, Label
from streamgauge.monitoring._vocabulary import Vocabulary, class_codes, learn_classes
from streamgauge.streams.formats.schema_inference import check_declared


class Classes:
    """Turns texts into class codes once the classes are fixed.

    Parameters
    ----------
    declared
        The classes, if they are known.
    needed
        Number of labels from which they are learned otherwise; at least two must be different.
    named
        Classes that columns of probabilities name: they exist, whether a label has come or not.
    """

    def __init__(
        self,
        declared: Sequence[Label] | None,
        needed: int,
        named: Sequence[str],
        vocabulary: Vocabulary,
    ) -> None:
        self.declared = declared is not None
        self.fixed = None if declared is None else check_declared(declared)
        self.seen = 0  # labels
        self._needed, self._named, self._vocabulary = needed, list(named), vocabulary
        self._found: list[int] = []
        self._codes = np.empty(0, np.int32)

    def learn(self, codes: Codes) -> None:
        """See labels in the order in which they were read."""
        if self.fixed is not None:
            return
        for code in codes.tolist():
            self.seen += 1
            if code not in self._found:
                self._found.append(code)
            if self.seen >= self._needed and len(self._texts()) > 1:
                self.fix()
                return

    def fix(self) -> None:
        """Fix the classes seen so far."""
        if self.fixed is None and len(self._texts()) > 1:
            self.fixed = learn_classes(self._texts())

    def codes(self) -> Codes:
        """The class of every code of the vocabulary; the last: of a missing cell."""
        assert self.fixed is not None
        texts = self._vocabulary.texts
        if len(self._codes) != len(texts) + 1:
            self._codes = class_codes(texts, self.fixed)
        return self._codes

    @property
    def text(self) -> str:
        """Where the classes come from, for people."""
        if self.fixed is None:
            return f"classes are being learned: {self.seen:,} of {self._needed:,} labels so far"
        names = ", ".join(map(str, self.fixed))
        return names if self.declared else f"{names} (learned from the first {self.seen:,} labels)"

    def _texts(self) -> list[str]:
        found = [self._vocabulary.texts[code] for code in self._found]
        return list(dict.fromkeys([*found, *self._named]))
