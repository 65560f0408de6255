#!/bin/sh
# How long runnable threads wait for a CPU, live. Needs libbpf-tools; only runqlat gets root.
sudo stdbuf -oL runqlat -T 1 | pylatencymap "$@"
