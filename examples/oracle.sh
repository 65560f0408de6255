#!/bin/sh
# One wait event of an Oracle instance every 3 s: oracle.sh USER@DB "EVENT". Needs SQL*Plus and oralatencymap.sql.
user=${1:?usage: oracle.sh USER@DB [EVENT]}; sqlplus -S "$user" @oralatencymap stream 3 "${2:-db file sequential read}" | pylatencymap
