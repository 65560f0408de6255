"""oralatencymap.sql, the SQL*Plus script, from its template."""

from .generator import script

__all__ = ["script"]
