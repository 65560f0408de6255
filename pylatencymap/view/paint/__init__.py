"""From a frame to a canvas of cells."""
