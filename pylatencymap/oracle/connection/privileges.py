"""Writes the statements that grant the least privileges we need. Source: Oracle Database Reference and Security Guide,
12.1 to 23.
"""

from __future__ import annotations

from collections.abc import Iterable

ANYBODY = "the_user"


def base_view(view: str) -> str:
    """The view on which a privilege is granted. GV$X is a public synonym for the view SYS.GV_$X, and a grant on the
    synonym fails with ORA-02030. What is named with its owner is no view of SYS.
    """
    return view.upper() if "." in view else f"SYS.{view.upper().replace('V$', 'V_$', 1)}"


def grant_statement(view: str, user: str) -> str:
    """The statement that lets a user read a view."""
    return f"GRANT READ ON {base_view(view)} TO {user or ANYBODY};"


def grant_script(user: str, needed: Iterable[str], useful: Iterable[tuple[str, str]]) -> str:
    """A script with all grants. ``useful`` has optional views, each with what is lost without it.

    Comments have lines of their own because SQL*Plus ends a statement only at a ``;`` at the end of a line.
    """
    lines = [
        "-- The least that oralatencymap needs, to be run as SYS.",
        "-- Before 12.1.0.2 write SELECT in the place of READ.",
        f"GRANT CREATE SESSION TO {user or ANYBODY};",
        *(grant_statement(view, user) for view in needed),
    ]
    for view, lost in useful:
        lines += [f"-- Without the next one: {lost}.", grant_statement(view, user)]
    return "\n".join(lines) + "\n"


def container_data(user: str) -> str:
    """What a common user of a CDB needs to see the rows of other containers, for whom it is no comment. Source: Oracle
    Database Security Guide, "Enabling Common Users to View CONTAINER_DATA Object Information".
    """
    statement = f"ALTER USER {user or ANYBODY} SET CONTAINER_DATA = ALL CONTAINER = CURRENT;"
    about = "-- In the root, a common user sees the rows of other containers only after the next one."
    return f"{about}\n{'' if user.upper().startswith('C##') else '-- '}{statement}\n"
