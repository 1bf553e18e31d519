"""TENET streams by name on the command line, and --inject on any stream."""

from __future__ import annotations

import pytest

import streamgauge as sg
from tests.cli.running import Shell


def test_evaluate_injects_a_tenet_stream(shell: Shell) -> None:
    asked = ("tenet:sine1:gradual", "--rows", "3000", "--inject", "2")
    code, out, err = shell("evaluate", *asked, "--learner", "NaiveBayes", "-v")
    assert (code, err) == (0, "")
    assert "inject(tenet:Sine1:gradual(100000, seed=1), order=2)[:3000] · 3,000 rows" in out
    stream = sg.inject(sg.tenet_streams("gradual")["Sine1"], 2).take(3000)
    run = sg.evaluate(stream, sg.NaiveBayes())
    assert f"{run.summary['kappa']:.3f}" in out


def test_inspect_injects_a_file(shell: Shell) -> None:
    plain = shell("inspect", "table.csv").out
    code, out, err = shell("inspect", "table.csv", "--inject", "4")
    assert (code, err) == (0, "")
    assert out.startswith("inject(table, order=4) · 2,000 rows")
    assert out.endswith("Next: streamgauge evaluate table.csv --inject 4\n")
    assert out != plain


@pytest.mark.parametrize(
    ("arguments", "complaint"),
    [
        (["tenet:LED"], "TENET has no stream 'LED'; expected SEA"),
        (["tenet:SEA:slow"], "drift='slow'): expected 'abrupt' or 'gradual'"),
        (["tenet:SEA", "--target", "y"], "fixed columns; remove --target"),
        (
            ["tenet:SEA", "--variant", "x"],
            "and tenet:SEA is a generated stream",
        ),
        (["table.csv", "--inject", "3"], "order=3; expected an even number"),
    ],
)
def test_invalid_tenet_options_are_errors(
    shell: Shell, arguments: list[str], complaint: str
) -> None:
    code, _, err = shell("evaluate", *arguments)
    assert code == 2
    assert complaint in err
