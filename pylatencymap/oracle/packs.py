"""Whether the site allows to use the Diagnostics Pack: CONTROL_MANAGEMENT_PACK_ACCESS of the Database Reference."""

from __future__ import annotations

from .connection.driver import Connection, Trouble
from .connection.troubles import is_missing_view
from .queries import pack_access

SWITCHED_OFF = "CONTROL_MANAGEMENT_PACK_ACCESS is NONE: this site does not use the Diagnostics Pack"
WHO_ALLOWS = "where a licence exists, a DBA sets the parameter"


def is_switched_off(connection: Connection) -> bool:
    """Whether the site does not allow the pack. Where the parameter cannot be read, nobody knows: then it is allowed.
    Raises Trouble for any other failure.
    """
    try:
        rows = connection.rows(*pack_access())
    except Trouble as trouble:
        if is_missing_view(trouble):
            return False
        raise
    return any(str(value).strip().upper() == "NONE" for (value,) in rows)
