"""One module or folder per source of latency data; its name is the name of the collector."""
