"""The command line: options, inputs, sessions, exit statuses."""
