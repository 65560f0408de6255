"""Answers of the HTTP API: their JSON as series of samples."""

from __future__ import annotations

import json
from typing import Any, NamedTuple

MOST_ERROR = 300
"""Characters of a server's message that are repeated."""


class ValueSeries(NamedTuple):
    """A series of an answer: its labels, numbers as [seconds, text], and native histograms as [seconds, members]."""

    labels: dict[str, str]
    values: list[Any]
    histograms: list[Any]

    @property
    def name(self) -> str:
        """The name of the metric; empty for what an expression made."""
        return self.labels.get("__name__", "")


class ExemplarSeries(NamedTuple):
    """The exemplars of a series, each with its labels, value and timestamp as JSON has them."""

    labels: dict[str, str]
    exemplars: list[Any]


class ApiAnswer(NamedTuple):
    """All series of an answer. ``error``: the server's message if it has none. ``warnings``: what it says besides.
    ``exemplars`` are those of an answer about exemplars.
    """

    series: list[ValueSeries]
    error: str = ""
    error_type: str = ""
    warnings: tuple[str, ...] = ()
    exemplars: tuple[ExemplarSeries, ...] = ()


def parse_answer(text: str | bytes) -> ApiAnswer:
    """Parse the JSON of an answer. Raises ValueError if it is none."""
    try:
        found = json.loads(text, strict=False)
    except RecursionError as error:
        raise ValueError("it is nested too deeply") from error
    if not isinstance(found, dict) or "status" not in found:
        raise ValueError("it is no answer of Prometheus' HTTP API")
    said = [str(one)[:MOST_ERROR] for key in ("warnings", "infos") for one in _list(found.get(key))]
    if found["status"] != "success":
        return ApiAnswer([], str(found.get("error"))[:MOST_ERROR], str(found.get("errorType", "")), tuple(said))
    data = found.get("data")
    result = data.get("result") if isinstance(data, dict) else None
    series = [one for entry in _list(result) if (one := _series(entry))]
    exemplars = tuple(told for entry in _list(data) if (told := _exemplars(entry)))
    return ApiAnswer(series, warnings=tuple(said), exemplars=exemplars)


def _list(found: object) -> list[Any]:
    return found if isinstance(found, list) else []


def _series(entry: object) -> ValueSeries | None:
    """A series of a matrix or a vector."""
    labels = entry.get("metric") if isinstance(entry, dict) else None
    if not isinstance(entry, dict) or not isinstance(labels, dict):
        return None
    told = {str(key): str(value) for key, value in labels.items()}
    values, histograms = (_list(entry.get(name)) for name in ("values", "histograms"))
    one, other = _list(entry.get("value")), _list(entry.get("histogram"))
    return ValueSeries(told, values or ([one] if one else []), histograms or ([other] if other else []))


def _exemplars(entry: object) -> ExemplarSeries | None:
    """A series of an answer about exemplars."""
    labels = entry.get("seriesLabels") if isinstance(entry, dict) else None
    if not isinstance(entry, dict) or not isinstance(labels, dict):
        return None
    return ExemplarSeries({str(key): str(value) for key, value in labels.items()}, _list(entry.get("exemplars")))


def micros_of(seconds: object) -> int:
    """The moment of a sample in epoch microseconds: the server counts milliseconds. Raises ValueError."""
    return round(float(str(seconds)) * 1000) * 1000
