"""The description of a reference, for tables and verdicts."""

from __future__ import annotations

import re
from typing import NamedTuple


class Reference(NamedTuple):
    """The description of a reference: what tables and verdicts call it.

    A learner with the attribute `as_reference` can be given to `evaluate(..., references=[...])`;
    so can any other learner, which goes by its own name. Where `as_reference` is a property, it is
    read again after the run, when phrase and note may say what the reference found.

    Parameters
    ----------
    name
        Its name in tables, and in metrics such as accuracy_persistent.
    phrase
        What it does, for a sentence: "repeating the last label".
    uses_label_order
        Whether it predicts from the order of the labels. If such a reference is the strongest, the
        verdict says that the order of the labels carries information.
    tie_rank
        Of references with equal scores, the verdict names the lowest rank first.
    note
        A sentence that the verdict adds, e.g. on what the reference could not do in this run.

    Examples
    --------
    A reference that always predicts the first class:

    >>> import numpy as np
    >>> import streamgauge as sg
    >>> class First:
    ...     as_reference = sg.Reference("First", "always predicting the first class")
    ...
    ...     def start(self, schema, seed):
    ...         self.k = len(schema.classes)
    ...
    ...     def predict(self, X):
    ...         return np.eye(self.k)[np.zeros(len(X), int)]
    ...
    ...     def learn(self, X, y, w):
    ...         pass
    >>> run = sg.evaluate(sg.SEA(1000), sg.NaiveBayes(), references=[First()])
    >>> print(str(run.verdict["First"].phrase), run.verdict["First"].word)
    always predicting the first class better
    """

    name: str
    phrase: str
    uses_label_order: bool = False
    tie_rank: int = 9
    note: str = ""

    @property
    def column(self) -> str:
        """Its name in columns of predictions and in metrics, such as accuracy_persistent."""
        return column_of(self.name)


def column_of(reference: str) -> str:
    """The column of a reference by its name.

    >>> column_of("Majority(forget=Window(100))")
    'majority_forget_window_100'
    """
    return re.sub(r"\W+", "_", reference.lower()).strip("_")


def accuracy_column(reference: str) -> str:
    """The metric that is a reference's accuracy."""
    return f"accuracy_{column_of(reference)}"
