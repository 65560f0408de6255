"""Samples sessions after each sample of the histogram, which it never disturbs: it gives up rather than that."""

from __future__ import annotations

import time
from collections.abc import Callable
from datetime import tzinfo

from ..connection.driver import Connection, Trouble
from ..connection.privileges import grant_statement
from ..connection.troubles import NO_COLUMN, in_short, is_missing_view
from ..sampling_loop import SLOW_SECONDS
from .names import NamesOfWaits
from .sampled_waits import SampledWaits
from .statements import SESSIONS_LOSS, SessionRow, WaitsWatched, sessions_sample

PATIENCE = 3
"""After so many samples in a row that failed, or took longer than the interval, no more are taken."""


class SessionSampler:
    """Takes a sample of the sessions over a connection, one statement, and adds it to ``waits``. If it gives up,
    ``tell`` is called once.
    """

    def __init__(
        self,
        watched: WaitsWatched,
        interval: float,
        user: str,
        tell: Callable[[str], object],
        tz: tzinfo | None = None,
        monotonic: Callable[[], float] = time.monotonic,
    ) -> None:
        self._watched = watched
        self._interval, self._user, self._tell, self._clock = interval, user, tell, monotonic
        self._has_containers = True
        self._failed = 0
        self._names = NamesOfWaits(watched.texts, watched.here, max(interval, SLOW_SECONDS), monotonic)
        self.waits = SampledWaits(tz, watched.by_container, self._names.noted)

    def take(self, connection: Connection) -> bool:
        """Take a sample. Returns whether the connection can be used again."""
        if self.waits.refusal:
            return True
        began = self._clock()
        try:
            rows = self._rows(connection)
            self.waits.add(rows)
        except Trouble as trouble:
            return self._survived(trouble)
        took = self._clock() - began
        self._failed = self._failed + 1 if took > max(self._interval, SLOW_SECONDS) else 0
        if self._failed >= PATIENCE:
            self._give_up(f"it takes {took:.1f} s, longer than the interval")
        return self._names.look_up(connection, map(SessionRow._make, rows))

    def _rows(self, connection: Connection) -> list[tuple[object, ...]]:
        """The rows of a sample. Before 12.1 there is no CON_ID, which the first statement finds out."""
        try:
            return connection.rows(*self._statement())
        except Trouble as trouble:
            if NO_COLUMN not in trouble.codes or not self._has_containers:
                raise
            self._has_containers = False
            return connection.rows(*self._statement())

    def _statement(self) -> tuple[str, dict[str, object]]:
        return sessions_sample(self._watched, has_containers=self._has_containers)

    def _survived(self, trouble: Trouble) -> bool:
        """Note a failure. Returns whether the connection can be used again: not after any but a plain refusal, for an
        answer that comes late would be taken for that to the next statement.
        """
        if is_missing_view(trouble):
            self._give_up(f"as SYS run: {grant_statement(self._watched.view, self._user)}", cannot="cannot be read")
            return True
        if NO_COLUMN in trouble.codes:
            self._give_up("before 11.1 it has no times of waits")
            return True
        self._failed += 1
        if self._failed >= PATIENCE:
            self._give_up(in_short(trouble))
        return False

    def _give_up(self, why: str, cannot: str = "is not sampled any more") -> None:
        self.waits.refusal = f"{self._watched.view.upper()} {cannot}, so that {SESSIONS_LOSS}: {why}"
        self._tell(self.waits.refusal)
