"""A damaged store in a session: the hook says nothing of it, a process of its own repairs it, the next start tells."""

from pathlib import Path

import pytest
from tests.hooks.sessions import Session, learning, state, store_of, twiceshy
from tests.requirements import requirement
from tests.store.support import EVERY_STATUS


@pytest.fixture
def project(tmp_path: Path) -> Path:
    folder = tmp_path / "shop"
    folder.mkdir()
    return folder


def damage(home: Path, at: int = 59) -> None:
    """Give the header a wrong byte that no value forbids."""
    with (home / "twiceshy.db").open("r+b") as file:
        file.seek(at)
        file.write(b"\x06")


@requirement("T316")
def test_the_next_start_tells_once_what_was_saved(home: Path, project: Path) -> None:
    state(home, project)
    damage(home)
    with store_of(home) as store:
        assert store.rescued is not None

    first = Session(project, "session-1").start()
    second = Session(project, "session-2").start()

    assert "Worth telling the user: The store of twiceshy was damaged." in first
    assert "all 1 notes are there" in first
    assert store.rescued.path in first
    assert "damaged" not in second


@requirement("T310", "T316")
@pytest.mark.parametrize("at", [16, 18, 21, 31, 47, 59])
def test_a_start_that_meets_the_damage_has_it_repaired_for_the_next(
    home: Path, project: Path, at: int
) -> None:
    state(home, project)
    damage(home, at)
    session = Session(project, "session-1")

    with learning(session) as learner:
        met = session.start()
        assert learner.ended()
    later = Session(project, "session-2").start()

    assert met == ""
    assert "The store of twiceshy was damaged" in later
    with store_of(home) as store:
        assert store.count_notes(EVERY_STATUS) == 1


@requirement("T316")
def test_a_store_that_is_gone_is_told_if_a_copy_has_it(home: Path, project: Path) -> None:
    state(home, project)
    twiceshy(project, "backup", "--copy")
    for file in home.glob("twiceshy.db*"):
        file.unlink()

    first = Session(project, "session-1").start()
    doctor = twiceshy(project, "doctor")
    second = Session(project, "session-2").start()
    twiceshy(project, "recover", "--copy")

    assert "The store of twiceshy was gone, and a new one is empty." in first
    assert "twiceshy recover --copy" in first
    assert "the store is empty, but a copy of it is not" in doctor
    assert "gone" not in second
    with store_of(home) as store:
        assert store.count_notes(EVERY_STATUS) == 1
