"""Records to intervals: stamps to a clock, ticks to idle intervals, counters to differences."""
