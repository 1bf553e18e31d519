"""Some rows of a CSV file, parsed: a matrix of numbers, and codes of texts."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import pyarrow as pa

from streamgauge._support.types import Codes, Floats


class Piece:
    """Some rows, to be asked like Arrow's batches, which are slower to make.

    `news`: columns that may hold what no earlier piece did: other texts, or numbers not finite.
    `end`: the byte of the file, unpacked, where the piece ends.
    """

    def __init__(
        self,
        numbers: Floats,  # a column for each feature, those of texts free; then other numbers
        codes: Codes,  # [text column, row]
        places: dict[str, int],  # of features and other numbers, in the matrix
        texts: dict[str, tuple[int, pa.Array, list[int]]],  # place, words, those that mean missing
        news: frozenset[str],
        end: int,
    ) -> None:
        self._numbers, self._codes, self._places, self._texts = numbers, codes, places, texts
        self.news, self.end = news, end

    @property
    def num_rows(self) -> int:
        """How many, by Arrow's word."""
        return len(self._numbers)

    @property
    def columns(self) -> set[str]:
        """Their names."""
        return {*self._places, *self._texts}

    @property
    def nbytes(self) -> int:
        """Of the cells."""
        return self._numbers.nbytes + self._codes.nbytes

    def __getitem__(self, name: str) -> pa.Array:
        if name not in self._texts:
            return pa.array(self._numbers[:, self._places[name]])
        place, words, missing = self._texts[name]
        codes = self._codes[place]
        cells = pa.array(codes, mask=np.isin(codes, missing) if missing else None)
        return pa.DictionaryArray.from_arrays(cells, words)

    def is_text(self, name: str) -> bool:
        """Else the column is numbers."""
        return name in self._texts

    def coded(self, name: str) -> tuple[Codes, pa.Array]:
        """A column of texts as places among the different ones, where missing is null."""
        place, words, _ = self._texts[name]
        return self._codes[place], words

    def matrix(self, features: Sequence[str]) -> tuple[Floats, list[int]]:
        """Rows × features, where those that are numbers here are filled in, and which are not.

        The features are those the file was read for.
        """
        X = self._numbers
        if len(self._places) > len(features):
            X = np.ascontiguousarray(X[:, : len(features)])
        return X, [j for j, name in enumerate(features) if name in self._texts]

    def slice(self, start: int, length: int) -> Piece:
        """Some of the rows."""
        rows = slice(start, start + length)
        numbers, codes = self._numbers[rows], self._codes[:, rows]
        return Piece(numbers, codes, self._places, self._texts, self.news, self.end)
