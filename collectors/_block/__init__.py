"""What collectors of the block layer's events share: the events, and how issues and completions are paired."""
