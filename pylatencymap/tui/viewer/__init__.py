"""The state of the live view, and the prompts on its last line."""
