"""One run of a command: where data come from, what is made of them, and when it ends."""
