"""Runs a program that would outlive us, and ends it when standard input or output is closed.

A program of its own, without imports from the package, for it runs as root: ``python keeper.py PROGRAM ARGUMENTS``.
Whoever started it holds the other end of its standard input, and may die without a word. The program that it runs gets
SIGINT, at which BPF tools print what they have, and soon SIGKILL; it also dies if this one is killed.
"""

import ctypes
import errno
import os
import select
import signal
import subprocess
import sys

CANNOT_START = 127
"""As a shell has it."""
LOOK_SECONDS = 0.2
LAST_WORDS_SECONDS = 2.0
PR_SET_PDEATHSIG = 1
LIBC = ctypes.CDLL(None, use_errno=True)


def _die_with_parent() -> None:
    LIBC.prctl(PR_SET_PDEATHSIG, signal.SIGKILL)


def _closed(poll: select.poll) -> bool:
    """Whether somebody has gone away, or a signal has come; waits a little."""
    return any(descriptor != 0 or not os.read(0, 4096) for descriptor, _ in poll.poll(LOOK_SECONDS * 1000))


def _why(program: str, error: OSError) -> str:
    """Why a program cannot be started; the system names it also where only its interpreter is not there."""
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
    """Run a program; its exit status, or 0 where it was ended."""
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
