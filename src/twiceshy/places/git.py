"""Ask git what only git knows, for a limited time; ``TimeoutError`` when that is over."""

from __future__ import annotations

import os
import subprocess

_GIT = "git"


def root_commit(root: str, revision: str, *, patience: float) -> str | None:
    """Return the commit a history began with; merging a foreign history does not change it."""
    answer = _ask(
        root, "rev-list", "--first-parent", "--max-parents=0", revision, patience=patience
    )
    return answer.split("\n", 1)[0] if answer else None


def has_commit(root: str, commit: str, *, patience: float) -> bool:
    """Tell whether a repository holds a commit."""
    return _ask(root, "cat-file", "-e", f"{commit}^{{commit}}", patience=patience) is not None


def listing(root: str, *question: str, patience: float) -> str:
    """Return what git lists within the time, as far as it came; nothing if it refuses or fails."""
    try:
        said = _run(root, *question, patience=patience)
    except subprocess.TimeoutExpired as late:
        said = late.stdout
    except (OSError, ValueError):
        said = None
    return (said or b"").decode("utf-8", "replace")


def _ask(root: str, *question: str, patience: float) -> str | None:
    """Return what git answers; none if it is missing, refuses or fails."""
    try:
        said = _run(root, *question, patience=patience)
    except subprocess.TimeoutExpired as late:
        raise TimeoutError(f"git took longer than {patience} s") from late
    except (OSError, ValueError):
        return None
    return None if said is None else said.decode("ascii", "replace").strip()


def _run(root: str, *question: str, patience: float) -> bytes | None:
    """Return what git writes; none if it fails.

    A repository of another owner is refused (``safe.directory``), and stays so: its config could
    name programs to run. For the same reason nothing is fetched, not even what a partial clone
    left out, and history is read as it was written, without replacements.
    """
    done = subprocess.run(
        [_GIT, "--no-replace-objects", "-c", "protocol.allow=never", "-C", root, *question],
        env=_environment(root),
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        timeout=patience,
        check=False,
    )
    return None if done.returncode else done.stdout


def _environment(root: str) -> dict[str, str]:
    """Return our environment without git's variables, which hooks inherit, but for our own."""
    kept = {name: value for name, value in os.environ.items() if not name.startswith("GIT_")}
    return kept | {
        "GIT_CEILING_DIRECTORIES": os.path.dirname(root),  # never answer for a repository above
        "GIT_NO_LAZY_FETCH": "1",
        "GIT_OPTIONAL_LOCKS": "0",
        "GIT_TERMINAL_PROMPT": "0",
    }
