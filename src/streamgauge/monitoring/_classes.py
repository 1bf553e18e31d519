"""The classes of a monitor: declared, or learned from the first labels and then fixed."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from streamgauge._support.types import Codes, Label
from streamgauge.monitoring._vocabulary import Vocabulary, class_codes, is_sign, learn_classes
from streamgauge.streams.formats.schema_inference import check_declared


class Classes:
    """Turns texts into class codes once the classes are fixed.

    Parameters
    ----------
    declared
        The classes, if they are known.
    needed
        Number of labels from which they are learned otherwise; at least two must be different.
    probabilities
        The class of each column of probabilities; None: the positive one. Two columns or more say
        what the classes are. One column is about two: the class that it names, or 1, and another.
    """

    state_fields = ("fixed", "seen", "_found")

    def __init__(
        self,
        declared: Sequence[Label] | None,
        needed: int,
        probabilities: Sequence[str | None],
        vocabulary: Vocabulary,
    ) -> None:
        self.declared = declared is not None
        self.fixed = None if declared is None else check_declared(declared)
        self.seen = 0  # labels
        self._needed, self._vocabulary = needed, vocabulary
        self._columns = len(probabilities)
        self._named = [text for text in probabilities if text is not None]
        self._found: dict[int, int] = {}  # how often each has come
        self._codes = np.empty(0, np.int32)
        if self._columns > 1:
            self.fix()

    def learn(self, codes: Codes) -> None:
        """See labels in the order in which they were read."""
        if self.fixed is not None:
            return
        for code in codes.tolist():
            self.seen += 1
            self._found[code] = self._found.get(code, 0) + 1
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
        if self.declared:
            return names
        if self._columns > 1:
            return f"{names} (those of the columns of probabilities)"
        return f"{names} (learned from the first {self.seen:,} labels)"

    def _texts(self) -> list[str]:
        """The classes as far as they are known."""
        if self._columns > 1:
            return self._named
        by_count = sorted(self._found, key=lambda code: -self._found[code])
        found = [self._vocabulary.texts[code] for code in by_count]
        if not self._columns:
            return found
        if self._named:
            others = [text for text in found if len(learn_classes([*self._named, text])) > 1]
            return [*self._named, *others[:1]]
        return ([text for text in found if is_sign(text)] or found)[:2]
