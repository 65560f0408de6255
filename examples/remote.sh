#!/bin/sh
# Latency of each disk of another machine: remote.sh HOST. It needs libbpf-tools there and pylatencymap here.
host=${1:?usage: remote.sh HOST [OPTION...]}; shift; ssh "$host" sudo stdbuf -oL biolatency -D 1 | pylatencymap "$@"
