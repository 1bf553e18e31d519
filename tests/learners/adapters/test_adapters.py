"""scikit-learn's models and PyTorch's modules as learners, in mini-batches too."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import streamgauge as sg
from streamgauge._support.types import LEARN, Floats, Schema
from streamgauge.learners.adapters._dense import Batch, Dense
from streamgauge.learners.run_events import calls
from streamgauge.testing import _agendas, check_learner, example_stream


def test_rows_as_plain_numbers() -> None:
    schema = Schema(("a", "b", "c"), ((), ("x", "y", "z"), ()), ("n", "m"))
    dense = Dense(schema)
    X = np.array([[1.5, 2, 7], [np.nan, 0, np.nan], [3, np.nan, 4]])
    assert dense.width == 5
    assert dense(X).tolist() == [[1.5, 0, 0, 1, 7], [0, 1, 0, 0, 0], [3, 0, 0, 0, 4]]
    numbers = Dense(Schema(("a",), ((),), ()))
    assert numbers(np.array([[np.nan], [2.0]])).tolist() == [[0], [2]]


def test_rows_wait_until_their_batch_is_full() -> None:
    batch = Batch(3)
    rows = np.arange(10.0)[:, np.newaxis]
    y, w = np.arange(10), np.ones(10)
    sizes = []
    for start, stop in ((0, 2), (2, 3), (3, 10)):
        full = batch.add(rows[start:stop], y[start:stop], w[start:stop])
        sizes.append([labels.tolist() for _, labels, _ in full])
    assert sizes == [[], [[0, 1, 2]], [[3, 4, 5], [6, 7, 8]]]
    assert len(batch) == 1


@pytest.mark.parametrize("batch_size", [1, 7])
def test_scikit_learn_keeps_every_rule(batch_size: int) -> None:
    from sklearn.linear_model import SGDClassifier

    model = SGDClassifier(loss="log_loss", random_state=3, eta0=1e-9, learning_rate="constant")
    assert check_learner(sg.from_sklearn(model, batch_size=batch_size), example_stream(30)) == []


def test_scikit_learns_regressors() -> None:
    """As a literal loop; how many rows are asked at a time moves the last digit."""
    from sklearn.linear_model import SGDRegressor

    random = np.random.default_rng(1)
    X = random.normal(size=(400, 2))
    stream = sg.from_arrays(X, X @ [3.0, -2.0], task="regression")
    run = sg.evaluate(stream, sg.from_sklearn(SGDRegressor(random_state=1), batch_size=20))
    model, said = SGDRegressor(random_state=1), [np.full(20, np.nan)]
    for start in range(0, 400, 20):
        part = slice(start, start + 20)
        model.partial_fit(X[part], X[part] @ [3.0, -2.0])
        said.append(model.predict(X[start + 20 : start + 40]) if start < 380 else np.empty(0))
    ours = run.predictions.column("prediction").to_numpy()
    np.testing.assert_allclose(ours, np.concatenate(said), rtol=1e-12)


def test_scikit_learn_as_it_is() -> None:
    from sklearn.naive_bayes import GaussianNB

    stream = sg.SEA(2000, seed=1)
    model = GaussianNB()
    run = sg.evaluate(stream, model)
    assert run.name == "GaussianNB"
    assert not hasattr(model, "theta_")  # the one handed in is as it was
    assert run.learner.model.class_count_.sum() == 2000
    ours = sg.evaluate(stream, sg.NaiveBayes())
    assert abs(run.overall["accuracy"] - ours.overall["accuracy"]) < 0.01
    assert 0.99 < run.overall["coverage"] < 1  # it abstains before it has seen both classes


def test_labels_only_and_mini_batches() -> None:
    """A literal loop of predict and partial_fit every 50 rows gives the same answers."""
    from sklearn.linear_model import SGDClassifier

    stream = sg.SEA(1000, seed=4)
    block = next(stream.blocks(1000))
    run = sg.evaluate(stream, sg.from_sklearn(SGDClassifier(random_state=1), batch_size=50))
    model = SGDClassifier(random_state=1)
    said: list[int | None] = []
    for start in range(0, 1000, 50):
        part = slice(start, start + 50)
        said += [None] * 50 if start == 0 else model.predict(block.X[part]).tolist()
        model.partial_fit(block.X[part], block.y[part], classes=[0, 1])
    assert run.predictions.column("prediction").to_pylist() == said


def test_calls_are_merged_up_to_the_next_change() -> None:
    class Counts:
        period = 10
        pending = 4

        def start(self, schema: Schema, seed: int) -> None: ...
        def predict(self, X: Floats) -> Floats:
            return X[:, 0]

        def learn(self, X: Floats, y: Floats, w: Floats) -> None: ...

    _, agenda = next(_agendas(sg.SEA(36, seed=1), sg.Immediate(), 100))
    merged = list(calls(Counts(), agenda))
    assert [(len(asked), len(taught)) for asked, taught in merged] == [
        (6, 6), (10, 10), (10, 10), (10, 10), (0, 0),
    ]  # fmt: skip
    assert all((agenda.ops[taught] == LEARN).all() for _, taught in merged)


def test_what_cannot_learn_in_pieces() -> None:
    from sklearn.cluster import MiniBatchKMeans
    from sklearn.ensemble import RandomForestClassifier
    from sklearn.pipeline import make_pipeline
    from sklearn.preprocessing import StandardScaler

    with pytest.raises(sg.UsageError, match="has no partial_fit; expected a scikit-learn model"):
        sg.from_sklearn(RandomForestClassifier())
    from sklearn.linear_model import SGDClassifier, SGDRegressor

    with pytest.raises(sg.UsageError, match="batch_size=0"):
        sg.from_sklearn(SGDClassifier(), batch_size=0)
    for batch_only in (RandomForestClassifier(), make_pipeline(StandardScaler(), SGDClassifier())):
        with pytest.raises(sg.UsageError, match=r"has no partial_fit; .* pass the last step"):
            sg.evaluate(sg.SEA(10), batch_only)
    for stream in (sg.SEA(10), sg.from_arrays(np.ones((9, 1)), np.arange(9) / 2)):
        with pytest.raises(sg.UsageError, match="KMeans is neither a classifier nor a regressor"):
            sg.evaluate(stream, MiniBatchKMeans(2))
    with pytest.raises(sg.UsageError, match="SGDRegressor is for regression"):
        sg.evaluate(sg.SEA(10), SGDRegressor())


def test_weights_of_a_model_that_takes_none() -> None:
    class Simple:
        def partial_fit(self, X: Floats, y: Floats, classes: Any = None) -> None: ...
        def predict(self, X: Floats) -> Floats:
            return np.zeros(len(X))

    assert sg.evaluate(sg.SEA(50), Simple()).overall["coverage"] > 0.9
    with pytest.raises(sg.LearnerError, match="Simple does not support sample_weight"):
        sg.evaluate(sg.SEA(50), Simple(), protocol=sg.PrequentialCV(2, "bootstrap"))


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
    """A network that draws lots while it learns."""
    import torch

    return torch.nn.Sequential(torch.nn.Dropout(0.5), torch.nn.Linear(inputs, outputs))


@pytest.mark.long
def test_torch_draws_its_own_lots() -> None:
    """Whoever else draws: other learners in the same pass, or the caller; nor does it disturb."""
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
def test_what_is_no_torch_module() -> None:
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
    with pytest.raises(sg.StreamgaugeError, match=r"gave NoneType; expected a torch\.nn"):
        sg.evaluate(sg.SEA(50), sg.from_torch(lambda inputs, outputs: None))
    with pytest.raises(sg.LearnerError, match="use 'cv' or 'split'"):
        sg.evaluate(sg.SEA(50), sg.from_torch(layers), protocol=sg.PrequentialCV(2, "bootstrap"))
