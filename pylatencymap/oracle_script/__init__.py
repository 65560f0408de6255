"""The SQL*Plus script ``oralatencymap.sql``, made of a template and its parts."""

from typing import TYPE_CHECKING

from ..lazily import lazily

if TYPE_CHECKING:
    from .generator import script as script
else:
    __getattr__ = lazily(__name__, {"generator": "script"})
