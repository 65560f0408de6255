"""Generates oralatencymap.sql, the SQL*Plus script, from its template."""

from typing import TYPE_CHECKING

from ..lazily import lazily

if TYPE_CHECKING:
    from .generator import script as script
else:
    __getattr__ = lazily(__name__, {"generator": "script"})
