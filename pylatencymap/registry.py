"""Which collectors there are: the modules and folders of ``collectors/``."""

import importlib
import pkgutil
from functools import cache
from typing import cast

from . import collectors
from .collector import Collector
from .errors import UsageError


@cache
def names() -> list[str]:
    """The collectors' names in alphabetical order, found without importing any of them."""
    return sorted(
        module.name for module in pkgutil.iter_modules(collectors.__path__) if not module.name.startswith("_")
    )


def load(name: str) -> Collector:
    """The collector of that name; raises UsageError, with the known names, where there is none."""
    known = names()
    if name not in known:
        raise UsageError(f"no collector is named {name!r}; the known ones are {', '.join(known)}")
    return cast(Collector, importlib.import_module(f"{collectors.__name__}.{name}"))
