"""The commands of pylatencymap, one module each: its name is the name of the command."""
