"""The command lines that the documentation shows.

python -m tests.pinned.documented     # prints them
"""

import re
from collections.abc import Iterator
from typing import NamedTuple

from tests.pinned.runner import ROOT

PAGES = (
    "README.md",
    "CONTRIBUTING.md",
    "docs/*.md",
    "examples/README.md",
    "examples/plugin/README.md",
    "examples/*.sh",
    "collectors/*/README.md",
)
_BLOCK = re.compile(r"^(?: {4}(?P<indented>\S[^\n]*)|```[^\n]*\n(?P<fenced>.*?)^```)$", re.MULTILINE | re.DOTALL)
_SHOWN = re.compile(r"^```console\n(?P<session>.*?)^```$", re.MULTILINE | re.DOTALL)
_ENTRY = re.compile(r"^\$ (?P<command>(?:[^\n]*\\\n)*[^\n]*\n)(?P<output>(?:(?!\$ )[^\n]*\n)*)", re.MULTILINE)
_CONTINUED = re.compile(r"\\\n *")
_SPAN = re.compile(r"`([^`]+)`")
_PART = re.compile(r"""(?P<sign>^|[|;&])(?P<part>(?:[^|;&"']|"[^"]*"|'[^']*')*)""")
_COMMAND = re.compile(r"\s*(?:[\w./]*/)?(?P<command>(?:py|ora)latencymap(?:\s.*)?)$")
_END = re.compile(r"\s#|\s{3,}|\s>")
"""Where a remark or a redirection begins, outside of quotes."""
_QUOTED = re.compile(r"'[^'\n]*'|\"[^\"\n]*\"")
_SCRIPT_WORDS = {
    '"$(dirname "$0")/': "examples/",
    '.lmap.gz"': ".lmap.gz",
    '-o "$@"': "-o out.svg",
    '"$@"': "",
    '"$file"': "out.lmap",
}


def texts() -> Iterator[str]:
    """Every text of the documentation that could be a command line, but for those of ``shown_outputs``."""
    for path in sorted(path for page in PAGES for path in ROOT.glob(page)):
        text = path.read_text(encoding="utf-8")
        if path.suffix == ".sh":
            yield from _script(text)
            continue
        for block in _BLOCK.finditer(text):
            yield from _CONTINUED.sub("", block["indented"] or block["fenced"] or "").splitlines()
        prose = _BLOCK.sub("", text)
        yield from (span.replace("\n", " ").replace("\\|", "|") for span in _SPAN.findall(prose))


class Shown(NamedTuple):
    """A command that a page shows with what it prints."""

    path: str
    line: str
    output: str
    text: str
    """Both, as they stand in the page."""


def shown_outputs() -> list[Shown]:
    """The commands behind ``$`` in blocks of ``console``, and the lines below them; ``...`` stands for any lines."""
    found = []
    for path in sorted(path for page in PAGES for path in ROOT.glob(page) if path.suffix == ".md"):
        for block in _SHOWN.finditer(path.read_text(encoding="utf-8")):
            for entry in _ENTRY.finditer(block["session"]):
                line = _CONTINUED.sub("", entry["command"]).strip()
                output = entry["output"].rstrip("\n")
                found.append(Shown(path.relative_to(ROOT).as_posix(), line, output, entry[0]))
    return found


def _script(text: str) -> Iterator[str]:
    for line in text.splitlines():
        for word, meaning in _SCRIPT_WORDS.items():
            line = line.replace(word, meaning)
        if not line.startswith("#"):
            yield line


def command_lines() -> list[str]:
    """Those of pylatencymap and oralatencymap, each once; what reads a pipe begins with ``| ``."""
    found = set()
    for text in texts():
        for part in _PART.finditer(_until_end(text.strip())):
            if match := _COMMAND.match(part["part"]):
                found.add("| " * (part["sign"] == "|") + match["command"].strip())
    return sorted(found)


def _until_end(text: str) -> str:
    """The text before a remark or a redirection."""
    end = _END.search(_QUOTED.sub(lambda quoted: "_" * len(quoted[0]), text))
    return text[: end.start()] if end else text


if __name__ == "__main__":
    print(*command_lines(), sep="\n")
