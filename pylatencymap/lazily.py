"""Entry points of a folder, imported at their first use: what is behind them, mostly numpy, is not loaded before."""

from __future__ import annotations

import sys
from collections.abc import Callable, Mapping
from importlib import import_module
from typing import Any


def lazily(package: str, names: Mapping[str, str]) -> Callable[[str], Any]:
    """The ``__getattr__`` of a package.

    ``names`` says which module of the package defines which names: ``{"module": "Name other_name"}``. The modules are
    imported at the first use of one of their names. Unknown names raise AttributeError, as in any module.
    """
    home = {name: module for module, defined in names.items() for name in defined.split()}

    def entry_point(name: str) -> Any:
        if name not in home:
            raise AttributeError(f"module {package!r} has no attribute {name!r}")
        value = getattr(import_module(f".{home[name]}", package), name)
        setattr(sys.modules[package], name, value)  # the next use does not come here
        return value

    return entry_point
