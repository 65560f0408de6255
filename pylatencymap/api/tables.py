"""Intervals and matrices as tables of pandas, polars and xarray, where these are installed."""

from __future__ import annotations

from collections.abc import Iterable
from importlib import import_module
from typing import TYPE_CHECKING, Any

import numpy as np

from ..errors import MissingPackage
from ..interval import Interval
from ..tables import COLUMNS, FLAGS, columns_of_intervals, on_grid_of, rows_of

if TYPE_CHECKING:
    from ..window import Matrix

_TEXTS = ("series", "label", "source", "unit")


def _library(name: str) -> Any:
    """A library that pylatencymap does not need itself. Raises MissingPackage."""
    try:
        return import_module(name)
    except ImportError as error:
        raise MissingPackage(f"a table of {name} needs it", name) from error


def table_columns(intervals: Iterable[Interval], resolution: int | None) -> dict[str, Any]:
    """The columns of a row per bucket, as arrays: texts as (values, places), moments as epoch microseconds, and
    numbers, which are no numbers where there is nothing.
    """
    found = on_grid_of(columns_of_intervals([*intervals]), resolution)
    rows = rows_of(found)
    each = np.repeat(np.arange(rows.size), rows)
    bucket = np.arange(each.size) - np.repeat(np.cumsum(rows) - rows, rows)
    filled = (found.sizes > 0)[each]
    entries = {
        name: np.full(each.size, empty) for name, empty in (("lower", np.nan), ("upper", np.nan), ("count", 0.0))
    }
    for name, values in (("lower", found.lowers), ("upper", found.uppers), ("count", found.counts)):
        entries[name][filled] = values
    entries["upper"][np.isinf(entries["upper"])] = np.nan
    words = [
        {"series": one.name, "label": one.label, "source": one.source, "unit": one.unit.value} for one in found.series
    ]
    table: dict[str, Any] = {name: ([one[name] for one in words], found.owners[each]) for name in _TEXTS}
    table |= {name: getattr(found, f"{name}s")[each] for name in ("start", "end")}
    table |= {"seconds": found.seconds[each], "bucket": bucket, **entries}
    table["waited"] = np.where(bucket == 0, found.waited[each], np.nan)
    table |= {name: ((found.flags & bit) > 0)[each] for name, bit in FLAGS.items()}
    table["note"] = [found.notes.get(one) for one in each.tolist()]
    return {name: table[name] for name, _ in COLUMNS if name in table}


def pandas_frame(table: dict[str, Any]) -> Any:
    """The DataFrame of pandas with these columns."""
    pandas = _library("pandas")
    made = {}
    for name, values in table.items():
        if name in _TEXTS:
            known = [*dict.fromkeys(values[0])]
            places = np.array([known.index(one) for one in values[0]], np.int64)
            made[name] = pandas.Categorical.from_codes(places[values[1]], known)
        elif name in ("start", "end"):
            made[name] = pandas.to_datetime(values, unit="us", utc=True)
        else:
            made[name] = values
    return pandas.DataFrame(made)


def polars_frame(table: dict[str, Any]) -> Any:
    """The DataFrame of polars with these columns."""
    polars = _library("polars")
    made = {}
    for name, values in table.items():
        if name in _TEXTS:
            made[name] = polars.Series(name, np.array(values[0], object)[values[1]].tolist(), polars.Categorical)
        elif name == "note":
            made[name] = polars.Series(name, values, polars.String)
        elif name in ("start", "end"):
            made[name] = polars.Series(name, values).cast(polars.Datetime("us", "UTC"))
        else:
            made[name] = polars.Series(name, values, nan_to_null=True)
    return polars.DataFrame(made)


def xarray_dataset(matrix: Matrix, series: str) -> Any:
    """The Dataset of xarray with a matrix of a series."""
    xarray = _library("xarray")
    both = ("latency", "time")
    return xarray.Dataset(
        {
            "counts": (both, matrix.counts, {"units": "events"}),
            "waited": (both, matrix.waited, {"units": "s"}),
            "seconds": ("time", matrix.seconds, {"units": "s"}),
            "gap": ("time", matrix.gap),
        },
        {
            "latency": ("latency", matrix.bounds[1:], {"units": "s"}),
            "lower": ("latency", matrix.bounds[:-1], {"units": "s"}),
            "time": ("time", matrix.ends.astype("datetime64[us]").astype("datetime64[ns]")),
        },
        {"series": series, "unit": matrix.unit.value},
    )
