"""The options ``--alert`` and ``--alert-run``: what is watched while data come, and what is run then."""

from __future__ import annotations

import argparse
import shlex
import shutil
from collections.abc import Callable
from typing import TYPE_CHECKING

from ..errors import UsageError
from .standard_streams import print_notice

if TYPE_CHECKING:
    from ..conditions import LastingCondition
    from ..record import Mark
    from ..session import AlertWatch, Picture

RUN_EXAMPLE = "--alert 'p99 > 20ms for 1m' --alert-run 'notify-send latency'"
WAITING = "waiting for the command of --alert-run, up to 30 s; Ctrl-C ends it"


def add_alert_options(to: argparse.ArgumentParser) -> None:
    """Add the options about alerts."""
    group = to.add_argument_group("alert")
    group.add_argument(
        "--alert",
        action="append",
        default=[],
        metavar="EXPR",
        help='bell, mark and message when EXPR begins to hold, as "p99 > 20ms for 1m" (repeatable)',
    )
    group.add_argument(
        "--alert-run",
        metavar="COMMAND",
        help="run COMMAND then, without a shell; what happened is in its environment, $PYLATENCYMAP_CONDITION etc.",
    )


class Alerts:
    """The alerts of a command. Raises UsageError for what is wrong with them, before anything is read."""

    def __init__(self, options: argparse.Namespace) -> None:
        self._conditions = _conditions_of(getattr(options, "alert", []))
        command = getattr(options, "alert_run", None)
        if command is not None and not self._conditions:
            raise UsageError(f"--alert-run needs --alert: {RUN_EXAMPLE}")
        self._argv = _command_of(command)

    def watch(
        self, picture: Picture, keep: Callable[[Mark], object], is_ready: Callable[[], bool]
    ) -> AlertWatch | None:
        """What watches a picture; None if there is no alert."""
        if not self._conditions:
            return None
        from ..session import AlertCommand, AlertWatch

        command = AlertCommand(self._argv) if self._argv else None
        return AlertWatch(picture, self._conditions, keep=keep, command=command, is_ready=is_ready)


def _conditions_of(texts: list[str]) -> tuple[LastingCondition, ...]:
    if not texts:
        return ()
    from ..conditions import parse_lasting

    try:
        return tuple(parse_lasting(text) for text in texts)
    except UsageError as error:
        raise UsageError(f"--alert: {error.message}", error.excerpt) from error


def _command_of(text: str | None) -> tuple[str, ...]:
    """The words of a command, as a shell splits them. Raises UsageError for one that cannot be run: at night is too
    late to learn that.
    """
    if text is None:
        return ()
    try:
        words = shlex.split(text)
    except ValueError as error:
        raise UsageError(f"--alert-run {text}: {str(error).lower()}") from error
    if not words:
        raise UsageError(f"--alert-run is empty; write a command: {RUN_EXAMPLE}")
    if shutil.which(words[0]) is None:
        raise UsageError(
            f"--alert-run: {words[0]}: no such program, or it cannot be executed; it is run without a shell"
        )
    return tuple(words)


def tell_news(watch: AlertWatch) -> None:
    """Print what has happened, where no view shows it."""
    for news in watch.news():
        print_notice(news.text)


def finish_alerts(
    watch: AlertWatch, pause: Callable[[float], object], is_hurried: Callable[[], bool], *, repeats: bool
) -> None:
    """At the end of a session: wait for commands that run, and say what failed. ``repeats``: a view has shown the
    alerts, and is gone.
    """
    if repeats:
        for text in watch.told:
            print_notice(text)
        watch.told.clear()
    tell_news(watch)
    if watch.command is not None:
        for text in watch.command.wait(pause, is_hurried, lambda: print_notice(WAITING)):
            print_notice(text)
    for text in watch.untold():
        print_notice(text)
