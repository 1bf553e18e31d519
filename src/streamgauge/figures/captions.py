"""Titles of one line, and captions of two: what fits of the sentences, the most important first."""

from __future__ import annotations

from collections.abc import Sequence

TITLE_WIDTH, CAPTION_WIDTH = 66, 84  # characters that fit the width of a figure
_LINES = 2


def shown_sentences(sentences: Sequence[str], width: int = CAPTION_WIDTH) -> int:
    """How many of the first sentences fit in two lines.

    >>> shown_sentences(["Better.", "word " * 40, "Red: true drifts."])
    1
    """
    lengths = [len(wrapped(" ".join(sentences[: i + 1]), width)) for i in range(len(sentences))]
    return sum(length <= _LINES for length in lengths)


def shown_lines(sentences: Sequence[str], width: int = CAPTION_WIDTH) -> list[str]:
    """The first sentences that fit in two lines; of one that does not even fit alone, its start."""
    count = shown_sentences(sentences, width)
    if count or not sentences:
        return wrapped(" ".join(sentences[:count]), width)
    first, second, *_ = wrapped(sentences[0], width)
    return [first, f"{second[: width - 2]} …"]


def shortened(text: str, width: int) -> str:
    """A text of at most this many characters: the middle of a long one is left out.

    >>> shortened("drift([SEA(3000), SEA(3000)]): accuracy", 24)
    'drift([SEA(…]): accuracy'
    """
    if len(text) <= width:
        return text
    end = width // 2
    return f"{text[: width - end - 1]}…{text[-end:]}"


def wrapped(text: str, width: int) -> list[str]:
    """The text in lines of at most this many characters, as far as words allow."""
    lines, line = [], ""
    for word in text.split():
        if line and len(line) + 1 + len(word) > width:
            lines.append(line)
            line = word
        else:
            line = f"{line} {word}".strip()
    return [*lines, line] if line else lines
