"""The launcher: the one small program that every hook line names, whatever becomes of our environment.

The line in the runtime's settings never changes; an upgrade or a moved environment rewrites only this.
If the interpreter is gone it notes that and exits 0: 2 would stop the session, and Python exits with 2
when it cannot open its file.
"""

from __future__ import annotations

import os
import sys

from twiceshy.core.value import Value

MODE = 0o700
LOG = "hook.log"
LARGEST_LOG = 262_144  # as much as hooks themselves keep
# where uvx and `pipx run` keep environments that they may delete any day
_FLEETING = ("/uv/archive-v", "/.cache/pipx/", "/pipx/.cache/")

_SCRIPT = """\
#!/bin/sh
# Written by `twiceshy install`, which also repairs it. Starts the hook and never hurts a session.
home={home}
python={python}
hook={hook}
if [ -x "$python" ] && [ -f "$hook" ] && [ -r "$hook" ]; then
    export TWICESHY_HOME="${{TWICESHY_HOME:-$home}}"
    exec "$python" -I -S "$hook" "$@"
fi
{{
    umask 077
    cat >/dev/null
    log=${{TWICESHY_HOME:-$home}}/{log}
    if [ "$(wc -c <"$log" || echo 0)" -lt {largest} ]; then
        why="InterpreterGone: $python cannot run $hook; run: twiceshy install"
        printf '%s %s launcher %s\\n' "$(date -u +%Y-%m-%dT%H:%M:%SZ)" "${{1:-?}}" "$why" >>"$log"
    fi
}} 2>/dev/null
exit 0
"""


class Target(Value):
    """What a launcher starts: an interpreter and the hook's file, both by absolute path."""

    python: str
    hook: str

    @property
    def missing(self) -> str:
        """Return the first of the two that is not there, or nothing."""
        if not os.access(self.python, os.X_OK):
            return self.python
        return "" if os.path.isfile(self.hook) else self.hook

    @property
    def fleeting(self) -> bool:
        """Tell whether the environment is a cache's, so that hooks may stop working any day."""
        return any(part in self.python for part in _FLEETING)


def launcher_path(home: str) -> str:
    """Return where the launcher of a memory home lies."""
    return os.path.join(home, "bin", "hook")


def own_target(package: str) -> Target:
    """Return the interpreter that runs us and the hook of our package."""
    # not resolved: a virtual environment's link outlives an upgrade of the Python behind it
    return Target(os.path.abspath(sys.executable), os.path.join(package, "hooks", "run.py"))


def script(home: str, target: Target) -> str:
    """Write the launcher of a memory home."""
    from shlex import quote  # noqa: PLC0415 - no hook writes a launcher

    return _SCRIPT.format(
        home=quote(home),
        python=quote(target.python),
        hook=quote(target.hook),
        log=LOG,
        largest=LARGEST_LOG,
    )


def target_of(text: str) -> Target | None:
    """Read back what a launcher starts; None if it is not one of ours."""
    import shlex  # noqa: PLC0415 - as above

    assigned = {}
    for line in text.splitlines():
        name, found, value = line.partition("=")
        if found and name in ("python", "hook"):
            assigned[name] = shlex.split(value)
    match assigned:
        case {"python": [python], "hook": [hook]}:
            return Target(python, hook)
        case _:
            return None
