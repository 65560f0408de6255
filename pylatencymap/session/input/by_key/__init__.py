"""Which values of a key get a series of their own: files are looked through before they are read."""
