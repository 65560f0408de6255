#!/bin/sh
# Build the Debian package from the sdist in a folder, and put it there:
#
#   build_deb.sh dist
#
# Needs Debian 13 or later with build-essential and what Build-Depends in debian/control lists. With
# $SOURCE_DATE_EPOCH it has the same bytes each time.
set -eu
dist=$(cd "${1:?usage: build_deb.sh FOLDER}" && pwd)
here=$(cd "$(dirname "$0")" && pwd)
set -- "$dist"/pylatencymap-*.tar.gz
[ -e "$1" ] || { echo "build_deb.sh: no pylatencymap-VERSION.tar.gz in $dist: make release builds it" >&2; exit 1; }
version=$(basename "$1" .tar.gz)
version=${version#pylatencymap-}
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cp "$1" "$work/pylatencymap_$version.orig.tar.gz"
tar -xzf "$1" -C "$work"
cp -R "$here/debian" "$work/pylatencymap-$version/"
cd "$work/pylatencymap-$version"
dpkg-buildpackage -us -uc -b >"$work/log" 2>&1 || { cat "$work/log" >&2; exit 1; }
cp "$work"/pylatencymap_*_all.deb "$dist/"
ls "$dist"/pylatencymap_*_all.deb
