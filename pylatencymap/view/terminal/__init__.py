"""From cells to escape sequences."""
