"""A chunk of parsed CSV rows: a matrix of numeric cells, and dictionary-encoded text columns."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import numpy as np
import pyarrow as pa

from streamgauge._support.arrow_numbers import arrow_numbers
from streamgauge._support.types import Codes, Floats
from streamgauge.streams.formats.csv.kernels import write_encoded

TextColumn = tuple[int, pa.Array]  # its row in the code matrix, and its distinct texts


class Chunk:
    """Some rows of a CSV file, with the interface of an Arrow batch, but faster to make.

    Parameters
    ----------
    numeric
        Matrix with a column for each feature (that of a text feature is unused), followed by the
        other numeric columns.
    codes
        The code of each text cell, [text column, row].
    matrix_columns
        Index in `numeric` of each feature and numeric column.
    texts
        The text columns.
    filled
        Numeric columns with a value in one cell or more.
    infinite
        Numeric columns with an infinite number.
    new_texts
        The texts of each text column that are new to its parser.
    end
        The byte of the (uncompressed) file where the chunk ends.
    """

    def __init__(
        self,
        numeric: Floats,
        codes: Codes,
        matrix_columns: dict[str, int],
        texts: dict[str, TextColumn],
        filled: set[str],
        infinite: set[str],
        new_texts: dict[str, list[str | None]],
        end: int,
    ) -> None:
        self._numeric, self._codes = numeric, codes
        self._matrix_columns, self._texts = matrix_columns, texts
        self.filled, self.infinite, self.new_texts, self.end = filled, infinite, new_texts, end

    @property
    def num_rows(self) -> int:
        """Number of rows, named as in Arrow."""
        return len(self._numeric)

    @property
    def to_scan(self) -> set[str]:
        """Columns that may hold something no earlier chunk holds: texts, or infinite numbers."""
        return {*self.infinite, *self.new_texts}

    @property
    def columns(self) -> set[str]:
        """The column names."""
        return {*self._matrix_columns, *self._texts}

    @property
    def nbytes(self) -> int:
        """Memory used by the cells."""
        return self._numeric.nbytes + self._codes.nbytes

    def __getitem__(self, name: str) -> pa.Array:
        if name not in self._texts:
            return arrow_numbers(self._numeric[:, self._matrix_columns[name]])
        row, texts = self._texts[name]
        return pa.DictionaryArray.from_arrays(arrow_numbers(self._codes[row]), texts)

    def is_text(self, name: str) -> bool:
        """Return whether the column is text; otherwise it is numeric."""
        return name in self._texts

    def encoded(self, name: str) -> tuple[Codes, pa.Array]:
        """Return a text column's codes and the distinct texts they index."""
        row, texts = self._texts[name]
        return self._codes[row], texts

    def matrix(
        self, features: Sequence[str], values_of: Callable[[int, pa.Array], Floats]
    ) -> Floats:
        """Return rows × features; `values_of` gives the values of a text feature's distinct texts.

        `features` must be those the file was read with.
        """
        X = self._numeric
        if len(self._matrix_columns) > len(features):
            X = np.ascontiguousarray(X[:, : len(features)])
        columns = [j for j, name in enumerate(features) if name in self._texts]
        if columns:
            texts = [self._texts[features[j]] for j in columns]
            values = [values_of(j, each) for j, (_, each) in zip(columns, texts, strict=True)]
            lengths = [len(each) for each in values]
            write_encoded(
                np.concatenate(values), np.cumsum([0, *lengths[:-1]]),
                np.ascontiguousarray(self._codes), np.array([row for row, _ in texts]),
                np.array(columns), X,
            )  # fmt: skip
        return X

    def slice(self, start: int, length: int) -> Chunk:
        """Return some of the rows, without copying."""
        rows = slice(start, start + length)
        numeric, codes = self._numeric[rows], self._codes[:, rows]
        kept = self._matrix_columns, self._texts, self.filled, self.infinite, self.new_texts
        return Chunk(numeric, codes, *kept, self.end)
