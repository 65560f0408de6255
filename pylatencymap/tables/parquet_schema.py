"""What a row of a Parquet file is: one bucket of an interval of a series; docs/aggregate.md explains the columns."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from ..errors import MissingPackage

if TYPE_CHECKING:
    import pyarrow

VERSION = 1
METADATA = b"pylatencymap"
"""The key of our JSON in the metadata of the schema."""
DAY = "day"
COLUMNS = (
    ("day", "date32"),
    ("series", "name"),
    ("label", "name"),
    ("source", "name"),
    ("unit", "name"),
    ("start", "moment"),
    ("end", "moment"),
    ("seconds", "float64"),
    ("bucket", "int32"),
    ("lower", "float64"),
    ("upper", "float64"),
    ("count", "float64"),
    ("waited", "float64"),
    ("estimated", "bool"),
    ("gap", "bool"),
    ("reset", "bool"),
    ("doubtful", "bool"),
    ("clock", "bool"),
    ("note", "string"),
)
NULLABLE = frozenset({"lower", "upper", "waited", "note"})


def arrow() -> Any:
    """The library pyarrow, which uses one core and no memory pool of its own. Raises MissingPackage."""
    try:
        import pyarrow
        import pyarrow.parquet
    except ImportError as error:
        raise MissingPackage("Parquet needs a package", "pyarrow") from error
    pyarrow.set_memory_pool(pyarrow.system_memory_pool())
    return pyarrow


def schema_of(pa: Any, with_day: bool, metadata: bytes) -> pyarrow.Schema:
    """The schema of a file. Files in folders that are named by day have no column ``day``."""
    types = {
        "date32": pa.date32(),
        "name": pa.dictionary(pa.int32(), pa.string()),
        "moment": pa.timestamp("us", tz="UTC"),
        "float64": pa.float64(),
        "int32": pa.int32(),
        "bool": pa.bool_(),
        "string": pa.string(),
    }
    fields = [pa.field(name, types[kind], nullable=name in NULLABLE) for name, kind in COLUMNS]
    return pa.schema(fields if with_day else fields[1:], metadata={METADATA: metadata})
