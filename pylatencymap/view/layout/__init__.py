"""Where everything goes: rows, columns, colour scales, geometry."""
