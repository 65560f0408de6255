"""Runs the command line as ``python -m pylatencymap``."""

from .cli import entry

if __name__ == "__main__":
    entry()
