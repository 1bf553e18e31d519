"""The Bayes errors of LED and Waveform."""

from __future__ import annotations

import pytest

import streamgauge as sg
from streamgauge.papers.gama2013.estimates import led_bayes_error, waveform_bayes_error


def test_led_has_the_printed_bayes_error() -> None:
    assert round(led_bayes_error(), 3) == 0.26


def test_no_learner_beats_the_bayes_error_of_waveform() -> None:
    assert waveform_bayes_error() == pytest.approx(0.132, abs=0.003)
    run = sg.evaluate(sg.Waveform(20_000, seed=2), sg.NaiveBayes(), metrics=["error"])
    assert run.overall["error"] > waveform_bayes_error()
