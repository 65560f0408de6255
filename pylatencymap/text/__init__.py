"""Text from outside: lines, cleaning, dates and the grammar of lines with several keys."""
