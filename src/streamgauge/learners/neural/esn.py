"""Echo-state network: a fixed random recurrent layer and a linear readout that fades."""

from __future__ import annotations

from typing import Final

import numpy as np

from streamgauge._support.errors import UsageError, check_integer
from streamgauge._support.jit import kernel
from streamgauge._support.parameters import Parametrized
from streamgauge._support.types import Codes, Flags, Floats, Schema, Targets
from streamgauge.learners.adapters._dense import Batch, Dense
from streamgauge.learners.base import Task
from streamgauge.learners.neural._scaling import Scaling

_LINKS = 10  # of a unit to others
_STEPS: Final = 100  # after which a vector grows as the largest eigenvalue says
_TINY: Final = 1e-300
_MOST = {"hidden_size": 10_000, "window_size": 10_000, "batch_size": 1_000_000}


class ESN(Parametrized):
    """Echo-state network: a random recurrent layer, never trained, and a linear readout.

    The layer reads a row and the rows before it, from an empty state; what it then holds, the row's
    own features and a constant are the inputs of the readout. After every batch the readout is the
    ridge regression of the classes on the rows learned so far, of which older ones fade. Its
    outputs, cut off at 0 and divided by their sum, are the probabilities. Each unit of the layer
    listens to all features and to ten other units.

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
        """Reset, for a stream of this schema."""
        self._k = len(schema.classes)
        self._dense, self._scaling = Dense(schema), Scaling(schema)
        random = np.random.default_rng(seed)
        units, links = self.hidden_size, min(_LINKS, self.hidden_size)
        width = self._dense.width
        self._inputs = random.uniform(-self.input_scale, self.input_scale, (units, width + 1))
        chosen = [random.permutation(units)[:links] for _ in range(units)]
        self._sources: Codes = np.stack(chosen).astype(np.int32)
        self._weights = random.uniform(-1, 1, (units, links))
        _scale_weights(self._weights, self._sources, self.spectral_radius)
        size = units + width + 1
        self._products, self._wanted = np.zeros((size, size)), np.zeros((size, self._k))
        self._readout = np.empty((0, self._k))  # none before the first batch
        self._batch = Batch(self.period)

    @property
    def pending(self) -> int:
        """Rows learned since the last batch."""
        return len(self._batch)

    @property
    def nbytes(self) -> int:
        """Size of the model in bytes."""
        parts = (self._inputs, self._sources, self._weights, self._products, self._wanted)
        return sum(each.nbytes for each in (*parts, self._readout))

    def predict(self, X: Floats) -> Floats:
        """Return class probabilities, rows × classes; a row of NaN abstains."""
        out = np.full((len(X), self._k), np.nan)
        if len(self._readout):
            _read_out(self._states(X), self._readout, out)
        return out

    def learn(self, X: Floats, y: Targets, w: Floats) -> None:
        """Add rows whose labels have been revealed to the batch."""
        for rows, labels, weights in self._batch.add(X, y, w):
            self._scaling.learn(rows[:, -1], weights)
            states = self._states(rows)
            # The newest row of the batch weighs most.
            kept = weights * self.fading ** np.arange(len(labels) - 1, -1, -1)
            faded = self.fading ** len(labels)
            _accumulate(states, labels, kept, faded, self._products, self._wanted)
            self._readout = self._wanted.copy()
            _solve(self._products, self.ridge, self._readout)

    def _states(self, X: Floats) -> Floats:
        """What the readout sees of each row: the layer's state, the features, a constant."""
        n, window, features = X.shape
        rows = X.reshape(n * window, features)
        present = (~np.isnan(rows).all(axis=1)).astype(np.uint8).reshape(n, window)
        inputs = self._dense(self._scaling(rows)).reshape(n, window, self._dense.width)
        out = np.ones((n, self.hidden_size + inputs.shape[2] + 1))
        out[:, self.hidden_size : -1] = inputs[:, -1]
        _run_layer(inputs, present, self._inputs, self._sources, self._weights, out)
        return out


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
    inputs: Floats,
    present: Flags,
    weights_in: Floats,
    sources: Codes,
    weights: Floats,
    out: Floats,
) -> None:
    """Write the state of the layer after each sequence to the first columns of `out`.

    Loops: the rounding of a matrix product depends on the number of rows.
    """
    n, window, width = inputs.shape
    units = len(weights)
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
            for u in range(units):
                total = weights_in[u, width]
                for j in range(width):
                    total += weights_in[u, j] * inputs[i, step, j]
                for link in range(sources.shape[1]):
                    total += weights[u, link] * before[sources[u, link]]
                state[u] = np.tanh(total)
        for u in range(units):
            out[i, u] = state[u]


# The linear algebra is in loops, too: that of NumPy uses several threads, which for matrices this
# small cost more than they save, and rounds otherwise on another machine.
@kernel
def _accumulate(
    states: Floats, y: Codes, weight: Floats, faded: float, products: Floats, wanted: Floats
) -> None:
    """Fade the sums, then add the products of the states, and those with the classes."""
    size, k = wanted.shape
    for a in range(size):
        for b in range(a + 1):
            products[a, b] *= faded
        for c in range(k):
            wanted[a, c] *= faded
    for i in range(len(states)):
        for a in range(size):
            weighted = weight[i] * states[i, a]
            wanted[a, y[i]] += weighted
            for b in range(a + 1):
                products[a, b] += weighted * states[i, b]


@kernel
def _solve(products: Floats, ridge: float, solution: Floats) -> None:
    """Solve (products + ridge) x = solution in place, by Cholesky; only the lower half is read."""
    size, k = solution.shape
    factor = np.zeros((size, size))
    for a in range(size):
        for b in range(a + 1):
            total = products[a, b] + (ridge if a == b else 0.0)
            for j in range(b):
                total -= factor[a, j] * factor[b, j]
            factor[a, b] = np.sqrt(max(total, _TINY)) if a == b else total / factor[b, b]
    for c in range(k):
        for a in range(size):
            for j in range(a):
                solution[a, c] -= factor[a, j] * solution[j, c]
            solution[a, c] /= factor[a, a]
        for a in range(size - 1, -1, -1):
            for j in range(a + 1, size):
                solution[a, c] -= factor[j, a] * solution[j, c]
            solution[a, c] /= factor[a, a]


@kernel
def _read_out(states: Floats, readout: Floats, out: Floats) -> None:
    """Class probabilities: the outputs, cut off at 0 and divided by their sum."""
    k = readout.shape[1]
    for i in range(len(states)):
        total = 0.0
        for c in range(k):
            value = 0.0
            for j in range(states.shape[1]):
                value += states[i, j] * readout[j, c]
            out[i, c] = max(value, 0.0)
            total += out[i, c]
        for c in range(k):
            out[i, c] = out[i, c] / total if total > 0 else 1.0 / k
