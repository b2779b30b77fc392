"""Try a hook and the MCP server like a client, each in a private memory home."""

import json
import os
import select
import subprocess
import tempfile
import time
from collections.abc import Callable

from twiceshy.app import open_app
from twiceshy.config.load import load_config
from twiceshy.core.draft import Draft
from twiceshy.core.scope import EVERYWHERE, Scope
from twiceshy.notes.write import write_draft

_SKILL = "twiceshy-doctor"
_WORDS = "Doctors wash their hands before they look at a patient"
_HOOK_PATIENCE_S = 20
_SERVER_PATIENCE_S = 30
_HELLO = {
    "jsonrpc": "2.0",
    "id": 1,
    "method": "initialize",
    "params": {
        "protocolVersion": "2025-06-18",
        "capabilities": {},
        "clientInfo": {"name": "twiceshy-doctor", "version": "1"},
    },
}


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
                timeout=_HOOK_PATIENCE_S,
                check=False,
            )
        except (OSError, subprocess.TimeoutExpired) as error:
            return str(error)
        return _describe_hook_trouble(done, home)


def _describe_hook_trouble(done: subprocess.CompletedProcess[bytes], home: str) -> str:
    if _WORDS in done.stdout.decode("utf-8", "replace"):
        return ""
    said = done.stderr.decode("utf-8", "replace").strip().splitlines()
    if done.returncode:
        return ", ".join((f"exit code {done.returncode}", *said[-1:]))
    try:
        with open(os.path.join(home, "hook.log"), encoding="utf-8", errors="replace") as log:
            line = log.read().strip().splitlines()[-1]
    except (OSError, IndexError):
        return "it did not show the test note"
    _, failed, status = line.rpartition("ended with status ")
    return ", ".join((f"exit code {status.partition(';')[0]}", *said[-1:])) if failed else line


def _write_note(home: str, folder: str) -> None:
    config = load_config({"TWICESHY_HOME": home}, cwd=folder, home_dir=folder)
    draft = Draft(kind="lesson", text=_WORDS, scope=Scope(EVERYWHERE, _SKILL), source="user")
    with open_app(config) as app:
        write_draft(app, draft)


def try_server(launcher: str) -> str:
    """Start, greet and end the server; return the failure, or empty."""
    with tempfile.TemporaryDirectory(prefix="twiceshy-") as folder:
        try:
            server = subprocess.Popen(
                [launcher],
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=subprocess.PIPE,
                cwd=folder,
                env=os.environ | {"TWICESHY_HOME": os.path.join(folder, "home")},
            )
        except OSError as error:
            return str(error)
        with server:
            try:
                return _describe_server_trouble(server)
            finally:
                server.kill()  # nothing happens to one that has ended


def _describe_server_trouble(server: subprocess.Popen[bytes]) -> str:
    hello = _line_after(server, (json.dumps(_HELLO) + "\n").encode())
    try:
        _, said = server.communicate(
            timeout=_SERVER_PATIENCE_S
        )  # its stdin ends: so does a client
    except subprocess.TimeoutExpired:
        return "it did not end when its client went away"
    if b'"serverInfo"' in hello:
        return ""
    lines = said.decode("utf-8", "replace").strip().splitlines()
    return lines[-1] if lines else f"exit code {server.returncode}"


def _line_after(server: subprocess.Popen[bytes], sent: bytes) -> bytes:
    """Send a line and return the answer; cut at end or timeout."""
    assert server.stdin  # noqa: S101 - both are pipes, which the type cannot say
    assert server.stdout  # noqa: S101 - as above
    heard = b""
    until = time.monotonic() + _SERVER_PATIENCE_S
    try:
        server.stdin.write(sent)
        server.stdin.flush()
        while not heard.endswith(b"\n") and (left := until - time.monotonic()) > 0:
            ready, _, _ = select.select([server.stdout], [], [], left)
            piece = os.read(server.stdout.fileno(), 65_536) if ready else b""
            if not piece:
                break
            heard += piece
    except BrokenPipeError:
        pass  # it ended before it was greeted, and says why on stderr
    return heard
