"""Many payloads for one interpreter: every one has a process of its own, forked when all is loaded.

    python -I -S battery.py FOLDER-OF-THE-PACKAGE PROGRAM < payloads.jsonl

Each line is a payload in hexadecimal digits; for each, one line tells how the hook ended. What a hook
does not load is not loaded here either: with ``json`` around, its C half behaves in another way.
The program is started in place of Python where a hook leaves something to a background job: hundreds
of jobs would go on for longer than the tests that started them.
"""

import os
import sys
import tempfile

sys.path.insert(0, sys.argv[1])

from twiceshy.hooks import entry
from twiceshy.recall import answer, respond
from twiceshy.recall import event_context as desk
from twiceshy.recall import session_start as start
from twiceshy.recall import skill_load as skill
from twiceshy.safety import redact
from twiceshy.shell import failure

LOADED = (answer, desk, entry, failure, redact, respond, skill, start)


def main() -> None:
    """Answer one payload after the other."""
    lines = sys.stdin.buffer.readlines()
    sys.executable = sys.argv[2]
    assert "json" not in sys.modules
    for line in lines:
        code, *printed = ended(bytes.fromhex(line.decode()))
        sys.stdout.write(",".join([str(code), *(text.hex() for text in printed)]) + "\n")
        sys.stdout.flush()  # or a fork would say it once more


def ended(raw: bytes) -> tuple[int, bytes, bytes]:
    """Return the exit code, stdout and stderr of a hook that was given this payload."""
    with (
        tempfile.TemporaryFile() as given,
        tempfile.TemporaryFile() as out,
        tempfile.TemporaryFile() as err,
    ):
        given.write(raw)
        given.seek(0)
        child = os.fork()
        if child == 0:
            for number, file in enumerate((given, out, err)):
                os.dup2(file.fileno(), number)
            answered()
        _, status = os.waitpid(child, 0)
        for file in (out, err):
            file.seek(0)
        return os.waitstatus_to_exitcode(status), out.read(), err.read()


def answered() -> None:
    """Do what the hook's own file does, and end as Python does."""
    code = 1
    try:
        entry.main(["claude-code"])
        code = 0
    finally:
        os._exit(code)


main()
