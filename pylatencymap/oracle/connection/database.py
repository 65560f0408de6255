"""A database to log in to, with its name for messages."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from typing import NamedTuple

from ...errors import SourceError
from ...text.clean import printable
from .driver import Connection, Driver, Login, Trouble
from .troubles import in_full

LONGEST_NAME = 80
"""Characters of a connect descriptor that a message quotes."""


class Database(NamedTuple):
    """A database. ``name`` is what the user calls it; ``timeout`` is the longest time of a call, in seconds."""

    driver: Driver
    login: Login
    name: str
    timeout: float

    def connect(self, action: str) -> Connection:
        """Log in. The session shows ``action``, what it looks at, in V$SESSION. Raises Trouble."""
        connection = self.driver.connect(self.login)
        try:
            connection.tag(action, self.timeout)
        except Trouble:
            connection.close()
            raise
        return connection

    def session(self, action: str) -> Connection:
        """Log in like ``connect``, but raise every trouble as a SourceError that says what to do."""
        with self.translate_errors():
            return self.connect(action)

    def explained(self, trouble: Trouble, views: Iterable[str] = ()) -> str:
        """The full description of a trouble, with what to do about it."""
        return in_full(trouble, self._shown, self.login.user, views)

    @property
    def _shown(self) -> str:
        return printable(self.name, LONGEST_NAME)

    @contextmanager
    def translate_errors(self, views: Iterable[str] = ()) -> Iterator[None]:
        """Turn every Trouble into a SourceError, and add the name of the database to every SourceError."""
        try:
            yield
        except Trouble as trouble:
            raise SourceError(self.explained(trouble, views)) from None
        except SourceError as error:
            raise SourceError(f"{self._shown}: {error}") from None
