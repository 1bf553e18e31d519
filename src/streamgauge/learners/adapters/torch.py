"""PyTorch modules as learners: a step of the optimiser per mini-batch."""

from __future__ import annotations

import copy
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

import numpy as np

from streamgauge._support.errors import MissingExtra, UsageError, check_whole
from streamgauge._support.types import Floats, Schema, Targets
from streamgauge.learners.adapters._dense import Batch, Dense

if TYPE_CHECKING:
    import torch


class TorchLearner:
    """A module, or a function of (inputs, outputs) that makes one, learning by mini-batches.

    It answers with a softmax over its outputs, one per class; in regression with its only output.
    Nominal features are given one-hot, missing values as 0. It abstains before the first lesson.
    """

    def __init__(
        self,
        module: torch.nn.Module | Callable[[int, int], torch.nn.Module],
        optimizer: Callable[[Any], torch.optim.Optimizer] | None = None,
        loss: Callable[..., torch.Tensor] | None = None,
        period: int = 32,
        epochs: int = 1,
        name: str | None = None,
    ) -> None:
        torch = import_torch()
        if not (isinstance(module, torch.nn.Module) or callable(module)):
            raise UsageError(
                f"from_torch({module!r}): expected a module, or a function of the numbers of "
                "inputs and outputs that makes one"
            )
        if not (optimizer is None or callable(optimizer)):
            raise UsageError(
                f"optimizer={type(optimizer).__name__}: each run has its own; expected a function "
                "of the parameters, e.g. lambda p: torch.optim.SGD(p, lr=0.1)"
            )
        for what, count in (("period", period), ("epochs", epochs)):
            check_whole(what, count)
            if count < 1:
                raise UsageError(f"{what}={count}: expected 1 or more")
        self._given, self._optimizer, self._loss = module, optimizer, loss
        self.period, self._epochs = period, epochs
        self.name = name or getattr(module, "__name__", type(module).__name__)

    def start(self, schema: Schema, seed: int) -> None:
        torch = import_torch()
        self._k = k = len(schema.classes)
        self._dense = Dense(schema)
        self._lots = torch.Generator().manual_seed(seed).get_state()
        with self._own_lots():
            if isinstance(self._given, torch.nn.Module):
                self.module = copy.deepcopy(self._given)
            else:
                self.module = self._given(self._dense.width, k or 1)
            if not isinstance(self.module, torch.nn.Module):
                raise UsageError(
                    f"{self.name}(inputs, outputs) gave {type(self.module).__name__}; expected a "
                    "torch.nn.Module"
                )
            make = self._optimizer or (lambda parameters: torch.optim.Adam(parameters, lr=0.01))
            self._step = make(self.module.parameters())
        default = torch.nn.functional.cross_entropy if k else torch.nn.functional.mse_loss
        self._measure = self._loss or default
        self._batch = Batch(self.period)
        self._ready = False

    @property
    def pending(self) -> int:
        """Lessons that wait for their mini-batch to fill."""
        return len(self._batch)

    @property
    def nbytes(self) -> int:
        return sum(p.numel() * p.element_size() for p in self.module.parameters())

    def predict(self, X: Floats) -> Floats:
        if not self._ready:
            return np.full((len(X), self._k) if self._k else len(X), np.nan)
        torch = import_torch()
        self.module.eval()
        with torch.no_grad():
            out = self._outputs(X).double()
            answers = torch.softmax(out, dim=1) if self._k else out
        return np.asarray(answers.numpy(), np.float64)

    def learn(self, X: Floats, y: Targets, w: Floats) -> None:
        torch = import_torch()
        for rows, labels, weights in self._batch.add(X, y, w):
            if (weights != 1).any():
                raise ValueError(
                    "a module learns rows of weight 1 only: no 'bootstrap', take 'cv' or 'split'"
                )
            wanted = torch.as_tensor(labels.astype(np.int64 if self._k else np.float32))
            self.module.train()
            with self._own_lots():
                for _ in range(self._epochs):
                    self._step.zero_grad()
                    self._measure(self._outputs(rows), wanted).backward()
                    self._step.step()
            self._ready = True

    def _outputs(self, X: Floats) -> torch.Tensor:
        """Rows × classes, in regression one number a row."""
        torch = import_torch()
        rows = torch.as_tensor(self._dense(X).astype(np.float32))
        try:
            out = self.module(rows)
        except RuntimeError as error:
            raise ValueError(
                f"{error}; the module was given {len(X)} rows of {self._dense.width} numbers "
                "(float32, nominal features one-hot)"
            ) from error
        shape = tuple(out.shape) if isinstance(out, torch.Tensor) else type(out).__name__
        n, k = len(X), self._k
        if shape not in ([(n, k)] if k else [(n, 1), (n,)]):
            raise ValueError(
                f"the module gave {shape} for {n} rows; expected a tensor of shape "
                f"({n}, {k or 1}): {'one output per class' if k else 'one number per row'}"
            )
        return out if k else out.reshape(-1)

    @contextmanager
    def _own_lots(self) -> Iterator[None]:
        """Random numbers of its own (for first weights and dropout), whoever else draws from
        PyTorch's: so they are kept in a checkpoint, too."""
        torch = import_torch()
        others = torch.get_rng_state()
        torch.set_rng_state(self._lots)
        try:
            yield
        finally:
            self._lots = torch.get_rng_state()
            torch.set_rng_state(others)

    def __repr__(self) -> str:
        return str(self.name)


def import_torch() -> Any:
    """PyTorch, or an error that says how to get it."""
    try:
        import torch
    except ImportError:
        raise MissingExtra("torch", "torch") from None
    return torch


@contextmanager
def one_thread() -> Iterator[None]:
    """Sums that do not depend on how many threads share them; small ones are faster so, too."""
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
    period: int = 32,
    epochs: int = 1,
    name: str | None = None,
) -> TorchLearner:
    """A PyTorch module (or a function of inputs and outputs that makes one) as a learner.

    `optimizer` makes one of the parameters (Adam, 0.01); `loss` is a function of outputs and labels
    (cross-entropy, or squared error); `period`: rows in a mini-batch.
    """
    return TorchLearner(module, optimizer, loss, period, epochs, name)
