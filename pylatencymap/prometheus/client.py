"""Asks a server over HTTP: one question, one answer, or a trouble that says what to do."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from ..collectors.prometheus_api.answers import ApiAnswer, ExemplarSeries, parse_answer
from ..errors import MissingPackage
from ..text.clean import printable
from .access import ServerAccess

if TYPE_CHECKING:
    from urllib3 import BaseHTTPResponse

MOST_BYTES = 256_000_000
"""The longest answer, decompressed."""
SHOWN = 300
MOST_OF_PAGE = 10_000
NEED = "a Prometheus server is read by urllib3; install it by"
TOO_MANY = ("too many samples", "maximum resolution", "exceed", "too large", "timed out", "timeout")
"""Words of errors that a shorter range can avoid."""

_TITLE = re.compile(r"<title[^>]*>([^<]*)", re.IGNORECASE)


class ServerTrouble(Exception):
    """A question without an answer. ``is_final``: asking again is of no use. ``is_too_much``: a part of it may be."""

    def __init__(self, what: str, *, is_final: bool = False, is_too_much: bool = False) -> None:
        super().__init__(what)
        self.is_final = is_final
        self.is_too_much = is_too_much


class ApiClient:
    """Connections to one server, kept open."""

    def __init__(self, access: ServerAccess) -> None:
        try:
            import urllib3
        except ImportError as error:
            raise MissingPackage(NEED, "urllib3") from error
        self._urllib3 = urllib3
        self._access = access
        self._token = access.token()
        self._was_let_in = False
        self._method = "POST"
        self._pool = urllib3.PoolManager(
            timeout=urllib3.Timeout(connect=min(access.timeout, 10.0), read=access.timeout),
            retries=urllib3.Retry(total=None, connect=0, read=0, status=0, other=0, redirect=3),
            cert_reqs="CERT_REQUIRED",
            ca_certs=access.ca_file or None,
            cert_file=access.cert_file or None,
            key_file=access.key_file or None,
        )

    def query(self, expression: str, at: float) -> ApiAnswer:
        """The answer to an instant query at a moment, in epoch seconds. Raises ServerTrouble."""
        return self._asked("query", {"query": expression, "time": f"{at:.3f}"})

    def query_range(self, expression: str, start: float, end: float, step: float) -> ApiAnswer:
        """The answer to a range query. Raises ServerTrouble."""
        told = {"start": f"{start:.3f}", "end": f"{end:.3f}", "step": f"{step:.3f}"}
        return self._asked("query_range", {"query": expression, **told})

    def exemplars(self, selector: str, start: float, end: float) -> tuple[ExemplarSeries, ...]:
        """The exemplars of some series in a time. Raises ServerTrouble."""
        told = {"query": selector, "start": f"{start:.3f}", "end": f"{end:.3f}"}
        return self._asked("query_exemplars", told).exemplars

    def server_time(self) -> float:
        """What the server's clock shows now, in epoch seconds. Raises ServerTrouble."""
        answer = self._asked("query", {"query": "vector(time())"})
        return float(answer.series[0].values[0][0])

    def _asked(self, path: str, parameters: Mapping[str, str]) -> ApiAnswer:
        where = f"{self._access.url}/api/v1/{path}"
        response = self._sent(where, parameters)
        if response.status == 401 and self._access.token_file:
            self._token = self._access.token()
            response = self._sent(where, parameters)
        if response.status == 405 and self._method == "POST":  # a proxy that lets reading pass only
            self._method = "GET"
            response = self._sent(where, parameters)
        body = self._body(response, where)
        try:
            answer = parse_answer(body)
        except ValueError as error:
            if response.status == 200:
                raise ServerTrouble(f"{where}: {_other_answer(body, error)}", is_final=True) from None
            answer = ApiAnswer([], printable(body[:SHOWN].decode("utf-8", "replace").strip()))
        if response.status == 200 and not answer.error:
            self._was_let_in = True
            return answer
        raise self._trouble(where, response, answer)

    def _sent(self, where: str, parameters: Mapping[str, str]) -> BaseHTTPResponse:
        errors = self._urllib3.exceptions
        extra: dict[str, Any] = {"encode_multipart": False} if self._method == "POST" else {}
        try:
            return self._pool.request(
                self._method, where, fields=dict(parameters), headers=self._headers(), preload_content=False, **extra
            )
        except errors.MaxRetryError as error:
            raise self._unreachable(where, error.reason or error) from None
        except (errors.HTTPError, OSError) as error:
            raise self._unreachable(where, error) from None

    def _headers(self) -> dict[str, str]:
        found = {"Accept-Encoding": "gzip", "User-Agent": "pylatencymap", **dict(self._access.headers)}
        if self._access.user:
            login = f"{self._access.user}:{self._access.password}"
            found |= self._urllib3.make_headers(basic_auth=login)
        if self._token:
            found["Authorization"] = f"Bearer {self._token}"
        return found

    def _body(self, response: BaseHTTPResponse, where: str) -> bytes:
        found: list[bytes] = []
        size = 0
        try:
            for part in response.stream(1 << 20, decode_content=True):
                found.append(part)
                size += len(part)
                if size > MOST_BYTES:
                    response.close()
                    raise ServerTrouble(f"{where}: the answer has more than 256 MB", is_too_much=True)
        except (self._urllib3.exceptions.HTTPError, OSError) as error:
            raise self._unreachable(where, error) from None
        response.release_conn()
        return b"".join(found)

    def _unreachable(self, where: str, error: Any) -> ServerTrouble:
        errors = self._urllib3.exceptions
        refused = isinstance(error, errors.NewConnectionError)
        told = printable(str(error).rpartition(": ")[2] if refused else str(error), SHOWN)
        if isinstance(error, errors.SSLError):
            return ServerTrouble(f"{where}: TLS failed: {told}{_tls_advice(told, self._access)}", is_final=True)
        if isinstance(error, errors.TimeoutError) and not refused:
            return ServerTrouble(f"{where}: no answer within {self._access.timeout:g} s; --timeout gives it more")
        return ServerTrouble(f"{where}: no connection: {told}; is the server there, and --url its address?")

    def _trouble(self, where: str, response: BaseHTTPResponse, answer: ApiAnswer) -> ServerTrouble:
        status, said = response.status, printable(answer.error, SHOWN)
        too_much = status in (413, 422, 503) and any(word in said.lower() for word in TOO_MANY)
        advice = _ADVICE.get(status, "")
        if status == 401 and (self._access.user or self._token):
            advice = "; the server refuses these credentials"
        if "HTTPS server" in said:
            advice = "; --url https://... speaks TLS"
        what = f"{where}: status {status}: {answer.error_type + ': ' if answer.error_type else ''}{said}{advice}"
        may_pass = status >= 500 or status in (408, 429) or (status in (401, 403) and self._waits_for_token)
        return ServerTrouble(what, is_final=not may_pass, is_too_much=too_much)

    @property
    def _waits_for_token(self) -> bool:
        """Whether a token that was good has run out: whoever renews the file may be late."""
        return self._was_let_in and bool(self._access.token_file)


def _other_answer(body: bytes, error: ValueError) -> str:
    """What came instead of an answer: mostly the page of a proxy that wants a login."""
    text = body[:MOST_OF_PAGE].decode("utf-8", "replace")
    if not text.lstrip().startswith("<"):
        return f"the answer is not that of Prometheus' API ({error}); is --url its address?"
    title = _TITLE.search(text)
    called = f", {printable(' '.join(title[1].split()), SHOWN)!r}" if title else ""
    return (
        f"the answer is a page of HTML{called}, not that of Prometheus' API; is --url its address, "
        "and does a proxy want --user or --token-file?"
    )


def _tls_advice(told: str, access: ServerAccess) -> str:
    """What to do about an error of TLS, by the words of OpenSSL."""
    if "WRONG_VERSION_NUMBER" in told:
        return "; does the server speak TLS? --url http://... does without"
    if "certificate is not valid for" in told:
        return "; --url has to name the server as its certificate does"
    if "certificate has expired" in told:
        return "; the server needs a new one"
    if "NO_CERTIFICATE_OR_CRL_FOUND" in told:
        return f"; --cacert {printable(access.ca_file)} holds no certificate in PEM"
    return "; --cacert FILE names the authority that signed the certificate"


_ADVICE = {
    401: "; --user NAME or --token-file FILE says who you are",
    403: "; these credentials may not read it",
    404: "; --url is the address before /api/v1, that of Mimir ends with /prometheus",
    405: "; is --url the address of Prometheus?",
    429: "; the server limits how often it is asked",
}
