"""From files and pipes to intervals."""
