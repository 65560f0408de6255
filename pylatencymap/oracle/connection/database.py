"""A database to log in to, and how to speak of it."""

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
    """``name`` is what the user calls it; ``timeout`` the most seconds that a call may take."""

    driver: Driver
    login: Login
    name: str
    timeout: float

    def connect(self, action: str) -> Connection:
        """Log in; the session says that ``action`` is what it looks at. Raises Trouble."""
        connection = self.driver.connect(self.login)
        try:
            connection.tag(action, self.timeout)
        except Trouble:
            connection.close()
            raise
        return connection

    def session(self, action: str) -> Connection:
        """As ``connect``, with every trouble as a SourceError that says what to do."""
        with self.told():
            return self.connect(action)

    def explained(self, trouble: Trouble, views: Iterable[str] = ()) -> str:
        """A trouble in full, with what to do."""
        return in_full(trouble, self._shown, self.login.user, views)

    @property
    def _shown(self) -> str:
        return printable(self.name, LONGEST_NAME)

    @contextmanager
    def told(self, views: Iterable[str] = ()) -> Iterator[None]:
        """Every trouble as a SourceError, and every one of these with the name of the database."""
        try:
            yield
        except Trouble as trouble:
            raise SourceError(self.explained(trouble, views)) from None
        except SourceError as error:
            raise SourceError(f"{self._shown}: {error}") from None
