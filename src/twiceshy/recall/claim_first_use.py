"""Claim the first use of a program in a session: with its result, a lesson about it is told.

The result of every shell command is looked at, so its bytes are searched, without the store. A
file of the session names the programs with such a lesson, until they are used. Calls may end at
the same time: who takes the file away claims what it names, and puts back the rest.
"""

from __future__ import annotations

import os

_COMMAND, _RESULT = b'"command":', b'"tool_response":'
_LONGEST = 4_096  # bytes of a command that are looked at
_BEFORE = frozenset(b" \"'/;&|(=`n")  # a program stands behind one of these; n: of a line break
_AFTER = frozenset(b" \"';&|)`\\")
_NO_LINK = getattr(os, "O_NOFOLLOW", 0)
_READ = os.O_RDONLY | _NO_LINK | getattr(os, "O_NONBLOCK", 0)
_WRITE = os.O_WRONLY | os.O_TRUNC | _NO_LINK
_MOST = 1 << 16


def claim_first_use(raw: bytes, path: bytes) -> bool:
    """True if a command uses a program for the first time that the file of its session names."""
    taken = path + b".%d" % os.getpid()
    try:
        if not _find_used(_read_names(path), raw):
            return False
        os.rename(path, taken)
        watched = _read_names(taken)  # another process may have claimed some in between
        used = _find_used(watched, raw)
        _write_names(taken, [each for each in watched if each not in used])
        os.rename(taken, path)
    except OSError:
        return False  # another process has it at the moment, or it would be told with every call
    return bool(used)


def _find_used(watched: list[bytes], raw: bytes) -> list[bytes]:
    command = _extract_command(raw)
    return [program for program in watched if names_program(command, program)]


def _read_names(path: bytes) -> list[bytes]:
    handle = os.open(path, _READ)
    try:
        return os.read(handle, _MOST).splitlines()
    finally:
        os.close(handle)


def _write_names(path: bytes, names: list[bytes]) -> None:
    handle = os.open(path, _WRITE)
    try:
        os.write(handle, b"".join(name + b"\n" for name in names))
    finally:
        os.close(handle)


def _extract_command(raw: bytes) -> bytes:
    """Return the bytes that hold the command of a call, perhaps with what follows."""
    at = raw.find(_COMMAND)
    return raw[at + len(_COMMAND) : at + _LONGEST].partition(_RESULT)[0] if at >= 0 else b""


def names_program(command: bytes, program: bytes) -> bool:
    """True if a program stands in a command as a word, or at the end of a path."""
    at = command.find(program) if program else -1
    while at > 0:
        behind = command[at + len(program) : at + len(program) + 1]
        if command[at - 1] in _BEFORE and (not behind or behind[0] in _AFTER):
            return True
        at = command.find(program, at + 1)
    return False
