"""The files for shells and for man, as they are installed below ``share/``. ``setup.py`` writes them."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from .completions import SCRIPTS
from .man_pages import SECTION, man_pages
from .parsers import EARLIER_PROGRAM, ORACLE_PROGRAM, PROGRAM, SHELLS
from .shell_scripts import script

if TYPE_CHECKING:
    from collections.abc import Iterator

PROGRAMS = (PROGRAM, ORACLE_PROGRAM)
PLACES = {
    "bash": "bash-completion/completions/{}",
    "zsh": "zsh/site-functions/_{}",
    "fish": "fish/vendor_completions.d/{}.fish",
}
"""Where a shell looks for the completions of a program, below ``share/``."""


def write_files(share: Path, package: Path) -> None:
    """Write man pages and completions below ``share``; and below ``package``, which is the folder of the package as it
    is built, the scripts that ``pylatencymap completions`` prints.
    """
    for name, text in _shared():
        _write(share / name, text)
    scripts = package / SCRIPTS.relative_to(Path(__file__).parents[3])
    for shell in SHELLS:
        _write(scripts / shell, "\n".join(script(program, shell) for program in PROGRAMS))


def _shared() -> Iterator[tuple[str, str]]:
    """Name and text of each file below ``share``."""
    for name, page in man_pages().items():
        yield f"man/man{SECTION}/{name}", page
    for shell, place in PLACES.items():
        for program in PROGRAMS:
            yield place.format(program), script(program, shell)
    yield PLACES["bash"].format(EARLIER_PROGRAM), f'. "${{BASH_SOURCE[0]%/*}}/{PROGRAM}"\n'
    yield PLACES["fish"].format(EARLIER_PROGRAM), f"complete -c {EARLIER_PROGRAM} -w {PROGRAM}\n"


def _write(path: Path, text: str) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text, encoding="utf-8")
