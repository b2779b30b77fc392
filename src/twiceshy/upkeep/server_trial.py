"""Try the MCP server like a client, in a private memory home."""

from __future__ import annotations

import json
import os
import select
import subprocess
import tempfile
import time

_PATIENCE_S = 30
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
                return _describe_trouble(server)
            finally:
                server.kill()  # nothing happens to one that has ended


def _describe_trouble(server: subprocess.Popen[bytes]) -> str:
    hello = _line_after(server, (json.dumps(_HELLO) + "\n").encode())
    try:
        _, said = server.communicate(timeout=_PATIENCE_S)  # its stdin ends: so does a client
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
    until = time.monotonic() + _PATIENCE_S
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
