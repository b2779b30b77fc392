"""Install the pinned client of a runtime from npm and tell where its program is.

    python -m tests.journeys.lab.clients     installs them all beforehand

Clients live in ``.clients/`` of the repository, or where ``TWICESHY_CLIENTS`` says. Their install
scripts are not run: the program for this platform is started directly.
"""

import fcntl
import os
import platform
import shutil
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

CLIENTS = Path(
    os.environ.get("TWICESHY_CLIENTS") or Path(__file__).resolve().parents[3] / ".clients"
)
CLAUDE_CODE = "2.1.325"
CODEX = "0.166.0"
OPENCODE = "1.18.33"
GEMINI = "0.61.0"
NODE = "22.23.3"
# Pi changed its name; the old package is frozen and still in use.
PI = {
    "old": ("@mariozechner/pi-coding-agent", "0.73.1", "dist/cli.js"),
    "new": ("@earendil-works/pi-coding-agent", "0.87.1", "dist/bundle/cli.js"),
}
CHIPS = {"x86_64": "x64", "amd64": "x64", "aarch64": "arm64", "arm64": "arm64"}
# What Codex calls a platform in its package, beside what npm calls it.
TRIPLES = {
    "linux-x64": "x86_64-unknown-linux-musl",
    "linux-arm64": "aarch64-unknown-linux-musl",
    "darwin-x64": "x86_64-apple-darwin",
    "darwin-arm64": "aarch64-apple-darwin",
}


class NoClientError(Exception):
    """The client cannot be had here; the message says what to do."""


def claude() -> Path:
    """Return the program of Claude Code, installed now if it was not."""
    package = "@anthropic-ai/claude-code"
    program = f"node_modules/{package}-{this_platform()}/claude"
    return installed(f"claude-{CLAUDE_CODE}", f"{package}@{CLAUDE_CODE}", wanted=program)


def codex() -> Path:
    """Return the program of Codex, installed now if it was not."""
    return codex_file("bin/codex")


def ripgrep() -> Path:
    """Return the ``rg`` that comes with Codex: OpenCode would download one."""
    return codex_file("codex-path/rg")


def codex_file(name: str) -> Path:
    """Return a file of Codex; one build serves every Linux."""
    package, here = "@openai/codex", this_platform().removesuffix("-musl")
    wanted = f"node_modules/{package}-{here}/vendor/{TRIPLES[here]}/{name}"
    return installed(f"codex-{CODEX}", f"{package}@{CODEX}", wanted=wanted)


def opencode() -> Path:
    """Return the program of OpenCode, installed now if it was not."""
    wanted = f"node_modules/opencode-{this_platform()}/bin/opencode"
    return installed(f"opencode-{OPENCODE}", f"opencode-ai@{OPENCODE}", wanted=wanted)


def gemini() -> Path:
    """Return the script of Gemini CLI, which ``node`` runs."""
    package = "@google/gemini-cli"
    wanted = f"node_modules/{package}/bundle/gemini.js"
    return installed(f"gemini-{GEMINI}", f"{package}@{GEMINI}", wanted=wanted)


def pi(flavour: str) -> Path:
    """Return the script of Pi under its old or its new name, which ``node`` runs."""
    package, version, script = PI[flavour]
    wanted = f"node_modules/{package}/{script}"
    return installed(f"pi-{version}", f"{package}@{version}", wanted=wanted)


def node() -> Path:
    """Return a Node.js that is new enough for every client; the machine's own may not be."""
    package = f"node-{this_platform().removesuffix('-musl')}"
    wanted = f"node_modules/{package}/bin/node"
    return installed(f"node-{NODE}", f"{package}@{NODE}", wanted=wanted)


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


def main() -> None:
    """Install every client; npm mostly waits, so all at once."""
    everything = [claude, codex, opencode, gemini, node, lambda: pi("old"), lambda: pi("new")]
    with ThreadPoolExecutor() as pool:
        for waiting in [pool.submit(client) for client in everything]:
            waiting.result()


if __name__ == "__main__":
    main()
