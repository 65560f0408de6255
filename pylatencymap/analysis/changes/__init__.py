"""What changed in a recording, when, and what it cost."""
