"""A server on loopback that answers like an embedder, or as badly as a test asks for."""

from __future__ import annotations

import json
import os
import threading
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import TYPE_CHECKING

import pytest

from twiceshy.config.load import load_config

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from pathlib import Path

    from twiceshy.config.resolved import Config

    Behaviour = Callable[["Conversation"], None]

WORDS = ("tag", "lock", "release", "cat")


def numbers(text: str, dims: int = 4) -> list[float]:
    """What our server takes for the meaning of a text: which of a few words it holds."""
    return [float(word in text) for word in WORDS][:dims] + [0.25] * (dims - len(WORDS))


class Conversation(BaseHTTPRequestHandler):
    """One request, kept for the test to look at, and an answer as the server was told."""

    server: Server

    def do_POST(self) -> None:
        self.asked: dict[str, list[str]] = json.loads(
            self.rfile.read(int(self.headers["Content-Length"]))
        )
        self.server.paths.append(self.path)
        self.server.asked.append(self.asked)
        self.server.keys.append(self.headers.get("Authorization", ""))
        self.server.behaviour(self)

    def answer(self, document: object, status: int = 200) -> None:
        body = document if isinstance(document, bytes) else json.dumps(document).encode()
        self.send_response(status)
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *_: object) -> None:
        """Say nothing: a test's output is its own."""


def like_openai(talk: Conversation) -> None:
    rows = [
        {"index": at, "embedding": numbers(text)} for at, text in enumerate(talk.asked["input"])
    ]
    talk.answer({"object": "list", "data": rows[::-1]})  # their order is not promised


def like_ollama(talk: Conversation) -> None:
    talk.answer({"embeddings": [numbers(text) for text in talk.asked["input"]]})


class Server(ThreadingHTTPServer):
    """Listens on a free port of loopback, and remembers what it was asked."""

    def __init__(self) -> None:
        super().__init__(("127.0.0.1", 0), Conversation)
        self.behaviour: Behaviour = like_openai
        self.paths: list[str] = []
        self.asked: list[dict[str, list[str]]] = []
        self.keys: list[str] = []
        self.heard_out = threading.Event()  # set when it could say all it wanted
        self.gone = threading.Event()  # set when the test is over, so that no thread outlives it

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.server_port}"

    def handle_error(self, *_: object) -> None:
        """Expect clients that hang up."""


@pytest.fixture
def server() -> Iterator[Server]:
    running = Server()
    thread = threading.Thread(target=running.serve_forever, kwargs={"poll_interval": 0.01})
    thread.start()
    yield running
    running.gone.set()
    running.shutdown()
    thread.join()
    running.server_close()


@pytest.fixture
def configured(home: Path) -> Callable[..., Config]:
    """Resolve the settings as the product does, with some of ours set by their variables."""
    home.mkdir()

    def build(**wishes: str) -> Config:
        said = {f"TWICESHY_EMBED_{key.upper()}": value for key, value in wishes.items()}
        user = os.environ["HOME"]
        return load_config({"TWICESHY_HOME": str(home), **said}, cwd=user, home_dir=user)

    return build
