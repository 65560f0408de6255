"""One module or folder for each source of latency data. The name of the folder is the name of the collector."""
