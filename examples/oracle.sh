#!/bin/sh
# One wait event of an Oracle instance every 3 s: oracle.sh USER@DB "EVENT". Needs SQL*Plus and oralatencymap.sql.
sqlplus -S "$1" @oralatencymap stream 3 "${2:-db file sequential read}" | pylatencymap
