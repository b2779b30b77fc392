"""The backup after a session: only if it was switched on, not too often, and no hook waits for it."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from tests.core.builders import NOW
from tests.hooks.sessions import Session, learning
from tests.requirements import requirement
from tests.store.support import Clock, opened
from tests.sync.support import bare, in_remote
from tests.sync.test_bundle import FETCH, noted

from twiceshy.core.moment import format_stamp
from twiceshy.hooks.background import back_up_if_due
from twiceshy.sync.rules import SYNC

if TYPE_CHECKING:
    from pathlib import Path

MINUTE = 60_000


@pytest.fixture
def remote(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> str:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("TWICESHY_NOW", format_stamp(NOW + MINUTE))
    return bare(tmp_path / "remote.git")


def learned(home: Path, text: str, *, at: int = NOW) -> None:
    with opened(home, clock=Clock(at)) as store:
        noted(store, text)


def count(remote: str) -> int:
    heads = in_remote(remote, "for-each-ref")
    return int(in_remote(remote, "rev-list", "--count", "main")) if heads else 0


@pytest.mark.parametrize("lacking", ["TWICESHY_SYNC_REMOTE", "TWICESHY_SYNC_AFTER_SESSIONS"])
def test_nothing_leaves_by_itself_until_that_is_switched_on(
    home: Path, remote: str, monkeypatch: pytest.MonkeyPatch, lacking: str
) -> None:
    monkeypatch.setenv("TWICESHY_SYNC_REMOTE", remote)
    monkeypatch.setenv("TWICESHY_SYNC_AFTER_SESSIONS", "1")
    monkeypatch.delenv(lacking)
    learned(home, FETCH)

    back_up_if_due()

    assert count(remote) == 0
    with opened(home) as store:
        assert store.list_runs(SYNC) == []


def test_what_a_session_left_is_pushed_and_not_more_often_than_was_said(
    home: Path, remote: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("TWICESHY_SYNC_REMOTE", remote)
    monkeypatch.setenv("TWICESHY_SYNC_AFTER_SESSIONS", "1")
    learned(home, FETCH)

    back_up_if_due()
    learned(home, "One more.", at=NOW + MINUTE)
    back_up_if_due()
    soon = count(remote)
    monkeypatch.setenv("TWICESHY_NOW", format_stamp(NOW + 62 * MINUTE))
    back_up_if_due()

    assert soon == 1
    assert count(remote) == 2
    assert b"One more." in in_remote(remote, "grep", "-h", "One more", "main")


def test_somebody_who_is_at_it_already_is_not_disturbed(
    home: Path, remote: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("TWICESHY_SYNC_REMOTE", remote)
    monkeypatch.setenv("TWICESHY_SYNC_AFTER_SESSIONS", "1")
    learned(home, FETCH)
    with opened(home, clock=Clock(NOW)) as store:
        store.take_lease(SYNC, "another", seconds=600)

    back_up_if_due()

    assert count(remote) == 0


@requirement("U195", "E67")
def test_the_hook_returns_at_once_and_a_process_of_its_own_backs_up(
    home: Path, remote: str, tmp_path: Path
) -> None:
    project = tmp_path / "shop"
    project.mkdir()
    learned(home, FETCH)
    session = Session(project, "session-1")
    session.env |= {
        "TWICESHY_SYNC_REMOTE": remote,
        "TWICESHY_SYNC_AFTER_SESSIONS": "1",
    }
    session.works(("ls", None))
    session.start()

    with learning(session) as learner:
        told = session.told("SessionEnd", reason="other")
        assert learner.ended()

    assert told == ""
    assert count(remote) == 1
