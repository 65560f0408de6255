#!/bin/sh
# Build what a release consists of from the commit that is checked out, into dist/: sdist, wheel, Debian package, the
# documentation as a site, and SHA256SUMS.
#
#   release.sh PYTHON        a Python that has build, twine and mkdocs; make release runs this after make check
#
# All is built twice, in two folders, and has to have the same bytes. What cannot be built here is said.
set -eu
umask 022  # a wheel holds the modes of its files
python=${1:?usage: release.sh PYTHON}
case $python in /*) ;; *) python=$PWD/$python ;; esac
cd "$(dirname "$0")/.."
if [ -n "$(git status --porcelain)" ]; then
    echo "release.sh: a release is built from a commit, and these differ from it:" >&2
    git status --short >&2
    exit 1
fi
SOURCE_DATE_EPOCH=$(git log -1 --format=%ct)
export SOURCE_DATE_EPOCH
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

has_deb_tools() { dpkg-checkbuilddeps packaging/debian/control 2>"$work/lacks"; }

# Build from the commit in a folder of that name; what is made is in its dist/.
build() {
    mkdir -p "$work/$1/source" "$work/$1/dist"
    git archive HEAD | tar -x -C "$work/$1/source"
    "$python" -m build --outdir "$work/$1/dist" "$work/$1/source" >"$work/log" 2>&1 || { cat "$work/log" >&2; exit 1; }
    if has_deb_tools; then
        "$work/$1/source/packaging/build_deb.sh" "$work/$1/dist" >/dev/null
    fi
    if [ -e mkdocs.yml ]; then
        (cd "$work/$1/source" && NO_MKDOCS_2_WARNING=1 "$python" -m mkdocs build --strict --quiet)
        tar --sort=name --mtime="@$SOURCE_DATE_EPOCH" --owner=0 --group=0 --numeric-owner --mode=u=rwX,go=rX \
            -C "$work/$1/source" -cf - site | gzip -n >"$work/$1/dist/pylatencymap-site.tar.gz"
    fi
}

echo "== building"
build one
echo "== building again"
build two
for file in "$work"/one/dist/*; do
    cmp "$file" "$work/two/dist/$(basename "$file")" || { echo "release.sh: it is built differently each time" >&2; exit 1; }
done
"$python" -m twine check --strict "$work"/one/dist/*.whl "$work"/one/dist/pylatencymap-[0-9]*.tar.gz
has_deb_tools || echo "== no Debian package: $(cat "$work/lacks")"
[ -e mkdocs.yml ] || echo "== no site: there is no mkdocs.yml"
rm -rf dist
mkdir dist
cp "$work"/one/dist/* dist/
cd dist
sha256sum -- * >SHA256SUMS
echo "== twice the same bytes, in dist/:"
cat SHA256SUMS
