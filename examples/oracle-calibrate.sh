#!/bin/sh
# Reads of DBMS_RESOURCE_MANAGER.CALIBRATE_IO while it runs.
oralatencymap Disk_file_I/O_Calibration "$@"
