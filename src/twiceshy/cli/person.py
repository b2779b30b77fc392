"""Ask the person at the terminal, before an act that only a person may do."""

import os
import secrets
import termios
from contextlib import closing

from twiceshy.cli.output import print_message
from twiceshy.core.errors import TwiceshyError
from twiceshy.notes.person import PersonNeededError, describe_act
from twiceshy.runtimes.callers import (
    find_client_above,
    find_marked_client,
    list_processes_above,
)
from twiceshy.wording import worded

_LETTERS = "abcdefghjkmnpqrstuvwxyz"  # none that looks like another, or like a digit
_CODE = 5
_LONGEST = 200
_STDIN, _STDOUT = 0, 1


class Terminal:
    """The controlling terminal of this process."""

    def __init__(self, handle: int) -> None:
        """Take over the open file of the terminal."""
        self._handle = handle

    def ask(self, question: str) -> str:
        """Write a question and return the line that is typed after it; what came before is dropped."""
        termios.tcflush(self._handle, termios.TCIFLUSH)
        os.write(self._handle, question.encode())
        typed = b""
        while not typed.endswith(b"\n") and len(typed) < _LONGEST:
            some = os.read(self._handle, _LONGEST)
            if not some:
                break
            typed += some
        return typed.decode("utf-8", "replace").strip()

    def close(self) -> None:
        """Close the file of the terminal."""
        os.close(self._handle)


def confirm_person(needed: PersonNeededError) -> None:
    """Ask the person at the terminal to type a code; TwiceshyError unless that is what happened."""
    act = describe_act(needed.act)
    if client := find_calling_client():
        raise TwiceshyError(
            worded("only a person may {act}; {client} runs this command", act=act, client=client),
            hint=worded("run it in a terminal of your own, outside of the agent"),
        )
    terminal = open_terminal()
    if terminal is None:
        raise TwiceshyError(
            worded("only a person at a terminal may {act}", act=act), hint=needed.hint
        )
    code = "".join(secrets.choice(_LETTERS) for _ in range(_CODE))
    for line in needed.about:
        print_message(line)
    question = worded("To {act}, type {code} and press Enter: ", act=act, code=code)
    with closing(terminal):
        said = terminal.ask(question)
    if said.lower() != code:
        raise TwiceshyError(worded("that was not {code}; nothing was changed", code=code))


def find_calling_client() -> str:
    """Return the client that runs this command, or one above it; empty if none is known."""
    return find_marked_client(os.environ) or find_client_above(list_processes_above())


def open_terminal() -> Terminal | None:
    """Open the terminal that this process reads from, writes to and is controlled by; None if not one."""
    try:
        ours = os.tcgetpgrp(_STDIN) == os.tcgetpgrp(_STDOUT) == os.getpgrp()
        same = os.fstat(_STDIN).st_rdev == os.fstat(_STDOUT).st_rdev
        if not (ours and same):
            return None
        return Terminal(os.open("/dev/tty", os.O_RDWR | os.O_NOCTTY | os.O_CLOEXEC))
    except OSError:  # no terminal, or not the one that controls this process
        return None
