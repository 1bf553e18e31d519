"""Titles of one line, captions of two."""

from __future__ import annotations

from streamgauge.figures.captions import shortened, shown_lines, shown_sentences, wrapped


def test_long_texts_are_broken_into_lines() -> None:
    lines = wrapped("word " * 40, 30)
    assert all(len(line) <= 30 for line in lines)
    assert " ".join(lines).split() == ["word"] * 40


def test_whole_sentences_are_shown_as_far_as_they_fit() -> None:
    said = ["One short sentence.", "Another one.", "word " * 40, "Never shown."]
    assert shown_lines(said) == ["One short sentence. Another one."]
    assert shown_sentences(said) == 2
    assert shown_lines([]) == []


def test_of_a_sentence_that_never_fits_the_start_is_shown() -> None:
    lines = shown_lines(["word " * 40], 30)
    assert len(lines) == 2
    assert lines[1].endswith(" …")
    assert all(len(line) <= 30 for line in lines)


def test_shortened_text_keeps_both_ends() -> None:
    text = "start" + "x" * 90 + ": accuracy"
    short = shortened(text, 40)
    assert len(short) == 40
    assert short.startswith("start")
    assert short.endswith(": accuracy")
