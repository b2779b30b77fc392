"""Ask git within a time limit; ``TimeoutError`` when the limit is reached."""

from __future__ import annotations

import os
import subprocess

_GIT = "git"


def find_root_commit(root: str, revision: str, *, patience: float) -> str | None:
    """Return the first commit of a history; merging a foreign history does not change the answer."""
    answer = _ask_git(
        root, "rev-list", "--first-parent", "--max-parents=0", revision, patience=patience
    )
    return answer.split("\n", 1)[0] if answer else None


def has_commit(root: str, commit: str, *, patience: float) -> bool:
    """True if a repository has a commit."""
    return _ask_git(root, "cat-file", "-e", f"{commit}^{{commit}}", patience=patience) is not None


def list_from_git(root: str, *question: str, patience: float) -> str:
    """Return git's listing as far as received within the time limit; empty if git fails."""
    try:
        said = _run_git(root, *question, patience=patience)
    except subprocess.TimeoutExpired as late:
        said = late.stdout
    except (OSError, ValueError):
        said = None
    return (said or b"").decode("utf-8", "replace")


def read_from_git(root: str, *question: str, patience: float) -> str:
    """Return git's whole listing; empty if git fails, TimeoutError if git is late."""
    if patience <= 0:
        raise TimeoutError("no time is left to ask git")
    try:
        said = _run_git(root, *question, patience=patience)
    except subprocess.TimeoutExpired as late:
        raise TimeoutError(f"git took longer than {patience} s") from late
    except (OSError, ValueError):
        said = None
    return (said or b"").decode("utf-8", "replace")


def _ask_git(root: str, *question: str, patience: float) -> str | None:
    """Return git's answer; None if git is missing, refuses or fails."""
    try:
        said = _run_git(root, *question, patience=patience)
    except subprocess.TimeoutExpired as late:
        raise TimeoutError(f"git took longer than {patience} s") from late
    except (OSError, ValueError):
        return None
    return None if said is None else said.decode("ascii", "replace").strip()


def _run_git(root: str, *question: str, patience: float) -> bytes | None:
    """Return git's output; None if git fails.

    A repository of another owner is refused (``safe.directory``): its config could name programs
    to run. For the same reason nothing is fetched, not even objects missing in a partial clone,
    and history is read as written, without replacements.
    """
    done = subprocess.run(
        [_GIT, "--no-replace-objects", "-c", "protocol.allow=never", "-C", root, *question],
        env=_git_environment(root),
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        timeout=patience,
        check=False,
    )
    return None if done.returncode else done.stdout


def _git_environment(root: str) -> dict[str, str]:
    """Return our environment without inherited git variables."""
    kept = {name: value for name, value in os.environ.items() if not name.startswith("GIT_")}
    return kept | {
        "GIT_CEILING_DIRECTORIES": os.path.dirname(root),  # never answer for a repository above
        "GIT_NO_LAZY_FETCH": "1",
        "GIT_OPTIONAL_LOCKS": "0",
        "GIT_TERMINAL_PROMPT": "0",
    }
