"""A transcript is found by its session, never by being the newest."""

import os
from pathlib import Path

import pytest
from tests.runtimes.claude_code.transcript_lines import SESSION, SHOP, TRANSCRIPTS, a_file, by_user

from twiceshy.core.errors import UnsafeNameError
from twiceshy.runtimes.claude_code.transcript import (
    find_transcript,
    list_session_parts,
    list_transcripts,
)


@pytest.fixture
def projects(tmp_path: Path) -> Path:
    return tmp_path / "projects"


def test_the_oldest_comes_first_and_a_fork_behind_what_it_copied(projects: Path) -> None:
    folder = projects / "-home-u-shop"
    fork = a_file(folder / "a.jsonl", by_user("u1", "x"), by_user("u2", "y"))
    parent = a_file(folder / "b.jsonl", by_user("u1", "x"))
    oldest = a_file(folder / "c.jsonl", by_user("u0", "x", timestamp="2026-11-01T09:30:00.000Z"))
    for age, path in enumerate([oldest, fork, parent]):
        os.utime(path, ns=(0, 10**18 - age))

    assert list_transcripts(str(projects)) == [oldest, parent, fork]


def test_a_session_is_found_wherever_it_began(projects: Path) -> None:
    assert find_transcript(SESSION, str(TRANSCRIPTS)) == str(SHOP / f"{SESSION}.jsonl")
    assert find_transcript("00000000-0000-4000-8000-0000000000ff", str(TRANSCRIPTS)) == ""
    assert find_transcript(SESSION, str(projects)) == ""


def test_a_file_that_says_it_is_another_session_is_not_taken(projects: Path) -> None:
    a_file(projects / "-a" / "s1.jsonl", by_user("u1", "x", sessionId="s2"))

    assert find_transcript("s1", str(projects)) == ""


def test_a_session_that_two_files_claim_is_not_guessed(projects: Path) -> None:
    a_file(projects / "-a" / "s1.jsonl", by_user("u1", "x", sessionId="s1"))
    a_file(projects / "-b" / "s1.jsonl", by_user("u1", "x", sessionId="s1"))

    assert find_transcript("s1", str(projects)) == ""


@pytest.mark.parametrize("session", ["../s1", "a/b", "", "..", "s\x00", "s\n", "x" * 200, "-rf"])
def test_a_session_is_looked_for_by_a_checked_id_only(session: str) -> None:
    with pytest.raises(UnsafeNameError):
        find_transcript(session, str(TRANSCRIPTS))


def test_links_lead_nowhere(projects: Path, tmp_path: Path) -> None:
    secret = a_file(tmp_path / "secret.jsonl", by_user("u1", "x", cwd="/home/u/shop"))
    own = a_file(projects / "-home-u-shop" / "s1.jsonl", by_user("u1", "x"))
    (projects / "-home-u-shop" / "s2.jsonl").symlink_to(secret)
    agents = projects / "-home-u-shop" / "s1" / "subagents"
    agents.mkdir(parents=True)
    (agents / "agent-a1.jsonl").symlink_to(secret)
    os.mkfifo(agents / "agent-a2.jsonl")

    assert list_transcripts(str(projects)) == [own]
    assert find_transcript("s2", str(projects)) == ""
    assert list_session_parts(own) == [own]


def test_a_session_has_its_own_file_and_those_of_the_agents_it_started(projects: Path) -> None:
    folder = projects / "-home-u-shop"
    own = a_file(folder / "s1.jsonl", by_user("u1", "x", sessionId="s1"))
    inside = a_file(folder / "s1" / "subagents" / "agent-a2.jsonl", by_user("u2", "x"))
    beside = a_file(folder / "agent-a1.jsonl", by_user("u3", "x", sessionId="s1"))
    a_file(folder / "agent-a3.jsonl", by_user("u4", "x", sessionId="s2"))
    a_file(folder / "s2" / "subagents" / "agent-a4.jsonl", by_user("u5", "x", sessionId="s2"))

    assert list_session_parts(own) == [own, inside, beside]
    assert list_transcripts(str(projects)) == [own]
