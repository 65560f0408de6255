"""The command oralatencymap: latency of Oracle wait events."""

from __future__ import annotations

import argparse
import os
import sys
from typing import TYPE_CHECKING

from ...errors import Exit
from ..acceptance import Acceptance
from ..alerts import Alerts
from ..main import guarded
from ..standard_streams import print_text

if TYPE_CHECKING:
    from collections.abc import Sequence

NAME = "oralatencymap"


def run(argv: Sequence[str] | None = None) -> int:
    """Run the command with these arguments (default: the process's own); returns the exit status.

    argparse ends ``--help`` and ``--version`` by SystemExit(0).
    """
    os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")  # numpy starts faster without threads that nothing here uses
    return guarded(NAME, _run, list(sys.argv[1:] if argv is None else argv))


def _run(arguments: list[str]) -> int:
    from .options import DEFAULT_SECONDS, parse_arguments

    options = parse_arguments(arguments)
    if options.print_sql:
        from ...oracle_script import script

        print_text(script(options.hours, int(options.interval or DEFAULT_SECONDS)))
        return Exit.OK
    if options.grants:
        print_text(_grants(options))
        return Exit.OK
    if not options.list_events:
        from ..setup import check_picture

        check_picture(options)
    comparing = options.against is not None
    acceptance = Acceptance(options, comparing=comparing, name=" ".join(options.events) or NAME)
    alerts = Alerts(options)
    return acceptance.run(lambda: _shown(options, acceptance, alerts))


def _shown(options: argparse.Namespace, acceptance: Acceptance, alerts: Alerts) -> int:
    """List or draw what the options name."""
    if options.awr or options.statspack:
        from .history import show_comparison_of_periods, show_history

        show = show_history if options.against is None else show_comparison_of_periods
        return show(options, acceptance)
    from .live import list_events, watch_events

    return list_events(options) if options.list_events else watch_events(options, acceptance, alerts)


def _grants(options: argparse.Namespace) -> str:
    """What to grant for these options: ``--local`` reads V$ views, a history others, and so on."""
    from ...oracle import file_views, standby_views
    from ...oracle.connection import check_user, grant_script

    user = check_user(options.user)
    if options.standby or options.datafiles is not None:
        needed, useful = standby_views() if options.standby else file_views(options.local)
        return grant_script(user, needed, useful)
    if options.awr or options.statspack:
        from ...oracle.history import missing_history_loss
        from .history import history_views

        history = history_views(options)
        return grant_script(user, history.needed, missing_history_loss(history))
    return _live_grants(options, user)


def _live_grants(options: argparse.Namespace, user: str) -> str:
    from ...oracle import missing_views_loss, queries, wanted_views
    from ...oracle.connection import container_data, grant_script
    from ...oracle.sessions import (
        NO_HISTORY,
        NO_OBJECTS,
        NO_TEXTS,
        OBJECTS_VIEW,
        SESSIONS_LOSS,
        history_view,
        sessions_view,
        texts_view,
    )

    views = wanted_views(options.local, options.container is not None)
    sessions = [(sessions_view(options.local), SESSIONS_LOSS)]
    sessions += [(texts_view(options.local), NO_TEXTS), (OBJECTS_VIEW, NO_OBJECTS)]
    if options.licensed:
        sessions += [(history_view(options.local), NO_HISTORY), (queries.PARAMETERS_VIEW, queries.NO_ACCESS)]
    granted = grant_script(user, [views.histogram], [*missing_views_loss(views), *sessions])
    return granted + (container_data(user) if views.by_container else "")
