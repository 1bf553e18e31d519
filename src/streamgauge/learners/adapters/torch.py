"""Adapter for PyTorch modules: an optimiser step per mini-batch."""

from __future__ import annotations

import copy
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

import numpy as np

from streamgauge._support.errors import MissingExtra, UsageError, check_integer
from streamgauge._support.types import Floats, Schema, Targets
from streamgauge.learners.adapters._dense import Dense, DenseBatch
from streamgauge.learners.base import Guarded

if TYPE_CHECKING:
    import torch

__doctest_requires__ = {"from_torch": ["torch"]}


class TorchLearner(Guarded):
    """A PyTorch module, or a function of (inputs, outputs) that makes one, on mini-batches.

    Its prediction is the softmax of its outputs, one per class; in regression its only output.
    Nominal features are one-hot encoded and missing values become 0. The learner abstains before
    the first mini-batch.
    """

    def __init__(
        self,
        module: torch.nn.Module | Callable[[int, int], torch.nn.Module],
        optimizer: Callable[[Any], torch.optim.Optimizer] | None = None,
        loss: Callable[..., torch.Tensor] | None = None,
        batch_size: int = 32,
        epochs: int = 1,
        name: str | None = None,
    ) -> None:
        torch = import_torch()
        if not (isinstance(module, torch.nn.Module) or callable(module)):
            raise UsageError(
                f"from_torch({module!r}): expected a module, or a function that makes one from the "
                "number of inputs and the number of outputs"
            )
        if not (optimizer is None or callable(optimizer)):
            raise UsageError(
                f"optimizer={type(optimizer).__name__}: expected a function of the parameters, "
                "since each run makes its own optimizer, e.g. lambda p: torch.optim.SGD(p, lr=0.1)"
            )
        for what, count in (("batch_size", batch_size), ("epochs", epochs)):
            check_integer(what, count)
            if count < 1:
                raise UsageError(f"{what}={count}: expected 1 or more")
        self._given, self.optimizer, self.loss = module, optimizer, loss
        self.batch_size, self.epochs = batch_size, epochs
        self.name = name or getattr(module, "__name__", type(module).__name__)

    @property
    def period(self) -> int:
        """Rows between two changes of the predictions: the mini-batch size."""
        return self.batch_size

    @period.setter
    def period(self, rows: int) -> None:
        self.batch_size = rows

    @property
    def made_with(self) -> str:
        """The package whose version may change its results."""
        return f"torch {import_torch().__version__}"

    def start(self, schema: Schema, seed: int) -> None:
        torch = import_torch()
        self._schema, self._k = schema, len(schema.classes)
        k = self._k
        self._dense = Dense(schema)
        self._rng_state = torch.Generator().manual_seed(seed_for_torch(seed)).get_state()
        with self._own_rng():
            if isinstance(self._given, torch.nn.Module):
                self.module = copy.deepcopy(self._given)
            else:
                self.module = self._given(self._dense.width, k or 1)
            if not isinstance(self.module, torch.nn.Module):
                raise UsageError(
                    f"{self.name}(inputs, outputs) returned {type(self.module).__name__}; expected "
                    "a torch.nn.Module"
                )
            make = self.optimizer or (lambda parameters: torch.optim.Adam(parameters, lr=0.01))
            self._step = make(self.module.parameters())
        default = torch.nn.functional.cross_entropy if k else torch.nn.functional.mse_loss
        self._measure = self.loss or default
        self._batch = DenseBatch(self.period)
        self._ready = False

    @property
    def pending(self) -> int:
        """Rows that wait for their mini-batch to fill."""
        return len(self._batch)

    @property
    def nbytes(self) -> int:
        """The parameters of the module; optimizer and waiting rows do not count."""
        return sum(p.numel() * p.element_size() for p in self.module.parameters())

    def predict(self, X: Floats) -> Floats:
        if not self._ready:
            return np.full((len(X), self._k) if self._k else len(X), np.nan)
        torch = import_torch()
        self.module.eval()
        with torch.no_grad():
            out = self._outputs(X).double()
            predictions = torch.softmax(out, dim=1) if self._k else out
        return np.asarray(predictions.numpy(), np.float64)

    def learn(self, X: Floats, y: Targets, w: Floats) -> None:
        torch = import_torch()
        for rows, labels, weights in self._batch.add(X, y, w):
            if (weights != 1).any():
                raise ValueError(
                    "a PyTorch module learns rows of weight 1 only; "
                    "use 'cv' or 'split', not 'bootstrap'"
                )
            wanted = torch.as_tensor(labels.astype(np.int64 if self._k else np.float32))
            self.module.train()
            with self._own_rng():
                for _ in range(self.epochs):
                    self._step.zero_grad()
                    self._measure(self._outputs(rows), wanted).backward()
                    self._step.step()
            self._ready = True

    def _outputs(self, X: Floats) -> torch.Tensor:
        """Rows × classes, in regression one value per row."""
        torch = import_torch()
        rows = torch.as_tensor(self._dense(X).astype(np.float32))
        try:
            out = self.module(rows)
        except RuntimeError as error:
            raise ValueError(
                f"{error}; the input was {len(X)} rows of {self._dense.width} values (float32, "
                "nominal features one-hot)"
            ) from error
        shape = tuple(out.shape) if isinstance(out, torch.Tensor) else type(out).__name__
        n, k = len(X), self._k
        if shape not in ([(n, k)] if k else [(n, 1), (n,)]):
            raise ValueError(
                f"the module returned {shape} for {n} rows; expected a tensor of shape "
                f"({n}, {k or 1}): {'one output per class' if k else 'one value per row'}"
            )
        return out if k else out.reshape(-1)

    @contextmanager
    def _own_rng(self) -> Iterator[None]:
        """Use this learner's own random state, for initial weights and dropout.

        It is independent of PyTorch's global state, so that a checkpoint contains it.
        """
        torch = import_torch()
        others = torch.get_rng_state()
        torch.set_rng_state(self._rng_state)
        try:
            yield
        finally:
            self._rng_state = torch.get_rng_state()
            torch.set_rng_state(others)

    def get_params(self) -> dict[str, Any]:
        """The adapter's parameters: the module as given, and how it is trained."""
        return {
            "module": self._given, "optimizer": self.optimizer, "loss": self.loss,
            "batch_size": self.batch_size, "epochs": self.epochs, "name": self.name,
        }  # fmt: skip

    def __repr__(self) -> str:
        return str(self.name)


def import_torch() -> Any:
    """Import PyTorch; the error says how to install it."""
    try:
        import torch
    except ImportError:
        raise MissingExtra("torch", "torch") from None
    return torch


def seed_for_torch(seed: int) -> int:
    """A seed as PyTorch takes it: its last 64 bits."""
    return seed % 2**64


@contextmanager
def one_thread() -> Iterator[None]:
    """Run PyTorch on one thread: sums do not depend on the machine, and small ones are faster."""
    torch = import_torch()
    before = torch.get_num_threads()
    torch.set_num_threads(1)
    try:
        yield
    finally:
        torch.set_num_threads(before)


def from_torch(
    module: torch.nn.Module | Callable[[int, int], torch.nn.Module],
    *,
    optimizer: Callable[[Any], torch.optim.Optimizer] | None = None,
    loss: Callable[..., torch.Tensor] | None = None,
    batch_size: int = 32,
    epochs: int = 1,
    name: str | None = None,
) -> TorchLearner:
    """Wrap a PyTorch module.

    Parameters
    ----------
    module
        A module, or a function that makes one from the number of inputs and the number of outputs.
    optimizer
        A function that makes an optimizer from the parameters; Adam at 0.01 by default.
    loss
        A function of outputs and labels; cross-entropy by default, squared error in regression.
    batch_size
        Rows in a mini-batch.
    epochs
        Optimizer steps per mini-batch.
    name
        Its name in tables.

    Returns
    -------
    TorchLearner
        The learner, for `evaluate`.

    Raises
    ------
    MissingExtra
        If PyTorch is not installed.

    Examples
    --------
    >>> import streamgauge as sg
    >>> import torch
    >>> run = sg.evaluate(sg.SEA(1000, seed=1), sg.from_torch(torch.nn.Linear))
    >>> run.summary["accuracy"] > 0.5
    True
    """
    return TorchLearner(module, optimizer, loss, batch_size, epochs, name)
