"""Styles, glyphs, colours and styled text."""
