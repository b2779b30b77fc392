"""Offer the server over HTTP on loopback while a program runs; the public conformance tool knows no stdio.

python -m tests.mcp.over_http PROGRAM [WORD ...]    the address is put in place of the word URL
"""

import subprocess
import sys
import threading
import time
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import uvicorn
from mcp.server.streamable_http_manager import StreamableHTTPSessionManager
from starlette.applications import Starlette
from starlette.routing import Mount

from twiceshy.mcp.server import McpConversation
from twiceshy.mcp.session import McpSession


def offered() -> Starlette:
    """Return the very server that speaks stdio, behind an address."""
    conversation = McpConversation(McpSession(str(Path.cwd()), session_id="mcp-http"))
    manager = StreamableHTTPSessionManager(conversation.server)

    @asynccontextmanager
    async def running(_: Starlette) -> Any:
        async with manager.run():
            yield

    return Starlette(routes=[Mount("/mcp", app=manager.handle_request)], lifespan=running)


def main(command: list[str]) -> int:
    """Run a command against the server, and return its exit code."""
    config = uvicorn.Config(offered(), host="127.0.0.1", port=0, log_level="critical")
    server = uvicorn.Server(config)
    thread = threading.Thread(target=server.run)
    thread.start()
    while not server.started:
        time.sleep(0.01)
    port = server.servers[0].sockets[0].getsockname()[1]
    url = f"http://127.0.0.1:{port}/mcp/"
    done = subprocess.run([url if word == "URL" else word for word in command], check=False)
    server.should_exit = True
    thread.join()
    return done.returncode


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
