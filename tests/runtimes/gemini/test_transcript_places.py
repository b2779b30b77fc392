"""A chat is found by its session, and says whose it is; its folder says where the project lies."""

from pathlib import Path

import pytest
from tests.runtimes.gemini.chat_lines import (
    SESSION,
    SHOP,
    a_chat,
    a_head,
    a_line,
    a_patch,
    by_agent,
    by_user,
)

from twiceshy.core.errors import NotFoundError
from twiceshy.core.transcript import AgentMessage
from twiceshy.runtimes.gemini import transcript


def test_an_agent_of_the_session_says_nothing_in_the_users_name(tmp_path: Path) -> None:
    path = a_chat(tmp_path, by_user("u1", "pack"))
    folder = Path(path).parent / SESSION
    folder.mkdir()
    agent = folder / "agent-7.jsonl"
    head = a_head("agent-7", kind="subagent")
    records = [head, by_user("p1", "count the boxes"), by_agent("m1", "Three.")]
    agent.write_bytes(b"".join(map(a_line, records)))

    [said] = transcript.read_transcript(str(agent))

    assert transcript.list_session_parts(path) == [path, str(agent)]
    assert transcript.owns_transcript(str(agent))
    assert transcript.session_of_path(str(agent)) == SESSION
    assert isinstance(said, AgentMessage)
    assert (said.agent, said.session, said.cwd) == ("agent-7", SESSION, SHOP)


def test_a_chat_says_whose_it_is_and_its_folder_says_where(tmp_path: Path) -> None:
    path = a_chat(tmp_path, by_user("u1", "pack"))

    opening = transcript.read_opening(path)

    assert (opening.sessions, opening.cwd) == (frozenset({SESSION}), SHOP)
    assert transcript.session_of_path(path) == SESSION
    assert transcript.find_transcript(SESSION, str(tmp_path)) == path
    assert transcript.find_transcript("another", str(tmp_path)) == ""
    assert transcript.owns_transcript(path)
    assert not transcript.owns_transcript("/home/u/.claude/projects/-home-u-shop/session-1.jsonl")


def test_without_the_folders_word_the_clients_introduction_says_where(tmp_path: Path) -> None:
    hello = "<session_context>\n- **Workspace Directories:**\n  - /srv/shop\n- **Directory"
    path = a_chat(tmp_path, a_patch(messages=[by_user("c0", hello)]))
    (tmp_path / "shop" / ".project_root").unlink()

    assert transcript.read_opening(path).cwd == "/srv/shop"


def test_all_chats_are_found_the_oldest_first(tmp_path: Path) -> None:
    other = "10000000-0000-4000-8000-0000000000a2"
    newer = a_chat(tmp_path, session=other)
    older = a_chat(tmp_path, by_user("u1", "x"))
    head = a_head(other, startTime="2026-11-03T09:30:00.000Z")
    Path(newer).write_bytes(a_line(head))
    (tmp_path / "shop" / "chats" / "notes.txt").write_text("no chat")
    (tmp_path / "bin").mkdir()

    assert transcript.list_transcripts(str(tmp_path)) == [older, newer]
    assert transcript.list_transcripts(str(tmp_path / "nowhere")) == []


def test_a_chat_that_cannot_be_read_is_not_found(tmp_path: Path) -> None:
    with pytest.raises(NotFoundError):
        list(transcript.read_transcript(str(tmp_path / "shop" / "chats" / "session-x.jsonl")))


@pytest.mark.parametrize("name", ["../../etc", "a b", "", "x" * 500])
def test_a_session_is_never_named_like_a_path(tmp_path: Path, name: str) -> None:
    path = a_chat(tmp_path)
    Path(path).write_bytes(a_line(a_head(name)))

    assert transcript.read_opening(path).sessions == frozenset()
    assert transcript.session_of_path(path) == Path(path).stem
    assert transcript.list_session_parts(path) == [path]
