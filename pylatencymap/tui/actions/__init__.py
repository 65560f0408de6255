"""What keys and mouse do to the viewer."""
