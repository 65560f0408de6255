"""Samples of wait events: counts and, while they can be had, exact times waited, in one statement."""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping, Sequence

from ...record import Record
from ...report import Report
from .. import queries
from ..connection.driver import Connection, Trouble
from ..connection.privileges import grant_statement
from ..connection.troubles import NO_COLUMN, is_known, is_missing_view
from ..exact_sums import ServerSums
from ..queries import Views
from ..records import RecordMaker
from ..sampling_loop import SLOW_SECONDS
from ..views import NO_SUMS

MOST_SHARES = 8
"""Events of which the share of foreground sessions is told at the end."""
MOST_STRIKES = 2
"""So many samples in succession that the view of the sums has spoilt are the last ones that ask for it."""


class EventSamples:
    """Takes samples of events. The exact times are an extra: where their view is missing, refused, slower than the
    interval or late, ``say`` is told once, and the samples go on without it.
    """

    def __init__(
        self,
        views: Views,
        events: Sequence[str],
        instances: Sequence[int],
        containers: Sequence[str],
        report: Report,
        say: Callable[[str], None],
        *,
        interval: float,
        user: str = "",
        known: Mapping[int, str] | None = None,
        monotonic: Callable[[], float] = time.monotonic,
    ) -> None:
        self.read = views.read
        """The views without which there is no sample."""
        self._views, self._events, self._instances, self._containers = views, events, instances, containers
        self._say = say
        self._interval = interval
        self._user = user
        self._clock = monotonic
        self._sums = ServerSums(views.sums, say) if views.sums else None
        self._maker = RecordMaker(
            events, views.histogram, views.unit, report, self._sums, (known or {}) if views.by_container else None
        )
        self._is_asked = views.sums is not None
        self._has_foreground = True
        self._strikes = 0
        self._rests = False
        self._may_be_slow = True

    def take(self, connection: Connection) -> list[Record]:
        """One sample. Raises Trouble; then the next sample is perhaps without sums."""
        with_sums = self._is_asked and not self._rests
        self._rests = False
        began = self._clock()
        try:
            rows = connection.rows(*self._statement(with_sums))
        except Trouble as trouble:
            if not with_sums:
                if trouble.late:  # without the sums as well: they are not to blame
                    self._strikes, self._rests = 0, True
                raise
            return self._without(connection, trouble)
        self._judge_time(with_sums, self._clock() - began)
        return self._maker.records(rows, self._clock())

    def last_words(self) -> list[str]:
        """How much of the time foreground sessions waited, of events for which background processes wait as well: the
        histogram does not tell them apart.
        """
        shares = self._sums.foreground if self._sums is not None else {}
        told = [
            f"{event} {100 * own / total:.0f} %"
            for event, (own, total) in shares.items()
            if 0.01 * total < own < 0.99 * total
        ]
        return [f"of the time waited, by foreground sessions: {', '.join(told[:MOST_SHARES])}"] if told else []

    def _statement(self, with_sums: bool) -> tuple[str, dict[str, object]]:
        views = self._views if with_sums else self._views._replace(sums=None)
        return queries.sample(views, self._events, self._instances, self._containers, foreground=self._has_foreground)

    def _without(self, connection: Connection, trouble: Trouble) -> list[Record]:
        """The sample that failed with the sums, once more: without what may be to blame. If that does not help, the
        second trouble is raised.
        """
        if trouble.late or not _is_of_statement(trouble):
            self._rests = trouble.late
            self._strike(trouble.late, "gives no answer in time")
            raise trouble
        if NO_COLUMN in trouble.codes and self._has_foreground:  # before 11.1 there is none
            self._has_foreground = False
            return self.take(connection)
        rows = connection.rows(*self._statement(False))
        code = next(iter(trouble.codes), str(trouble))
        if is_missing_view(trouble):
            cure = grant_statement(str(self._views.sums), self._user)
            self._give_up(f"cannot be read ({code})", f". As SYS run: {cure}")
        else:
            self._strike(True, f"cannot be read ({code})")
        return self._maker.records(rows, self._clock())

    def _judge_time(self, with_sums: bool, seconds: float) -> None:
        """Count the samples that take longer than the interval with the sums, and not without them."""
        is_slow = seconds > max(self._interval, SLOW_SECONDS) and self._may_be_slow
        if with_sums:
            self._strike(is_slow, f"takes {seconds:.1f} s a sample, more than the interval")
            self._rests = is_slow and self._is_asked
        elif is_slow:
            self._strikes, self._may_be_slow = 0, False

    def _strike(self, is_one: bool, what: str) -> None:
        """The last of several strikes gives up; a sample that is well forgives them."""
        self._strikes = self._strikes + 1 if is_one else 0
        if self._strikes >= MOST_STRIKES:
            self._give_up(what)

    def _give_up(self, what: str, cure: str = "") -> None:
        self._is_asked = self._rests = False
        self._say(f"{str(self._views.sums).upper()} {what}: {NO_SUMS}{cure}")


def _is_of_statement(trouble: Trouble) -> bool:
    """Whether another statement over the same connection may do."""
    return is_missing_view(trouble) or NO_COLUMN in trouble.codes or not is_known(trouble)
