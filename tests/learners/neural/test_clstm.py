"""cLSTM: the battery, its sequences, what it learns that others cannot, and what it refuses."""

from __future__ import annotations

import copy
import pickle
import sys
from typing import Any

import numpy as np
import pytest

import streamgauge as sg
from streamgauge.learners.base import remedy_for
from streamgauge.learners.learner_text import parse_learner
from streamgauge.learners.neural._scaling import Scaling
from streamgauge.learners.neural._sequences import Chains
from streamgauge.learners.neural.clstm import _mean_by_row
from streamgauge.testing import check_learner, example_stream
from tests.streams.tables import whole


def small(**more: Any) -> sg.CLSTM:
    pytest.importorskip("torch")
    return sg.CLSTM(**{"hidden_size": 4, "window_size": 4, "batch_size": 16, "epochs": 2, **more})


def sequences(rows: list[int], window: int) -> np.ndarray[Any, Any]:
    """Rows by number, each after those before it."""
    return np.array(
        [
            [[r - b] if r >= b else [np.nan] for b in range(window - 1, -1, -1)]
            for r in rows
        ],
        float,
    )  # fmt: skip


def test_the_battery() -> None:
    assert check_learner(small(batch_size=8, epochs=1), example_stream(40)) == []


@pytest.mark.parametrize(
    "options", [{"cell": "gru"}, {"average": "logits", "scale": False}], ids=["gru", "logits"]
)
def test_battery_with_the_other_options(options: dict[str, Any]) -> None:
    assert check_learner(small(batch_size=8, epochs=1, **options), example_stream(40)) == []


def test_means_by_row_are_what_a_loop_gives() -> None:
    torch = pytest.importorskip("torch")
    random = np.random.default_rng(1)
    outputs, row = random.normal(size=(20, 3)).astype(np.float32), random.integers(0, 4, 20)
    found = _mean_by_row(torch.as_tensor(outputs), row, 4).numpy()
    for r in range(4):
        np.testing.assert_allclose(found[r], outputs[row == r].mean(axis=0), rtol=1e-5)


@pytest.mark.long
def test_battery_with_the_default_parameters() -> None:
    pytest.importorskip("torch")
    assert check_learner(sg.CLSTM(), example_stream(400)) == []


def test_sequences_slide_over_rows_learned_in_order() -> None:
    chains = Chains(sequences(list(range(20, 28)), 5))
    steps, given = chains.sliding()
    assert len(steps) == 8 - 5 + 1
    assert chains.rows[steps][:, :, 0].tolist() == [
        [i + j for j in range(5)] for i in range(20, 24)
    ]
    assert given.tolist() == [[i + j for j in range(5)] for i in range(4)]


def test_rows_learned_in_another_order_end_their_own_sequence() -> None:
    chains = Chains(sequences([9, 4, 5, 1], 4))
    steps, given = chains.sliding()
    assert chains.rows[steps][:, :, 0].tolist()[:2] == [[6, 7, 8, 9], [2, 3, 4, 5]]
    assert given.tolist()[:2] == [[-1, -1, -1, 0], [-1, -1, 1, 2]]
    assert chains.rows[steps[2]][:2, 0].tolist() == [0, 1]  # the stream began just before
    assert given.tolist()[2] == [-1, 3, -1, -1]


@pytest.mark.parametrize("rows", [[0, 1, 2, 3, 4], [0], [7, 8, 3, 4, 5, 0], [12, 5, 19]])
def test_an_answer_is_the_mean_over_the_sequences_of_a_row(rows: list[int]) -> None:
    window = 4
    chains = Chains(sequences(rows, window))
    steps = chains.from_each_row()
    # What a sequence says of a row: a number made of where it begins and of the row.
    begin, row = chains.rows[steps[:, :1], 0], chains.rows[steps, 0]
    said = np.stack([begin * 100 + row, begin - row], axis=2)
    for got, r in zip(chains.averaged(said), rows, strict=True):
        first = [b for b in range(r - window + 1, r + 1) if b >= 0]
        assert got == pytest.approx([np.mean([b * 100 + r for b in first]), np.mean(first) - r])


def test_predictions_do_not_depend_on_other_rows_of_the_call() -> None:
    learner = small()
    stream = sg.inject(sg.Sine1(400, seed=1), 2)
    block = whole(stream)
    X = np.concatenate([np.full((3, 2), np.nan), block.X])
    rows = np.stack([X[i : i + 4] for i in range(400)])
    learner.start(stream.schema, 1)
    assert np.isnan(learner.predict(rows[:5])).all()
    learner.learn(rows[:40], block.y[:40], np.ones(40))
    together = learner.predict(rows)
    np.testing.assert_allclose(together.sum(axis=1), 1, atol=1e-12)
    alone = np.concatenate([learner.predict(rows[i : i + 1]) for i in range(400)])
    np.testing.assert_array_equal(together, alone)
    mixed = np.random.default_rng(0).permutation(400)
    np.testing.assert_array_equal(learner.predict(rows[mixed]), together[mixed])


def test_it_learns_what_single_rows_do_not_show() -> None:
    pytest.importorskip("torch")
    stream = sg.inject(sg.Sine1(6000, seed=1), 2)
    options: list[Any] = [{}, {"cell": "gru"}, {"average": "logits"}]
    networks = [sg.CLSTM(hidden_size=20, epochs=5, **more) for more in options]
    *runs, tree = sg.evaluate(stream, [*networks, sg.HoeffdingTree()])
    for run in runs:
        assert run.summary["kappa"] > tree.summary["kappa"] + 0.1
        assert run.summary["kappa_temporal"] > 0.2
    assert tree.summary["kappa_temporal"] < 0


def test_the_seed_decides() -> None:
    stream = sg.Sine1(600, seed=1)
    runs = [sg.evaluate(stream, small(), seed=seed) for seed in (1, 1, 2)]
    said = [run.predictions.column("prediction").to_pylist() for run in runs]
    assert said[0] == said[1] != said[2]


def test_its_state_can_be_copied_and_saved() -> None:
    learner = small()
    stream = sg.Sine1(300, seed=1)
    block = whole(stream)
    rows = np.repeat(block.X[:, None], 4, axis=1)
    learner.start(stream.schema, 1)
    learner.learn(rows[:100], block.y[:100], np.ones(100))
    copies = [copy.deepcopy(learner), pickle.loads(pickle.dumps(learner))]
    learner.learn(rows[100:200], block.y[100:200], np.ones(100))
    after = learner.predict(rows[200:])
    for each in copies:
        assert not np.array_equal(each.predict(rows[200:]), after)
        each.learn(rows[100:200], block.y[100:200], np.ones(100))
        np.testing.assert_array_equal(each.predict(rows[200:]), after)


def test_weights_count() -> None:
    stream = sg.Sine1(400, seed=1)
    folds = sg.evaluate(stream, small(), protocol=sg.PrequentialCV(3, "bootstrap"))
    assert 0 < folds.mean["accuracy"] < 1


def test_it_leaves_torch_unchanged() -> None:
    torch = pytest.importorskip("torch")
    torch.manual_seed(7)
    state, threads = torch.get_rng_state(), torch.get_num_threads()
    sg.evaluate(sg.Sine1(300, seed=1), small())
    assert torch.equal(torch.get_rng_state(), state)
    assert torch.get_num_threads() == threads


def test_by_text() -> None:
    pytest.importorskip("torch")
    learner = parse_learner("CLSTM(hidden_size=8, optimizer='sgd', learning_rate=0.1)")
    assert repr(learner) == "CLSTM(hidden_size=8, optimizer='sgd', learning_rate=0.1)"
    assert repr(sg.CLSTM()) == "CLSTM()"
    assert (learner.context, learner.period) == (10, 128)


@pytest.mark.parametrize(
    ("arguments", "complaint"),
    [
        ({"hidden_size": 0}, r"CLSTM\(hidden_size=0\): expected 1 or more"),
        ({"epochs": 1.5}, r"CLSTM\(epochs\)"),
        ({"window_size": 20, "batch_size": 10}, "expected window_size <= batch_size"),
        ({"optimizer": "lbfgs"}, "expected 'adam' or 'sgd'"),
        ({"cell": "rnn"}, r"CLSTM\(cell='rnn'\): expected 'lstm' or 'gru'"),
        ({"average": "labels"}, "expected 'probabilities' or 'logits'"),
        ({"learning_rate": 0}, "expected a number above 0"),
        ({"learning_rate": float("nan")}, "expected a number above 0"),
    ],
)
def test_what_is_refused(arguments: Any, complaint: str) -> None:
    pytest.importorskip("torch")
    with pytest.raises(sg.UsageError, match=complaint):
        sg.CLSTM(**arguments)


def test_it_is_for_classes() -> None:
    with pytest.raises(sg.UsageError, match="is for classification, this stream is for regression"):
        sg.evaluate(example_stream(regression=True), small())


def test_torch_is_named_when_it_is_missing(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "torch", None)
    with pytest.raises(sg.MissingExtra, match=r"pip install 'streamgauge\[torch\]'"):
        sg.CLSTM()


def test_scaling() -> None:
    random = np.random.default_rng(1)
    schema = sg.Schema(("a", "b", "c"), ((), ("x", "y"), ()), (0, 1))
    X = np.column_stack([random.normal(5, 3, 90), random.integers(0, 2, 90), np.full(90, 4.0)])
    X[::7, 0] = np.nan
    w = random.integers(1, 3, 90).astype(float)
    scaling = Scaling(schema)
    for part in (slice(0, 1), slice(1, 40), slice(40, 90)):
        scaling.learn(X[part], w[part])
    there = ~np.isnan(X[:, 0])
    mean = np.average(X[there, 0], weights=w[there])
    deviation = np.sqrt(np.average((X[there, 0] - mean) ** 2, weights=w[there]))
    out = scaling(X)
    np.testing.assert_allclose(out[there, 0], (X[there, 0] - mean) / deviation)
    assert np.array_equal(out[:, 1], X[:, 1])
    assert np.allclose(out[:, 2], 0)


def test_its_remedy_is_temporal_correction() -> None:
    run = sg.evaluate(sg.inject(sg.Sine1(2000, seed=1), 4), small())
    assert "TemporallyAugmented(CLSTM" not in str(run)
    assert remedy_for(small()).startswith("try TemporalCorrection(CLSTM(")


@pytest.mark.parametrize("scale", [True, False])
def test_extreme_features_windows_of_one_row_and_numpy_integers(scale: bool) -> None:
    X = np.tile([[1e300, 1e308], [-1e300, -1e308], [0.0, 5e-324]], (20, 1))
    y, size = np.tile([0, 1, 1], 20), np.int64(3)
    learner = small(hidden_size=size, window_size=1, batch_size=6, scale=scale)
    run = sg.evaluate(sg.from_arrays(X, y), learner)
    np.testing.assert_allclose(run.learner.predict(X).sum(axis=1), 1)
