#!/bin/sh
# Random reads of one Oracle database: the cache of the storage, and its disks.
oralatencymap db_file_sequential_read "$@"
