"""Parses lines of the format: samples, comments that declare a type or a unit, and moments of scrapes."""

from __future__ import annotations

import re
from collections.abc import Mapping
from functools import lru_cache
from typing import NamedTuple

from ...record import Stamp
from ...text import decimal_of, moment_of
from .._metrics.estimated_sums import SUFFIX

MAX_LINE = 64_000
"""Characters. Longer lines are not samples."""

EARLIEST, LATEST = 1_000_000_000_000_000, 4_102_444_800_000_000
"""2001 to 2100, in microseconds."""

PROCESS_START = "process_start_time_seconds"

_SAMPLE = re.compile(
    r"([a-zA-Z_:][\w:]*)?(?:\{((?:[^\"}]|\"(?:[^\"\\]|\\.)*\")*)\})?[ \t]+"  # name and labels
    r"([-+]?[\w.][\w.+-]*)(?:[ \t]+(-?[0-9][0-9.eE+-]*))?[ \t]*(?:#.*)?\r?$"  # value, moment, exemplar
)
_LABEL = re.compile(r'\s*(?:"((?:[^"\\]|\\.)*)"|([^\s"=,{}]+))(?:\s*(=\s*"((?:[^"\\]|\\.)*)"))?\s*(?:,|$)')
_META = re.compile(r"# (TYPE|UNIT|HELP) (\"(?:[^\"\\]|\\.)*\"|\S+)(?: +(\S+))?")
_SCRAPED = re.compile(r"#?\s*(?:(?:scraped?|fetched|taken)\b:?\s*(?:at\b)?)?:?\s*", re.IGNORECASE)
_ESCAPED = re.compile(r"\\(.)")
_KINDS = ("_bucket", "_sum", "_count", "_created", SUFFIX)


class SampleLabels(NamedTuple):
    """Labels in their order, without ``le``, which is separate. ``name``: the metric's, if it is among them."""

    pairs: tuple[tuple[str, str], ...]
    le: str | None
    name: str


class MetricSample(NamedTuple):
    """A number of a histogram. ``kind``: bucket, sum, count, created or estimated_total. ``moment``: epoch
    microseconds, if printed.
    """

    metric: str
    kind: str
    labels: SampleLabels
    value: str
    moment: int | None


class ProcessStart(NamedTuple):
    """When a process started, in epoch microseconds. ``place``: its job and instance, see ``place_of``."""

    place: tuple[str, str]
    micros: int


class Meta(NamedTuple):
    """A comment such as ``# TYPE metric histogram``."""

    kind: str
    metric: str
    word: str


def sample_of(text: str) -> MetricSample | None:
    """The sample in a line if it can belong to a histogram; else None."""
    found = _SAMPLE.match(text) if len(text) <= MAX_LINE else None
    if found is None:
        return None
    name, inner, value, moment = found.groups()
    labels = _labels(inner or "")
    metric, kind = _split(name or labels.name)
    return MetricSample(metric, kind, labels, value, _moment(moment)) if kind else None


def process_start_of(text: str) -> ProcessStart | None:
    """When a process started, if a line says that."""
    found = _SAMPLE.match(text) if text.startswith(PROCESS_START) and len(text) <= MAX_LINE else None
    if found is None or found[1] != PROCESS_START:
        return None
    seconds = decimal_of(found[3])
    micros = int(seconds * 1_000_000) if seconds is not None and seconds.is_finite() else 0
    where = dict(_labels(found[2] or "").pairs)
    return ProcessStart(place_of(where), micros) if EARLIEST <= micros < LATEST else None


def place_of(labels: Mapping[str, str]) -> tuple[str, str]:
    """The job and the instance that labels name: empty in what a process says of itself."""
    return labels.get("job", ""), labels.get("instance", "")


def is_native(text: str) -> bool:
    """Whether a line is a sample of a native histogram, whose value is a structure."""
    return re.match(r"[a-zA-Z_:][\w:]*(?:\{[^{}]*\})? +\{ *(?:count|schema|sum) *:", text) is not None


def is_broken_bucket(text: str) -> bool:
    """Whether a line that is no sample begins like that of a bucket."""
    return re.match(r"[a-zA-Z_:][\w:]*_bucket\{", text) is not None


def meta_of(text: str) -> Meta | None:
    """A comment that declares something about a metric."""
    found = _META.match(text)
    return Meta(found[1], found[2].strip('"'), (found[3] or "").lower()) if found else None


def scraped_at(text: str) -> Stamp | None:
    """The moment that a script printed before a scrape: ``# scraped at 1795249486.007``, or the output of ``date``."""
    found = _SCRAPED.match(text)
    return moment_of(text[found.end() :] if found else text)


@lru_cache(maxsize=4096)
def _split(name: str) -> tuple[str, str]:
    for kind in _KINDS:
        if name.endswith(kind) and name != kind:
            return name.removesuffix(kind), kind[1:]
    return name, ""


@lru_cache(maxsize=20_000)
def _labels(inner: str) -> SampleLabels:
    pairs, le, name, place = [], None, "", 0
    while found := _LABEL.match(inner, place):
        quoted, bare, _, value = found.groups()
        key = _unescaped(quoted) if quoted is not None else bare
        if value is None:
            name = key
        elif key == "le":
            le = value
        else:
            pairs.append((key, _unescaped(value)))
        place = found.end()
    return SampleLabels(tuple(pairs), le, name)


def _unescaped(text: str) -> str:
    return _ESCAPED.sub(lambda found: "\n" if found[1] == "n" else found[1], text) if "\\" in text else text


def _moment(text: str | None) -> int | None:
    """Parse milliseconds since 1970 (text format), or seconds with a fraction (OpenMetrics)."""
    number = decimal_of(text) if text else None
    if number is None:
        return None
    micros = int(number * (1000 if number >= 10**11 else 1_000_000))
    return micros if EARLIEST <= micros < LATEST else None
