"""Where the few characters stand for which something is true, 64 of them looked at together."""

from __future__ import annotations

import numpy as np

from .words import Places, Truths, Words

_BITS = 6
"""A word has 2^6 bits."""
_FRACTION, _BIAS = 52, 1023
"""Of doubles: the bits behind the exponent, and what is added to it."""


def places_of(truths: Truths) -> Places:
    """The places of what is true, in ascending order. Where it is one in 40 or fewer, this is sooner than nonzero."""
    words = _packed(truths)
    places = (words != 0).nonzero()[0]
    words = words[places]
    places <<= _BITS
    found = [_lowest(words) + places]
    while (rest := (words != 0).nonzero()[0]).size:
        words, places = words[rest], places[rest]
        found.append(_lowest(words) + places)
    # Each round is in order, which this way of sorting makes use of.
    return np.sort(np.concatenate(found), kind="stable") if len(found) > 1 else found[0]


def _packed(truths: Truths) -> Words:
    """A bit of each; the first is the lowest of the first word."""
    packed = np.zeros(-(-truths.size >> _BITS), "<u8")
    packed.view(np.uint8)[: -(-truths.size // 8)] = np.packbits(truths, bitorder="little")
    return packed


def _lowest(words: Words) -> Places:
    """The places of the lowest bits of words, none of which is 0; they are taken out."""
    lowest = words & -words
    words ^= lowest
    places: Places = lowest.astype(np.float64).view(np.int64)  # the exponent of a power of two
    places >>= _FRACTION
    places -= _BIAS
    return places
