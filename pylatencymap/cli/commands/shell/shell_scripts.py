"""Completion scripts for bash, zsh and fish, made by shtab of the parsers of all commands."""

from __future__ import annotations

import argparse
import re
from typing import TYPE_CHECKING, Any

from ....errors import MissingPackage
from ....view.style import ColourDepth
from ...main import COMMANDS
from .parsers import (
    COLLECTORS,
    EARLIER_PROGRAM,
    ORACLE_PROGRAM,
    PROGRAM,
    SERIES,
    oracle_parser,
    parsers,
    summary,
    take_out,
)

if TYPE_CHECKING:
    from types import ModuleType

    from ...arguments import Parser

FILES = {"FILE", "FILE|DIR/", "OUT", "DIR", "PATH", "DIRECTORY"}
"""Words in the help that stand for files and folders."""
HELPERS = {
    "bash": """\
_pylatencymap_offer() {  # WORD: of the lines that come, those that begin with it, quoted where needed
  local line quoted
  while IFS= read -r line; do
    printf -v quoted %q "$line"
    [[ $quoted == "$1"* ]] && echo "$quoted"
  done
}
_pylatencymap_series() {
  pylatencymap completions series "${COMP_WORDS[@]:1}" 2>/dev/null | _pylatencymap_offer "$1"
}
_pylatencymap_collectors() {
  pylatencymap completions collectors 2>/dev/null | _pylatencymap_offer "$1"
}
""",
    "zsh": """\
_pylatencymap_offer() {
  local -a found
  found=(${(f)"$(pylatencymap completions "$@" 2>/dev/null)"})
  compadd -a found
}
_pylatencymap_series() { _pylatencymap_offer series "${words[@]}" }
_pylatencymap_collectors() { _pylatencymap_offer collectors }
""",
    "fish": """\
function _pylatencymap_series
  pylatencymap completions series (commandline -opc) 2>/dev/null
end
function _pylatencymap_collectors
  pylatencymap completions collectors 2>/dev/null
end
""",
}
FISH_FILES = "(__fish_complete_path (commandline -ct))"


def script(program: str, shell: str) -> str:
    """What completes the command lines of one of our programs. Raises MissingPackage if shtab is not there."""
    shtab = _shtab()
    root = _tree() if program == PROGRAM else oracle_parser()
    for made in _every(root):
        for action in made._actions:
            _offer(action, shtab)
    text = str(shtab.complete(root, shell, preamble={shell: HELPERS[shell]}))
    if shell == "zsh":
        text = _with_several(text)
    return _with_files(text, shell) if program == PROGRAM else text


def _with_several(text: str) -> str:
    """The script for zsh, where an argument that can be repeated completes each time, not the first time only."""
    return re.sub(r'"\(\*\)::?', '"*:', text).replace("one_or_more='(*)'", "one_or_more='*:'")


def whole_script(shell: str) -> str:
    """What completes the command lines of all our programs."""
    return f"{script(PROGRAM, shell)}\n{script(ORACLE_PROGRAM, shell)}\n"


def _shtab() -> ModuleType:
    try:
        import shtab
    except ImportError as error:
        need = "completions are made when the package is built, and this is a checkout: to make them, it needs shtab"
        raise MissingPackage(need, "shtab") from error
    return shtab


def _tree() -> Parser:
    """One parser of all commands, with those of ``live bpf`` and the like as commands of commands."""
    made = parsers()
    below: dict[str, Any] = {}
    for words, one in made.items():
        above, _, name = words.rpartition(" ")
        if not above:
            continue
        if above not in below:
            below[above] = _with_commands(made[above])
        below[above].add_parser(name, help=summary(one), made=one)
    return made[PROGRAM]


def _with_commands(above: Parser) -> Any:
    """Give a parser commands instead of the files or the collector that it takes; returns what they are added to."""
    for action in above._get_positional_actions():
        take_out(above, action.dest)
    given: Any = _given
    return above.add_subparsers(metavar="COMMAND", parser_class=given)


def _given(*, made: Parser, **_: object) -> Parser:
    """In the place of the class of which argparse would make the parser of a command."""
    return made


def _every(root: Parser) -> list[Parser]:
    """A parser and all below it."""
    below = [action for action in root._actions if isinstance(action, argparse._SubParsersAction)]
    return [root, *(one for commands in below for made in commands.choices.values() for one in _every(made))]


def _offer(action: argparse.Action, shtab: ModuleType) -> None:
    """Say what completes the value of an option or argument."""
    given: Any = action
    if action.dest in ("files", "paths") or action.metavar in FILES:
        given.complete = shtab.FILE
    elif action.dest == "series":
        given.complete = {shell: _call(shell, SERIES) for shell in HELPERS}
    elif action.dest == "format":
        given.complete = {shell: _call(shell, COLLECTORS) for shell in HELPERS}
    elif action.dest == "depth":
        action.choices = [depth.value for depth in ColourDepth]
    elif action.dest == "to" and action.metavar == "NAME":
        from ....export import FORMATS

        action.choices = [*FORMATS]
    elif action.dest == "helped":
        action.choices = [*COMMANDS]
    elif action.dest == "events":
        action.choices = _event_words()


def _event_words() -> list[str]:
    """The sets of wait events, and their events as one types them: in lower case, with underscores for blanks. A shell
    knows no others, without a database.
    """
    from ....oracle import EVENT_SETS

    events = (event for one in EVENT_SETS.values() for event in one.events)
    written = (event.lower().replace(" ", "_") for event in events)
    return [*EVENT_SETS, *dict.fromkeys(word for word in written if re.fullmatch(r"[\w-]+", word))]


def _call(shell: str, what: str) -> str:
    return f"(_pylatencymap_{what})" if shell == "fish" else f"_pylatencymap_{what}"


def _with_files(text: str, shell: str) -> str:
    """The script, with files where a command can stand, and for the earlier tool's command, which starts the same
    program. shtab knows either commands or files.
    """
    root = f"_shtab_{PROGRAM}"
    if shell == "fish":
        files = f"complete -c {PROGRAM} -n '{root}_using' -ka \"{FISH_FILES}\"\n"
        return f"{text}{files}complete -c {EARLIER_PROGRAM} -w {PROGRAM}\n"
    if shell == "bash":
        more = (f"{root}_pos_{place}_COMPGEN=_shtab_compgen_files" for place in (0, 1))
        last = f" -F {root} {PROGRAM}"
        return "\n".join((*more, f"{root}_pos_1_nargs='*'", text.replace(last, f"{last} {EARLIER_PROGRAM}")))
    head, function, tail = text.partition(f"\n{root}() {{")
    described = f"_describe '{PROGRAM} commands' _commands"
    head = head.replace(described, f"{described}\n  _files")
    tail = tail.replace("      esac\n", "        *) _files ;;\n      esac\n", 1)
    both = f"{PROGRAM} {EARLIER_PROGRAM}"
    text = head.replace(f"#compdef {PROGRAM}", f"#compdef {both}") + function + tail
    return text.replace(f"compdef {root} -N {PROGRAM}", f"compdef {root} -N {both}")
