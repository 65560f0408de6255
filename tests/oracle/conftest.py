"""A database that is none: the mock views with known rates, in this process or behind a socket.

Behind the socket the real python-oracledb talks to it. Neither is an Oracle Database; see docs/oracle.md.
"""

import importlib
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import suppress
from dataclasses import dataclass, field
from datetime import datetime
from pathlib import Path
from typing import Any

import pytest

from pylatencymap.interval import Interval
from pylatencymap.intervals.difference import to_intervals
from pylatencymap.intervals.options import TimeOptions
from pylatencymap.intervals.stages import resolve_times
from pylatencymap.oracle import queries
from pylatencymap.oracle.connection.driver import Connection, Trouble
from pylatencymap.oracle.connection_status import ConnectionStatus
from pylatencymap.oracle.queries import Views
from pylatencymap.oracle.records import RecordMaker
from pylatencymap.oracle.samples import EventSamples
from pylatencymap.oracle.sampling_loop import SamplingLoop
from pylatencymap.oracle.views import find_place, find_views
from pylatencymap.record import Event, Mark, Record
from pylatencymap.report import Report
from tests.oracle.listener import PATIENCE, database

READS, SYNC = "db file sequential read", "log file sync"


@pytest.fixture
def oracle_rig(shared: Path, monkeypatch: pytest.MonkeyPatch) -> Callable[[str], Any]:
    """Imports a module of the rig by name."""
    folder = shared / "oracle"
    if not (folder / "mock_view.py").exists():
        pytest.skip(f"no emulation of Oracle in {folder}")
    monkeypatch.syspath_prepend(str(folder))
    return importlib.import_module


@pytest.fixture
def mock_view(oracle_rig: Callable[[str], Any]) -> Any:
    """The module of the mock views."""
    return oracle_rig("mock_view")


@pytest.fixture
def server(oracle_rig: Callable[[str], Any]) -> Iterator[Callable[..., Any]]:
    """Starts a listener with a mock behind it: ``server(mock)``."""
    pytest.importorskip("oracledb")
    fake_oracle = oracle_rig("fake_oracle")
    if fake_oracle.MISSING:
        pytest.skip(fake_oracle.MISSING)
    started = []

    def start(mock: Any = None) -> Any:
        started.append(fake_oracle.FakeOracle(mock).start())
        return started[-1]

    yield start
    for one in started:
        with suppress(OSError):
            one.stop()


class InProcess:
    """A connection to the mock without a socket."""

    def __init__(self, mock: Any, dropped: type[BaseException]) -> None:
        self.mock = mock
        self.dropped = dropped
        self.closed = False

    def rows(self, statement: str, binds: Mapping[str, object]) -> list[tuple[Any, ...]]:
        try:
            return list(self.mock.query(statement, binds)[1])
        except self.dropped:
            raise Trouble("DPY-4011: the database or network closed the connection") from None
        except Exception as error:
            if not str(error).startswith("ORA-"):
                raise
            raise Trouble(str(error)) from None

    def close(self) -> None:
        self.closed = True


@dataclass
class Story:
    """Samples of the mock on its own clock. ``happens`` are calls by the second after which they are made; ``refused``
    says, by the second, what a login is answered; ``log_in`` opens a connection, in this process unless told otherwise.
    ``exact``: as the command does it, with the sums of GV$SYSTEM_EVENT where they are to be had; ``said`` is what it
    said then. ``look`` looks at something else after each sample.
    """

    mock: Any
    dropped: type[BaseException]
    events: list[str] = field(default_factory=lambda: [READS])
    instances: tuple[int, ...] = ()
    interval: float = 3.0
    local: bool = False
    happens: dict[float, Callable[[], object]] = field(default_factory=dict)
    refused: Callable[[float], str] = lambda _: ""
    log_in: Callable[[], Connection] | None = None
    exact: bool = False
    by_container: bool = False
    containers: tuple[str, ...] = ()
    said: list[str] = field(default_factory=list)
    look: Callable[[Any], bool] = lambda _: True
    is_set: bool = False
    logins: list[float] = field(default_factory=list)
    connections: list[Any] = field(default_factory=list)
    marks: list[Mark] = field(default_factory=list)
    messages: dict[int, str] = field(default_factory=dict)
    until: float = 0.0

    def __post_init__(self) -> None:
        self.began = self.mock.clock.now
        self.report = Report("story")
        self.watch = ConnectionStatus(None, self.second, lambda: self.mock.clock.now.timestamp())

    def second(self) -> float:
        return float((self.mock.clock.now - self.began).total_seconds())

    def pause(self, seconds: float) -> None:
        """Time passes, and what is due happens at its time."""
        end = self.second() + max(seconds, 0.0)
        for at in sorted(at for at in self.happens if at <= end):
            self.mock.clock.advance(max(at - self.second(), 0))
            self.happens.pop(at)()
        self.mock.clock.advance(max(end - self.second(), 0))
        self.messages[int(self.second())] = self.watch.silence_notice(self.interval)
        self.is_set = self.second() > self.until

    def connect(self) -> Connection:
        self.logins.append(self.second())
        answer = self.refused(self.second())
        if answer:
            raise Trouble(answer)
        self.connections.append(self.log_in() if self.log_in else InProcess(self.mock, self.dropped))
        return self.connections[-1]  # type: ignore[no-any-return]

    def told(self, seconds: float) -> Iterator[Event]:
        """Resolved events."""
        self.until = seconds
        self.endurance = SamplingLoop(
            connect=self.connect,
            take=self.exactly() if self.exact else self.plainly(),
            explain=lambda trouble: f"explained: {trouble}",
            interval=self.interval,
            stop=self,
            watch=self.watch,
            look=self.look,
            monotonic=self.second,
        )
        return resolve_times(self.endurance.events(None), TimeOptions(interval=self.interval, started=0.0), self.report)

    def plainly(self) -> Callable[[Connection], list[Record]]:
        views = self.views()
        maker = RecordMaker(self.events, views.histogram, views.unit, self.report)
        statement, binds = queries.sample(views, self.events, self.instances)
        return lambda connection: maker.records(connection.rows(statement, binds), self.second())

    def exactly(self) -> Callable[[Connection], list[Record]]:
        connection: Any = InProcess(self.mock, self.dropped)
        place = find_place(connection)
        views, notices = find_views(connection, self.local, "mon", place, by_container=self.by_container)
        self.said += notices
        self.samples = EventSamples(
            views,
            self.events,
            self.instances,
            self.containers,
            self.report,
            self.said.append,
            interval=self.interval,
            user="mon",
            known={place.container: place.name},
            monotonic=self.second,
        )
        return self.samples.take

    def views(self) -> Views:
        return find_views(InProcess(self.mock, self.dropped), self.local, "mon")[0]  # type: ignore[arg-type]

    def run(self, seconds: float) -> list[Interval]:
        """What happened in so many seconds."""
        return list(to_intervals(self._unmarked(self.told(seconds))))

    def _unmarked(self, events: Iterable[Event]) -> Iterator[Event]:
        for event in events:
            if isinstance(event, Mark):
                self.marks.append(event)
            else:
                yield event


@pytest.fixture
def story(mock_view: Any) -> Callable[..., Story]:
    """A story on a clock of its own: ``story(rates=..., **story's own)``."""

    def make(clock: Any = None, **given: Any) -> Story:
        own = {name: given.pop(name) for name in list(given) if name in Story.__dataclass_fields__}
        mock = mock_view.MockHistogram(clock=clock or mock_view.SimClock(tick=0), **given)
        return Story(mock, mock_view.ConnectionDropped, **own)

    return make


@pytest.fixture
def behind_a_socket(
    story: Callable[..., Story], server: Callable[..., Any], mock_view: Any
) -> Callable[..., tuple[Story, Any]]:
    """A story whose connections are those of the real driver, and the listener. Its clock is at a whole second."""

    def make(timeout: float = PATIENCE, clock: Any = None, **given: Any) -> tuple[Story, Any]:
        told = story(clock or mock_view.SimClock(datetime(2026, 1, 1, 10), tick=0), **given)
        db = server(told.mock)
        told.log_in = lambda: database(db, timeout).connect("test")
        return told, db

    return make
