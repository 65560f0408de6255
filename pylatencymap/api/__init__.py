"""The engine as a library. What belongs to it is in ``pylatencymap.__all__``; docs/python.md shows how to use it."""
