"""cLSTM (ziffer2024 §IV): an LSTM that learns batch by batch from sequences of rows."""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal

import numpy as np

from streamgauge._support.errors import UsageError, check_whole
from streamgauge._support.parameters import call_of
from streamgauge._support.types import Floats, Schema, Targets
from streamgauge.learners.adapters._dense import Batch, Dense
from streamgauge.learners.adapters.torch import import_torch, one_thread
from streamgauge.learners.base import Task
from streamgauge.learners.neural._scaling import Scaling
from streamgauge.learners.neural._sequences import Chains

if TYPE_CHECKING:
    import torch

_AT_ONCE = 16


class CLSTM:
    """Every `batch` lessons an LSTM makes `epochs` steps on all their sequences of `window` rows.

    Each step of a sequence answers for its row; a row's probabilities are the mean over the
    sequences it is in: it alone, with the row before, ... with the window - 1 rows before. No
    sequence looks ahead, and each begins with an empty state. Rows labelled in the order they
    arrived are learned in windows that slide over them, as in the paper; where labels come in
    another order or not at all, a row is learned at the end of its own sequence.

    Its optimiser is Adam at 0.01: the paper's SGD at 0.1 (`optimizer="sgd", rate=0.1`) learned
    slowly in our trials. `scale`: numbers are standardised by the lessons so far (the paper does
    not say). Nominal features are given one-hot, missing values as the mean. It abstains before its
    first full batch. The random source is PyTorch's own, seeded by the run's seed.
    """

    task: Task = "classification"

    def __init__(
        self,
        hidden: int = 50,
        window: int = 10,
        batch: int = 128,
        epochs: int = 10,
        layers: int = 1,
        optimizer: Literal["adam", "sgd"] = "adam",
        rate: float = 0.01,
        scale: bool = True,
    ) -> None:
        import_torch()
        counts = {
            "hidden": hidden, "window": window, "batch": batch, "epochs": epochs, "layers": layers
        }  # fmt: skip
        for name, count in counts.items():
            check_whole(f"CLSTM({name})", count)
            if count < 1:
                raise UsageError(f"CLSTM({name}={count}): expected 1 or more")
        if window > batch:
            raise UsageError(
                f"CLSTM(window={window}, batch={batch}): a batch must hold a sequence at least"
            )
        if optimizer not in ("adam", "sgd"):
            raise UsageError(f"CLSTM(optimizer={optimizer!r}): it is 'adam' or 'sgd'")
        if not 0 < rate < float("inf"):
            raise UsageError(f"CLSTM(rate={rate}): expected a number above 0")
        self._hidden, self._epochs, self._layers = hidden, epochs, layers
        self._optimizer, self._rate, self._scale = optimizer, rate, scale
        self.context, self.period = window, batch

    def start(self, schema: Schema, seed: int) -> None:
        torch = import_torch()
        self._k = len(schema.classes)
        self._dense = Dense(schema)
        self._scaling = Scaling(schema) if self._scale else None
        with torch.random.fork_rng(devices=[]):
            torch.manual_seed(seed)
            self._lstm = torch.nn.LSTM(
                self._dense.width, self._hidden, self._layers, batch_first=True
            )
            self._head = torch.nn.Linear(self._hidden, self._k)
        kind = torch.optim.Adam if self._optimizer == "adam" else torch.optim.SGD
        weights = [*self._lstm.parameters(), *self._head.parameters()]
        self._step = kind(weights, lr=self._rate, fused=True)
        self._batch = Batch(self.period)
        self._ready = False

    @property
    def remedy(self) -> str:
        """What may help it where past labels say much: as a feature it cannot be given them."""
        return f"try TemporalCorrection({self})"

    @property
    def made_with(self) -> str:
        """The package whose version may change its numbers."""
        return f"torch {import_torch().__version__}"

    @property
    def pending(self) -> int:
        """Lessons since the last batch."""
        return len(self._batch)

    @property
    def nbytes(self) -> int:
        weights = [*self._lstm.parameters(), *self._head.parameters()]
        return sum(weight.numel() * weight.element_size() for weight in weights)

    def predict(self, X: Floats) -> Floats:
        if not self._ready or not len(X):
            return np.full((len(X), self._k), np.nan)
        torch = import_torch()
        chains = Chains(X)
        steps = chains.from_each_row()
        # Filled up: products of very few rows are rounded otherwise than those of many.
        filled = np.resize(steps, (-(-len(steps) // _AT_ONCE) * _AT_ONCE, self.context))
        with one_thread(), torch.no_grad():
            outputs = self._head(self._lstm(self._tensor(chains.rows[filled]))[0])
            shares = np.asarray(torch.softmax(outputs.double(), dim=2).numpy())
        return chains.averaged(shares)

    def learn(self, X: Floats, y: Targets, w: Floats) -> None:
        for batch in self._batch.add(X, y, w):
            with one_thread():
                self._learn(*batch)

    def _learn(self, X: Floats, y: Targets, w: Floats) -> None:
        torch = import_torch()
        if self._scaling is not None:
            self._scaling.learn(X[:, -1], w)
        chains = Chains(X)
        steps, lessons = chains.sliding()
        taught = lessons >= 0  # the other steps are of rows without a label in this batch
        inputs = self._tensor(chains.rows[steps])
        wanted = torch.as_tensor(y[lessons[taught]].astype(np.int64))
        weight = torch.as_tensor(w[lessons[taught]].astype(np.float32))
        where = torch.as_tensor(taught)
        for _ in range(self._epochs):
            self._step.zero_grad()
            outputs = self._head(self._lstm(inputs)[0])[where]
            losses = torch.nn.functional.cross_entropy(outputs, wanted, reduction="none")
            ((losses * weight).sum() / weight.sum()).backward()
            self._step.step()
        self._ready = True

    def _tensor(self, sequences: Floats) -> torch.Tensor:
        rows = sequences.reshape(-1, sequences.shape[2])
        if self._scaling is not None:
            rows = self._scaling(rows)
        numbers = self._dense(rows).astype(np.float32)
        return import_torch().as_tensor(numbers.reshape(*sequences.shape[:2], -1))

    def __repr__(self) -> str:
        given = {
            "hidden": self._hidden, "window": self.context, "batch": self.period,
            "epochs": self._epochs, "layers": self._layers, "optimizer": self._optimizer,
            "rate": self._rate, "scale": self._scale,
        }  # fmt: skip
        return call_of(self, given)
