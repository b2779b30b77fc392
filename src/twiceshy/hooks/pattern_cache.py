"""Compiled regular expressions between background jobs: compiling them costs more than learning from a session.

What ``re`` hands to its engine for a pattern is kept in the memory home, by pattern, flags and interpreter, and
handed over again. The file counts only if it belongs to the user, nobody else may write it, and it is
whole; without it every pattern is compiled as ever.
"""

from __future__ import annotations

import marshal
import os
import re
import sys
from contextlib import suppress
from importlib import import_module

from twiceshy.files import open_plain
from twiceshy.files.replace import replace_file
from twiceshy.hooks.bundle import HASH_BYTES, hash_content

TYPE_CHECKING = False  # mypy knows the name; importing it would load typing
if TYPE_CHECKING:
    from typing import Any

    PatternKey = tuple[str, int]

NAME = "patterns.cache"
_VERSION = 1
_LARGEST = 16 << 20
_MOST = 5_000  # patterns; a job has some 400
_WRITABLE_BY_OTHERS = 0o022
_COMPILER: Any = import_module("re._compiler")
_ENGINE: Any = import_module("_sre")
_MADE_BY = (_VERSION, sys.version, _ENGINE.MAGIC)
# What depends on the surroundings, or is asked for its output.
_NEVER = int(re.LOCALE | re.DEBUG)


class PatternCache:
    """Compiles patterns from what an earlier job has kept; new ones are kept for the next job."""

    def __init__(self, home: str) -> None:
        self._path = os.path.join(home, NAME)
        self._known = _read_cache(self._path)
        self._new: dict[PatternKey, bytes] = {}
        self._compile = _COMPILER.compile

    def use(self) -> None:
        """Let ``re`` compile by this cache from now on."""
        _COMPILER.compile = self._compile_cached

    def save(self, *, keep: bool = True) -> bool:
        """Keep what was compiled, and let ``re`` compile by itself again; True if written."""
        _COMPILER.compile = self._compile
        if not (keep and self._new):
            return False
        kept = {**self._known, **self._new}
        if len(kept) > _MOST:
            kept = self._new  # of many versions
        content = marshal.dumps((_MADE_BY, kept))
        replace_file(self._path, hash_content(content) + content)
        return True

    def _compile_cached(self, pattern: Any, flags: int = 0) -> Any:
        if not isinstance(pattern, str) or flags & _NEVER:
            return self._compile(pattern, flags)
        key = (pattern, int(flags))
        if known := self._known.get(key):
            return _ENGINE.compile(*marshal.loads(known))  # noqa: S302 - the file is ours, and whole
        given, compiled = self._record(pattern, flags)
        with suppress(TypeError):
            self._new[key] = marshal.dumps(_make_plain(given))
        return compiled

    def _record(self, pattern: str, flags: int) -> tuple[tuple[object, ...], Any]:
        """Compile a pattern; return what the engine was given for it, too."""
        watched = _WatchedEngine()
        _COMPILER._sre, before = watched, _COMPILER._sre  # noqa: SLF001 - nothing public hands it out
        try:
            compiled = self._compile(pattern, flags)
        finally:
            _COMPILER._sre = before  # noqa: SLF001 - as above
        return watched.given, compiled


class _WatchedEngine:
    """The engine of ``re``, which remembers what it was given last."""

    def __init__(self) -> None:
        self.given: tuple[object, ...] = ()

    def __getattr__(self, name: str) -> Any:
        return getattr(_ENGINE, name)

    def compile(self, *given: Any) -> Any:
        """Make a pattern of compiled code."""
        self.given = given
        return _ENGINE.compile(*given)


def _make_plain(value: Any) -> Any:
    """Return a value as it is read back from a file, equal to the given one; TypeError if there is none."""
    if value is None or isinstance(value, str):
        return value
    if isinstance(value, int):
        return int(value)  # codes have names, which no file can hold
    if isinstance(value, list):
        return list(map(_make_plain, value))
    if isinstance(value, tuple):
        return tuple(map(_make_plain, value))
    if isinstance(value, dict):
        return {_make_plain(key): _make_plain(each) for key, each in value.items()}
    raise TypeError


def _read_cache(path: str) -> dict[PatternKey, bytes]:
    """Read the patterns of this interpreter; none unless the file is ours and whole."""
    try:
        with open(path, "rb", opener=_open_own) as file:
            content = file.read(_LARGEST)
        if hash_content(content[HASH_BYTES:]) != content[:HASH_BYTES]:
            return {}
        made_by, known = marshal.loads(content[HASH_BYTES:])  # noqa: S302 - checked above
    except (OSError, ValueError, EOFError, TypeError):
        return {}
    return known if made_by == _MADE_BY else {}


def _open_own(path: str, flags: int) -> int:
    handle = open_plain(path, flags | os.O_NOFOLLOW)
    status = os.fstat(handle)
    if status.st_uid == os.geteuid() and not status.st_mode & _WRITABLE_BY_OTHERS:
        return handle
    os.close(handle)
    raise PermissionError(path)
