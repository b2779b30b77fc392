"""Find a session file: by path, by session name, or the newest; inside the project."""

from __future__ import annotations

import os

from twiceshy.core.errors import NotFoundError, UnsafeNameError

SESSIONS = os.path.join(".claude", "memory", "sessions")  # where memory-keeper puts them


def find_session_file(given: str | None, *, root: str, cwd: str) -> str:
    """Return the path of a session file; by default, the newest."""
    found = _resolve_path(given, root=root, cwd=cwd) if given is not None else _newest_file(root)
    real, home = os.path.realpath(found), os.path.realpath(root)
    if not real.startswith(os.path.join(home, "")):  # a link that leads out is a way out as well
        raise UnsafeNameError(
            f"{found!r} lies outside of this project",
            hint="if you mean that file, pipe it: twiceshy extract-facts - < FILE",
        )
    return real


def _resolve_path(given: str, *, root: str, cwd: str) -> str:
    """Return the file of a path or session name."""
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


def _newest_file(root: str) -> str:
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
