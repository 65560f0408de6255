#!/bin/sh
# A recording as JSON lines, one object per second with all counts, for other programs.
pylatencymap convert --to jsonl --series "loop*" "$@" "$(dirname "$0")/steady.lmap.gz"
