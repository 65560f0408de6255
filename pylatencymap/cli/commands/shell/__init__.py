"""What shells and man get of the command line: completions and man pages, written when the package is built."""

from typing import TYPE_CHECKING

from ....lazily import lazily

if TYPE_CHECKING:
    from .written_files import write_files as write_files
else:
    __getattr__ = lazily(__name__, {"written_files": "write_files"})
