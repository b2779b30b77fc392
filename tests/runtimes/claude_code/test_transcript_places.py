"""A transcript is found by its session or by exactly its project, never by being the newest."""

import os
import tempfile
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.runtimes.claude_code.transcript_lines import (
    FORK,
    SESSION,
    SHOP,
    STRANGER,
    TRANSCRIPTS,
    a_file,
    by_user,
)

from twiceshy.core.errors import UnsafeNameError
from twiceshy.runtimes.claude_code.transcript_places import (
    parts_of,
    slug,
    transcript_of,
    transcripts_of,
)


@pytest.fixture
def projects(tmp_path: Path) -> Path:
    return tmp_path / "projects"


def test_the_transcripts_of_a_project_are_those_that_began_in_it() -> None:
    found = transcripts_of("/home/u/shop", str(TRANSCRIPTS))

    assert sorted(found) == [str(SHOP / f"{SESSION}.jsonl"), str(SHOP / f"{FORK}.jsonl")]


def test_the_oldest_comes_first_and_a_fork_behind_what_it_copied(projects: Path) -> None:
    folder = projects / "-home-u-shop"
    fork = a_file(folder / "a.jsonl", by_user("u1", "x"), by_user("u2", "y"))
    parent = a_file(folder / "b.jsonl", by_user("u1", "x"))
    oldest = a_file(folder / "c.jsonl", by_user("u0", "x", timestamp="2026-11-01T09:30:00.000Z"))
    for age, path in enumerate([oldest, fork, parent]):
        os.utime(path, ns=(0, 10**18 - age))

    assert transcripts_of("/home/u/shop", str(projects)) == [oldest, parent, fork]


def test_a_project_that_shares_the_folder_keeps_its_own() -> None:
    assert transcripts_of("/home/u-shop", str(TRANSCRIPTS)) == [str(SHOP / f"{STRANGER}.jsonl")]
    assert transcripts_of("/home/u.shop", str(TRANSCRIPTS)) == []


@pytest.mark.parametrize("cwd", ["/home/u", "/home/u/shop/app", "", ".", "home/u/shop", "/"])
def test_no_other_project_is_taken_for_it(cwd: str) -> None:
    assert transcripts_of(cwd, str(TRANSCRIPTS)) == []


def test_where_we_happen_to_run_is_not_taken_for_a_project(
    projects: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    here = str(tmp_path.resolve())
    a_file(projects / slug(here) / "s1.jsonl", by_user("u1", "x", cwd=here))
    monkeypatch.chdir(here)

    assert [transcripts_of(cwd, str(projects)) for cwd in ("", ".")] == [[], []]
    assert len(transcripts_of(here, str(projects))) == 1


def test_a_project_is_known_by_its_path_however_it_is_written(tmp_path: Path) -> None:
    (tmp_path / "real").mkdir()
    (tmp_path / "link").symlink_to(tmp_path / "real")
    cwd = str(tmp_path / "real")
    path = a_file(tmp_path / "projects" / slug(cwd) / "s1.jsonl", by_user("u1", "x", cwd=cwd))

    assert transcripts_of(f"{cwd}/", str(tmp_path / "projects")) == [path]
    assert transcripts_of(str(tmp_path / "link"), str(tmp_path / "projects")) == [path]


@pytest.mark.parametrize(
    ("path", "folder"),
    [
        ("/home/u/my.app", "-home-u-my-app"),
        ("/home/u/My App_2", "-home-u-My-App-2"),
        ("/home/u/盒子", "-home-u---"),
        ("/home/u/📦", "-home-u---"),
        ("C:\\Users\\u", "C--Users-u"),
    ],
)
def test_a_folder_is_named_as_claude_code_names_it(path: str, folder: str) -> None:
    assert slug(path) == folder


def test_a_session_is_found_wherever_it_began(projects: Path) -> None:
    assert transcript_of(SESSION, str(TRANSCRIPTS)) == str(SHOP / f"{SESSION}.jsonl")
    assert transcript_of("00000000-0000-4000-8000-0000000000ff", str(TRANSCRIPTS)) == ""
    assert transcript_of(SESSION, str(projects)) == ""


def test_a_file_that_says_it_is_another_session_is_not_taken(projects: Path) -> None:
    a_file(projects / "-a" / "s1.jsonl", by_user("u1", "x", sessionId="s2"))

    assert transcript_of("s1", str(projects)) == ""


def test_a_session_that_two_files_claim_is_not_guessed(projects: Path) -> None:
    a_file(projects / "-a" / "s1.jsonl", by_user("u1", "x", sessionId="s1"))
    a_file(projects / "-b" / "s1.jsonl", by_user("u1", "x", sessionId="s1"))

    assert transcript_of("s1", str(projects)) == ""


@pytest.mark.parametrize("session", ["../s1", "a/b", "", "..", "s\x00", "s\n", "x" * 200, "-rf"])
def test_a_session_is_looked_for_by_a_checked_id_only(session: str) -> None:
    with pytest.raises(UnsafeNameError):
        transcript_of(session, str(TRANSCRIPTS))


def test_links_lead_nowhere(projects: Path, tmp_path: Path) -> None:
    secret = a_file(tmp_path / "secret.jsonl", by_user("u1", "x", cwd="/home/u/shop"))
    own = a_file(projects / "-home-u-shop" / "s1.jsonl", by_user("u1", "x"))
    (projects / "-home-u-shop" / "s2.jsonl").symlink_to(secret)
    agents = projects / "-home-u-shop" / "s1" / "subagents"
    agents.mkdir(parents=True)
    (agents / "agent-a1.jsonl").symlink_to(secret)
    os.mkfifo(agents / "agent-a2.jsonl")

    assert transcripts_of("/home/u/shop", str(projects)) == [own]
    assert transcript_of("s2", str(projects)) == ""
    assert parts_of(own) == [own]


def test_a_session_has_its_own_file_and_those_of_the_agents_it_started(projects: Path) -> None:
    folder = projects / "-home-u-shop"
    own = a_file(folder / "s1.jsonl", by_user("u1", "x", sessionId="s1"))
    inside = a_file(folder / "s1" / "subagents" / "agent-a2.jsonl", by_user("u2", "x"))
    beside = a_file(folder / "agent-a1.jsonl", by_user("u3", "x", sessionId="s1"))
    a_file(folder / "agent-a3.jsonl", by_user("u4", "x", sessionId="s2"))
    a_file(folder / "s2" / "subagents" / "agent-a4.jsonl", by_user("u5", "x", sessionId="s2"))

    assert parts_of(own) == [own, inside, beside]
    assert transcripts_of("/home/u/shop", str(projects)) == [own]


def test_a_file_that_does_not_say_where_it_began_belongs_to_nobody(projects: Path) -> None:
    a_file(projects / "-home-u-shop" / "s1.jsonl", {"type": "summary"}, ["cwd"], "x")
    (projects / "-home-u-shop" / "s2.jsonl").write_bytes(b"\xff{" * 1000)

    assert transcripts_of("/home/u/shop", str(projects)) == []


names = st.text(alphabet="ab-_./ 盒📦", min_size=1, max_size=8)


@given(st.lists(names, min_size=2, max_size=6, unique=True))
def test_no_session_of_another_directory_is_ever_found(tmp_path: Path, paths: list[str]) -> None:
    projects = Path(tempfile.mkdtemp(dir=tmp_path))
    places = sorted({os.path.normpath(f"/nowhere/{path}") for path in paths})
    own: dict[str, str] = {}
    for number, cwd in enumerate(places):
        file = projects / slug(cwd) / f"s{number}.jsonl"
        own[cwd] = a_file(file, by_user(f"u{number}", "x", cwd=cwd))

    for cwd in places:
        assert transcripts_of(cwd, str(projects)) == [own[cwd]]
