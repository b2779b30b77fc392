"""A model on 127.0.0.1 that plays its script and keeps every request it was sent."""

import json
import socket
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from threading import Lock, Thread

from tests.journeys.lab.script import Script
from tests.journeys.lab.wire import Json, Wire


@dataclass(frozen=True)
class Request:
    """What a client sent, and which part of the script answered it."""

    path: str
    body: Json
    answered_by: str


class ModelServer:
    """Serve on a socket that listens already, until closed; the path tells which protocol is meant."""

    def __init__(self, wires: Sequence[Wire], listener: socket.socket) -> None:
        self.wires = wires
        self.script = Script()
        self.requests: list[Request] = []
        self._lock = Lock()
        host, port = listener.getsockname()[:2]
        self.url = f"http://{host}:{port}"
        self._http = ThreadingHTTPServer((host, port), self._conversation(), False)
        self._http.socket.close()
        self._http.socket = listener
        self._http.daemon_threads = True
        self._thread = Thread(target=self._http.serve_forever, args=(0.05,), daemon=True)
        self._thread.start()

    def close(self) -> None:
        """Stop listening; answers that are under way are not waited for."""
        self._http.shutdown()
        self._thread.join()
        self._http.server_close()

    def wire(self, path: str) -> Wire | None:
        """Return the protocol in which a path asks the model for an answer."""
        return next((wire for wire in self.wires if wire.serves(path)), None)

    def aside(self, path: str, raw: str) -> Json | None:
        """Answer what needs no model; None if nobody knows the path."""
        answers = (wire.aside(path, raw) for wire in self.wires)
        return next((answer for answer in answers if answer is not None), None)

    def play(self, script: Script) -> None:
        """Begin a new script, and a new record of requests."""
        with self._lock:
            self.script, self.requests = script, []

    def received(self, path: str, body: Json, answered_by: str) -> None:
        """Keep a request."""
        with self._lock:
            self.requests.append(Request(path, body, answered_by))

    def _conversation(self) -> type[BaseHTTPRequestHandler]:
        return type("Conversation", (Conversation,), {"model": self})


class Conversation(BaseHTTPRequestHandler):
    """One connection of a client."""

    model: ModelServer
    protocol_version = "HTTP/1.1"

    def do_GET(self) -> None:
        self._answer(self.path.partition("?")[0], "")

    def do_HEAD(self) -> None:
        self._send(200, {})

    def do_POST(self) -> None:
        raw = self.rfile.read(int(self.headers.get("Content-Length") or 0)).decode()
        path = self.path.partition("?")[0]
        try:
            self._answer(path, raw)
        except ConnectionError:
            self.close_connection = True  # the client stopped listening, as users do

    def _answer(self, path: str, raw: str) -> None:
        wire = self.model.wire(path)
        body = json.loads(raw or "{}")
        if wire is None:
            known = self.model.aside(path, raw)
            self.model.received(path, body, "nobody" if known is None else "an aside")
            self._send(404 if known is None else 200, known or {"error": "nobody answers that"})
            return
        asked = wire.asked(path, body)
        place, step = self.model.script.answer(asked)
        self.model.received(path, body, place)
        if asked.streams:
            self._stream(wire.stream(step, asked.model))
        else:
            self._send(200, wire.whole(step, asked.model))

    def _send(self, status: int, body: Json) -> None:
        content = json.dumps(body).encode()
        self.send_response(status)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(content)))
        self.end_headers()
        if self.command != "HEAD":
            self.wfile.write(content)

    def _stream(self, events: Iterator[tuple[str, Json | str]]) -> None:
        self.send_response(200)
        self.send_header("Content-Type", "text/event-stream")
        self.send_header("Connection", "close")
        self.end_headers()
        for name, told in events:
            line = told if isinstance(told, str) else json.dumps(told)
            self.wfile.write(f"event: {name}\n".encode() if name else b"")
            self.wfile.write(f"data: {line}\n\n".encode())
        self.close_connection = True

    def log_message(self, *_: object) -> None:
        """Say nothing: the terminal belongs to pytest."""
