"""Claim the first use of a program in a session: with its result, a lesson about it is told.

The result of every shell command is looked at, so its bytes are searched, without the store. A
file of the session names the programs with such a lesson, until they are used.
"""

from __future__ import annotations

import os

_COMMAND, _RESULT = b'"command":', b'"tool_response":'
_LONGEST = 4_096  # bytes of a command that are looked at
_BEFORE = frozenset(b" \"'/;&|(=`n")  # a program stands behind one of these; n: of a line break
_AFTER = frozenset(b" \"';&|)`\\")
_READ = os.O_RDWR | getattr(os, "O_NOFOLLOW", 0) | getattr(os, "O_NONBLOCK", 0)
_MOST = 1 << 16


def claim_first_use(raw: bytes, path: bytes) -> bool:
    """True if a command uses a program for the first time that the file of its session names."""
    try:
        handle = os.open(path, _READ)
    except OSError:
        return False
    try:
        watched = os.read(handle, _MOST).splitlines()
        used = {program for program in watched if _names_program(_extract_command(raw), program)}
        if used:
            left = b"".join(each + b"\n" for each in watched if each not in used)
            os.ftruncate(handle, 0)
            os.pwrite(handle, left, 0)
        return bool(used)
    except OSError:
        return False  # it would be told with every call
    finally:
        os.close(handle)


def _extract_command(raw: bytes) -> bytes:
    """Return the bytes that hold the command of a call, perhaps with what follows."""
    at = raw.find(_COMMAND)
    return raw[at + len(_COMMAND) : at + _LONGEST].partition(_RESULT)[0] if at >= 0 else b""


def _names_program(command: bytes, program: bytes) -> bool:
    """True if a program stands in a command as a word, or at the end of a path."""
    at = command.find(program) if program else -1
    while at > 0:
        behind = command[at + len(program) : at + len(program) + 1]
        if command[at - 1] in _BEFORE and (not behind or behind[0] in _AFTER):
            return True
        at = command.find(program, at + 1)
    return False
