"""The keeper runs a program that would outlive us, and ends it when standard input or output is closed.

The keeper is a program of its own, ``python keeper.py PROGRAM ARGUMENTS``. It imports nothing from the package because
it runs as root. The process that started it holds the other end of its standard input, and can die without notice. The
keeper ends its program with SIGINT, on which BPF tools print the data they have, and after LAST_WORDS_SECONDS with
SIGKILL. If the keeper itself is killed, its program dies too.
"""

import ctypes
import errno
import os
import select
import signal
import subprocess
import sys

CANNOT_START = 127
"""The exit status that a shell uses for this."""
LOOK_SECONDS = 0.2
"""How often the keeper checks whether its program has ended."""
LAST_WORDS_SECONDS = 2.0
"""How long a program can go on printing after SIGINT."""
PR_SET_PDEATHSIG = 1
LIBC = ctypes.CDLL(None, use_errno=True)


def _die_with_parent() -> None:
    LIBC.prctl(PR_SET_PDEATHSIG, signal.SIGKILL)


def _closed(poll: select.poll) -> bool:
    """Whether standard input or output was closed, or a signal arrived; waits up to LOOK_SECONDS for that."""
    return any(descriptor != 0 or not os.read(0, 4096) for descriptor, _ in poll.poll(LOOK_SECONDS * 1000))


def _why(program: str, error: OSError) -> str:
    """Why a program cannot be started. The system's error names the program even if only its interpreter is missing."""
    try:
        with open(program, "rb") as file:
            head = file.readline(200)
    except OSError:
        head = b""
    if isinstance(error, FileNotFoundError) and head.startswith(b"#!"):
        interpreter = head[2:].decode("utf-8", "replace").strip()
        return f"{program} cannot be started: its interpreter, {interpreter}, is not there"
    hint = "; a script needs #! and its interpreter in the first line" if error.errno == errno.ENOEXEC else ""
    return f"{program} cannot be started: {error.strerror}{hint}"


def main(words: list[str]) -> int:
    """Run a program; returns its exit status, or 0 if the keeper ended it."""
    wake, write_end = os.pipe()
    os.set_blocking(write_end, False)
    signal.set_wakeup_fd(write_end)
    for number in (signal.SIGTERM, signal.SIGINT, signal.SIGHUP):
        signal.signal(number, lambda *_: None)
    poll = select.poll()
    poll.register(0, select.POLLIN)
    poll.register(1, 0)
    poll.register(wake, select.POLLIN)
    try:
        child = subprocess.Popen(words, stdin=subprocess.DEVNULL, preexec_fn=_die_with_parent)
    except OSError as error:
        print(_why(words[0], error), file=sys.stderr)
        return CANNOT_START
    while child.poll() is None:
        if _closed(poll):
            child.send_signal(signal.SIGINT)
            try:
                child.wait(LAST_WORDS_SECONDS)
            except subprocess.TimeoutExpired:
                child.kill()
                child.wait()
            return 0
    return abs(int(child.returncode))


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
