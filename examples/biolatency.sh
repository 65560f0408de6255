#!/bin/sh
# Latency of each disk of this machine, live. Needs libbpf-tools; only biolatency gets root.
sudo stdbuf -oL biolatency -D 1 | pylatencymap "$@"
