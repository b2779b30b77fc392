"""Run git on our clone: no prompts, no repository programs, with a time limit."""

import contextlib
import glob
import os
import signal
import subprocess
import time
from collections.abc import Mapping

from twiceshy.core.value import Value
from twiceshy.files import list_program_folders
from twiceshy.sync.rules import SyncError, explain_git_error, is_disk_full

_GIT = "git"
_PROCESSES = "/proc"
_LOCAL_S, _REMOTE_S = 120.0, 300.0  # shorter than the lease under which it runs
_GRACE_S, _LOOK_S = 3.0, 0.02
# The user's own configuration stays: it knows credentials and proxies.
_SETTINGS = {
    "core.hooksPath": os.devnull,
    "core.fsmonitor": "false",
    "core.logAllRefUpdates": "false",
    "fetch.fsckObjects": "true",
    "gc.autoDetach": "false",
    "protocol.ext.allow": "never",
    "push.gpgSign": "false",
    "push.pushOption": "",
    "push.recurseSubmodules": "no",
    "submodule.recurse": "false",
}
_KEPT = ("GIT_SSH", "GIT_SSH_COMMAND", "GIT_SSL_", "GIT_PROXY", "GIT_CONFIG_GLOBAL")
_SAID = {
    "GIT_TERMINAL_PROMPT": "0",
    "GIT_ASKPASS": "",
    "GIT_DEFAULT_HASH": "sha1",  # by which we know blobs, too
    "GIT_DEFAULT_REF_FORMAT": "files",
    "LC_ALL": "C",
}
_ASKING = ("SSH_ASKPASS", "SSH_ASKPASS_REQUIRE")


class GitAnswer(Value):
    """An answer of git."""

    code: int
    out: bytes
    error: str


class GitRunner:
    """Git for one clone."""

    def __init__(self, folder: str, remote: str) -> None:
        self.folder = folder
        self.remote = remote

    def run_git(self, *words: str, given: bytes = b"", far: bool = False) -> GitAnswer:
        """Run git and return its answer, success or not; ``far`` allows time for the network."""
        settings = [part for key, value in _SETTINGS.items() for part in ("-c", f"{key}={value}")]
        try:
            process = subprocess.Popen(
                [*self._build_command(), *settings, *words],
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=subprocess.PIPE,
                cwd=os.path.dirname(self.folder),
                env=_git_environment(os.environ),
                start_new_session=True,  # without a terminal nobody can be asked for a password
                umask=0o077,
            )
        except FileNotFoundError as error:
            raise SyncError(
                "git is not installed", hint="install git, and run this again"
            ) from error
        with process:
            try:
                out, told = process.communicate(given, _REMOTE_S if far else _LOCAL_S)
            except subprocess.TimeoutExpired as late:
                _end_process(process)
                raise explain_git_error("connection timed out", self.remote) from late
            except BaseException:  # what is interrupted here must not go on over there
                _end_process(process)
                raise
        return GitAnswer(process.returncode, out, told.decode("utf-8", "replace"))

    def end_orphan_processes(self) -> None:
        """End git processes left on this clone by a killed process.

        Called by the holder of the lease, so a running git belongs to nobody. Without /proc no
        process is found: the lease of a killed process is waited for instead.
        """
        for orphan in self._find_running():
            with contextlib.suppress(OSError):
                os.killpg(orphan, signal.SIGTERM)
        until = time.monotonic() + _GRACE_S
        while self._find_running() and time.monotonic() < until:
            time.sleep(_LOOK_S)

    def _find_running(self) -> list[int]:
        """Return the git processes on this clone."""
        said = b"\0".join(map(os.fsencode, (*self._build_command(), "-c")))
        found = []
        for path in glob.glob(f"{_PROCESSES}/[0-9]*/cmdline"):
            with contextlib.suppress(OSError), open(path, "rb") as file:  # it may end meanwhile
                if file.read().startswith(said):
                    found.append(int(path.split("/")[-2]))
        return found

    def _build_command(self) -> tuple[str, ...]:
        return _GIT, "--no-replace-objects", f"--git-dir={self.folder}"

    def run_or_raise(self, *words: str, given: bytes = b"") -> bytes:
        """Run git on the clone only; a failure is an error of clone or disk."""
        said = self.run_git(*words, given=given)
        if not said.code:
            return said.out
        if is_disk_full(said.error):
            raise explain_git_error(said.error, self.remote)
        last = said.error.strip().rpartition("\n")[2][:200]
        raise SyncError(
            f"the clone in {self.folder} is damaged: {last}",
            hint="delete that folder and run this again; all it holds is in the store or remote",
        )


def _end_process(process: subprocess.Popen[bytes]) -> None:
    """End a git process with its children; kill after a grace period."""
    for how in (signal.SIGTERM, signal.SIGKILL):
        with contextlib.suppress(ProcessLookupError):
            os.killpg(process.pid, how)
        with contextlib.suppress(subprocess.TimeoutExpired):
            process.wait(_GRACE_S)
            return


def _git_environment(environ: Mapping[str, str]) -> dict[str, str]:
    """Return the environment without variables that redirect git or allow prompts."""
    kept = {
        name: value
        for name, value in environ.items()
        if (not name.startswith("GIT_") or name.startswith(_KEPT) or name == "GIT_CONFIG_NOSYSTEM")
        and name not in _ASKING
    }
    if "PATH" in kept:
        kept["PATH"] = list_program_folders(kept["PATH"])
    return kept | _SAID
