#!/bin/sh
# Commit time of one Oracle database.
oralatencymap log_file_sync "$@"
