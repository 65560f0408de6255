"""Several traces that are one: a session whose trace is in many files, or the sessions of a job."""
