"""The terminal: keys and mouse in, pictures out."""
