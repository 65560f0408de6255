#!/bin/sh
# make demo and make test on a Debian that has nothing but what the README names:
#
#   bare_debian.sh RELEASE [clone|sdist] [root|user] [TESTS]     as in: bare_debian.sh bookworm sdist user tests/tui
#
# Needs root, git and debootstrap. The system is made once, in $BARE (default: /var/tmp/bare-RELEASE), and kept; the
# clone is what is committed. SHOW="FOLDER ..." makes folders visible in it, as for a package index on this machine; its
# pip is configured as ours is.
set -eu
release=${1:?usage: bare_debian.sh RELEASE [clone|sdist] [root|user] [TESTS]}
form=${2:-clone} user=${3:-user} tests=${4:-tests}
bare=${BARE:-/var/tmp/bare-$release}
if [ "$user" = root ]; then home=/root; else home=/home/$user; fi

# Mounts and processes of our own, which go when this ends.
if [ -z "${APART:-}" ]; then
    APART=1 exec unshare --mount --propagation private --pid --fork "$0" "$@"
fi

inside() {
    chroot "$bare" setpriv --reuid="$user" --regid="$user" --clear-groups \
        env -i HOME="$home" PATH=/usr/sbin:/usr/bin:/sbin:/bin sh -euc "cd; $1"
}

if [ ! -e "$bare/etc/debian_version" ]; then
    debootstrap --variant=minbase --include=python3,python3-venv,make,ca-certificates "$release" "$bare"
fi
[ "$user" = root ] || chroot "$bare" id "$user" >/dev/null 2>&1 || chroot "$bare" useradd --create-home "$user"
for file in /etc/resolv.conf /etc/hosts /etc/ssl/certs/ca-certificates.crt /etc/pip.conf; do
    [ ! -e "$file" ] || cp "$file" "$bare$file"
done
mount -t proc proc "$bare/proc"
mount --rbind /dev "$bare/dev"
for folder in ${SHOW:-}; do
    mkdir -p "$bare$folder"
    mount --bind "$folder" "$bare$folder"
done

tree=$(git -C "$(dirname "$0")" rev-parse --show-toplevel)
rm -rf "$bare$home/work"
mkdir "$bare$home/work"
git -C "$tree" archive HEAD | tar -x -C "$bare$home/work"
chroot "$bare" chown -R "$user:$user" "$home/work"
if [ "$form" = sdist ]; then
    inside 'python3 -m venv build; build/bin/pip install --quiet build; build/bin/python -m build --sdist work >/dev/null
        tar -xzf work/dist/*.tar.gz; rm -r work; mv pylatencymap-* work'
fi

# Not on a terminal: the demonstration is one picture.
inside "cd work; make demo >demo.txt; cat demo.txt; make test TESTS='$tests'" </dev/null
