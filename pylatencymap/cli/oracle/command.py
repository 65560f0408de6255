"""The command oralatencymap: latency of Oracle wait events."""

from __future__ import annotations

import argparse
import os
import sys
from collections.abc import Sequence

from ...errors import Exit
from ..main import guarded
from ..streams import emit

NAME = "oralatencymap"


def run(argv: Sequence[str] | None = None) -> int:
    """Run the command with these arguments (default: the process's own); returns the exit status.

    argparse ends ``--help`` and ``--version`` by SystemExit(0).
    """
    os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")  # numpy starts faster without threads that nothing here uses
    return guarded(NAME, _run, list(sys.argv[1:] if argv is None else argv))


def _run(arguments: list[str]) -> int:
    from .options import DEFAULT_SECONDS, parsed

    options = parsed(arguments)
    if options.print_sql:
        from ...oracle_script import script

        emit(script(options.hours, int(options.interval or DEFAULT_SECONDS)))
        return Exit.OK
    if options.grants:
        emit(_grants(options))
        return Exit.OK
    if options.awr:
        from .history import show_history

        return show_history(options)
    from .live import list_events, watch_events

    return list_events(options) if options.list_events else watch_events(options)


def _grants(options: argparse.Namespace) -> str:
    """What to grant for these options: ``--local`` reads V$ views, ``--awr`` the history as well."""
    from ...oracle.config import check_user
    from ...oracle.grants import grants
    from ...oracle.queries import HISTORY_VIEW, SNAPSHOTS_VIEW
    from ...oracle.views import useful, wanted_views

    views = wanted_views(options.local)
    needed = [views.histogram, *([SNAPSHOTS_VIEW, HISTORY_VIEW] if options.awr else [])]
    return grants(check_user(options.user), needed, useful(views))
