"""Series that a snapshot left out: ``fill_idle`` adds them to records, ``IdleSchedule`` to the bins of a scan."""
