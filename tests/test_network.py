"""Nothing asks anybody on the network unless the user switched it on, and the documentation lists what can."""

from __future__ import annotations

import ast
import subprocess
import sys
from pathlib import Path

import pytest
from tests.requirements import requirement

ROOT = Path(__file__).parents[1]
SOURCES = ROOT / "src" / "twiceshy"
SPEAKS = ("http", "socket", "ssl", "urllib.request", "smtplib", "ftplib", "asyncio", "xmlrpc")
# module → the setting that switches it on, which the documentation has to name
ALLOWED = {
    "models/post.py": "embed.backend",
    "models/openai_chat.py": "distiller.backend",
}
# Python tells of every connection and every name that is looked up, whoever makes it.
GUARDED = """
import sys
def listen(event, arguments):
    if event in ("socket.connect", "socket.getaddrinfo", "socket.sendto", "socket.bind"):
        sys.stderr.write("NETWORK " + event)
        sys.stderr.flush()
        import os
        os._exit(99)
sys.addaudithook(listen)
from twiceshy.cli import run_command_line
sys.exit(run_command_line(sys.argv[1:]))
"""
VERBS = (
    ("note", "Lock with uv lock --frozen before tagging."),
    ("search", "lock"),
    ("memory-search", "lock"),
    ("recall", "tagging a release"),
    ("distill", "--all"),
    ("reembed",),
    ("tend",),
    ("doctor",),
    ("status",),
    ("export", "bundle.jsonl"),
)


def imported(path: Path) -> set[str]:
    """Return the modules that a file imports, wherever in it that stands, if one could speak."""
    names: set[str] = set()
    text = path.read_text(encoding="utf-8")
    if not any(module.partition(".")[0] in text for module in SPEAKS):
        return names
    for node in ast.walk(ast.parse(text)):
        if isinstance(node, ast.Import):
            names |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom) and node.module and not node.level:
            names |= {node.module, *(f"{node.module}.{alias.name}" for alias in node.names)}
    return names


def speaks(name: str) -> bool:
    return any(name == module or name.startswith(f"{module}.") for module in SPEAKS)


@requirement("U169")
def test_only_these_modules_can_reach_the_network_and_the_documentation_names_their_switches() -> (
    None
):
    found = {
        str(path.relative_to(SOURCES))
        for path in SOURCES.rglob("*.py")
        if any(map(speaks, imported(path)))
    }
    listed = (ROOT / "docs" / "tend.md").read_text(encoding="utf-8").partition("uses the network")

    assert found == set(ALLOWED)
    assert all(f"| `{setting}` |" in listed[2] for setting in ALLOWED.values())


@requirement("U169")
def test_none_of_it_is_switched_on_by_default() -> None:
    from twiceshy.config.settings import find_setting

    defaults = {key: find_setting(key).default for key in ALLOWED.values()}

    assert defaults == {
        "embed.backend": "none",
        "distiller.backend": "none",
    }


@requirement("U169")
@pytest.mark.parametrize("words", VERBS, ids=lambda words: words[0])
def test_a_verb_reaches_nobody(words: tuple[str, ...], tmp_path: Path) -> None:
    ran = subprocess.run(
        [sys.executable, "-c", GUARDED, *words],
        cwd=tmp_path,
        capture_output=True,
        text=True,
        check=False,
    )

    assert "NETWORK" not in ran.stderr
    assert ran.returncode in (0, 1), ran.stderr


def test_the_listener_hears_a_connection(tmp_path: Path) -> None:
    program = GUARDED.partition("from twiceshy")[0] + (
        "import socket\nsocket.socket().connect(('127.0.0.1', 9))"
    )

    ran = subprocess.run(
        [sys.executable, "-c", program], cwd=tmp_path, capture_output=True, text=True, check=False
    )

    assert (ran.returncode, ran.stderr) == (99, "NETWORK socket.connect")
