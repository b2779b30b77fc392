"""Try a hook like a runtime, in a private memory home with a note."""

from __future__ import annotations

import json
import os
import subprocess
import tempfile

from twiceshy.app import open_app
from twiceshy.config.load import load_config
from twiceshy.core.draft import Draft
from twiceshy.core.scope import EVERYWHERE, Scope
from twiceshy.notes.write import write_draft

TYPE_CHECKING = False  # mypy knows the name; importing it would load typing
if TYPE_CHECKING:
    from collections.abc import Callable

_SKILL = "twiceshy-doctor"
_WORDS = "Doctors wash their hands before they look at a patient"
_PATIENCE_S = 20


def try_hook(launcher: str, runtime: str, sample: Callable[[str, str], object]) -> str:
    """Load a skill through a hook; return the failure, or empty."""
    with tempfile.TemporaryDirectory(prefix="twiceshy-") as folder:
        home = os.path.join(folder, "home")
        _write_note(home, folder)
        environ = {
            "TWICESHY_HOME": home,
            "TWICESHY_HOOK_DEADLINE_MS": "10000",  # here it is the answer that counts, not the time
            "TWICESHY_TRIAL": "1",  # the launcher lets errors through
            "HOME": folder,
            "PATH": os.environ.get("PATH", ""),
        }
        try:
            done = subprocess.run(
                [launcher, runtime],
                input=json.dumps(sample(folder, _SKILL)).encode(),
                capture_output=True,
                cwd=folder,
                env=environ,
                timeout=_PATIENCE_S,
                check=False,
            )
        except (OSError, subprocess.TimeoutExpired) as error:
            return str(error)
        return _describe_trouble(done, home)


def _describe_trouble(done: subprocess.CompletedProcess[bytes], home: str) -> str:
    if _WORDS in done.stdout.decode("utf-8", "replace"):
        return ""
    said = done.stderr.decode("utf-8", "replace").strip().splitlines()
    if done.returncode:
        return ", ".join((f"exit code {done.returncode}", *said[-1:]))
    try:
        with open(os.path.join(home, "hook.log"), encoding="utf-8", errors="replace") as log:
            line = log.read().strip().splitlines()[-1]
    except (OSError, IndexError):
        return "it said nothing about the note"
    _, failed, status = line.rpartition("ended with status ")
    return ", ".join((f"exit code {status.partition(';')[0]}", *said[-1:])) if failed else line


def _write_note(home: str, folder: str) -> None:
    config = load_config({"TWICESHY_HOME": home}, cwd=folder, home_dir=folder)
    draft = Draft(kind="lesson", text=_WORDS, scope=Scope(EVERYWHERE, _SKILL), source="user")
    with open_app(config) as app:
        write_draft(app, draft)
