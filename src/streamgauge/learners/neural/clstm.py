"""cLSTM (ziffer2024 §IV): an LSTM that learns batch by batch from sequences of rows."""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal

import numpy as np

from streamgauge._support.errors import UsageError, check_integer
from streamgauge._support.parameters import Parametrized
from streamgauge._support.types import Floats, Longs, Schema, Targets
from streamgauge.learners.adapters._dense import Dense, DenseBatch
from streamgauge.learners.adapters.torch import import_torch, one_thread, seed_for_torch
from streamgauge.learners.base import Guarded, Task
from streamgauge.learners.neural._scaling import Scaling
from streamgauge.learners.neural._sequences import Chains, sequences

if TYPE_CHECKING:
    import torch

__doctest_requires__ = {"CLSTM": ["torch"]}
_FARTHEST = float(np.finfo(np.float32).max)
_AT_ONCE = 16

_CHOICES = {
    "optimizer": ("adam", "sgd"),
    "cell": ("lstm", "gru"),
    "average": ("probabilities", "logits"),
}
_MOST = {
    "hidden_size": 10_000,
    "window_size": 10_000,
    "batch_size": 1_000_000,
    "epochs": 1_000_000,
    "num_layers": 100,
}


class CLSTM(Guarded, Parametrized):
    """cLSTM: an LSTM that learns batch by batch from sequences of consecutive rows.

    After every batch of rows it makes `epochs` steps on all their sequences. Each step of a
    sequence predicts its row; a row's probabilities are the mean over the sequences that contain
    it: the row alone, with the row before, ... with the window_size - 1 rows before. No sequence
    looks ahead, and each starts with an empty state. Rows labelled in the order they arrived are
    learned in sliding windows, as in the paper; where labels come in another order or not at all, a
    row is learned at the end of its own sequence.

    The default optimiser is Adam at 0.01: the paper's SGD at 0.1 (`optimizer="sgd",
    learning_rate=0.1`) learned slowly in our trials. Nominal features are one-hot encoded. A
    missing value becomes the feature's mean, or 0 with `scale=False`. Abstains before its first
    full batch. Random numbers are PyTorch's, with the seed of the run.

    Parameters
    ----------
    hidden_size
        Size of the hidden state.
    window_size
        Rows in a sequence.
    batch_size
        Rows in a batch.
    epochs
        Optimiser steps per batch.
    num_layers
        Number of LSTM layers.
    optimizer
        "adam" or "sgd".
    learning_rate
        Learning rate of the optimiser.
    scale
        Standardise numeric features by the rows learned so far; the paper does not say whether it
        does.
    cell
        "lstm", or "gru": a GRU in place of the LSTM.
    average
        "probabilities": every step of a sequence has its own loss, and a row's probabilities are
        averaged. "logits": a row's outputs are averaged over its sequences before the loss and
        before the softmax, as in code that a co-author of the paper has published; with
        `scale=False` the learner follows that code.

    Raises
    ------
    MissingExtra
        If PyTorch is not installed.

    References
    ----------
    ziffer2024 (docs/bibliography.md)

    Examples
    --------
    >>> import streamgauge as sg
    >>> run = sg.evaluate(sg.SEA(600, seed=1), sg.CLSTM(hidden_size=8))
    >>> run.predictions["prediction"].null_count  # it abstains before its first full batch
    128
    >>> run.summary["accuracy"] > 0.5
    True
    """

    task: Task = "classification"

    def __init__(
        self,
        hidden_size: int = 50,
        window_size: int = 10,
        batch_size: int = 128,
        epochs: int = 10,
        num_layers: int = 1,
        optimizer: Literal["adam", "sgd"] = "adam",
        learning_rate: float = 0.01,
        scale: bool = True,
        cell: Literal["lstm", "gru"] = "lstm",
        average: Literal["probabilities", "logits"] = "probabilities",
    ) -> None:
        import_torch()
        self.hidden_size, self.window_size, self.batch_size = hidden_size, window_size, batch_size
        self.epochs, self.num_layers = epochs, num_layers
        self.optimizer, self.learning_rate, self.scale = optimizer, learning_rate, scale
        self.cell, self.average = cell, average
        for name, most in _MOST.items():
            count = getattr(self, name)
            check_integer(f"CLSTM({name})", count)
            if not 1 <= count <= most:
                raise UsageError(f"CLSTM({name}={count}): expected 1 or more, up to {most:,}")
        if window_size > batch_size:
            raise UsageError(
                f"CLSTM(window_size={window_size}, batch_size={batch_size}): expected window_size "
                "<= batch_size, so that a batch holds at least one sequence"
            )
        for name, choices in _CHOICES.items():
            if getattr(self, name) not in choices:
                raise UsageError(
                    f"CLSTM({name}={getattr(self, name)!r}): expected "
                    f"{' or '.join(map(repr, choices))}"
                )
        if not 0 < learning_rate < float("inf"):
            raise UsageError(f"CLSTM(learning_rate={learning_rate}): expected a number above 0")
        self.context, self.period = window_size, batch_size

    def start(self, schema: Schema, seed: int) -> None:
        torch = import_torch()
        self._schema, self._k = schema, len(schema.classes)
        self._dense = Dense(schema)
        self._scaling = Scaling(schema) if self.scale else None
        with torch.random.fork_rng(devices=[]):
            torch.manual_seed(seed_for_torch(seed))
            make = torch.nn.LSTM if self.cell == "lstm" else torch.nn.GRU
            width = max(1, self._dense.width)  # without features, the input is a zero
            size, layers = int(self.hidden_size), int(self.num_layers)  # not NumPy's, for torch
            self._network = make(width, size, layers, batch_first=True)
            self._head = torch.nn.Linear(size, self._k)
        kind = torch.optim.Adam if self.optimizer == "adam" else torch.optim.SGD
        weights = [*self._network.parameters(), *self._head.parameters()]
        self._step = kind(weights, lr=self.learning_rate, fused=True)
        self._batch = DenseBatch(self.period)
        self._ready = False

    @property
    def made_with(self) -> str:
        """The package whose version may change its results."""
        return f"torch {import_torch().__version__}"

    @property
    def pending(self) -> int:
        """Rows learned since the last batch."""
        return len(self._batch)

    @property
    def nbytes(self) -> int:
        """The weights of network and head; optimizer and waiting rows do not count."""
        weights = [*self._network.parameters(), *self._head.parameters()]
        return sum(weight.numel() * weight.element_size() for weight in weights)

    def predict(self, X: Floats) -> Floats:
        """Return class probabilities, rows × classes; a row of NaN abstains."""
        if not self._ready or not len(X):
            return np.full((len(X), self._k), np.nan)
        torch = import_torch()
        chains = Chains(sequences(X))
        steps = chains.from_each_row()
        # Padded: products of very few rows round differently from those of many.
        filled = np.resize(steps, (-(-len(steps) // _AT_ONCE) * _AT_ONCE, self.context))
        with one_thread(), torch.no_grad():
            outputs = self._head(self._network(self._tensor(chains.rows[filled]))[0]).double()
            if self.average == "probabilities":
                return chains.averaged(torch.softmax(outputs, dim=2).numpy())
            averaged = torch.as_tensor(chains.averaged(outputs.numpy()))
            return np.asarray(torch.softmax(averaged, dim=1).numpy())

    def learn(self, X: Floats, y: Targets, w: Floats) -> None:
        """Add rows whose labels have been revealed to the batch."""
        for batch in self._batch.add(sequences(X), y, w):
            with one_thread():
                self._learn(*batch)

    def _learn(self, X: Floats, y: Targets, w: Floats) -> None:
        torch = import_torch()
        if self._scaling is not None:
            self._scaling.learn(X[:, -1], w)
        chains = Chains(X)
        steps, rows = chains.sliding()
        labelled = rows >= 0  # the other steps belong to rows without a label in this batch
        inputs = self._tensor(chains.rows[steps])
        of_step = rows[labelled]  # the row of each step that counts
        scored = np.arange(len(y)) if self.average == "logits" else of_step
        wanted = torch.as_tensor(y[scored].astype(np.int64))
        weight = torch.as_tensor(w[scored].astype(np.float32))
        where = torch.as_tensor(labelled)
        for _ in range(self.epochs):
            self._step.zero_grad()
            outputs = self._head(self._network(inputs)[0])[where]
            if self.average == "logits":
                outputs = _mean_by_row(outputs, of_step, len(y))
            losses = torch.nn.functional.cross_entropy(outputs, wanted, reduction="none")
            ((losses * weight).sum() / weight.sum()).backward()
            self._step.step()
        self._ready = True

    def _tensor(self, sequences: Floats) -> torch.Tensor:
        n, window, features = sequences.shape
        rows = sequences.reshape(n * window, features)
        if self._scaling is not None:
            rows = self._scaling(rows)
        numbers = np.zeros((len(rows), 1), np.float32)
        if features:  # clipped: torch's numbers end earlier
            numbers = self._dense(rows).clip(-_FARTHEST, _FARTHEST).astype(np.float32)
        return import_torch().as_tensor(numbers.reshape(n, window, numbers.shape[1]))


def _mean_by_row(outputs: torch.Tensor, row: Longs, n: int) -> torch.Tensor:
    """The mean of the outputs that belong to each of n rows."""
    torch = import_torch()
    counts = torch.as_tensor(np.bincount(row, minlength=n).astype(np.float32))
    totals = torch.zeros((n, outputs.shape[1])).index_add(0, torch.as_tensor(row), outputs)
    return totals / counts[:, None]
