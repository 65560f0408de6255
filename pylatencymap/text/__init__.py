"""Text from outside: lines, cleaning, dates and the grammars that decoders share."""
