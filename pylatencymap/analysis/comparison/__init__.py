"""Whether two recordings differ, in what, and by how much."""
