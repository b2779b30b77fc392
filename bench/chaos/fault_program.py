"""Run a hook or a command of which one file operation fails, or is the last.

    python [-I -S] fault_program.py FAULT NUMBER MARK ENTRY [ARGUMENT ...]

Operations count from 1: files opened for writing, writes, renames, links, deletions and flushes to
disk. Operation NUMBER meets the FAULT and leaves the file MARK; a write gets half of its bytes out.
SQLite writes by itself and is not counted. ENTRY is the start file of hooks, or ``-m``.

once   the operation fails: no space left on the device
full   so does every later operation that needs room
end    the process ends at once
size   no operation is counted; files may not become longer than NUMBER bytes, SQLite's included
"""

import builtins
import io
import posix
import sys
from collections.abc import Callable
from errno import ENOSPC
from typing import Any

FAULT, NUMBER, MARK, ENTRY = sys.argv[1], int(sys.argv[2]), sys.argv[3], sys.argv[4]
WRITES = posix.O_WRONLY | posix.O_RDWR | posix.O_CREAT
ROOM = {"open", "write", "link", "fsync"}  # a full disk still renames and deletes
STREAMS = (1, 2)  # no disk
REAL = {name: getattr(posix, name) for name in ("open", "write", "close", "_exit")}
seen = 0


def meet_fault(name: str) -> bool:
    """Count an operation; True if it meets the fault."""
    global seen  # noqa: PLW0603 - this program is one count
    seen += FAULT != "size"
    if seen == NUMBER:
        REAL["close"](REAL["open"](MARK, posix.O_WRONLY | posix.O_CREAT, 0o600))
    return seen == NUMBER or (FAULT == "full" and seen > NUMBER and name in ROOM)


def fail(name: str) -> None:
    """End the process, or let the operation fail."""
    if FAULT == "end":
        REAL["_exit"](9)
    raise OSError(ENOSPC, "No space left on device", name)


def make_faulty(name: str, real: Callable[..., Any]) -> Callable[..., Any]:
    """Return an operation that may meet the fault."""

    def operate(*arguments: Any, **options: Any) -> Any:
        reads = name == "open" and not arguments[1] & WRITES
        prints = name == "write" and arguments[0] in STREAMS
        if not (reads or prints) and meet_fault(name):
            if name == "write":
                real(arguments[0], bytes(arguments[1])[: len(arguments[1]) // 2])
            fail(name)
        return real(*arguments, **options)

    return operate


class FaultyFile(io.FileIO):
    """A file whose writes may meet the fault."""

    def write(self, content: Any) -> int:
        """Write, or half of it."""
        if meet_fault("write"):
            super().write(bytes(content)[: len(content) // 2])
            fail("write")
        return super().write(content)


def open_faulty(file: Any, mode: str = "r", *rest: Any, **options: Any) -> Any:
    """Open a file as ``open`` does; one that is written to may meet the fault."""
    if mode.replace("b", "").replace("t", "") not in ("w", "x", "a"):
        return real_open(file, mode, *rest, **options)
    if not isinstance(file, int) and meet_fault("open"):
        fail("open")
    given = dict(zip(("buffering", "encoding", "errors", "newline"), rest, strict=False)) | options
    more = {name: given[name] for name in ("closefd", "opener") if name in given}
    raw = FaultyFile(file, mode.replace("t", "").replace("b", ""), **more)
    if given.get("buffering") == 0:
        return raw
    buffered = io.BufferedWriter(raw)
    text: dict[str, Any] = {name: given.get(name) for name in ("encoding", "errors", "newline")}
    return buffered if "b" in mode else io.TextIOWrapper(buffered, **text)


real_open = builtins.open
sys.dont_write_bytecode = True
for module in filter(None, (posix, sys.modules.get("os"))):
    for name in ("open", "write", "replace", "rename", "unlink", "link", "fsync"):
        setattr(module, name, make_faulty(name, getattr(module, name)))
builtins.open = open_faulty
io.open = open_faulty
sys.argv = sys.argv[4:]
if FAULT == "size":
    import resource

    resource.setrlimit(resource.RLIMIT_FSIZE, (NUMBER, resource.RLIM_INFINITY))
if ENTRY == "-m":
    from runpy import run_module

    run_module("twiceshy", run_name="__main__", alter_sys=True)
else:
    with real_open(ENTRY, "rb") as source:
        exec(compile(source.read(), ENTRY, "exec"), {"__name__": "__main__", "__file__": ENTRY})
