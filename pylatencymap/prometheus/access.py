"""How a server is reached: its address, TLS, and who we are. No secret comes from a command line."""

from __future__ import annotations

from pathlib import Path
from typing import NamedTuple
from urllib.parse import urlsplit

from ..errors import UsageError

SECRETS = ("authorization", "cookie", "proxy-authorization", "x-api-key")
"""Headers that hold secrets, in lower case."""


class ServerAccess(NamedTuple):
    """The address of a server, without a slash at its end, and how it is reached. ``token_file`` is read again whenever
    the server refuses its token. Its repr hides the password.
    """

    url: str
    user: str = ""
    password: str = ""
    token_file: str = ""
    headers: tuple[tuple[str, str], ...] = ()
    ca_file: str = ""
    cert_file: str = ""
    key_file: str = ""
    timeout: float = 30.0

    def __repr__(self) -> str:
        return f"ServerAccess({self.url!r})"

    def token(self) -> str:
        """The token on the first line of its file; empty without a file. Raises UsageError."""
        if not self.token_file:
            return ""
        try:
            with Path(self.token_file).expanduser().open(encoding="utf-8") as file:
                token = file.readline().strip()
        except (OSError, UnicodeDecodeError) as error:
            reason = error.strerror if isinstance(error, OSError) else "it is no UTF-8 text"
            raise UsageError(f"the token file {self.token_file} cannot be read: {reason}") from None
        if not token or not token.isascii() or not token.isprintable():
            raise UsageError(f"the token file {self.token_file} holds no token on its first line")
        return token


def checked_url(text: str) -> str:
    """The address of a server. Raises UsageError."""
    text = text if "://" in text else f"http://{text}"
    try:
        parts = urlsplit(text)
        known = parts.scheme in ("http", "https") and parts.hostname and (parts.port is None or parts.port)
    except ValueError:
        known, parts = False, urlsplit("")
    if parts.username is not None or parts.password is not None:
        raise UsageError("--url: a password does not belong into a command line; --user NAME asks for it")
    if not known or parts.query or parts.fragment:
        raise UsageError(f"--url {text}: write the address of the server, as in http://prometheus:9090")
    return text.rstrip("/").removesuffix("/api/v1")


def header_of(text: str) -> tuple[str, str]:
    """A header, given as ``NAME: VALUE``. Raises UsageError."""
    name, colon, value = (part.strip() for part in text.partition(":"))
    if not colon or not name.replace("-", "").isalnum() or not value.isprintable():
        raise UsageError(f"--header {name}: write NAME: VALUE, as in 'X-Scope-OrgID: team'")
    if name.lower() in SECRETS:
        raise UsageError(f"--header {name}: secrets do not belong into a command line; --token-file FILE takes a token")
    return name, value
