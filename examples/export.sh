#!/bin/sh
# A recording as a picture: export.sh PICTURE.svg (or .png, with the extra "pictures").
pylatencymap export --series "loop*" "$(dirname "$0")/cold-start.lmap.gz" -o "$@"
