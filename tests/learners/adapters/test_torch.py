"""PyTorch modules through the adapter."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import streamgauge as sg
from streamgauge.testing import check_learner, example_stream


def test_torch_is_named_when_it_is_missing(monkeypatch: pytest.MonkeyPatch) -> None:
    import sys

    monkeypatch.setitem(sys.modules, "torch", None)
    with pytest.raises(sg.MissingExtra, match=r"pip install 'streamgauge\[torch\]'"):
        sg.from_torch(lambda inputs, outputs: None)


def layers(inputs: int, outputs: int) -> Any:
    """A small network."""
    import torch

    hidden = torch.nn.Linear(inputs, 8)
    return torch.nn.Sequential(hidden, torch.nn.ReLU(), torch.nn.Linear(8, outputs))


@pytest.mark.long
def test_torch_modules() -> None:
    pytest.importorskip("torch")
    assert check_learner(sg.from_torch(layers, batch_size=16), example_stream(200)) == []
    stream = sg.SEA(4000, seed=1)
    run = sg.evaluate(stream, sg.from_torch(layers, batch_size=8, epochs=2))
    assert run.overall["kappa"] > 0.6
    assert run.cost.model_bytes == 4 * (3 * 8 + 8 + 8 * 2 + 2)
    module = layers(3, 2)
    with pytest.raises(sg.UsageError, match="from_torch"):
        sg.evaluate(stream, module)
    assert sg.evaluate(stream.take(500), sg.from_torch(module, batch_size=8)).counts.scored == 500


@pytest.mark.long
def test_torch_regression() -> None:
    pytest.importorskip("torch")
    X = np.random.default_rng(1).normal(size=(3000, 2))
    stream = sg.from_arrays(X, X @ [3.0, -2.0], task="regression")
    run = sg.evaluate(stream, sg.from_torch(layers, batch_size=8, epochs=3))
    assert run.curve["mae", "Window(1000)"][-1] < 0.5 < run.references["Mean"]["mae"]


def forgetful(inputs: int, outputs: int) -> Any:
    """A network that draws random numbers while it learns."""
    import torch

    return torch.nn.Sequential(torch.nn.Dropout(0.5), torch.nn.Linear(inputs, outputs))


@pytest.mark.long
def test_random_numbers_are_its_own() -> None:
    """Other learners in the pass and the caller neither change them nor are changed."""
    torch = pytest.importorskip("torch")
    stream = sg.SEA(600, seed=1)
    alone = sg.evaluate(stream, sg.from_torch(forgetful, batch_size=8), seed=3)
    torch.manual_seed(7)
    expected = torch.rand(3)
    torch.manual_seed(7)
    both = sg.evaluate(
        stream, [sg.from_torch(forgetful, batch_size=8, name=name) for name in "ab"], seed=3
    )
    assert torch.equal(torch.rand(3), expected)
    for run in both:
        assert run.predictions["prediction"].equals(alone.predictions["prediction"])
    assert check_learner(sg.from_torch(forgetful, batch_size=4), example_stream(100)) == []


@pytest.mark.long
@pytest.mark.parametrize(
    ("inputs", "outputs", "complaint"),
    [
        (
            3,
            3,
            r"the module returned \(8, 3\) for 8 rows; expected a tensor of shape \(8, 2\): one",
        ),
        (3, 1, r"the module returned \(8, 1\) for 8 rows; expected a tensor of shape \(8, 2\)"),
        (2, 2, "the input was 8 rows of 3 values"),
    ],
)
def test_torch_modules_of_a_wrong_shape(inputs: int, outputs: int, complaint: str) -> None:
    pytest.importorskip("torch")
    with pytest.raises(sg.LearnerError, match=complaint):
        sg.evaluate(sg.SEA(50), sg.from_torch(layers(inputs, outputs), batch_size=8))


@pytest.mark.long
def test_bad_modules_and_optimizers_are_refused() -> None:
    torch = pytest.importorskip("torch")
    numbers = sg.from_arrays(np.ones((50, 3)), np.arange(50) / 2)
    with pytest.raises(
        sg.LearnerError, match=r"returned \(8, 2\) .*shape \(8, 1\): one value per row"
    ):
        sg.evaluate(numbers, sg.from_torch(layers(3, 2), batch_size=8))
    with pytest.raises(sg.LearnerError, match="the module returned tuple for 8 rows"):
        sg.evaluate(sg.SEA(50), sg.from_torch(torch.nn.LSTM, batch_size=8))
    with pytest.raises(sg.UsageError, match=r"from_torch\(3\): expected a module, or a function"):
        sg.from_torch(3)
    module = layers(3, 2)
    step = torch.optim.SGD(module.parameters(), lr=0.1)
    with pytest.raises(sg.UsageError, match="optimizer=SGD: expected a function of the parameters"):
        sg.from_torch(module, optimizer=step)
    with pytest.raises(sg.StreamgaugeError, match=r"returned NoneType; expected a torch\.nn"):
        sg.evaluate(sg.SEA(50), sg.from_torch(lambda inputs, outputs: None))
    with pytest.raises(sg.LearnerError, match="use 'cv' or 'split'"):
        sg.evaluate(sg.SEA(50), sg.from_torch(layers), protocol=sg.PrequentialCV(2, "bootstrap"))
