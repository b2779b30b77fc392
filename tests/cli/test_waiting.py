"""What older systems left in their own places is read there, and told of, until it is imported."""

import os
from pathlib import Path

import pytest
from tests.cli.conftest import Command
from tests.hooks.conftest import Client
from tests.interop.imports.shop import ROW, a_database
from tests.requirements import requirement
from tests.store.support import dump, raw

WAITS = "not imported yet, so shown here and to no agent: notes of"


@pytest.fixture
def user() -> Path:
    return Path(os.environ["HOME"])


def put(path: Path, text: str) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text)


def kept(home: Path) -> dict[str, object]:
    with raw(home / "twiceshy.db") as db:
        return {table: dump(db, table) for table in ("notes", "journal", "episodes", "evidence")}


@pytest.fixture
def left(user: Path, project: Path) -> None:
    """Leave a note about releases in the place of each of the four."""
    put(user / ".claude/skills/release/KNOWLEDGE.md", "# release — experience\n\n- Fetch tags\n")
    facts = '{"decisions": [{"id": "d001", "date": "2026-10-05", "type": "other", "content": "Tag from main"}]}'
    put(project / ".claude/memory/facts.json", facts)
    put(user / ".claude/skills/learned/zones.md", "Release times are in UTC.")
    a_database(user / ".local/share/cortexkit/magic-context/context.db", ROW)


@requirement("U027", "M47")
@pytest.mark.usefixtures("left")
def test_what_older_systems_left_is_read_in_place_and_none_of_it_stays(
    twiceshy: Command, home: Path
) -> None:
    twiceshy("note", "Release on Mondays", "--skill", "release")
    before = kept(home)

    of_skill = twiceshy("recall", "cut a release", "--skill", "release")
    of_project = twiceshy("recall", "tag from main"), twiceshy("recall", "times of a release")

    for text in ("Fetch tags", "Bump the version before the changelog.", "Release on Mondays"):
        assert text in of_skill.out
    assert "Tag from main" in of_project[0].out
    assert "Release times are in UTC." in of_project[1].out
    sources = "fireworks, magic-context, memory-engine, memory-keeper"
    assert of_skill.err == f"{WAITS} {sources}; see: twiceshy import\n"
    assert kept(home) == before


@requirement("U027")
@pytest.mark.usefixtures("left")
def test_what_was_imported_is_told_of_no_more(twiceshy: Command) -> None:
    told = twiceshy("doctor").out
    twiceshy("import", "fireworks")
    between = twiceshy("recall", "cut a release").err
    twiceshy("import", "--all")
    after = twiceshy("recall", "cut a release").err, twiceshy("doctor").out

    assert WAITS in told
    assert f"{WAITS} magic-context, memory-engine, memory-keeper;" in between
    assert WAITS not in "".join(after)


def test_who_has_nothing_of_them_is_told_nothing(twiceshy: Command) -> None:
    twiceshy("note", "Move templates with git mv")

    assert twiceshy("recall", "move a template").err == ""


def test_a_file_that_cannot_be_imported_does_not_wait(twiceshy: Command, user: Path) -> None:
    put(user / ".claude/skills/re\u202elease/KNOWLEDGE.md", "- Fetch tags\n")

    assert WAITS not in twiceshy("recall", "fetch").err


@requirement("T86")
@pytest.mark.usefixtures("left")
def test_what_was_not_imported_reaches_no_agent(twiceshy: Command, project: Path) -> None:
    twiceshy("note", "Release on Mondays", "--skill", "release")
    client = Client(project)

    told = [client.start(), client.prompt("tag from main"), client.load("release", "tag it")]
    said = twiceshy("recall", "tag from main")

    assert not any("Tag from main" in text or "Fetch tags" in text for text in told)
    assert "Release on Mondays" in told[-1]
    assert "Tag from main" in said.out
    assert "to no agent" in said.err
    assert WAITS in twiceshy("doctor").out
