"""Echo-state network: a fixed random recurrent layer and a linear readout that fades."""

from __future__ import annotations

import math
from typing import Final

import numpy as np

from streamgauge._support.errors import UsageError, check_integer
from streamgauge._support.free_memory import check_memory
from streamgauge._support.jit import kernel
from streamgauge._support.parameters import Parametrized
from streamgauge._support.types import Codes, Flags, Floats, Schema, Targets
from streamgauge.learners.adapters._dense import DenseBatch
from streamgauge.learners.base import Guarded, Task
from streamgauge.learners.neural._one_hot import OneHot
from streamgauge.learners.neural._readout import Readout
from streamgauge.learners.neural._scaling import Scaling
from streamgauge.learners.neural._sequences import sequences

_LINKS = 10  # of a unit to others
_STEPS: Final = 100  # after which a vector grows as the largest eigenvalue says
_TINY: Final = 1e-300
_MOST = {"hidden_size": 10_000, "window_size": 10_000, "batch_size": 1_000_000}


class ESN(Guarded, Parametrized):
    """Echo-state network: a random recurrent layer, never trained, and a linear readout.

    The layer reads a row and the rows before it, from an empty state; what it then holds, the row's
    own features and a constant are the inputs of the readout. After every batch the readout is the
    ridge regression of the classes on the rows learned so far, of which older ones fade. Its
    outputs, cut off at 0 and divided by their sum, are the probabilities. Each unit of the layer
    listens to all features and to ten other units.

    The time of a batch grows with the cube, its memory with the square, of the units plus the
    nominal values seen: some hundreds are fast, ten thousand are not.

    Numeric features are standardised by the rows learned so far, nominal ones are one-hot encoded,
    and a missing value becomes the mean. Abstains before its first full batch.

    Parameters
    ----------
    hidden_size
        Units of the recurrent layer.
    window_size
        Rows that the layer reads: the row and those before it.
    batch_size
        Rows between two updates of the readout.
    spectral_radius
        Largest absolute eigenvalue of the recurrent weights; the smaller, the faster the layer
        forgets.
    input_scale
        Input weights are uniform between minus and plus this number.
    fading
        The weight of learned rows that is kept per row.
    ridge
        Penalty on the weights of the readout.

    References
    ----------
    jaeger2001, ziffer2024 (docs/bibliography.md)

    Examples
    --------
    >>> import streamgauge as sg
    >>> stream = sg.inject(sg.Sine1(3000, seed=1), order=2)
    >>> for run in sg.evaluate(stream, [sg.ESN(), sg.HoeffdingTree()]):
    ...     print(f"{run.name}: {run.summary['kappa']:.2f}")
    ESN: 0.66
    HoeffdingTree: 0.44
    """

    task: Task = "classification"

    def __init__(
        self,
        hidden_size: int = 100,
        window_size: int = 10,
        batch_size: int = 128,
        spectral_radius: float = 0.9,
        input_scale: float = 1.0,
        fading: float = 0.998,
        ridge: float = 1.0,
    ) -> None:
        self.hidden_size, self.window_size, self.batch_size = hidden_size, window_size, batch_size
        self.spectral_radius, self.input_scale = spectral_radius, input_scale
        self.fading, self.ridge = fading, ridge
        for name, most in _MOST.items():
            count = getattr(self, name)
            check_integer(f"ESN({name})", count)
            if not 1 <= count <= most:
                raise UsageError(f"ESN({name}={count}): expected 1 or more, up to {most:,}")
        for name in ("spectral_radius", "input_scale", "ridge"):
            if not 0 < getattr(self, name) < float("inf"):
                raise UsageError(f"ESN({name}={getattr(self, name)}): expected a number above 0")
        if not 0 < fading <= 1:
            raise UsageError(
                f"ESN(fading={fading}): expected 0 < fading <= 1, the weight kept per row"
            )
        self.context, self.period = window_size, batch_size

    def start(self, schema: Schema, seed: int) -> None:
        self._schema, self._k = schema, len(schema.classes)
        self._one_hot, self._scaling = OneHot(schema), Scaling(schema)
        random = np.random.default_rng(seed)
        units, links = self.hidden_size, min(_LINKS, self.hidden_size)
        shape = units, self._one_hot.width + 1
        check_memory(
            2 * math.prod(shape) * np.dtype(np.float64).itemsize,  # as drawn, and transposed
            f"{self!r}: input weights of {shape[0]:,} units × {shape[1]:,} inputs",
            "fewer features or nominal values, or a smaller hidden_size",
        )
        drawn = random.uniform(-self.input_scale, self.input_scale, shape)
        self._inputs = np.ascontiguousarray(drawn.T)  # the weights of an input are neighbours
        chosen = [random.permutation(units)[:links] for _ in range(units)]
        self._sources: Codes = np.stack(chosen).astype(np.int32)
        self._weights = random.uniform(-1, 1, (units, links))
        _scale_weights(self._weights, self._sources, self.spectral_radius)
        self._readout = Readout(
            units, self._one_hot.width, self._one_hot.numeric, self._k, self.ridge
        )
        self._batch = DenseBatch(self.period)

    @property
    def pending(self) -> int:
        """Rows learned since the last batch."""
        return len(self._batch)

    @property
    def nbytes(self) -> int:
        """The reservoir and the readout; rows that wait for the next batch do not count."""
        parts = (self._inputs, self._sources, self._weights, self._readout)
        return sum(each.nbytes for each in parts)

    def predict(self, X: Floats) -> Floats:
        """Return class probabilities, rows × classes; a row of NaN abstains."""
        if not self._readout.is_fitted:
            return np.full((len(X), self._k), np.nan)
        return self._readout.predict(*self._states(sequences(X)))

    def learn(self, X: Floats, y: Targets, w: Floats) -> None:
        """Add rows whose labels have been revealed to the batch."""
        for rows, labels, weights in self._batch.add(sequences(X), y, w):
            self._scaling.learn(rows[:, -1], weights)
            states, features = self._states(rows)
            # The newest row of the batch weighs most.
            kept = weights * self.fading ** np.arange(len(labels) - 1, -1, -1)
            self._readout.learn(states, features, labels, kept, self.fading ** len(labels))

    def _states(self, X: Floats) -> tuple[Floats, tuple[Codes, Floats]]:
        """What the readout sees of each row: the layer's state, and the features."""
        n, window, features = X.shape
        rows = X.reshape(n * window, features)
        present = (~np.isnan(rows).all(axis=1)).astype(np.uint8).reshape(n, window)
        columns, values = self._one_hot(self._scaling(rows))
        columns, values = columns.reshape(X.shape), values.reshape(X.shape)
        states = np.empty((n, self.hidden_size))
        _run_layer(columns, values, present, self._inputs, self._sources, self._weights, states)
        return states, (columns[:, -1], np.ascontiguousarray(values[:, -1]))


@kernel
def _scale_weights(weights: Floats, sources: Codes, radius: float) -> None:
    """Give the recurrent weights a spectral radius: how much a vector grows per step, at last."""
    units = len(weights)
    vector, before = np.ones(units), np.ones(units)
    growth = 0.0
    for step in range(2 * _STEPS):
        for u in range(units):
            before[u] = vector[u]
        norm = 0.0
        for u in range(units):
            vector[u] = 0.0
            for link in range(sources.shape[1]):
                vector[u] += weights[u, link] * before[sources[u, link]]
            norm += vector[u] ** 2
        norm = max(np.sqrt(norm), _TINY)
        for u in range(units):
            vector[u] /= norm
        if step >= _STEPS:  # a single step depends on the phase of a complex eigenvalue
            growth += np.log(norm) / _STEPS
    for u in range(units):
        for link in range(sources.shape[1]):
            weights[u, link] *= radius / np.exp(growth)


@kernel
def _run_layer(
    columns: Codes,
    values: Floats,
    present: Flags,
    weights_in: Floats,
    sources: Codes,
    weights: Floats,
    out: Floats,
) -> None:
    """Write the state of the layer after each sequence to `out`; a column below 0 is no input.

    Loops: the rounding of a matrix product depends on the number of rows.
    """
    n, window, features = values.shape
    units = len(weights)
    constant = len(weights_in) - 1
    state, before = np.zeros(units), np.zeros(units)
    for i in range(n):
        for u in range(units):
            state[u] = 0.0
        for step in range(window):
            last = step == window - 1
            if not (present[i, step] or last):  # before the start of the stream
                continue
            for u in range(units):
                before[u] = state[u]
                state[u] = weights_in[constant, u]
            for j in range(features):
                column, value = columns[i, step, j], values[i, step, j]
                if column >= 0:
                    for u in range(units):
                        state[u] += weights_in[column, u] * value
            for u in range(units):
                total = state[u]
                for link in range(sources.shape[1]):
                    total += weights[u, link] * before[sources[u, link]]
                state[u] = np.tanh(total)
        for u in range(units):
            out[i, u] = state[u]
