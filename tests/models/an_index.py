"""A package index on loopback that answers as a test wants, and counts how often it was asked."""

from __future__ import annotations

import json
import threading
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator

PAGE = {"info": {"name": "twiceshy", "version": "9.8.7"}, "releases": {}}


class Page(BaseHTTPRequestHandler):
    """Answers with what the test put there."""

    server: Index

    def do_GET(self) -> None:
        self.server.asked.append((self.path, dict(self.headers)))
        status, body = self.server.answer
        self.send_response(status)
        if status >= 300:
            self.send_header("Location", f"{self.server.url}/elsewhere")
        self.send_header("Content-Type", self.server.kind)
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        if self.server.slow:
            self.server.over.wait(30)
        self.wfile.write(body)

    def log_message(self, *_: object) -> None:
        """Say nothing: a test's output is its own."""


class Index(ThreadingHTTPServer):
    """A package index on loopback that counts how often it was asked."""

    def __init__(self) -> None:
        super().__init__(("127.0.0.1", 0), Page)
        self.answer: tuple[int, bytes] = (200, json.dumps(PAGE).encode())
        self.asked: list[tuple[str, dict[str, str]]] = []
        self.kind = "application/json"
        self.slow = False
        self.over = threading.Event()

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.server_port}"

    def handle_error(self, *_: object) -> None:
        """Expect clients that hang up."""


@contextmanager
def an_index() -> Iterator[Index]:
    """Let an index run for a while."""
    running = Index()
    thread = threading.Thread(target=running.serve_forever, kwargs={"poll_interval": 0.01})
    thread.start()
    yield running
    running.over.set()
    running.shutdown()
    thread.join()
    running.server_close()
