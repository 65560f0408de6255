#!/bin/sh
# A disk whose cache is cold and fills, recorded, ten times as fast as it was: the fast band grows out of nothing.
pylatencymap replay --speed 10x --series "loop*" "$@" "$(dirname "$0")/cold-start.lmap.gz"
