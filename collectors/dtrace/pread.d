#!/usr/sbin/dtrace -s
/*
 * Latency of the system calls pread and pwrite, per program.
 *
 *   dtrace -s pread.d [SECONDS] | pylatencymap
 *
 * With -p PID it watches one process. Prints the time of each interval, and a histogram of nanoseconds for each program
 * and call. See README.md beside this file.
 */

#pragma D option quiet
#pragma D option defaultargs

dtrace:::BEGIN
{
	interval = $1 > 0 ? $1 : 1;
	left = interval;
}

syscall::pread*:entry,
syscall::pwrite*:entry
/!$target || pid == $target/
{
	self->begun = timestamp;
}

syscall::pread*:return,
syscall::pwrite*:return
/self->begun/
{
	@latency[execname, probefunc] = quantize(timestamp - self->begun);
	self->begun = 0;
}

profile:::tick-1sec
{
	left--;
}

profile:::tick-1sec
/left == 0/
{
	printf("%Y\npread and pwrite latency (ns)\n", walltimestamp);
	printa(@latency);
	trunc(@latency);
	left = interval;
}
