"""What an exit status and a variable of the environment mean, for the man pages. docs/command-line.md has the same."""

from __future__ import annotations

from ....errors import Exit

STATUSES: dict[Exit, str] = {
    Exit.OK: "All is well; or whoever read the output has gone.",
    Exit.NO_INTERVAL: "There was nothing to draw, or a condition cannot be told.",
    Exit.USAGE: "Wrong options.",
    Exit.SOURCE: "A source cannot be started, read or recognised, or output cannot be written.",
    Exit.BAD_INPUT: "A bad line or record, with --strict.",
    Exit.PLUGIN: "A collector of another package failed.",
    Exit.CONDITION_HOLDS: "A condition of --fail-if holds.",
    Exit.INTERRUPTED: "Ctrl-C, before there was anything to show.",
}
READ: dict[str, str] = {
    "PYLATENCYMAP_PALETTE": "What --palette is if it is not given.",
    "PYLATENCYMAP_BACKGROUND": "What --background is if it is not given.",
    "PYLATENCYMAP_TZ": "What --tz is if it is not given.",
    "PYLATENCYMAP_SLO": "What --slo is if it is not given.",
    "PYLATENCYMAP_PROMETHEUS_URL": "The server of live prometheus and collect prometheus, if there is no --url.",
    "PYLATENCYMAP_PROMETHEUS_PASSWORD": "The password of its --user.",
    "ORALATENCYMAP_DSN": "The database, if there is no --dsn.",
    "ORALATENCYMAP_USER": "The user, if there is no --user.",
    "ORALATENCYMAP_PASSWORD": "The user's password. It is taken out of the environment before a program is started.",
    "ORALATENCYMAP_WALLET_PASSWORD": "The password of the wallet of --wallet.",
    "TWO_TASK": "The database, if nothing else names one.",
    "ORACLE_SID": "The local instance, if nothing else names a database.",
    "TNS_ADMIN": "The folder of tnsnames.ora.",
    "ORACLE_HOME": "Its network/admin is that folder, without TNS_ADMIN.",
    "XDG_CONFIG_HOME": "The folder of pylatencymap/config.toml; ~/.config if it is not set.",
    "TZ": "The local time zone. The configuration file does not overrule it.",
    "NO_COLOR": "Not empty: no colours.",
    "CLICOLOR_FORCE": "Neither empty nor 0: colours, although the output is no terminal.",
    "COLORTERM": "truecolor or 24bit: the terminal has 24-bit colour.",
    "COLORFGBG": "Colours of the terminal: the background, where the terminal itself does not say it.",
    "TERM": "The terminal: its colours, and whether it can show the live view.",
    "TERM_PROGRAM": "Apple_Terminal takes no copied text from programs.",
    "VTE_VERSION": "So does a terminal that sets this.",
    "TMUX": "Inside tmux, copied text goes to tmux as well.",
    "COLUMNS": "Characters in a line of what is printed.",
    "LINES": "Lines of a printed picture.",
    "LC_ALL": "The locale. C and POSIX, and encodings other than UTF-8: pictures in ASCII.",
    "LC_CTYPE": "The same, without LC_ALL.",
    "LANG": "The same, without LC_ALL and LC_CTYPE.",
    "PYTHONIOENCODING": "The encoding of the output; then the locale does not matter.",
    "PYTHONUTF8": "Set: the locale does not matter.",
    "PATH": "Where the programs of probes are looked for.",
    "JAVA_HOME": "The Java of aggregate --engine spark.",
    "PYSPARK_GATEWAY_PORT": "Set by spark-submit: its session is used.",
    "PYSPARK_PYTHON": "The Python of Spark's tasks; this one, if it is not set.",
    "SPARK_LOCAL_IP": "The address of Spark on this machine; 127.0.0.1, if it is not set.",
    "OPENBLAS_NUM_THREADS": "Threads of numpy; 1, if it is not set.",
}
"""Variables that we read, each with its meaning."""
GIVEN: dict[str, str] = {
    "PYLATENCYMAP_INTERVAL": "To a program behind live NAME --: seconds between samples.",
    "PYLATENCYMAP_CONDITION": "To the command of --alert-run: the condition, as it was written.",
    "PYLATENCYMAP_MEASURED": "To that command: what was measured, in words.",
    "PYLATENCYMAP_VALUE": "To that command: the first value as a number.",
    "PYLATENCYMAP_SERIES": "To that command: the series that meet the condition, one a line.",
    "PYLATENCYMAP_SINCE": "To that command: when the time over which it holds began.",
    "PYLATENCYMAP_AT": "To that command: when it ended.",
    "PYLATENCYMAP_TITLE": "To that command: what the data are.",
}
"""Variables that we set for programs that we start."""
FILES: dict[str, str] = {
    "~/.config/pylatencymap/config.toml": (
        "[defaults] has palette, background, tz and slo, what these options are if they are not given: an option comes "
        "first, then the environment, then this file. [oracle] has dsn, user and password_file."
    ),
}
