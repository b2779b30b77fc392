"""A private memory home for a chaos run: hooks and commands as clients and users start them."""

from __future__ import annotations

import json
import os
import shutil
import sqlite3
import subprocess
import sys
import tempfile
import time
from contextlib import closing, contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from tests.processes import end_jobs, wait_for_jobs

import twiceshy

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

PACKAGE = Path(twiceshy.__file__).resolve().parent
HOOK = (sys.executable, "-I", "-S", str(PACKAGE / "hooks" / "run.py"))
COMMAND = (sys.executable, "-m", "twiceshy")
BATTERY = Path(__file__).resolve().parents[2] / "tests" / "hooks" / "battery.py"
PATIENCE_S = 60  # a process that takes longer hangs
BUG = 3  # exit code of a command that met an error nobody thought of
_LONG_AGO_S = 3_600  # no hook works for so long
_RULING = {"hookEventName", "permissionDecision", "permissionDecisionReason"}
_CONTEXT = {"hookEventName", "additionalContext"}
_TO_SUMMARISER = b"If this session taught something lasting about a skill"


@dataclass(frozen=True)
class Ended:
    """How a process ended, and what it printed; a process that hangs has no exit code."""

    code: int | None
    out: bytes
    err: bytes

    @property
    def document(self) -> Any:
        """Return the printed JSON document."""
        return json.loads(self.out)


class TrialHome:
    """A memory home in a folder, with a project beside it and the environment of its processes."""

    def __init__(self, folder: Path, hook: Sequence[str] = HOOK) -> None:
        self.folder = folder
        self.user, self.path, self.project = (folder / n for n in ("user", "home", "shop"))
        self.hook = tuple(hook)
        for place in (self.user, self.project):
            place.mkdir(parents=True, exist_ok=True)

    @property
    def database(self) -> Path:
        """Return the path of the store."""
        return self.path / "twiceshy.db"

    def write_settings(self, toml: str) -> None:
        """Write the user's settings; what protects the user no program sets by a command."""
        self.path.mkdir(mode=0o700, exist_ok=True)
        (self.path / "config.toml").write_text(toml)

    def environ(self, more: Mapping[str, str] | None = None) -> dict[str, str]:
        """Return the variables of a process: its homes, and nothing of the user's own."""
        return {
            "PATH": os.environ.get("PATH", ""),
            "HOME": str(self.user),
            "TWICESHY_HOME": str(self.path),
            "GIT_CONFIG_GLOBAL": os.devnull,
            "GIT_CONFIG_NOSYSTEM": "1",
            "PYTHONPATH": str(PACKAGE.parent),
            **(more or {}),
        }

    def start(
        self, words: Sequence[str], *, more: Mapping[str, str] | None = None, group: bool = False
    ) -> subprocess.Popen[bytes]:
        """Start a process in the project."""
        return subprocess.Popen(
            words,
            env=self.environ(more),
            cwd=self.project,
            start_new_session=group,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
        )

    def start_hook(self, runtime: str = "claude-code") -> subprocess.Popen[bytes]:
        """Start a hook as a client does."""
        return self.start([*self.hook, runtime])

    def fire(self, payload: Mapping[str, object] | bytes, runtime: str = "claude-code") -> Ended:
        """Give a hook one payload, and wait for its end."""
        return finish(self.start_hook(runtime), encode(payload))

    def command(self, *words: str) -> Ended:
        """Run a command, and wait for its end."""
        return finish(self.start([*COMMAND, *words]))

    def learn(self, session: str = "s1") -> Ended:
        """Run the background job that takes in held and spooled records."""
        self.age_held()
        return finish(self.start([*HOOK, "learn", session]))

    def fire_all(self, payloads: Sequence[bytes], runtime: str = "claude-code") -> list[Ended]:
        """Fire many payloads, each at a forked hook of its own; no hook starts a job."""
        if self.hook != HOOK:
            return [self.fire(raw, runtime) for raw in payloads]
        idle = str(shutil.which("true"))
        # as much time as a slow machine needs: what is looked at here is the answer
        slow = {"TWICESHY_HOOK_DEADLINE_MS": "10000", "TWICESHY_HOOK_WALL_MS": "60000"}
        words = [sys.executable, "-I", "-S", str(BATTERY), str(PACKAGE.parent), idle, runtime]
        lines = "".join(f"{raw.hex()}\n" for raw in payloads).encode()
        done = finish(self.start(words, more=slow), lines, seconds=600)
        ended = [line.split(",") for line in done.out.decode().splitlines()]
        if done.code or len(ended) != len(payloads):
            raise RuntimeError(done.err.decode("utf-8", "replace"))
        return [Ended(int(code), bytes.fromhex(o), bytes.fromhex(e)) for code, o, e in ended]

    def age_held(self) -> None:
        """Let the hooks that hold records have begun long ago."""
        for path in (self.path / "held").glob("*"):
            os.utime(path, times=(time.time() - _LONG_AGO_S,) * 2)

    def rows(self, query: str) -> list[Any]:
        """Return the rows of a query, asked with SQLite alone."""
        with closing(sqlite3.connect(self.database)) as db:
            return db.execute(query).fetchall()

    def check_integrity(self) -> list[str]:
        """Return what SQLite finds wrong with the store."""
        try:
            found = [str(row[0]) for row in self.rows("PRAGMA integrity_check")]
        except sqlite3.Error as error:
            return [f"the store cannot be read: {error}"]
        return [] if found == ["ok"] else [f"the store is not sound: {found[0]}"]

    def end_jobs(self) -> int:
        """Wait for background jobs, end those that hang, and return their number."""
        left = wait_for_jobs(self.folder, seconds=PATIENCE_S)
        end_jobs(left)
        return len(left)


@contextmanager
def make_home(hook: Sequence[str] = HOOK) -> Iterator[TrialHome]:
    """Make a private memory home, and remove it when its jobs have ended."""
    with tempfile.TemporaryDirectory(prefix="chaos-", ignore_cleanup_errors=True) as folder:
        home = TrialHome(Path(folder).resolve(), hook)
        try:
            yield home
        finally:
            home.end_jobs()


def finish(
    process: subprocess.Popen[bytes], given: bytes = b"", *, seconds: float = PATIENCE_S
) -> Ended:
    """Wait for the end of a process; one that hangs is killed."""
    with process:
        try:
            out, err = process.communicate(given, timeout=seconds)
        except subprocess.TimeoutExpired:
            process.kill()
            return Ended(None, b"", b"")
    return Ended(process.returncode, out, err)


def encode(payload: Mapping[str, object] | bytes) -> bytes:
    """Return a payload as a client sends it."""
    if isinstance(payload, bytes):
        return payload
    return json.dumps(payload, separators=(",", ":"), ensure_ascii=False).encode(
        "utf-8", "surrogatepass"
    )


def find_hook_fault(ended: Ended) -> str:
    """Return what is wrong with the end of a hook; empty if a client accepts it."""
    if ended.code is None:
        return f"hangs for {PATIENCE_S} s"
    if ended.code:
        return f"exits {ended.code}"
    if ended.err:
        return f"writes to stderr: {ended.err[-200:]!r}"
    asks = ended.out.startswith(_TO_SUMMARISER)  # plain text, before a compaction
    if not ended.out or asks or _is_reply(ended.out):
        return ""
    return f"prints {ended.out[:200]!r}"


def find_command_fault(ended: Ended) -> str:
    """Return what is wrong with the end of a command; an error with a hint is right."""
    if ended.code is None:
        return f"hangs for {PATIENCE_S} s"
    if ended.code == BUG or ended.code < 0 or b"Traceback" in ended.err:
        return f"exits {ended.code}: {ended.err[-300:].decode('utf-8', 'replace')}"
    return ""


def _is_reply(out: bytes) -> bool:
    """True if an output is one JSON object of the form that clients know."""
    try:
        said = json.loads(out)
    except ValueError:
        return False
    if not isinstance(said, dict):
        return False
    if said.keys() == {"decision", "reason"}:  # the form of one client that cannot be asked
        return said["decision"] == "deny" and isinstance(said["reason"], str)
    inner = said.get("hookSpecificOutput")
    if said.keys() != {"hookSpecificOutput"} or not isinstance(inner, dict):
        return False
    return inner.keys() in (_RULING, _CONTEXT) and all(isinstance(v, str) for v in inner.values())
