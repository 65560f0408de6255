"""The commands ``live prometheus`` and ``collect prometheus``: their options, and how the server is reached."""

from __future__ import annotations

import argparse
import os
from collections.abc import MutableMapping
from typing import TYPE_CHECKING

from ....errors import UsageError
from ...acceptance import Acceptance
from ...alerts import Alerts
from ...arguments import (
    Parser,
    add_excerpt_options,
    add_live_options,
    add_record_options,
    add_series_option,
    parser,
)
from ...option_values import interval, latency_unit, output_format, positive, whole_number
from ...setup import check_picture
from ...standard_streams import print_notice

if TYPE_CHECKING:
    from ....prometheus import ServerAccess

NAME = "prometheus"
URL_VARIABLE, PASSWORD_VARIABLE = "PYLATENCYMAP_PROMETHEUS_URL", "PYLATENCYMAP_PROMETHEUS_PASSWORD"
DEFAULT_URL = "http://127.0.0.1:9090"
DESCRIPTIONS = {
    "live": "Draws a histogram of a Prometheus server, live or of the past: the samples as they were scraped.",
    "collect": """Prints a histogram of a Prometheus server as records, live or of the past: the samples as they were
scraped. It ends by itself only with --from or --until, --count or --duration.""",
}
LAST = """begin so long ago, and go on live: 5m, 2h, 3d; --from -2h ends now; default: 5m, and with --count or
--duration now"""
EPILOG = f"""\
  {{}} prometheus --url http://prom:9090 http_request_duration_seconds
  {{}} prometheus 'rpc_seconds{{{{job="api"}}}}' --from -2h --until -1h
  {{}} prometheus 'sum by (le) (rate(rpc_seconds_bucket[1m]))' --step 15      an estimate; a name alone is exact
The address is that of --url, else ${URL_VARIABLE}. The password of --user comes from
--password-file, ${PASSWORD_VARIABLE}, or a prompt. See docs/prometheus.md.
"""


def run_live(argv: list[str]) -> int:
    """Run ``live prometheus`` with these arguments; the exit status."""
    options = live_arguments().parsed(argv)
    check_picture(options)
    acceptance, alerts = Acceptance(options, name=options.expression), Alerts(options)
    from .prometheus import draw

    return acceptance.run(lambda: draw(options, access_of(options), acceptance, alerts))


def run_collect(argv: list[str]) -> int:
    """Run ``collect prometheus`` with these arguments; the exit status."""
    options = collect_arguments().parsed(argv)
    from .prometheus import collect

    return collect(options, access_of(options))


def live_arguments() -> Parser:
    """The parser of ``live prometheus``."""
    made = _parser("live")
    add_live_options(made)
    return made


def collect_arguments() -> Parser:
    """The parser of ``collect prometheus``."""
    made = _parser("collect")
    told = "output format; default: lmap, the record stream. A part of the time ends with --until"
    made.add_argument("--to", type=output_format, default="lmap", metavar="{lmap,jsonl}", help=told)
    add_record_options(made.add_argument_group("recording"))
    made.set_defaults(resolution=None)
    return made


def _parser(command: str) -> Parser:
    made = parser(f"{command} {NAME}", DESCRIPTIONS[command], EPILOG.format(*[f"pylatencymap {command}"] * 3))
    made.add_argument("expression", metavar="METRIC|PROMQL", help="a histogram, with labels; or PromQL that keeps le")
    _add_server(made)
    until = ("--to", "--until") if command == "live" else ("--until",)
    add_excerpt_options(made, until=until, last_help=LAST)
    group = made.add_argument_group("data")
    add_series_option(group, draws=command == "live")
    told = "seconds between two questions; default: as often as the server scrapes"
    group.add_argument("--interval", type=interval, metavar="S", help=told)
    group.add_argument("--step", type=interval, metavar="S", help="merge to S-second columns; of PromQL: its step")
    group.add_argument("--count", type=whole_number, metavar="N", help="stop after N intervals")
    group.add_argument("--duration", type=positive, metavar="S", help="stop after S seconds")
    told = "unit of latencies if the metric does not name one: ns, us, ms"
    group.add_argument("--unit", type=latency_unit, metavar="U", help=told)
    group.add_argument("--tz", metavar="ZONE", help="time zone of the clock; default: local")
    made.set_defaults(strict=False)
    return made


def _add_server(made: Parser) -> None:
    group = made.add_argument_group("server")
    group.add_argument("--url", metavar="URL", help=f"address of the server; default: {DEFAULT_URL}")
    group.add_argument("--user", metavar="NAME", default="", help="basic authentication")
    group.add_argument("--password-file", metavar="FILE", default="", help="the password, on the first line of FILE")
    group.add_argument("--token-file", metavar="FILE", default="", help="a bearer token, on the first line of FILE")
    told = "send this header as well, as in 'X-Scope-OrgID: team' (repeatable)"
    group.add_argument("--header", action="append", default=[], metavar="NAME: VALUE", help=told)
    group.add_argument("--cacert", metavar="FILE", default="", help="authority that signed the server's certificate")
    group.add_argument("--cert", metavar="FILE", default="", help="our certificate, where the server wants one")
    group.add_argument("--key", metavar="FILE", default="", help="its key; default: in the same file")
    told = "longest wait for an answer; default: 30"
    group.add_argument("--timeout", type=positive, default=30.0, metavar="S", help=told)


def access_of(options: argparse.Namespace, environ: MutableMapping[str, str] = os.environ) -> ServerAccess:
    """How the server of the options is reached. Raises UsageError."""
    from ....prometheus import ServerAccess, checked_url, header_of

    url = checked_url(options.url or environ.get(URL_VARIABLE) or DEFAULT_URL)
    if options.user and options.token_file:
        raise UsageError("--user and --token-file are two ways to say who you are: leave out one")
    for name in ("cacert", "cert", "key"):
        path = getattr(options, name)
        if path and not os.path.isfile(path):
            raise UsageError(f"--{name} {path}: there is no such file")
    return ServerAccess(
        url=url,
        user=options.user,
        password=_password(options, url, environ),
        token_file=options.token_file,
        headers=tuple(header_of(text) for text in options.header),
        ca_file=options.cacert,
        cert_file=options.cert,
        key_file=options.key,
        timeout=options.timeout,
    )


def _password(options: argparse.Namespace, url: str, environ: MutableMapping[str, str]) -> str:
    """The password of the user. The variable is removed from the environment in any case."""
    from ....oracle.connection import ask_on_terminal, find_password

    if not options.user:
        environ.pop(PASSWORD_VARIABLE, None)
        return ""
    found = find_password(
        options.password_file,
        "",
        environ,
        ask=lambda: ask_on_terminal(f"{options.user} at {url}", PASSWORD_VARIABLE),
        on_notice=print_notice,
        variable=PASSWORD_VARIABLE,
    )
    return found.text
