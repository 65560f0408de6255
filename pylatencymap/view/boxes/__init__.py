"""What lies over a picture: help, the picker of series, prompts."""
