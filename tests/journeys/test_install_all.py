"""All the real clients in one home: connected by one command, and left by one as they were."""

from pathlib import Path

import pytest
from tests.journeys.lab.claude_code import ClaudeCode
from tests.journeys.lab.codex import Codex
from tests.journeys.lab.gemini import Gemini
from tests.journeys.lab.opencode import OpenCode
from tests.journeys.lab.pi import Pi
from tests.requirements import requirement
from tests.store.support import bytes_under

pytestmark = pytest.mark.journey

TITLES = ("Claude Code", "Codex", "OpenCode", "Pi", "Gemini CLI")
# Where Gemini CLI writes down in which folders it was ever called, and what it makes for itself once:
# its id, and the key that it signs all extensions with.
ITS_OWN = ("projects.json", "history/", "tmp/", "installation_id", "gemini-credentials.json")


@pytest.fixture
def home(claude: ClaudeCode, codex: Codex, opencode: OpenCode, pi: Pi, gemini: Gemini) -> Path:
    """The user's home, with every client in it."""
    assert {client.lab for client in (claude, codex, opencode, pi, gemini)} == {claude.lab}
    gemini.command("extensions", "list")  # whatever it is asked first, it rewrites its settings
    return claude.lab.home


def theirs(home: Path) -> dict[str, bytes]:
    """Return every file in the user's home but those of the memory home."""
    files = {str(path.relative_to(home)): content for path, content in bytes_under(home).items()}
    passing = (".twiceshy/", *(f".gemini/{name}" for name in ITS_OWN))
    return {path: content for path, content in files.items() if not path.startswith(passing)}


@requirement("R10", "R13")
def test_one_command_connects_every_client_and_one_leaves_them_as_they_were(
    home: Path, claude: ClaudeCode
) -> None:
    lab = claude.lab
    before = theirs(home)

    installed = lab.twiceshy("install", "--yes").err
    again = lab.twiceshy("install", "--yes").err
    status = lab.twiceshy("status").out
    doctor = lab.twiceshy("doctor").out
    changed = theirs(home)
    lab.twiceshy("uninstall", "--yes")

    assert f"installed in {', '.join(TITLES)}; " in installed
    assert again == "everything is in place\n"
    for title in TITLES:
        assert f"{title} (automatic)" in status
        assert f"a hook of {title} was run, and showed a test note" in doctor
    assert "the server was started, and answered" in doctor
    assert "BROKEN" not in doctor
    assert changed.keys() > before.keys()
    assert theirs(home) == before
