"""Install the pinned client of a runtime from npm and tell where its program is.

    python -m tests.journeys.lab.clients     installs it beforehand

Clients live in ``.clients/`` of the repository, or where ``TWICESHY_CLIENTS`` says. Their install
scripts are not run: the program for this platform is started directly.
"""

import fcntl
import os
import platform
import shutil
import subprocess
import sys
from pathlib import Path

CLIENTS = Path(
    os.environ.get("TWICESHY_CLIENTS") or Path(__file__).resolve().parents[3] / ".clients"
)
CLAUDE_CODE = "2.1.325"
CHIPS = {"x86_64": "x64", "amd64": "x64", "aarch64": "arm64", "arm64": "arm64"}


class NoClientError(Exception):
    """The client cannot be had here; the message says what to do."""


def claude() -> Path:
    """Return the program of Claude Code, installed now if it was not."""
    package = "@anthropic-ai/claude-code"
    program = f"node_modules/{package}-{this_platform()}/claude"
    return installed(f"claude-{CLAUDE_CODE}", f"{package}@{CLAUDE_CODE}", wanted=program)


def this_platform() -> str:
    """Name this platform as npm packages do: linux-x64, linux-arm64-musl, darwin-arm64."""
    chip = CHIPS.get(platform.machine().lower(), "")
    if sys.platform not in {"linux", "darwin"} or not chip:
        raise NoClientError(f"the client is not made for {platform.platform()}")
    musl = "-musl" if sys.platform == "linux" and platform.libc_ver()[0] != "glibc" else ""
    return f"{sys.platform}-{chip}{musl}"


def installed(folder: str, *packages: str, wanted: str) -> Path:
    """Return a file of some packages below ``CLIENTS``; of several processes, one installs them."""
    file = CLIENTS / folder / wanted
    if not file.exists():
        (CLIENTS / folder).mkdir(parents=True, exist_ok=True)
        with open(CLIENTS / folder / ".lock", "w", encoding="utf-8") as lock:
            fcntl.flock(lock, fcntl.LOCK_EX)
            if not file.exists():
                npm_install(CLIENTS / folder, packages)
    if not file.exists():
        raise NoClientError(f"{' and '.join(packages)} came without {wanted}")
    return file


def npm_install(folder: Path, packages: tuple[str, ...]) -> None:
    """Let npm put packages into a folder, without running a line of theirs."""
    names = " and ".join(packages)
    npm = shutil.which("npm")
    if npm is None:
        raise NoClientError(
            f"npm is needed to install {names}; install Node.js, "
            "or let TWICESHY_CLIENTS name a folder that has it already"
        )
    done = subprocess.run(
        [
            *(npm, "--prefix", str(folder), "install", "--ignore-scripts"),
            *("--no-audit", "--no-fund", *packages),
        ],
        capture_output=True,
        text=True,
        check=False,
    )
    if done.returncode:
        raise NoClientError(f"npm could not install {names}:\n{done.stderr}")


if __name__ == "__main__":
    claude()
