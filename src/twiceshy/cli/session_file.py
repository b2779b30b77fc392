"""Find and read a session file: it lies inside the project, or comes through stdin."""

from __future__ import annotations

import os
import sys

from twiceshy.core.errors import NoteError, NotFoundError, UnsafeNameError

SESSIONS = os.path.join(".claude", "memory", "sessions")  # where memory-keeper puts them
_LARGEST = 4 * 1024 * 1024  # bytes; a session file has a thousandth of that


def session_text(given: str | None, *, root: str, cwd: str) -> tuple[str, str]:
    """Return the name and the text of a session file; without one given, of the newest."""
    if given == "-":
        return "", _decoded(sys.stdin.buffer.read(_LARGEST + 1), "stdin")
    found = _path(given, root=root, cwd=cwd) if given is not None else _newest(root)
    path = _within(root, found)
    name = os.path.splitext(os.path.basename(path))[0]
    try:
        with open(path, "rb") as file:
            return name, _decoded(file.read(_LARGEST + 1), path)
    except OSError as error:
        raise NotFoundError(f"cannot read {path!r}: {error.strerror}") from error


def _path(given: str, *, root: str, cwd: str) -> str:
    """Return the file that is meant: by its path, or by the name of a session."""
    if "\0" in given:
        raise UnsafeNameError("the path holds a NUL character", hint="give the path of a file")
    by_name = given if given.endswith(".md") else f"{given}.md"
    tried = (
        os.path.join(cwd, os.path.expanduser(given)),
        os.path.join(root, SESSIONS, by_name),
    )
    found = next((path for path in tried if os.path.isfile(path)), None)
    if found is None:
        raise NotFoundError(
            f"there is no session file {given!r}",
            hint=f"give a path, or the name of a session in {SESSIONS}",
        )
    return found


def _within(root: str, path: str) -> str:
    """Return where a path leads to; a link that leads out of the project is a way out as well."""
    real, home = os.path.realpath(path), os.path.realpath(root)
    if not real.startswith(os.path.join(home, "")):
        raise UnsafeNameError(
            f"{path!r} lies outside of this project",
            hint="if you mean that file, pipe it: twiceshy extract-facts - < FILE",
        )
    return real


def _newest(root: str) -> str:
    folder = os.path.join(root, SESSIONS)
    try:
        with os.scandir(folder) as entries:
            files = [entry for entry in entries if entry.name.endswith(".md") and entry.is_file()]
    except OSError:
        files = []
    if not files:
        raise NotFoundError(
            f"there is no session file in {SESSIONS}",
            hint="give the path of one, or pipe it: twiceshy extract-facts -",
        )
    return max(files, key=lambda entry: (entry.stat().st_mtime_ns, entry.name)).path


def _decoded(content: bytes, name: str) -> str:
    if len(content) > _LARGEST:
        raise NoteError(
            f"{name} is larger than {_LARGEST // 1024 // 1024} MiB",
            hint="that is no session file; cut out the part with the facts",
        )
    return content.decode("utf-8-sig", "replace")
