"""A server that speaks WebHDFS, the protocol of HDFS over HTTP, and serves a folder.

It does not say what type its answers have: the client in the shaded jar of Hadoop 3.5 that pyspark brings lacks a class
that it needs to understand that.
"""

import json
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any
from urllib.parse import parse_qs, quote, unquote, urlsplit

PREFIX, DATA = "/webhdfs/v1", "/data"


class _Handler(BaseHTTPRequestHandler):
    folder = Path()
    protocol_version = "HTTP/1.1"

    def do_GET(self) -> None:
        asked = urlsplit(self.path)
        words = {name.lower(): values[0] for name, values in parse_qs(asked.query).items()}
        if asked.path.startswith(DATA):
            self._data(self._local(asked.path[len(DATA) :]), words)
            return
        name = asked.path[len(PREFIX) :]
        path = self._local(name)
        if not path.exists():
            remote = {"exception": "FileNotFoundException", "javaClassName": "java.io.FileNotFoundException"}
            self._json({"RemoteException": {**remote, "message": f"File does not exist: {name}"}}, 404)
        elif words["op"] == "OPEN":
            self.send_response(307)
            host, port = self.server.server_address[:2]
            self.send_header("Location", f"http://{host!s}:{port}{DATA}{quote(unquote(name))}?{asked.query}")
            self.send_header("Content-Length", "0")
            self.end_headers()
        else:
            self._json(ANSWERS[words["op"]](path))

    def _local(self, name: str) -> Path:
        return self.folder / unquote(name).lstrip("/")

    def _data(self, path: Path, words: dict[str, str]) -> None:
        begin = int(words.get("offset", 0))
        with path.open("rb") as file:
            file.seek(begin)
            data = file.read(int(words.get("length", -1)))
        self.send_response(200)
        self.send_header("Content-Type", "application/octet-stream")
        self.send_header("Content-Length", str(len(data)))
        self.end_headers()
        self.wfile.write(data)

    def _json(self, value: dict[str, Any], status: int = 200) -> None:
        data = json.dumps(value).encode()
        self.send_response(status)
        self.send_header("Content-Length", str(len(data)))
        self.end_headers()
        self.wfile.write(data)

    def log_message(self, *_: object) -> None:
        """Say nothing."""


def _status(path: Path, name: str = "") -> dict[str, Any]:
    about = path.stat()
    return {
        "accessTime": 0,
        "blockSize": 1 << 27,
        "group": "x",
        "length": about.st_size if path.is_file() else 0,
        "modificationTime": about.st_mtime_ns // 1_000_000,
        "owner": "x",
        "pathSuffix": name,
        "permission": "644",
        "replication": 1,
        "type": "FILE" if path.is_file() else "DIRECTORY",
    }


def _block(path: Path) -> dict[str, Any]:
    """A block that is the whole file."""
    there = {"hosts": ["localhost"], "names": ["localhost:9866"], "topologyPaths": ["/rack/localhost:9866"]}
    about = {"cachedHosts": [], "corrupt": False, "storageTypes": ["DISK"]}
    return {**there, **about, "offset": 0, "length": path.stat().st_size}


def _listed(path: Path) -> list[dict[str, Any]]:
    return [_status(one, one.name) for one in sorted(path.iterdir())] if path.is_dir() else [_status(path)]


ANSWERS = {
    "GETFILESTATUS": lambda path: {"FileStatus": _status(path)},
    "LISTSTATUS": lambda path: {
        "FileStatuses": {
            "FileStatus": [_status(one, one.name) for one in sorted(path.iterdir())]
            if path.is_dir()
            else [_status(path)]
        }
    },
    "GETFILEBLOCKLOCATIONS": lambda path: {"BlockLocations": {"BlockLocation": [_block(path)]}},
}


@contextmanager
def serving(folder: Path) -> Iterator[str]:
    """The address of a server of a folder, without the scheme."""
    handler = type("Handler", (_Handler,), {"folder": folder})
    with ThreadingHTTPServer(("127.0.0.1", 0), handler) as server:
        thread = threading.Thread(target=server.serve_forever, daemon=True)
        thread.start()
        try:
            yield f"127.0.0.1:{server.server_address[1]}"
        finally:
            server.shutdown()
            thread.join()
