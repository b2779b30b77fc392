"""Run git on a clone of ours: it asks nobody anything, runs nothing of the repository, and has to end."""

from __future__ import annotations

import os
import subprocess
from typing import TYPE_CHECKING

from twiceshy.core.syncing import SyncError, trouble
from twiceshy.core.value import Value

if TYPE_CHECKING:
    from collections.abc import Mapping

_GIT = "git"
_LOCAL_S, _REMOTE_S = 120.0, 300.0  # shorter than the lease under which it runs
# The user's own configuration stays: it knows credentials and proxies.
_SETTINGS = {
    "core.hooksPath": os.devnull,
    "core.fsmonitor": "false",
    "core.logAllRefUpdates": "false",
    "fetch.fsckObjects": "true",
    "gc.autoDetach": "false",
    "protocol.ext.allow": "never",
    "push.gpgSign": "false",
    "push.recurseSubmodules": "no",
    "submodule.recurse": "false",
}
_KEPT = ("GIT_SSH", "GIT_SSH_COMMAND", "GIT_SSL_", "GIT_PROXY", "GIT_CONFIG_GLOBAL")
_ASKING = ("SSH_ASKPASS", "SSH_ASKPASS_REQUIRE")


class Said(Value):
    """What git answered."""

    code: int
    out: bytes
    error: str


class Git:
    """The git of one clone."""

    def __init__(self, folder: str, remote: str) -> None:
        self.folder = folder
        self.remote = remote

    def ask(self, *words: str, given: bytes = b"", far: bool = False) -> Said:
        """Run git and return what it says, however it ends; ``far`` gives a network its time."""
        settings = [part for key, value in _SETTINGS.items() for part in ("-c", f"{key}={value}")]
        try:
            done = subprocess.run(
                [_GIT, "--no-replace-objects", f"--git-dir={self.folder}", *settings, *words],
                input=given,
                capture_output=True,
                check=False,
                cwd=os.path.dirname(self.folder),
                env=_environment(os.environ),
                start_new_session=True,  # without a terminal nobody can be asked for a password
                timeout=_REMOTE_S if far else _LOCAL_S,
                umask=0o077,
            )
        except FileNotFoundError as error:
            raise SyncError(
                "git is not installed", hint="install git, and run this again"
            ) from error
        except subprocess.TimeoutExpired as late:
            raise trouble("connection timed out", self.remote) from late
        return Said(done.returncode, done.stdout, done.stderr.decode("utf-8", "replace"))

    def must(self, *words: str, given: bytes = b"") -> bytes:
        """Run git on the clone alone; what fails there is the clone's fault."""
        said = self.ask(*words, given=given)
        if said.code:
            last = said.error.strip().rpartition("\n")[2][:200]
            raise SyncError(
                f"the clone in {self.folder} is damaged: {last}",
                hint="delete that folder and run this again; all it holds is in the store or remote",
            )
        return said.out


def _environment(environ: Mapping[str, str]) -> dict[str, str]:
    """Return the environment without what would point git elsewhere or let it ask questions."""
    kept = {
        name: value
        for name, value in environ.items()
        if (not name.startswith("GIT_") or name.startswith(_KEPT) or name == "GIT_CONFIG_NOSYSTEM")
        and name not in _ASKING
    }
    return kept | {"GIT_TERMINAL_PROMPT": "0", "GIT_ASKPASS": "", "LC_ALL": "C"}
