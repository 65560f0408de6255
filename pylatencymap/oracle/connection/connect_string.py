"""Connect strings for messages: what is known to be harmless is shown, everything else can be a password.

Sources of the names: Oracle Database Net Services Reference, "Local Naming Parameters in the tnsnames.ora File", and
the chapter about Easy Connect Plus in python-oracledb's documentation.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from urllib.parse import unquote

from ...text.clean import hide_logins

HIDDEN = "***"
_HARMLESS = """
    address address_list cid compression compression_levels connect_data connect_timeout description description_list
    enable expire_time failover failover_mode global_name host https_proxy https_proxy_port instance_name load_balance
    method pool_boundary pool_connection_class pool_name pool_purity port protocol rdb_database recv_buf_size
    retry_count retry_delay sdu security send_buf_size server service_name sid source_route ssl_server_cert_dn
    ssl_server_dn_match ssl_version tcp_connect_timeout transport_connect_timeout type type_of_service use_sni
    use_tcp_fast_open wallet_location
"""
_SHOWN = frozenset(_HARMLESS.split())
"""Parameters, in lower case, whose values are no secrets."""
_PLAIN = r"[\w.,:/\\*$ -]*"
_HOST = r"(?:[\w.-]+|\[[0-9A-Fa-f:.]+\])(?::[0-9]{0,5})?(?![\w:])"
_EASY = re.compile(
    rf"\s*(?:(?:[A-Za-z-]{{2,20}}:)?//)?(?:{_HOST}(?:[,;]{_HOST})*(?:/[\w.$-]*(?::[A-Za-z]+(?![\w]))?(?:/[\w.$-]*)?)?)?"
)
"""``[PROTOCOL://]HOST[:PORT][,HOST...][/SERVICE[:SERVER][/INSTANCE]]``."""
_PARAMETER = re.compile(r"\s*([\w.]+)\s*=([^&]*)(?:&|$)")
_OPENING = re.compile(r"\s*\(\s*([\w.]+)\s*=\s*(?=\()")
_ENTRY = re.compile(r"\s*\(\s*([\w.]+)\s*=([^()\"']*)\)")
_CLOSING = re.compile(r"\s*(\))\s*")
_WORD = re.compile(r"[^\s()=&?:,;\"'/@]+")
_QUOTED = re.compile(r"\"([^\"]*)\"|'([^']*)'")


def dsn_for_display(dsn: str) -> str:
    """A connect string for messages: from the first thing that is not known to be harmless on, it is hidden."""
    return "".join(text if shown else HIDDEN for text, shown in _parts(dsn))


def secrets_of_dsn(dsn: str) -> list[str]:
    """What may be a password in a connect string, however it is spelled and quoted; the longest first."""
    found: set[str] = set()
    for part, shown in _parts(dsn):
        if not shown:
            for text in (part, unquote(part)):
                found.update({text.strip(), text.strip().strip("\"'"), *_WORD.findall(text)})
                found.update(double or single for double, single in _QUOTED.findall(text))
    return sorted(filter(_is_distinct, found), key=lambda secret: (-len(secret), secret))


def without_secrets(text: str, dsn: str) -> str:
    """A message about a connect string without its passwords, wherever and however it quotes them."""
    text = text.replace(dsn, dsn_for_display(dsn)) if dsn else text
    for secret in secrets_of_dsn(dsn):
        begin, end = (r"(?<!\w)" if secret[0].isalnum() else ""), (r"(?!\w)" if secret[-1].isalnum() else "")
        text = re.sub(f"{begin}{re.escape(secret)}{end}", HIDDEN, text)
    return hide_logins(text)


def _parts(dsn: str) -> Iterator[tuple[str, bool]]:
    """The connect string in pieces, each with whether it may be shown."""
    if dsn.lstrip().startswith("("):
        yield from _parts_of_descriptor(dsn)
        return
    if "@" in dsn:
        login, dsn = dsn.rsplit("@", 1)
        yield from _hidden(login)
        yield "@", True
    begin = _EASY.match(dsn)
    place = begin.end() if begin else 0
    yield dsn[:place], True
    if not dsn.startswith("?", place):
        yield from _hidden(dsn[place:])
        return
    yield "?", True
    yield from _parts_of_parameters(dsn[place + 1 :])


def _parts_of_parameters(text: str) -> Iterator[tuple[str, bool]]:
    """``NAME=VALUE&...``. A value that begins with a quotation mark can hold anything, up to the end."""
    place = 0
    while found := _PARAMETER.match(text, place):
        name, value = found[1], found[2]
        if value.lstrip().startswith(('"', "'")):
            break
        if name.lower() in _SHOWN and re.fullmatch(_PLAIN, value):
            yield found[0], True
        else:
            yield text[place : found.start(2)], True
            yield from _hidden(value)
            yield text[found.end(2) : found.end()], True
        place = found.end()
        if place == len(text):
            return
    yield from _hidden(text[place:])


def _parts_of_descriptor(text: str) -> Iterator[tuple[str, bool]]:
    """``(NAME=(NAME=VALUE)...)``."""
    place = 0
    while place < len(text):
        found = _CLOSING.match(text, place) or _OPENING.match(text, place)
        if found and (found[1] == ")" or found[1].lower() in _SHOWN):
            yield found[0], True
        elif found := _ENTRY.match(text, place):
            harmless = found[1].lower() in _SHOWN and re.fullmatch(_PLAIN, found[2])
            yield text[place : found.start(2)], True
            yield from [(found[2], True)] if harmless else _hidden(found[2])
            yield ")", True
        else:
            yield from _hidden(text[place:])
            return
        place = found.end()


def _is_distinct(secret: str) -> bool:
    """Whether a text can be looked for in a message: a lone bracket is in all of them."""
    return len(secret) > 2 or any(map(str.isalnum, secret))


def _hidden(text: str) -> Iterator[tuple[str, bool]]:
    if text:
        yield text, False
