"""The rollouts of sessions are found by name and by what they say, archived ones too."""

import os
from pathlib import Path

import pytest
from tests.runtimes.codex.rollout_lines import (
    AGENT,
    NAME,
    SESSION,
    TRANSCRIPTS,
    a_beginning,
    a_file,
    an_agents_beginning,
)

from twiceshy.core.errors import UnsafeNameError
from twiceshy.runtimes.codex.transcript import (
    find_transcript,
    list_session_parts,
    list_transcripts,
    owns_transcript,
    read_opening,
    session_of_path,
    transcript_size,
)

OTHER = "00000000-0000-4000-8000-0000000000b1"


@pytest.fixture
def sessions(tmp_path: Path) -> Path:
    return tmp_path / "sessions"


def a_rollout(folder: Path, day: str, thread: str, *records: object, at: str = "09-30-00") -> str:
    year, month, date = day.split("-")
    name = f"rollout-{day}T{at}-{thread}.jsonl"
    return a_file(folder / year / month / date / name, *records)


def test_all_sessions_are_found_the_oldest_first(sessions: Path) -> None:
    new = a_rollout(sessions, "2026-11-03", OTHER, a_beginning(OTHER, session_id=OTHER))
    old = a_rollout(sessions, "2026-11-02", SESSION, a_beginning())
    agent = a_rollout(sessions, "2026-11-02", AGENT, an_agents_beginning())
    kept = a_file(
        sessions.parent / "archived_sessions" / NAME.replace("11-02", "10-01"), a_beginning()
    )
    (sessions / "2026" / "11" / "02" / "notes.jsonl").write_text("{}\n")
    (sessions / "2026" / "11" / "02" / f"rollout-2026-11-02T09-30-00-{OTHER}.jsonl").symlink_to(
        new
    )

    assert list_transcripts(str(sessions)) == [kept, old, new]
    assert agent in list_session_parts(old)


def test_a_session_is_found_by_its_id(sessions: Path) -> None:
    path = a_rollout(sessions, "2026-11-02", SESSION, a_beginning())
    a_rollout(sessions, "2026-11-02", OTHER, a_beginning(OTHER))

    assert find_transcript(SESSION, str(sessions)) == path
    assert find_transcript(SESSION[9:], str(sessions)) == ""
    assert find_transcript("another", str(sessions)) == ""
    assert find_transcript(SESSION, str(sessions / "none")) == ""
    with pytest.raises(UnsafeNameError):
        find_transcript("../x", str(sessions))


def test_a_session_that_two_files_claim_is_nobodys(sessions: Path) -> None:
    a_rollout(sessions, "2026-11-02", SESSION, a_beginning())
    a_rollout(sessions, "2026-11-03", SESSION, a_beginning())

    assert find_transcript(SESSION, str(sessions)) == ""


def test_the_agents_of_a_session_are_its_parts_also_on_a_later_day(sessions: Path) -> None:
    path = a_rollout(sessions, "2026-11-02", SESSION, a_beginning(), at="23-59-00")
    late = a_rollout(sessions, "2026-11-03", AGENT, an_agents_beginning())
    a_rollout(sessions, "2026-11-03", OTHER, a_beginning(OTHER, session_id=OTHER))
    a_rollout(
        sessions, "2026-11-02", "00-cc", an_agents_beginning(session_id=OTHER), at="23-59-30"
    )

    assert list_session_parts(path) == [path, late]


def test_where_and_when_a_session_began_stands_in_its_first_record() -> None:
    (path,) = TRANSCRIPTS.glob("*/*/*/*-000000004003.jsonl")

    opening = read_opening(str(path))

    assert opening.sessions == {"00000000-0000-4000-8000-000000004001"}
    assert (opening.cwd, opening.at[:10]) == ("/home/u/shop", "2026-01-05")


def test_a_rollout_that_does_not_say_is_its_names(tmp_path: Path) -> None:
    path = a_file(tmp_path / NAME, {"type": "other"})

    assert read_opening(path).sessions == {SESSION}
    assert (session_of_path(path), owns_transcript(path), transcript_size(path)) == (
        SESSION,
        True,
        os.path.getsize(path),
    )
    assert not owns_transcript(str(tmp_path / f"{SESSION}.jsonl"))
