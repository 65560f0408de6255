"""The picture: frame, layout, colour scale, palettes, cells and their ANSI form, without a terminal."""
