#!/bin/sh
# All disk I/O from now until Ctrl-C, as one column: biolatency without an interval prints when it ends.
sudo biolatency | pylatencymap "$@"
