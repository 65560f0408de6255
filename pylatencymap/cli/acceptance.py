"""The options ``--fail-if`` and ``--junit``: conditions that fail a run, their verdicts and their exit statuses."""

from __future__ import annotations

import argparse
import os
from collections.abc import Callable
from typing import TYPE_CHECKING

from ..errors import Exit, LatencyMapError, UsageError
from .standard_streams import print_notice

if TYPE_CHECKING:
    from ..conditions import Condition, ConditionVerdict, Recorded
    from ..window import Window
    from .session import CommandSession

STDIN = "standard input"


class Acceptance:
    """The conditions of a command.

    A command wraps its work into ``run``, and calls ``judge`` when everything has been read; then ``verdicts`` has what
    was found. Without ``--fail-if`` both do nothing. ``comparing``: there is a second run, which ``before.`` means.
    ``name``: what is judged; default: the files.
    Raises UsageError for a wrong condition, before anything is read.
    """

    def __init__(self, options: argparse.Namespace, *, comparing: bool = False, name: str = "") -> None:
        self._texts: list[str] = options.fail_if
        self._junit: str | None = options.junit
        self._name = name or " ".join(getattr(options, "files", ())) or STDIN
        self.verdicts: tuple[ConditionVerdict, ...] = ()
        self._conditions: tuple[Condition, ...] = ()
        if self._junit is not None:
            _check_file(self._junit, options)
        if not self._texts:
            return
        if not getattr(options, "once", True):
            raise UsageError("--fail-if needs --once: the verdict comes at the end")
        from ..conditions import parse_conditions

        try:
            self._conditions = parse_conditions(self._texts, comparing=comparing)
        except UsageError as error:
            raise UsageError(f"--fail-if: {error.message}", error.excerpt) from error

    @property
    def has_conditions(self) -> bool:
        """Whether there is anything to judge."""
        return bool(self._conditions)

    def of(self, session: CommandSession) -> CommandSession:
        """The session, whose picture is judged at its end."""
        return session._replace(judge=lambda picture: self.judge(picture.window)) if self.has_conditions else session

    def judge(self, run: Window | Recorded, before: Window | Recorded | None = None) -> int:
        """Print the verdicts about a run, and write them if asked to; returns the exit status. A window stands for all
        its series, over all of their time.
        """
        if not self._conditions:
            return Exit.OK
        from ..conditions import check_conditions, exit_status

        self.verdicts = check_conditions(
            self._conditions, _series_of(run), None if before is None else _series_of(before)
        )
        for verdict in self.verdicts:
            print_notice(verdict.sentence)
        self._write(self.verdicts)
        return exit_status(self.verdicts)

    def run(self, work: Callable[[], int]) -> int:
        """The exit status of ``work``. Where it ends without a verdict, the file says why, as an older one would tell
        of another run; the status is that of the work then, but not OK.
        """
        if not self._conditions:
            return work()
        try:
            status = work()
        except BaseException as error:
            if not self.verdicts:
                self._give_up("interrupted" if isinstance(error, KeyboardInterrupt) else str(error) or repr(error))
            raise
        if self.verdicts:
            return status
        reason = "interrupted" if status == Exit.INTERRUPTED else "there was no interval"
        self._give_up(reason)
        if status == Exit.OK:
            print_notice(f"{reason}, so that no condition can be told")
            return Exit.NO_INTERVAL
        return status

    def _give_up(self, reason: str) -> None:
        """Write that nothing can be told. That the file cannot be written is not what ended the run."""
        from ..conditions import undecided

        try:
            self._write(tuple(undecided(text, reason) for text in self._texts))
        except LatencyMapError as error:
            print_notice(str(error))

    def _write(self, verdicts: tuple[ConditionVerdict, ...]) -> None:
        if self._junit is None:
            return
        from ..conditions import junit_xml
        from ..export import write_file

        write_file(self._junit, junit_xml(verdicts, self._name))


def _series_of(run: Window | Recorded) -> Recorded:
    """A run in the form in which conditions are evaluated."""
    from ..conditions import Recorded, recorded_series

    return run if isinstance(run, Recorded) else recorded_series(run)


def _check_file(path: str, options: argparse.Namespace) -> None:
    """Raise UsageError if there is nothing to write to a file, or if it is one of those that are read or recorded."""
    if not options.fail_if:
        raise UsageError("--junit needs --fail-if: it writes the verdicts")
    for other in (*getattr(options, "files", ()), getattr(options, "record", None)):
        if other and os.path.realpath(other) == os.path.realpath(path):
            raise UsageError(f"--junit {path}: this file is read or recorded")
