"""Many payloads for one interpreter: every one has a process of its own, forked when all is loaded.

    python -I -S battery.py FOLDER-OF-THE-PACKAGE PROGRAM [RUNTIME] < payloads.jsonl

Each line is a payload in hexadecimal digits; for each, one line tells how the hook ended. What one hook
has loaded of the package is loaded here for the next ones. What a hook does not load is not loaded
here either: with ``json`` around, its C half behaves in another way.
The program is started in place of Python where a hook leaves something to a background job: hundreds
of jobs would go on for longer than the tests that started them.
"""

import os
import sys
import tempfile
from importlib import import_module

sys.path.insert(0, sys.argv[1])

from twiceshy.hooks import deadline, entry

RUNTIME = sys.argv[3] if len(sys.argv) > 3 else "claude-code"

# A hook that loads one of these does something rare: create a store, or read an escape in JSON.
SLOW = {"datetime", "hashlib", "json", "re", "sqlite3", "unicodedata"}


def main() -> None:
    """Answer one payload after the other."""
    lines = sys.stdin.buffer.readlines()
    sys.executable = sys.argv[2]
    here = set(sys.modules) & SLOW
    for line in lines:
        code, *printed = ended(bytes.fromhex(line.decode()))
        sys.stdout.write(",".join([str(code), *(text.hex() for text in printed)]) + "\n")
        sys.stdout.flush()  # or a fork would say it once more
    assert set(sys.modules) & SLOW == here


def ended(raw: bytes) -> tuple[int, bytes, bytes]:
    """Return the exit code, stdout and stderr of a hook that was given this payload."""
    with (
        tempfile.TemporaryFile() as given,
        tempfile.TemporaryFile() as out,
        tempfile.TemporaryFile() as err,
        tempfile.TemporaryFile() as loaded,
    ):
        given.write(raw)
        given.seek(0)
        child = os.fork()
        if child == 0:
            for number, file in enumerate((given, out, err)):
                os.dup2(file.fileno(), number)
            answered(loaded.fileno())
        _, status = os.waitpid(child, 0)
        for file in (out, err, loaded):
            file.seek(0)
        for name in loaded.read().decode().split():
            import_module(name)
        return os.waitstatus_to_exitcode(status), out.read(), err.read()


def answered(loaded: int) -> None:
    """Do what the hook's own file does, and end as it does, but say first what was loaded."""

    def leave() -> None:
        new = set(sys.modules) - before
        if not new & SLOW:
            os.write(loaded, " ".join(name for name in new if "twiceshy." in name).encode())
        deadline.exit_fast()

    before = set(sys.modules)
    code = 1
    try:
        entry.answer_event([RUNTIME], leave)
        leave()
        code = 0
    finally:
        os._exit(code)


main()
