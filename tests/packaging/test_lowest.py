"""packaging/lowest.txt has the lowest releases that setup.cfg allows, of all that the extra ``all`` installs."""

import re
from configparser import ConfigParser
from pathlib import Path

from packaging.requirements import Requirement
from packaging.utils import canonicalize_name
from packaging.version import Version

ROOT = Path(__file__).parent.parent.parent


def lowest_allowed() -> dict[str, Version]:
    """The lower bounds of setup.cfg, by name."""
    own = ConfigParser()
    own.read(ROOT / "setup.cfg")
    extras = own["options.extras_require"]
    lines = [*own["options"]["install_requires"].splitlines(), *extras["all"].splitlines()]
    wanted = [Requirement(line) for line in lines if line.strip() and "win32" not in line]
    bounds = {canonicalize_name(one.name): str(one.specifier).removeprefix(">=") for one in wanted}
    return {name: Version(bound) for name, bound in bounds.items()}


def test_the_lowest_releases_are_those_of_setup_cfg() -> None:
    text = (ROOT / "packaging/lowest.txt").read_text(encoding="utf-8")
    pinned = {name: Version(number) for name, number in re.findall(r"^([a-z0-9-]+)==(\S+)$", text, re.MULTILINE)}
    allowed = lowest_allowed()
    assert {"numpy", "blessed", "pyarrow", "oracledb", "tomli"} <= allowed.keys()
    assert pinned == allowed
