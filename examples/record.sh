#!/bin/sh
# Each disk, live and kept in a file to look at later: record.sh FILE.lmap.gz.
file=${1:?usage: record.sh FILE.lmap.gz [OPTION...]}; shift; sudo stdbuf -oL biolatency -D 1 | pylatencymap --record "$file" "$@"
