"""The page for Prometheus: a small HTTP server, one thread per request."""

from __future__ import annotations

import gzip
from collections.abc import Callable, Iterable
from socketserver import ThreadingMixIn
from threading import Thread
from typing import Any
from wsgiref.simple_server import WSGIRequestHandler, WSGIServer, make_server

from ..errors import SourceError, UsageError
from .protobuf_form import CONTENT_TYPE, is_accepted, protobuf_of
from .served_totals import ServedTotals
from .text_form import check_library, text_of

PATH = "/metrics"
SLOWEST = 10.0
"""Seconds that a request may take to arrive."""
NOTHING_YET = b"no interval has been measured yet\n"
StartResponse = Callable[[str, list[tuple[str, str]]], object]


def address_of(text: str) -> tuple[str, int]:
    """Host and port of ``--listen``. Raises UsageError."""
    host, colon, port = text.rpartition(":")
    host = host.removeprefix("[").removesuffix("]")
    if not colon or not port.isascii() or not port.isdigit() or int(port) > 65535:
        raise UsageError(f"--listen {text}: write HOST:PORT, as in 127.0.0.1:9464")
    return host or "127.0.0.1", int(port)


class _Server(ThreadingMixIn, WSGIServer):
    daemon_threads = True
    request_queue_size = 64


class _Handler(WSGIRequestHandler):
    timeout = SLOWEST

    def log_message(self, *_: Any) -> None:
        """Say nothing: a scrape is no event."""

    def address_string(self) -> str:
        return str(self.client_address[0])


class MetricsServer:
    """Serves totals at an address until it is closed. Raises SourceError if nothing can listen there."""

    def __init__(self, totals: ServedTotals, metric: str, address: tuple[str, int]) -> None:
        check_library()
        self._totals = totals
        self._metric = metric
        try:
            self._server = make_server(*address, self.answer, server_class=_Server, handler_class=_Handler)
        except (OSError, OverflowError) as error:
            reason = getattr(error, "strerror", None) or error
            raise SourceError(f"--listen {address[0]}:{address[1]}: {reason}; --listen names another address") from None
        self._thread = Thread(target=self._server.serve_forever, name="metrics", daemon=True)
        self._thread.start()

    @property
    def address(self) -> str:
        """Where it listens."""
        host, port = self._server.server_address[:2]
        return f"http://{host!s}:{port}{PATH}"

    def close(self) -> None:
        """Stop listening."""
        self._server.shutdown()
        self._server.server_close()
        self._thread.join()

    def answer(self, environ: dict[str, Any], start_response: StartResponse) -> Iterable[bytes]:
        """Answer one request (WSGI)."""
        if environ.get("REQUEST_METHOD") not in ("GET", "HEAD"):
            return _sent(start_response, "405 Method Not Allowed", b"GET only\n")
        if environ.get("PATH_INFO") != PATH:
            return _sent(start_response, "404 Not Found", f"the metrics are at {PATH}\n".encode())
        if not self._totals.has_any:
            return _sent(start_response, "503 Service Unavailable", NOTHING_YET)
        body, kind = self._page(environ.get("HTTP_ACCEPT", ""))
        headers = [("Content-Type", kind)]
        if "gzip" in environ.get("HTTP_ACCEPT_ENCODING", ""):
            body = gzip.compress(body, 1, mtime=0)
            headers.append(("Content-Encoding", "gzip"))
        start_response("200 OK", [*headers, ("Content-Length", str(len(body)))])
        return [b"" if environ["REQUEST_METHOD"] == "HEAD" else body]

    def _page(self, accept: str) -> tuple[bytes, str]:
        found = self._totals.snapshot()
        if is_accepted(accept):
            return protobuf_of(found, self._metric, self._totals.grid), CONTENT_TYPE
        return text_of(found, self._metric, self._totals.grid, accept)


def _sent(start_response: StartResponse, status: str, body: bytes) -> list[bytes]:
    start_response(status, [("Content-Type", "text/plain; charset=utf-8"), ("Content-Length", str(len(body)))])
    return [body]
