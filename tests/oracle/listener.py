"""What tests do to the listener that stands for a database."""

import select
import socket
import threading
from contextlib import suppress
from datetime import datetime, timezone
from typing import Any

from pylatencymap.oracle.connection.database import Database
from pylatencymap.oracle.connection.driver import Login, load_driver

PATIENCE = 120.0
"""Seconds after which a test that waits for something has failed. Machines may stand still for a while."""


def database(db: Any, timeout: float = PATIENCE, **login: Any) -> Database:
    """The database behind a listener. ``timeout`` is that of a call."""
    given = {"dsn": db.dsn, "user": db.user, "password": db.password, **login}
    return Database(load_driver(), Login(**given), "mock (--dsn)", timeout)


class Steady:
    """A clock that is read once for each statement, so that a sample's stamp and counts are of the same moment however
    long the machine stands still between them. ``wait_for`` returns when so many histograms have been looked at.
    """

    def __init__(self) -> None:
        self._looked = threading.Condition()
        self.now = datetime.now(timezone.utc)

    def __call__(self) -> datetime:
        return self.now

    def sleep(self, seconds: float) -> None:
        raise AssertionError(f"nothing sleeps in the database, not {seconds} s")

    def drive(self, mock: Any) -> None:
        """Be read by a mock's statements."""
        self._mock, answer = mock, mock.query

        def query(statement: str, binds: Any = None) -> Any:
            with self._looked:
                self.now = datetime.now(timezone.utc)
                told = answer(statement, binds)
                self._looked.notify_all()
            return told

        mock.query = query

    def wait_for(self, looks: int) -> None:
        with self._looked:
            assert self._looked.wait_for(lambda: self._mock.snapshots >= looks, PATIENCE)


class Hang:
    """The next statement is not answered before the client asks to break it off, or leaves; so many seconds are over
    then on a clock that only moves when told to. No other session may be open.
    """

    def __init__(self, db: Any, seconds: float = 0.0) -> None:
        self._db, self._seconds = db, seconds
        self._began, self._over = threading.Event(), threading.Event()
        self._left = False
        self._answer = db.mock.query
        db.mock.query = self._query

    def wait(self) -> None:
        """Until the statement is there."""
        assert self._began.wait(PATIENCE)

    @property
    def left(self) -> bool:
        """Whether the client left, and did not only break the statement off."""
        assert self._over.wait(PATIENCE)
        return self._left

    def _query(self, statement: str, binds: Any = None) -> Any:
        self._db.mock.query = self._answer
        (client,) = self._db.server.clients
        self._began.set()
        if self._seconds:
            self._db.mock.clock.advance(self._seconds)
        select.select([client], [], [client], PATIENCE)
        with suppress(ConnectionError):
            self._left = not client.recv(1, socket.MSG_PEEK)
        self._over.set()
        return self._answer(statement, binds)


def stop(db: Any) -> None:
    """Cut all sessions and listen no more, which is so when this returns."""
    listening = db.thread
    db.stop()
    listening.join(PATIENCE)
    assert not listening.is_alive()
