#!/bin/sh
# A recording as a picture: export.sh PICTURE.svg (or .png, with the extra "pictures").
: "${1:?usage: export.sh PICTURE.svg [OPTION...]}"; pylatencymap export --series "loop*" "$(dirname "$0")/cold-start.lmap.gz" -o "$@"
