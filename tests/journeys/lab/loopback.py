"""A listening socket that only an isolated client can reach, or a plain one and the reason why."""

import os
import socket
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path

LAUNCH = [sys.executable, "-I", "-S", str(Path(__file__).with_name("launch.py"))]


@dataclass(frozen=True)
class Loopback:
    """Where the model listens, and the namespace that holds nothing else."""

    listener: socket.socket
    namespace: int | None
    why_open: str = ""  # why the client is kept off the network by its settings alone

    def close(self) -> None:
        """Let go of both; the kernel removes the namespace with its last user."""
        self.listener.close()
        if self.namespace is not None:
            os.close(self.namespace)

    def start(
        self, command: list[str], *, cwd: Path, env: dict[str, str], terminal: int | None = None
    ) -> subprocess.Popen[bytes]:
        """Start a command inside, with its own process group; on a terminal if one is given."""
        inside = () if self.namespace is None else (self.namespace,)
        words = [word for fd in inside for word in ("--namespace", str(fd))]
        if terminal is not None:
            words.append("--terminal")
        return subprocess.Popen(
            [*LAUNCH, "enter", *words, *command],
            cwd=cwd,
            env=env,
            stdin=subprocess.DEVNULL if terminal is None else terminal,
            stdout=subprocess.PIPE if terminal is None else terminal,
            stderr=subprocess.PIPE if terminal is None else terminal,
            pass_fds=inside,
            start_new_session=True,
        )


def open_loopback() -> Loopback:
    """Open a namespace with only loopback in it where the system allows that."""
    ours, theirs = socket.socketpair()
    with ours, theirs:
        made = subprocess.run(
            [*LAUNCH, "open", str(theirs.fileno())],
            pass_fds=[theirs.fileno()],
            capture_output=True,
            text=True,
            check=False,
        )
        if made.returncode:
            why = made.stderr.strip().splitlines()[-1]
            return Loopback(socket.create_server(("127.0.0.1", 0)), None, why)
        _, descriptors, _, _ = socket.recv_fds(ours, 1, 2)
    listener, namespace = descriptors
    return Loopback(socket.socket(fileno=listener), namespace)
