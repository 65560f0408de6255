"""The totals as protobuf: the only form in which Prometheus takes native histograms (metrics.proto, delimited).

Classic buckets stand beside the native ones, for a server that does not take these, and alone where the source is
coarser than native buckets are. Source: io.prometheus.client in
prometheus/client_model, and the encoding of protobuf.
"""

from __future__ import annotations

import struct
from collections.abc import Mapping
from itertools import accumulate

from ..collectors._metrics.estimated_sums import SUFFIX
from .grids import ZERO, ZERO_THRESHOLD, ClassicGrid
from .served_totals import NativeCounts, SeriesSnapshot, TotalsSnapshot
from .text_form import ABOUT, ESTIMATES, LATENCY, PREFIX

CONTENT_TYPE = "application/vnd.google.protobuf; proto=io.prometheus.client.MetricFamily; encoding=delimited"
COUNTER, GAUGE, HISTOGRAM = 0, 1, 4
_VARINT, _FIXED64, _BYTES = 0, 1, 2


def is_accepted(accept: str) -> bool:
    """Whether a scraper takes this form, and rather than text: what it names first it wants most."""
    kinds = [kind.strip().lower() for kind in accept.split(",")]
    places = [place for place, kind in enumerate(kinds) if _is_this(kind)]
    texts = [place for place, kind in enumerate(kinds) if kind.startswith(("text/plain", "application/openmetrics"))]
    return bool(places) and (not texts or _weight(kinds[places[0]]) >= max(_weight(kinds[one]) for one in texts))


def _is_this(kind: str) -> bool:
    words = kind.replace(" ", "").split(";")
    return words[0] == "application/vnd.google.protobuf" and "encoding=delimited" in words


def _weight(kind: str) -> float:
    found = [word for word in kind.replace(" ", "").split(";") if word.startswith("q=")]
    try:
        return float(found[0][2:]) if found else 1.0
    except ValueError:
        return 0.0


def protobuf_of(found: TotalsSnapshot, metric: str, grid: ClassicGrid) -> bytes:
    """The families of a snapshot, each with its length before it."""
    series = [_labelled(one, grid) for one in found.series]
    estimates = [_message(1, _series_label(one)) + _message(3, _double(1, one.estimated)) for one in found.series]
    families = [
        _family(metric, LATENCY, HISTOGRAM, series),
        _family(f"{metric}{SUFFIX}", ESTIMATES, COUNTER, estimates),
    ]
    for name, kind, what, member in ABOUT:
        value = _message(2 if kind == "gauge" else 3, _double(1, float(getattr(found, member))))
        suffix, number = ("", GAUGE) if kind == "gauge" else ("_total", COUNTER)
        families.append(_family(f"{PREFIX}_{name}{suffix}", what, number, [value]))
    return b"".join(_number(len(family)) + family for family in families)


def _family(name: str, what: str, kind: int, metrics: list[bytes]) -> bytes:
    head = _text(1, name) + _text(2, what) + _whole(3, kind)
    return head + b"".join(_message(4, metric) for metric in metrics)


def _labelled(one: SeriesSnapshot, grid: ClassicGrid) -> bytes:
    return _message(1, _series_label(one)) + _message(7, _histogram(one, grid))


def _series_label(one: SeriesSnapshot) -> bytes:
    return _text(1, "series") + _text(2, one.name)


def _histogram(one: SeriesSnapshot, grid: ClassicGrid) -> bytes:
    parts = [_whole(1, one.events), _double(2, one.waited)]
    sums = accumulate(one.classic.get(number, 0) for number in range(len(grid.bounds)))
    parts += [_message(3, _whole(1, total) + _double(2, bound)) for bound, total in zip(grid.bounds, sums, strict=True)]
    parts += [] if one.native is None else _native(one.native)
    seconds = int(one.created)
    created = _whole(1, seconds) + _whole(2, round((one.created - seconds) * 1e9) % 1_000_000_000)
    return b"".join((*parts, _message(15, created)))


def _native(told: NativeCounts) -> list[bytes]:
    parts = [_signed(5, told.schema), _double(6, ZERO_THRESHOLD), _whole(7, told.counts.get(ZERO, 0))]
    return parts + _spans({index: count for index, count in told.counts.items() if index != ZERO and count})


def _spans(counts: Mapping[int, int]) -> list[bytes]:
    """Runs of neighbouring buckets, and the difference of each count to the one before."""
    spans: list[list[int]] = []
    last: int | None = None
    for index in sorted(counts):
        if last is not None and index == last + 1:
            spans[-1][1] += 1
        else:
            spans.append([index if last is None else index - last - 1, 1])
        last = index
    deltas, before = [], 0
    for index in sorted(counts):
        deltas.append(_signed(13, counts[index] - before))
        before = counts[index]
    return [*(_message(12, _signed(1, offset) + _whole(2, length)) for offset, length in spans), *deltas]


# The encoding of protobuf.


def _number(value: int) -> bytes:
    out = bytearray()
    while value > 127:
        out.append(value & 127 | 128)
        value >>= 7
    out.append(value)
    return bytes(out)


def _whole(field: int, value: int) -> bytes:
    return _number(field << 3 | _VARINT) + _number(value)


def _signed(field: int, value: int) -> bytes:
    return _whole(field, value << 1 if value >= 0 else (-value << 1) - 1)


def _double(field: int, value: float) -> bytes:
    return _number(field << 3 | _FIXED64) + struct.pack("<d", value)


def _message(field: int, content: bytes) -> bytes:
    return _number(field << 3 | _BYTES) + _number(len(content)) + content


def _text(field: int, value: str) -> bytes:
    return _message(field, value.encode())
