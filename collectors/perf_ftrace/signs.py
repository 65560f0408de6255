"""The headings of both histograms."""

import re

LATENCY = re.compile(r"^(?:\^C)?# +DURATION +\| +COUNT +\| +GRAPH +\| *\r?$", re.MULTILINE)
IOLATENCY = re.compile(r"^ *>=\((ns|us|ms)\) \.\. <\((?:ns|us|ms)\) *: I/O +\|Distribution *\| *\r?$", re.MULTILINE)
