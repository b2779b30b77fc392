"""A heard preference that nobody repeats rests: starts no longer pay for it, a fitting prompt gets it."""

from pathlib import Path

import pytest
from tests.hooks.sessions import MORNING, Session, project_of, store_of, twiceshy
from tests.store.support import app_of, learn

from twiceshy.core.moment import DAY, parse_stamp
from twiceshy.core.scope import NO_SKILL, Scope
from twiceshy.core.session import Session as KnownSession
from twiceshy.notes.write import change_note

NOW = parse_stamp(MORNING)
HEARD = "Never round invoice totals before the tax is added."
ABOUT = "The invoice totals differ by a cent once the tax is added, look into the rounding"


@pytest.fixture
def project(tmp_path: Path) -> Path:
    folder = tmp_path / "shop"
    folder.mkdir()
    return folder


def hear(home: Path, project: Path, text: str = HEARD) -> str:
    """Let a session long ago have heard a standing order; return the id of the note."""
    with store_of(home) as store:
        note = learn(
            store,
            text,
            kind="preference",
            source="detector",
            scope=Scope(project_of(project), NO_SKILL),
            origin_session="long-ago",
            learned_at=NOW - 50 * DAY,
        )
        return change_note(app_of(store), "activate", note, status="active", reason="").id


def work(home: Path, project: Path, sessions: int, *, first: int = 0) -> None:
    """Let so many sessions have been in the project since."""
    with store_of(home) as store, store.change():
        for number in range(first, first + sessions):
            at = NOW - 40 * DAY + number * 60_000
            place = ("claude-code", project_of(project), str(project), "")
            store.save_records(KnownSession(f"s-{number}", *place, at, at))


def start(project: Path, name: str = "next") -> str:
    return Session(project, name).start()


def test_after_thirty_sessions_only_a_prompt_about_it_is_told(home: Path, project: Path) -> None:
    note = hear(home, project)
    work(home, project, 29)
    twiceshy(project, "tend")
    before = start(project, "before")

    work(home, project, 5, first=29)
    twiceshy(project, "tend")
    session = Session(project, "after")

    assert HEARD in before
    assert HEARD not in session.start()
    assert HEARD not in session.prompt("Add a logo to the invoice mail")
    assert HEARD in session.prompt(ABOUT)
    assert HEARD not in session.prompt(ABOUT)  # once a conversation
    assert "at prompts that share its words" in twiceshy(project, "why", note)


def test_what_a_person_pinned_or_reworded_is_told_at_every_start(
    home: Path, project: Path
) -> None:
    pinned = hear(home, project, "We never mock the clock.")
    reworded = hear(home, project, "Never touch the charts by hand.")
    twiceshy(project, "pin", pinned)
    twiceshy(project, "edit", reworded, "Render the charts, never edit them.")
    hear(home, project)
    work(home, project, 40)
    twiceshy(project, "tend")

    told = start(project)

    assert "We never mock the clock." in told
    assert "Render the charts, never edit them." in told
    assert HEARD not in told


def test_undo_and_a_person_bring_it_back(home: Path, project: Path) -> None:
    note = hear(home, project)
    work(home, project, 40)
    twiceshy(project, "tend")
    resting = start(project, "resting")
    twiceshy(project, "edit", note, "Round invoice totals once, after the tax.")
    twiceshy(project, "tend")

    assert "invoice totals" not in resting
    assert "Round invoice totals once" in start(project, "later")
