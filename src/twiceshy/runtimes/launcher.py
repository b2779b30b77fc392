"""Launchers: two small programs named by every client, stable across upgrades.

The line in the runtime's settings never changes; an upgrade or a moved environment rewrites
only the launchers. If the interpreter is gone or fails, the hook launcher notes that and exits
0: 2 would stop the session, and Python exits with 2 when it cannot open its file. The server
launcher reports and fails, as clients expect.
"""

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
    [ -n "$TWICESHY_TRIAL" ] || exec 2>/dev/null
    "$python" -I -S "$hook" "$@" && exit 0
    why="InterpreterFailed: $python ended with status $?; see: twiceshy doctor"
else
    cat >/dev/null
    why="InterpreterGone: $python cannot run $hook; run: twiceshy install"
fi
{{
    umask 077
    log=${{TWICESHY_HOME:-$home}}/{log}
    if [ ! -e "$log" ] || {{ [ -f "$log" ] && [ "$(wc -c <"$log")" -lt {largest} ]; }}; then
        printf '%s %s launcher %s\\n' "$(date -u +%Y-%m-%dT%H:%M:%SZ)" "${{1:-?}}" "$why" >>"$log"
    fi
}} 2>/dev/null
exit 0
"""

# -E -P and not -I: who installed us for one user only has us where -I does not look.
_SERVER = """\
#!/bin/sh
# Written by `twiceshy install`, which also repairs it. Starts the MCP server.
home={home}
python={python}
if [ -x "$python" ]; then
    export TWICESHY_HOME="${{TWICESHY_HOME:-$home}}"
    exec "$python" -E -P -m twiceshy mcp "$@"
fi
echo "twiceshy: $python is gone; run: twiceshy install" >&2
exit 1
"""


class Target(Value):
    """Target of a launcher: interpreter and hook file, absolute paths."""

    python: str
    hook: str

    @property
    def missing_file(self) -> str:
        """Return the first missing file of the two; empty if none."""
        if not os.access(self.python, os.X_OK):
            return self.python
        return "" if os.path.isfile(self.hook) else self.hook

    @property
    def is_in_cache(self) -> bool:
        """True if the environment lies in a cache, so that hooks may stop working."""
        return any(part in self.python for part in _FLEETING)


def launcher_path(home: str) -> str:
    """Return the hook launcher of a memory home."""
    return os.path.join(home, "bin", "hook")


def server_path(home: str) -> str:
    """Return the MCP server launcher of a memory home."""
    return os.path.join(home, "bin", "mcp")


def bundle_path(home: str) -> str:
    """Return the compiled modules of hooks in a memory home; ``hooks/bundle.py`` reads them."""
    return os.path.join(home, "hooks.bundle")


def find_own_target(package: str) -> Target:
    """Return the running interpreter and the hook file of our package."""
    # not resolved: a virtual environment's link outlives an upgrade of the Python behind it
    return Target(os.path.abspath(sys.executable), os.path.join(package, "hooks", "run.py"))


def render_launcher(home: str, target: Target) -> str:
    """Render the hook launcher."""
    from shlex import quote  # noqa: PLC0415 - no hook writes a launcher

    return _SCRIPT.format(
        home=quote(home),
        python=quote(target.python),
        hook=quote(target.hook),
        log=LOG,
        largest=LARGEST_LOG,
    )


def render_server_launcher(home: str, target: Target) -> str:
    """Render the MCP server launcher."""
    from shlex import quote  # noqa: PLC0415 - as above

    return _SERVER.format(home=quote(home), python=quote(target.python))


def parse_launcher(text: str) -> Target | None:
    """Parse a launcher's target; None if foreign."""
    match _parse_assignment(text):
        case {"python": [python], "hook": [hook]}:
            return Target(python, hook)
        case _:
            return None


def is_untouched_launcher(home: str, content: bytes) -> bool:
    """True if a launcher is ours and unedited, for any interpreter."""
    text = content.decode("utf-8", "replace")
    match _parse_assignment(text):
        case {"python": [python], "hook": [hook]}:
            return text == render_launcher(home, Target(python, hook))
        case {"python": [python]}:
            return text == render_server_launcher(home, Target(python, ""))
        case _:
            return False


def _parse_assignment(text: str) -> dict[str, list[str]]:
    import shlex  # noqa: PLC0415 - as above
    from contextlib import suppress  # noqa: PLC0415 - as above

    found = {}
    for line in text.splitlines():
        name, equals, value = line.partition("=")
        if equals and name in ("python", "hook"):
            with suppress(ValueError):  # in a file that is none of ours
                found[name] = shlex.split(value)
    return found
