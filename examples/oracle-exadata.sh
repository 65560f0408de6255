#!/bin/sh
# Random reads from Exadata cells: flash, and disks.
oralatencymap cell_single_block_physical_read "$@"
