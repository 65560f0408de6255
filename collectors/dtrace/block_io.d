#!/usr/sbin/dtrace -s
/*
 * Latency of block I/O, io:::start to io:::done, per device and direction.
 *
 *   dtrace -s block_io.d [SECONDS] | pylatencymap
 *
 * Prints the time of each interval, and a histogram of nanoseconds for each device and direction that had I/O. See
 * README.md beside this file.
 */

#pragma D option quiet
#pragma D option defaultargs

dtrace:::BEGIN
{
	interval = $1 > 0 ? $1 : 1;
	left = interval;
}

io:::start
{
	begun[arg0] = timestamp;
}

io:::done
/begun[arg0]/
{
	@latency[args[1]->dev_statname, args[0]->b_flags & B_READ ? "read" : "write"] = quantize(timestamp - begun[arg0]);
	begun[arg0] = 0;
}

profile:::tick-1sec
{
	left--;
}

profile:::tick-1sec
/left == 0/
{
	printf("%Y\nblock I/O latency (ns)\n", walltimestamp);
	printa(@latency);
	trunc(@latency);
	left = interval;
}
