"""A server on this machine that answers as it is told to, over real connections."""

from __future__ import annotations

import json
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from threading import Thread
from typing import Any
from urllib.parse import parse_qs

import pytest


class Script:
    """``answers``: status and body for each request, the last one again and again; ``asked``: what came."""

    def __init__(self) -> None:
        self.answers: list[tuple[int, bytes]] = []
        self.asked: list[tuple[str, str, dict[str, str], dict[str, str]]] = []

    def next(self) -> tuple[int, bytes]:
        return self.answers.pop(0) if len(self.answers) > 1 else self.answers[0]


@pytest.fixture
def script() -> Script:
    return Script()


@pytest.fixture
def url(script: Script) -> Iterator[str]:
    class Handler(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            body = self.rfile.read(int(self.headers.get("Content-Length", 0)))
            self._answer(body.decode())

        def do_GET(self) -> None:
            self._answer(self.path.partition("?")[2])

        def _answer(self, form: str) -> None:
            fields = {name: values[0] for name, values in parse_qs(form).items()}
            script.asked.append((self.command, self.path.partition("?")[0], fields, dict(self.headers)))
            status, body = script.next()
            self.send_response(status)
            self.send_header("Content-Length", str(len(body)))
            self.end_headers()
            self.wfile.write(body)

        def log_message(self, *_: Any) -> None:
            pass

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    thread = Thread(target=server.serve_forever, daemon=True)
    thread.start()
    try:
        yield f"http://127.0.0.1:{server.server_address[1]}"
    finally:
        server.shutdown()
        server.server_close()
        thread.join()


def matrix(*series: tuple[dict[str, str], list[tuple[float, str]]]) -> bytes:
    """An answer with these series."""
    result = [{"metric": labels, "values": [list(one) for one in values]} for labels, values in series]
    return json.dumps({"status": "success", "data": {"resultType": "matrix", "result": result}}).encode()
