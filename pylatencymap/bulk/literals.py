"""Which of many literals stands at the beginning of each row of words."""

from __future__ import annotations

from collections.abc import Iterable

import numpy as np

from .words import BYTES, Places, Rows, Truths, Words

SHORTEST, LONGEST = BYTES, 12 * BYTES
_SLOT_BITS = 12
_FACTORS = tuple(np.uint64(factor) for factor in (0x9E3779B97F4A7C15, 0xC2B2AE3D27D4EB4F, 0x165667B19E3779F9))
"""Large, odd, and without a pattern: the upper bits of a product depend on all bits of a word."""
_SHIFT = np.uint64(64 - _SLOT_BITS)


class _Table:
    """A hash table by the first words, so many: each slot has the only literal that a row can begin with, or 0."""

    def __init__(self, keyed: int) -> None:
        self.keyed = keyed
        self._slots = np.zeros(1 << _SLOT_BITS, np.int16)

    def put(self, number: int, words: Words) -> bool:
        """Give a literal its slot; False where another one has it."""
        slot = self._slot_of(words.reshape(1, -1))[0]
        if self._slots[slot]:
            return False
        self._slots[slot] = number
        return True

    def guesses(self, rows: Rows) -> Places:
        """The number in the slot of each row."""
        return self._slots.take(self._slot_of(rows)).astype(np.int64)

    def _slot_of(self, rows: Rows) -> Places:
        total = rows[:, 0] * _FACTORS[0]
        for place in range(1, self.keyed):
            total += rows[:, place] * _FACTORS[place]
        return (total >> _SHIFT).view(np.int64)


class Literals:
    """Literals of SHORTEST to LONGEST characters, none of which begins with another one; they are numbered from 1 on.

    ``words`` is how many words a row must have at least; ``lengths`` has the characters of each, 0 first. An object
    does not change, so that threads may share it.
    """

    def __init__(self, literals: Iterable[bytes] = ()) -> None:
        self.literals = tuple(literals)
        self.lengths = np.array([0, *map(len, self.literals)])
        self.words = max(-(-int(self.lengths.max()) // BYTES), len(_FACTORS))
        self._whole = min(map(len, self.literals), default=0) // BYTES
        texts = [b"", *self.literals]
        self._expected, self._masks = self._in_words(texts), self._in_words([b"\xff" * len(text) for text in texts])
        self._tables: list[_Table] = []
        for number, literal in enumerate(self.literals, 1):
            self._put(number, min(len(literal) // BYTES, len(_FACTORS)))

    def _in_words(self, texts: list[bytes]) -> Rows:
        """The words of each text, in columns."""
        joined = b"".join(text.ljust(self.words * BYTES, b"\0") for text in texts)
        return np.frombuffer(joined, "<u8").reshape(-1, self.words).T.copy()

    def _put(self, number: int, keyed: int) -> None:
        words = self._expected[:, number]
        if not any(table.keyed == keyed and table.put(number, words) for table in self._tables):
            self._tables.append(_Table(keyed))
            self._tables[-1].put(number, words)

    def found(self, rows: Rows) -> Places:
        """The number of the literal that each row begins with, or 0."""
        numbers = np.zeros(len(rows), np.int64)
        left: Places | None = None
        for table in self._tables:
            part = rows if left is None else rows[left]
            guesses = table.guesses(part)
            guesses *= self._begin_with(part, guesses)
            if left is None:
                numbers = guesses
            else:
                numbers[left] = guesses
            if guesses.all():
                break
            left = (numbers == 0).nonzero()[0]
        return numbers

    def _begin_with(self, rows: Rows, guesses: Places) -> Truths:
        """Whether each row begins with the literal that was guessed, none being whatever."""
        differ = np.zeros(len(rows), np.uint64)
        same = bool((guesses == guesses[:1]).all())
        for place in range(self.words):
            others = rows[:, place] ^ _of(self._expected[place], guesses, same)
            if place >= self._whole:
                others &= _of(self._masks[place], guesses, same)
            differ |= others
        right: Truths = differ == 0
        return right


def _of(values: Words, numbers: Places, same: bool) -> Words:
    """The value of each number; where all are the same, once."""
    return values[numbers[:1]] if same else values.take(numbers)
