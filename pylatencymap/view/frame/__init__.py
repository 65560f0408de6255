"""What a picture says, as data: rows, labels, levels, ticks, sentences."""
