"""Small multiples: all series on one colour scale."""
