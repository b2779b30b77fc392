"""Remotes that are no path: a git daemon, git behind a web server, and what is reached through ssh; all of loopback."""

import os
import shutil
import socket
import subprocess
import threading
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager, suppress
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

HOME = "127.0.0.1"
# ssh without a network: what should run over there runs here
SSH = """#!/bin/sh
for last; do :; done
exec sh -c "$last"
"""

Answer = Callable[["Asked"], bool]  # whether somebody dealt with what was asked


class Asked(BaseHTTPRequestHandler):
    """One request to the web server; git answers it, unless ``answer`` does."""

    protocol_version = "HTTP/1.1"
    folder = ""
    answer: Answer = staticmethod(lambda _: False)

    def do_GET(self) -> None:
        if not type(self).answer(self):
            self.ask_git(b"")

    def do_POST(self) -> None:
        if not type(self).answer(self):
            self.ask_git(self.body())

    def body(self) -> bytes:
        if self.headers.get("Transfer-Encoding", "") != "chunked":
            return self.rfile.read(int(self.headers.get("Content-Length", 0)))
        parts = []
        while size := int(self.rfile.readline(), 16):
            parts.append(self.rfile.read(size))
            self.rfile.readline()
        self.rfile.readline()
        return b"".join(parts)

    def refuse(self, code: int, **headers: str) -> bool:
        self.body()
        self.send_response(code)
        for name, value in headers.items():
            self.send_header(name.replace("_", "-"), value)
        self.send_header("Content-Length", "0")
        self.end_headers()
        return True

    def break_off(self, told: bytes) -> None:
        """Begin to answer, and hang up before anything is said."""
        self.send_response(200)
        self.send_header("Content-Length", str(len(told) + 100))
        self.end_headers()
        self.close_connection = True

    def told_by_git(self, body: bytes) -> bytes:
        path, _, query = self.path.partition("?")
        return subprocess.run(
            [str(shutil.which("git")), "http-backend"],
            input=body,
            capture_output=True,
            check=True,
            env={**os.environ, **self.environment(path, query, len(body))},
        ).stdout

    def ask_git(self, body: bytes) -> None:
        head, _, rest = self.told_by_git(body).partition(b"\r\n\r\n")
        headers = dict(line.split(": ", 1) for line in head.decode().split("\r\n"))
        self.send_response(int(headers.pop("Status", "200").split()[0]))
        for name, value in headers.items():
            self.send_header(name, value)
        self.send_header("Content-Length", str(len(rest)))
        self.end_headers()
        self.wfile.write(rest)

    def environment(self, path: str, query: str, size: int) -> Mapping[str, str]:
        return {
            "GIT_PROJECT_ROOT": self.folder,
            "GIT_HTTP_EXPORT_ALL": "1",
            "REMOTE_USER": "u",
            "REMOTE_ADDR": HOME,
            "REQUEST_METHOD": self.command,
            "PATH_INFO": path,
            "QUERY_STRING": query,
            "CONTENT_TYPE": self.headers.get("Content-Type", ""),
            "CONTENT_LENGTH": str(size),
            "HTTP_CONTENT_ENCODING": self.headers.get("Content-Encoding", ""),
            "GIT_PROTOCOL": self.headers.get("Git-Protocol", ""),
        }

    def log_message(self, *_: object) -> None:
        """Say nothing."""


@contextmanager
def web(folder: Path, answer: Answer = lambda _: False) -> Iterator[str]:
    """Serve the repositories of a folder over HTTP; return the address of the folder."""
    handler = type("Handler", (Asked,), {"folder": str(folder), "answer": staticmethod(answer)})
    server = ThreadingHTTPServer((HOME, 0), handler)
    server.daemon_threads = True
    thread = threading.Thread(target=server.serve_forever, args=(0.02,))
    thread.start()
    try:
        yield f"http://{HOME}:{server.server_address[1]}"
    finally:
        server.shutdown()
        server.server_close()
        thread.join()


@contextmanager
def daemon(folder: Path) -> Iterator[str]:
    """Serve the repositories of a folder with git's own daemon; return the address of the folder."""
    with socket.socket() as free:
        free.bind((HOME, 0))
        port = free.getsockname()[1]
    words = [f"--listen={HOME}", f"--port={port}", "--export-all", "--enable=receive-pack"]
    backend = Path(subprocess.check_output(["git", "--exec-path"], text=True).strip())
    process = subprocess.Popen(
        [str(backend / "git-daemon"), "--reuseaddr", f"--base-path={folder}", *words],
        stderr=subprocess.DEVNULL,
    )
    try:
        while not _answers(port):
            assert process.poll() is None
        yield f"git://{HOME}:{port}"
    finally:
        process.terminate()
        process.wait()


@contextmanager
def deaf() -> Iterator[str]:
    """Take every connection and never say a word; return the address."""
    with socket.create_server((HOME, 0)) as server:
        yield f"{HOME}:{server.getsockname()[1]}"


def through_ssh(programs: Path) -> str:
    """Write what stands in for ssh; return what to call it."""
    script = programs / "ssh"
    script.write_text(SSH)
    script.chmod(0o755)
    return str(script)


def _answers(port: int) -> bool:
    with suppress(OSError), socket.create_connection((HOME, port), timeout=1):
        return True
    return False
