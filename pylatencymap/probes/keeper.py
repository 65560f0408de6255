"""The keeper runs a program that would outlive us, and ends it and all that it started.

The keeper is a program of its own, ``python keeper.py [--terminal] PROGRAM ARGUMENTS``. It imports nothing from the
package, and runs on Python 3.6 and later, because it runs as root, under the Python of the system. The process that
started it holds the other end of its standard input, and can die without notice. When that end or standard output is
closed, or the keeper gets a signal, it ends its program with SIGINT, on which BPF tools print the data they have, and
after LAST_WORDS_SECONDS everything that is left with SIGKILL. The same happens to what is left when the program ends by
itself. If the keeper itself is killed, its program dies too.

What is left is found in two ways. The program leads a process group, which is killed as a whole. On Linux the keeper is
also the "subreaper": a process that leaves the group, by setsid or by job control, and loses its parent becomes a child
of the keeper, and is found and killed as such. Processes of another user cannot be killed unless the keeper is root.

The program has a session of its own and no terminal. With ``--terminal`` it has a group in our session instead,
because in a session of its own it could not ask for a password, and sudo would not know that one was given here. It is
a background group: if the program reads the terminal, the system stops it. The keeper then asks the process that
started it for the terminal, by a line with the process group on standard input, which is a socket. GRANTED means that
the group is in the foreground now; REFUSED ends the program with a message.
"""

import contextlib
import ctypes
import errno
import os
import select
import signal
import subprocess
import sys
import time

CANNOT_START = 127
"""The exit status that a shell uses for this."""
INTERRUPTED = 130
"""The same for a program that died of Ctrl-C."""
LOOK_SECONDS = 0.2
"""How often the keeper checks whether its program has ended."""
LAST_WORDS_SECONDS = 2.0
"""How long a program, and what it started, can go on printing after SIGINT or after its own end."""
KILL_SECONDS = 2.0
"""How long the keeper waits for killed processes to be gone."""
NAP_SECONDS = 0.01
PR_SET_PDEATHSIG = 1
PR_SET_CHILD_SUBREAPER = 36
GRANTED, REFUSED = b"y", b"n"
LIBC = ctypes.CDLL(None, use_errno=True)


def _control(option: int, value: int) -> None:
    """Set an attribute of this process; systems other than Linux do not know these."""
    if hasattr(LIBC, "prctl"):
        LIBC.prctl(option, value, 0, 0, 0)


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


def _parents() -> "dict[int, int]":
    """The parent of each process that is not a zombie; empty on systems without Linux's /proc."""
    found = {}
    for name in filter(str.isdigit, os.listdir("/proc") if os.path.isdir("/proc/self") else []):
        try:
            with open(f"/proc/{name}/stat", "rb") as file:
                words = file.read().rpartition(b")")[2].split()
        except OSError:
            continue  # no process, or one that has just ended
        if words and words[0] != b"Z":
            found[int(name)] = int(words[1])
    return found


def _descendants() -> "list[int]":
    """All processes that descend from this one."""
    parents, found = _parents(), [os.getpid()]
    for process in found:
        found += [child for child, parent in parents.items() if parent == process]
    return found[1:]


class Kept:
    """The program and all that it starts. ``status`` is its exit status as ``Popen.returncode``; None while it runs."""

    def __init__(self, words: "list[str]", has_terminal: bool) -> None:
        keeper = os.getpid()

        def prepare() -> None:
            os.setpgid(0, 0) if has_terminal else os.setsid()
            _control(PR_SET_PDEATHSIG, signal.SIGKILL)
            if os.getppid() != keeper:
                os._exit(CANNOT_START)  # the keeper died before we could ask to die with it

        self._program = words[0]
        self._may_ask, self._waits = has_terminal, False
        self._popen = subprocess.Popen(words, stdin=subprocess.DEVNULL, preexec_fn=prepare)
        self._group = self._popen.pid
        self.status: int | None = None

    def look(self) -> None:
        """Take notice of children that have ended or were stopped."""
        for process, status in iter(_news, (0, 0)):
            if os.WIFSTOPPED(status):
                if process == self._group:
                    self._stopped(os.WSTOPSIG(status))
            elif process == self._group:
                self.status = -os.WTERMSIG(status) if os.WIFSIGNALED(status) else os.WEXITSTATUS(status)
                self._popen.returncode = self.status  # Popen must not wait for it

    def answer(self, said: bytes) -> None:
        """Take the answer to a request for the terminal. REFUSED can also come unasked and holds from then on."""
        if said.endswith(GRANTED):
            self._waits = False
            self._signal_group(signal.SIGCONT)
        else:
            self._may_ask = False
            if self._waits:
                self._give_up()

    def interrupt(self) -> None:
        """Ask the program to print what it has and to end. A program that is stopped could not hear it."""
        self._signal_group(signal.SIGINT)
        self._signal_group(signal.SIGCONT)

    def await_end(self) -> None:
        """Wait up to LAST_WORDS_SECONDS until the program and all that it started have ended; then kill what is left.

        The program itself has this time even if nobody reads its output any more, to put things in order; what it
        started does not. Processes that fork while they are killed are killed in the next round.
        """
        begin = time.monotonic()
        while self._remaining() and time.monotonic() < begin + LAST_WORDS_SECONDS:
            if self.status is not None and _is_output_closed():
                break
            time.sleep(NAP_SECONDS)
        end = time.monotonic() + KILL_SECONDS
        while self._remaining():
            self._signal_group(signal.SIGKILL)
            for process in _descendants():
                _send(process, signal.SIGKILL)
            if time.monotonic() >= end:  # asked after the kill: a keeper that was held up has killed at least once
                break
            time.sleep(NAP_SECONDS)

    def _remaining(self) -> bool:
        self.look()
        return self.status is None or bool(_descendants()) or _exists(self._group)

    def _stopped(self, number: int) -> None:
        """The system stopped the program because it used the terminal, or the user did by Ctrl-Z while it had it."""
        if number == signal.SIGTSTP:
            self._signal_group(signal.SIGCONT)
        elif number in (signal.SIGTTIN, signal.SIGTTOU) and self._may_ask:
            self._waits = True
            os.write(0, b"%d\n" % self._group)
        elif number in (signal.SIGTTIN, signal.SIGTTOU):
            self._give_up()

    def _give_up(self) -> None:
        """End a program that cannot have the terminal; it would stay stopped for ever."""
        print(
            f"{self._program} wants to ask something on the terminal, which is in use: it can ask before it prints "
            "anything, in its first seconds; or pipe its output into pylatencymap",
            file=sys.stderr,
        )
        self._signal_group(signal.SIGKILL)

    def _signal_group(self, number: int) -> None:
        with contextlib.suppress(OSError):  # all have ended, or belong to somebody else
            os.killpg(self._group, number)


def _news() -> "tuple[int, int]":
    """The process and wait status of a child that ended or was stopped; zeros if there is none."""
    try:
        return os.waitpid(-1, os.WNOHANG | os.WUNTRACED)
    except ChildProcessError:
        return 0, 0


def _send(process: int, number: int) -> None:
    with contextlib.suppress(OSError):  # it has ended, or belongs to somebody else
        os.kill(process, number)


def _exists(group: int) -> bool:
    """Whether a process group has members that we can signal."""
    try:
        os.killpg(group, 0)
    except OSError:
        return False
    return True


def _is_output_closed() -> bool:
    poll = select.poll()
    poll.register(1, 0)
    return bool(poll.poll(0))


def _read() -> bytes:
    """What was said on standard input; empty when the other end was closed."""
    try:
        return os.read(0, 4096)
    except OSError:
        return b""  # a socket whose other end was closed with a question of ours in it


def _is_over(poll: select.poll, kept: Kept) -> bool:
    """Whether standard input or output was closed, or a signal arrived; waits up to LOOK_SECONDS for that."""
    for descriptor, _ in poll.poll(LOOK_SECONDS * 1000):
        said = _read() if descriptor == 0 else b""
        if not said:
            return True
        kept.answer(said)
    return False


def main(words: "list[str]") -> int:
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
    _control(PR_SET_CHILD_SUBREAPER, 1)
    has_terminal = words[0] == "--terminal"
    words = words[has_terminal:]
    try:
        kept = Kept(words, has_terminal)
    except OSError as error:
        print(_why(words[0], error), file=sys.stderr)
        return CANNOT_START
    try:
        while kept.status is None:
            if _is_over(poll, kept):
                kept.interrupt()
                return 0
            kept.look()
    finally:
        kept.await_end()
    return INTERRUPTED if kept.status == -signal.SIGINT else abs(kept.status)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
