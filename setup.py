"""What setup.cfg cannot say. When the package is built, man pages and completions are written, and the page of a
package index gets the README without what leads nowhere from there.
"""

import gzip
import io
import os
import re
import shutil
import sys
import tarfile
from pathlib import Path

from setuptools import setup
from setuptools.command.build_py import build_py
from setuptools.command.sdist import sdist

HERE = Path(__file__).parent
WRITTEN = "shell-files"
"""The folder of an sdist that holds the files for shells and man: nobody needs their generators to build from it."""
IMAGE = re.compile(r"!\[[^\]]*\]\((?!https?:)[^)]*\)\n*")
LINK = re.compile(r"\[([^\]]+)\]\((?!https?:)[^)]*\)")


def index_page():
    """The README for a package index: relative links would be broken there, so that their words alone stay."""
    text = (HERE / "README.md").read_text(encoding="utf-8")
    return LINK.sub(r"\1", IMAGE.sub("", text))


def write_shell_files(folder):
    """Man pages and completions in a folder: those of the sdist, or new ones."""
    if (HERE / WRITTEN).is_dir():
        shutil.copytree(HERE / WRITTEN, folder, dirs_exist_ok=True)
        return
    sys.path.insert(0, str(HERE))
    from pylatencymap.cli.commands.shell import write_files

    write_files(folder / "share", folder / "pylatencymap")


class BuildWithShellFiles(build_py):
    """Builds the modules, and writes what shells and man need."""

    def run(self):
        super().run()
        if self.editable_mode:
            return  # a checkout writes its completions when it is asked for them
        folder = HERE / "build" / WRITTEN
        shutil.rmtree(folder, ignore_errors=True)
        write_shell_files(folder)
        shutil.copytree(folder / "pylatencymap", Path(self.build_lib) / "pylatencymap", dirs_exist_ok=True)
        share = sorted(path for path in (folder / "share").rglob("*") if path.is_file())
        self.distribution.data_files = [
            (str(path.parent.relative_to(folder)), [os.path.relpath(path, HERE)]) for path in share
        ]


class SourcesWithShellFiles(sdist):
    """Adds what shells and man need. With $SOURCE_DATE_EPOCH the archive has the same bytes each time."""

    def make_release_tree(self, base_dir, files):
        super().make_release_tree(base_dir, files)
        write_shell_files(Path(base_dir) / WRITTEN)

    def make_distribution(self):
        super().make_distribution()
        if moment := os.environ.get("SOURCE_DATE_EPOCH"):
            for path in self.archive_files:
                pack_anew(Path(path), int(moment))


def pack_anew(path, moment):
    """Pack an archive anew, without what depends on the machine and on the time."""
    packed = io.BytesIO()
    with tarfile.open(path) as before, tarfile.open(fileobj=packed, mode="w", format=tarfile.PAX_FORMAT) as after:
        for one in sorted(before, key=lambda one: one.name):
            one.mtime, one.uid, one.gid, one.uname, one.gname = moment, 0, 0, "", ""
            one.mode = 0o755 if one.isdir() or one.mode & 0o100 else 0o644
            one.pax_headers = {}
            after.addfile(one, before.extractfile(one) if one.isfile() else None)
    path.write_bytes(gzip.compress(packed.getvalue(), mtime=moment))


setup(
    long_description=index_page(),
    cmdclass={"build_py": BuildWithShellFiles, "sdist": SourcesWithShellFiles},
)
