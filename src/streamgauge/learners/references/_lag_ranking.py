"""Lags ranked by how often they repeat the label; pairs of rows are compared 64 at a time.

The labels are kept as bit planes: word w of a plane has one bit of the class code of each of the
rows 64w to 64w + 63, in order of arrival. A plane, shifted by a lag and compared with itself, shows
64 pairs at once.
"""

from __future__ import annotations

from typing import Final, NamedTuple

import numpy as np
import numpy.typing as npt

from streamgauge._support.jit import inlined
from streamgauge._support.simd import count_bits
from streamgauge._support.types import NEVER, Codes, Floats, Longs

LAGS: Final = 1024
BLOCK: Final = 64  # labels from one ranking to the next, and rows in a word
REACH: Final = LAGS + 2 * BLOCK  # rows before a row that are kept for it: whole words
_KEPT: Final = 0.9999**BLOCK  # of the hits, at each ranking
_WORD_BITS: Final = 6
_FEW_WORDS: Final = 16  # with more, rows are compared one by one
_ROWS: Final = 1 << 15  # that are kept at first: a block of rows and what is within reach of them

_KNOWN: Final = 0  # columns of `bits`: is the label revealed? since the last ranking?
_NEW: Final = 1
_CODE: Final = 2  # here the bits of the class code begin

_NEWEST: Final = 0  # entries of `now`: the newest row revealed before the last ranking
_RANKINGS: Final = 1  # how many there were
_SORTED: Final = 2  # lags taken off the heap; -1 = not a heap yet

Words = npt.NDArray[np.uint64]


class LagRanking(NamedTuple):
    """The revealed labels by order of arrival, and the hits of every lag, at [lag - 1]."""

    labels: Codes  # [row, in a ring buffer]: -1 = not revealed
    words: Longs  # [place in the ring buffer]: the word whose bits are kept there
    bits: Words  # [place, column]
    hits: Floats
    found: Longs  # hits since the last ranking
    best: Longs  # [m]: the best-ranked lag of m or more
    best_at: Longs  # [m]: the ranking of which `best` is
    heap: Longs  # all lags, the best-ranked first; at its end those taken off, the best-ranked last
    now: Longs
    new_words: Longs  # scratch: words with labels revealed since the last ranking
    differs: Words  # scratch: [shift]: rows whose label is not that of the earlier row
    before: Codes  # scratch: [LAGS - lag]: pairs with an earlier row
    after: Codes  # scratch: [lag - 1]: pairs with a later row
    own: Codes  # scratch: labels of rows that are hidden meanwhile


def new_ranking(k: int) -> LagRanking:
    """An empty ranking, for k classes."""
    return LagRanking(
        *_buffers(_ROWS, _CODE + max(1, (k - 1).bit_length())),
        np.zeros(LAGS),
        np.zeros(LAGS, np.int64),
        np.zeros(LAGS + 1, np.int64),
        np.zeros(LAGS + 1, np.int64),
        np.arange(1, LAGS + 1),
        np.array([-1, 0, -1]),
        np.empty(BLOCK, np.int64),
        np.empty(BLOCK, np.uint64),
        np.zeros(LAGS, np.int32),
        np.zeros(LAGS, np.int32),
        np.empty(BLOCK, np.int32),
    )


def _buffers(rows: int, columns: int) -> tuple[Codes, Longs, Words]:
    """Room for the labels, words and bits of `rows` rows, a power of 2."""
    labels = np.empty(rows, np.int32)  # those of a word are set when its first row arrives
    labels[-LAGS:] = -1  # read as if they came before the first row
    words = rows // BLOCK
    return labels, np.full(words, -1, np.int64), np.zeros((words, columns), np.uint64)


def enlarged(ranking: LagRanking, rows: int, first: int) -> LagRanking:
    """The ranking with room for `rows` rows or more; it keeps those from `first` on."""
    kept = np.arange(max(0, first), first + len(ranking.labels))
    words = kept[kept % BLOCK == 0] // BLOCK
    rows = 1 << (rows - 1).bit_length()
    labels, numbers, bits = _buffers(rows, ranking.bits.shape[1])
    labels[kept % rows] = ranking.labels[kept % len(ranking.labels)]
    numbers[words % len(numbers)] = ranking.words[words % len(ranking.words)]
    bits[words % len(numbers)] = ranking.bits[words % len(ranking.words)]
    return ranking._replace(labels=labels, words=numbers, bits=bits)


@inlined
def begin_word(labels: Codes, row: int) -> None:
    """If this row is the first of a word, make room for the labels of that word."""
    if row & (BLOCK - 1) == 0:
        start = row & (len(labels) - 1)
        for i in range(start, start + BLOCK):
            labels[i] = -1


@inlined
def is_ranked(ranking: LagRanking) -> bool:
    """Whether there is a ranking yet."""
    return bool(ranking.now[_RANKINGS] > 0)


@inlined
def rank(ranking: LagRanking, revealed: Longs) -> None:
    """Count the pairs that these rows complete, fade the earlier hits, and rank the lags again.

    A pair is complete when both its labels are revealed. Rows of -1 are not known.
    """
    bits, hits, found, now = ranking.bits, ranking.hits, ranking.found, ranking.now
    mask = len(bits) - 1
    oldest, newest = NEVER, now[_NEWEST]
    for i in range(BLOCK):
        if revealed[i] >= 0:
            oldest, newest = min(oldest, revealed[i]), max(newest, revealed[i])
    count = _set_bits(ranking, revealed)
    last = np.int64(0)
    for i in range(count):
        last = max(last, ranking.new_words[i])
    # Then, where the label of a later row came first, that row is the later one of the pair.
    end = min(now[_NEWEST] >> _WORD_BITS, last + LAGS // BLOCK) + 1
    first = min(oldest >> _WORD_BITS, end) if oldest < now[_NEWEST] else end
    scattered = count + end - first > _FEW_WORDS
    if scattered:
        _count_rows(ranking, revealed, newest)
    for i in range(0 if scattered else count + end - first):
        word = ranking.new_words[i] if i < count else first + i - count
        new, known = bits[word & mask, _NEW], bits[word & mask, _KNOWN]
        if ranking.words[word & mask] == word:
            later, earlier = (new, _KNOWN) if i < count else (known & ~new, _NEW)
            _count(ranking, word, later, earlier)
    for i in range(count):
        bits[ranking.new_words[i] & mask, _NEW] = 0
    for i in range(LAGS):
        hits[i] = _KEPT * hits[i] + found[i]
        found[i] = 0
    now[_NEWEST], now[_RANKINGS], now[_SORTED] = newest, now[_RANKINGS] + 1, -1


@inlined
def _set_bits(ranking: LagRanking, revealed: Longs) -> int:
    """Bring the words of these rows up to date; list them and return how many there are."""
    labels, words, bits = ranking.labels, ranking.words, ranking.bits
    count, word = 0, np.int64(-1)
    for i in range(BLOCK):
        if revealed[i] < 0 or revealed[i] >> _WORD_BITS == word:
            continue
        word = revealed[i] >> _WORD_BITS
        place = word & (len(words) - 1)
        if words[place] != word:
            words[place] = word
            bits[place, _KNOWN] = bits[place, _NEW] = 0
        if bits[place, _NEW] != 0:
            continue
        ranking.new_words[count] = word
        count += 1
        known = np.uint64(0)
        for j in range(BLOCK):
            known |= np.uint64(labels[place * BLOCK + j] >= 0) << np.uint64(j)
        bits[place, _NEW] = known & ~bits[place, _KNOWN]
        bits[place, _KNOWN] = known
        for column in range(_CODE, bits.shape[1]):
            ones = np.uint64(0)
            for j in range(BLOCK):
                bit = (labels[place * BLOCK + j] >> (column - _CODE)) & 1
                ones |= np.uint64(bit) << np.uint64(j)
            bits[place, column] = ones
    return count


@inlined
def _count(ranking: LagRanking, word: int, later: np.uint64, earlier: int) -> None:
    """Count for each lag the rows `later` of a word whose label is that of the row a lag before.

    `earlier` is the column that says which rows before them count.
    """
    words, bits, differs, found = ranking.words, ranking.bits, ranking.differs, ranking.found
    mask, one, top = len(bits) - 1, np.uint64(1), np.uint64(BLOCK - 1)
    for back in range(LAGS // BLOCK):  # lags 64 back + 1 to 64 back + 64
        low, high = (word - back - 1) & mask, (word - back) & mask
        known = bits[low, earlier] if words[low] == word - back - 1 else np.uint64(0)
        and_known = bits[high, earlier] if words[high] == word - back else np.uint64(0)
        if known | and_known == 0:
            continue
        own, a, b = bits[word & mask, _CODE], bits[low, _CODE], bits[high, _CODE] << one
        if ~(known & and_known) == 0 and bits.shape[1] == _CODE + 1:
            for i in range(BLOCK):  # the usual case in one pass: two classes, all labels known
                same = ~own ^ ((a >> (top - np.uint64(i))) | (b << np.uint64(i)))
                found[back * BLOCK + i] += count_bits(later & same)
            continue
        and_known <<= one
        for i in range(BLOCK):
            differs[i] = ~((known >> (top - np.uint64(i))) | (and_known << np.uint64(i)))
        for column in range(_CODE, bits.shape[1]):
            own, a, b = bits[word & mask, column], bits[low, column], bits[high, column] << one
            for i in range(BLOCK):
                differs[i] |= own ^ ((a >> (top - np.uint64(i))) | (b << np.uint64(i)))
        for i in range(BLOCK):
            found[back * BLOCK + i] += count_bits(later & ~differs[i])


@inlined
def _count_rows(ranking: LagRanking, revealed: Longs, newest: int) -> None:
    """Count the pairs that each of these rows completes, row by row.

    Faster than word by word where the rows are in many words. Rows of this list that are still to
    come are hidden meanwhile, so that each pair counts once.
    """
    labels, own, found = ranking.labels, ranking.own, ranking.found
    before, after, size = ranking.before, ranking.after, len(ranking.labels)
    for i in range(BLOCK):
        if revealed[i] >= 0:
            own[i] = labels[revealed[i] & (size - 1)]
    for i in range(BLOCK):
        if revealed[i] >= 0:
            labels[revealed[i] & (size - 1)] = -1
    for i in range(BLOCK):
        if revealed[i] >= 0:
            place, label = revealed[i] & (size - 1), own[i]
            _add_equal(labels, (place - LAGS) & (size - 1), LAGS, label, before)
            later = min(np.int64(LAGS), newest - revealed[i])
            _add_equal(labels, (place + 1) & (size - 1), later, label, after)
            labels[place] = label
    for lag in range(1, LAGS + 1):
        found[lag - 1] += before[LAGS - lag] + after[lag - 1]
        before[LAGS - lag] = 0
        after[lag - 1] = 0


@inlined
def _add_equal(labels: Codes, start: int, count: int, label: int, out: Codes) -> None:
    """Add one to `out` for each of the labels from `start` on, in the ring, that is the same."""
    straight = min(count, len(labels) - start)
    row = labels[start : start + straight]  # views: loops over them are vectorised
    for j in range(len(row)):
        out[j] += np.int32(row[j] == label)
    rest, tail = labels[: count - straight], out[straight:]
    for j in range(len(rest)):
        tail[j] += np.int32(rest[j] == label)


@inlined
def best_from(ranking: LagRanking, least: int) -> int:
    """The best-ranked lag of `least` or more, revealed or not."""
    hits, best, ranking_number = ranking.hits, ranking.best, ranking.now[_RANKINGS]
    if ranking.best_at[least] != ranking_number:
        lag, most = least, hits[least - 1]
        for start in range((least - 1) & -BLOCK, LAGS, BLOCK):
            more = 0
            for i in range(start, start + BLOCK):  # counted first, which is vectorised
                more += hits[i] > most
            if more > 0:
                for i in range(max(start, least), start + BLOCK):
                    if hits[i] > most:
                        lag, most = i + 1, hits[i]
        best[least], ranking.best_at[least] = lag, ranking_number
    return int(best[least])


@inlined
def best_revealed(ranking: LagRanking, row: int, least: int) -> int:
    """The best-ranked lag of `least` or more whose label is revealed; 0 if there is none.

    Lags are sorted only as far as needed.
    """
    labels, heap, now = ranking.labels, ranking.heap, ranking.now
    if now[_SORTED] < 0:
        for place in range(LAGS // 2 - 1, -1, -1):
            _sift(ranking, place, LAGS)
        now[_SORTED] = 0
    for better in range(LAGS):
        place = LAGS - 1 - better
        if better == now[_SORTED]:  # take the next lag off the heap
            heap[0], heap[place] = heap[place], heap[0]
            _sift(ranking, 0, place)
            now[_SORTED] += 1
        lag = heap[place]
        if lag >= least and labels[(row - lag) & (len(labels) - 1)] >= 0:
            return int(lag)
    return 0


@inlined
def _ahead(ranking: LagRanking, lag: int, other: int) -> bool:
    """Whether a lag is ranked before another one."""
    own, its = ranking.hits[lag - 1], ranking.hits[other - 1]
    return own > its or (own == its and lag < other)


@inlined
def _sift(ranking: LagRanking, place: int, size: int) -> None:
    """Move a lag down the heap to where it belongs."""
    heap = ranking.heap
    lag = heap[place]
    while True:
        child = 2 * place + 1
        if child >= size:
            break
        if child + 1 < size and _ahead(ranking, heap[child + 1], heap[child]):
            child += 1
        if not _ahead(ranking, heap[child], lag):
            break
        heap[place] = heap[child]
        place = child
    heap[place] = lag
