"""When snapshots were made: puts their stamps and arrivals on one clock, and finds stamps that are damaged."""
