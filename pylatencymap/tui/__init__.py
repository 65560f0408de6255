"""The live terminal."""
