"""Man pages of all commands, made by argparse-manpage of their parsers."""

from __future__ import annotations

from argparse import SUPPRESS
from typing import TYPE_CHECKING

from .... import __version__
from . import meanings
from .parsers import EARLIER_PROGRAM, ORACLE_PROGRAM, PROGRAM, oracle_parser, parsers, summary

if TYPE_CHECKING:
    from collections.abc import Mapping

    from ...arguments import Parser

SECTION = 1
BACKSLASH = "\\"
ROFF = {BACKSLASH: r"\e", "-": r"\-", "~": r"\(ti", "^": r"\(ha", "`": r"\(ga"}
"""Characters that roff would take for something else, or print as another one."""


def man_pages() -> dict[str, str]:
    """The pages by the names of their files."""
    every = {**parsers(), ORACLE_PROGRAM: oracle_parser()}
    commands = {words: summary(made) for words, made in every.items()}
    pages = {_file(words): _page(words, made, commands) for words, made in every.items()}
    return {**pages, _file(EARLIER_PROGRAM): f".so man{SECTION}/{_file(PROGRAM)}\n"}


def _file(words: str) -> str:
    return f"{_name(words)}.{SECTION}"


def _name(words: str) -> str:
    """The name of a page; its words are joined, as those of git are."""
    return words.replace(" ", "-")


def _page(words: str, made: Parser, commands: Mapping[str, str]) -> str:
    from argparse_manpage.manpage import Manpage

    description, epilog = made.description or "", made.epilog or ""
    made.usage, made.epilog, made.description = _synopsis(made), None, None  # their lines have to stay as they are
    made._positionals.title = "arguments"
    page = Manpage(made)
    page.add_section("description", "=", _text(description))
    if epilog:
        page.add_section("notes", "=", _text(epilog))
    if below := _below(words, commands):
        page.add_section("commands", "=", _list({_as_reference(one): f"{commands[one]}." for one in below}))
    page.add_section("exit status", "=", _list({str(int(one)): told for one, told in meanings.STATUSES.items()}))
    if words in (PROGRAM, ORACLE_PROGRAM):
        page.add_section("environment", "=", _list({**meanings.READ, **meanings.GIVEN}))
        page.add_section("files", "=", _list(meanings.FILES))
    page.add_section("see also", "=", ", ".join(_as_reference(one) for one in _related(words)))
    head = f'.TH "{_name(words).upper()}" "{SECTION}" "" "{PROGRAM} {__version__}" "{PROGRAM} manual"'
    name = f"{_name(words)} \\- {_escaped(commands[words])}"
    body = str(page).partition(".SH SYNOPSIS")[2]  # argparse-manpage's name of live bpf is none that man finds
    return f"{head}\n.SH NAME\n{name}\n.SH SYNOPSIS{body}"


def _synopsis(made: Parser) -> str:
    """The usage without all the options, which follow anyway."""
    values = [action for action in made._get_positional_actions() if action.help != SUPPRESS]
    needed = [action for action in made._actions if action.option_strings and action.required]
    words = [f"{action.option_strings[-1]} {action.metavar}" for action in needed]
    words += [f"[{_value(action)}...]" if action.nargs == "*" else _value(action) for action in values]
    return " ".join(["%(prog)s", "[OPTION...]", *(word.replace("%", "%%") for word in words)])


def _value(action: object) -> str:
    name = str(getattr(action, "metavar", None) or getattr(action, "dest", ""))
    return f"{name}..." if getattr(action, "nargs", None) == "+" else name


def _below(words: str, commands: Mapping[str, str]) -> list[str]:
    """The commands of a command."""
    return [one for one in commands if one.rpartition(" ")[0] == words]


def _related(words: str) -> list[str]:
    above = words.rpartition(" ")[0]
    others = {PROGRAM: [ORACLE_PROGRAM], ORACLE_PROGRAM: [PROGRAM]}
    return others.get(words) or list(dict.fromkeys([PROGRAM, *([above] if above else [])]))


def _as_reference(words: str) -> str:
    return rf"\fB{_escaped(_name(words))}\fR({SECTION})"


def _text(text: str) -> str:
    """Paragraphs as such, and lines that begin with blanks as they are."""
    written: list[str] = []
    literal = False
    for line in text.rstrip().splitlines():
        if line.startswith("  ") != literal:
            literal = not literal
            written.append(".nf" if literal else ".fi")
        written.append(_escaped(line) or ".PP")
    return "\n".join([*written, *([".fi"] if literal else [])])


def _list(items: Mapping[str, str]) -> str:
    """Names with what they mean; a name with a backslash is roff already."""
    return "\n".join(
        f".TP\n{name if BACKSLASH in name else _escaped(name)}\n{_escaped(told)}" for name, told in items.items()
    )


def _escaped(text: str) -> str:
    """A line as roff prints it."""
    escaped = "".join(ROFF.get(character, character) for character in text)
    return rf"\&{escaped}" if text[:1] in (".", "'") else escaped
