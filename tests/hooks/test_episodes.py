"""What a session was about is known to the next one of its project, through the hook as clients start it."""

import os
import subprocess
from pathlib import Path

import pytest
from tests.hooks.sessions import MORNING, Session, learning, project_of, store_of
from tests.requirements import requirement
from tests.runtimes.claude_code.transcript_lines import (
    a_file,
    a_record,
    a_return,
    a_text,
    a_use,
    by_agent,
    by_user,
)

from twiceshy.core.evidence import Episode
from twiceshy.core.moment import parse_stamp
from twiceshy.project.episodes.facts import parse_episode_facts

SECRET = "ghp_" + "a1B2c3D4e5F6" * 3
NEXT = "Next I will move the token to the session store."
KINDS = ("checkpoint", "compact", "end")


@pytest.fixture
def shop(tmp_path: Path) -> Path:
    folder = tmp_path / "shop"
    folder.mkdir()
    return folder


@pytest.fixture
def site(tmp_path: Path) -> Path:
    folder = tmp_path / "site"
    folder.mkdir()
    return folder


def asks(session: Session, *messages: str, answer: str = "") -> None:
    """Write the transcript of a session in which all this was said."""
    common = {"sessionId": session.name, "cwd": str(session.project), "timestamp": MORNING}
    said = [by_user(f"u{at}", text, **common) for at, text in enumerate(messages)]
    last = [by_agent("a1", a_text(answer), **common)] if answer else []
    a_file(session.transcript, *said, *last)


def rests(session: Session, event: str = "SessionEnd", **fields: object) -> None:
    """Let a session rest, and wait until what that starts has ended."""
    with learning(session) as learner:
        session.told(event, **fields)
        assert learner.ended()


def kept(home: Path, project: Path, *kinds: str) -> list[Episode]:
    with store_of(home) as store:
        return store.list_episodes((project_of(project),), kinds=kinds or KINDS, limit=100)


def test_the_next_session_is_told_where_the_last_one_ended(home: Path, shop: Path) -> None:
    session = Session(shop)
    session.start()
    asks(session, "Fix the login form, it loses the token", "ok", answer=NEXT)

    rests(session, reason="other")
    brief = Session(shop, "session-2").start()

    assert f'Last session (2026-11-02): "{NEXT}"' in brief
    assert "Fix the login form" not in brief
    assert "fixing" not in brief


def test_the_end_of_a_turn_is_enough_where_no_end_of_the_session_is_told(
    home: Path, shop: Path
) -> None:
    session = Session(shop)
    session.start()
    asks(session, "Fix the login form, it loses the token", answer=NEXT)

    rests(session, "Stop", stop_hook_active=False)

    assert NEXT in Session(shop, "session-2").start()
    assert Session(shop).start() == ""  # its own story is no news to it


@requirement("T70")
@pytest.mark.parametrize("left", [True, False], ids=["said", "changed only"])
def test_the_commit_is_told_only_beside_what_was_left_open(
    home: Path, shop: Path, left: bool
) -> None:
    session = Session(shop)
    session.start()
    common = {"sessionId": session.name, "cwd": str(shop), "timestamp": MORNING}
    calls = [
        ("Edit", {"file_path": f"{shop}/login.py", "old_string": "a", "new_string": "b"}, "ok"),
        ("Bash", {"command": "git commit -am 'Keep it'"}, "[main 3f2a1bc] Keep it"),
        ("Write", {"file_path": f"{shop}/api/test_login.py", "content": "x"}, "ok"),
        ("Write", {"file_path": "/tmp/plan.md", "content": "x"}, "ok"),
    ]
    records = [by_user("u0", "Fix the login form, it loses the token", **common)]
    for at, (tool, given, result) in enumerate(calls):
        records.append(by_agent(f"a{at}", a_use(f"t{at}", tool, **given), **common))
        records.append(by_user(f"r{at}", [a_return(f"t{at}", result)], **common))
    said = a_text(NEXT if left else "The form is fixed.")
    a_file(session.transcript, *records, by_agent("a9", said, **common))

    rests(session, reason="other")

    told = Session(shop, "session-2").start()
    if left:
        assert "Last session (2026-11-02): " in told
        assert "changed test_login.py, not committed" in told
        assert f'"{NEXT}"' in told
    else:
        assert told == ""  # git knows of commits and changed files


@requirement("T70")
def test_what_was_committed_by_hand_since_is_not_told(home: Path, shop: Path) -> None:
    session = Session(shop)
    session.start()
    common = {"sessionId": session.name, "cwd": str(shop), "timestamp": MORNING}
    edit = a_use("t0", "Edit", file_path=f"{shop}/login.py", old_string="a", new_string="b")
    a_file(
        session.transcript,
        by_user("u0", "Fix the login form, it loses the token", **common),
        by_agent("a0", edit, **common),
        by_user("r0", [a_return("t0", "ok")], **common),
        by_agent("a1", a_text(NEXT), **common),
    )
    rests(session, reason="other")
    told = Session(shop, "session-2").start()

    logs = shop / ".git/logs"
    subprocess.run(["git", "init", "-q", str(shop)], check=True)
    logs.mkdir()
    (logs / "HEAD").write_text("x\n")
    moment = parse_stamp(MORNING) / 1_000 + 1
    os.utime(logs / "HEAD", (moment, moment))

    assert "changed login.py, not committed" in told
    later = Session(shop, "session-3").start()
    assert NEXT in later
    assert "not committed" not in later


@requirement("T70")
def test_an_ending_that_is_no_longer_the_end_is_not_told(home: Path, shop: Path) -> None:
    session = Session(shop)
    session.start()
    asks(session, "Fix the login form, it loses the token", answer=NEXT)
    rests(session, "Stop", stop_hook_active=False)
    session.wait(30)
    session.prompt("Now do something else")

    assert Session(shop, "session-2").start() == ""


def test_m6_no_session_is_told_what_another_project_was_about(
    home: Path, shop: Path, site: Path
) -> None:
    session = Session(shop)
    session.start()
    asks(session, "Fix the login form, it loses the token", answer=NEXT)

    rests(session, reason="other")

    assert Session(site, "session-2").start() == ""


def test_m7_k13_without_its_transcript_a_session_leaves_no_episode(
    home: Path, shop: Path, site: Path
) -> None:
    other = Session(site, "session-2")
    other.start()
    asks(other, "Rewrite the landing page of the site")
    session = Session(shop)
    session.start()

    rests(session, reason="other")  # a moment after another project's transcript was written

    assert kept(home, shop) == []


@requirement("E77")
def test_m16_no_secret_reaches_the_next_brief(home: Path, shop: Path) -> None:
    session = Session(shop)
    session.start()
    asks(session, "Fix the form", answer=f"Next I will log in with {SECRET} and try it.")

    rests(session, reason="other")
    brief = Session(shop, "session-2").start()

    assert "Next I will log in with" in brief
    assert SECRET[:14] not in brief
    stored = b"".join(path.read_bytes() for path in home.glob("twiceshy.db*"))
    assert SECRET.encode()[:14] not in stored


@requirement("U085", "E17")
def test_m12_save_points_of_sessions_side_by_side_lose_nothing(home: Path, shop: Path) -> None:
    sessions = [Session(shop, f"session-{number}") for number in (1, 2)]
    for session in sessions:
        session.start()
        asks(session, *(f"do the part number {number}" for number in range(25)))

    with learning(*sessions) as learner:
        for session in sessions:
            session.told("Stop", stop_hook_active=False)
        assert learner.ended()
    for session in sessions:  # who found the other at work left it for later
        rests(session, "Stop", stop_hook_active=False)

    checkpoints, ends = kept(home, shop, "checkpoint"), kept(home, shop, "end")
    assert {each.session for each in checkpoints} == {"session-1", "session-2"}
    assert [parse_episode_facts(each).messages for each in checkpoints] == [20, 20]
    assert [parse_episode_facts(each).messages for each in ends] == [25, 25]


@requirement("E18")
def test_a_compaction_is_told_with_its_trigger_once_the_transcript_has_it(
    home: Path, shop: Path
) -> None:
    session = Session(shop)
    session.start()
    common = {"sessionId": session.name, "cwd": str(shop), "timestamp": MORNING}
    said = by_user("u1", "Fix the login form, it loses the token", **common)
    why = {"compactMetadata": {"trigger": "auto"}}
    cut = a_record("system", "u2", subtype="compact_boundary", **why, **common)
    left = by_user("u3", "Summary:\nWe fixed it.", isCompactSummary=True, **common)
    a_file(session.transcript, said)
    rests(session, "Stop", stop_hook_active=False)
    a_file(session.transcript, said, cut, left)

    summary = "<summary>We fixed it.</summary>"
    rests(session, "PostCompact", trigger="auto", compact_summary=summary)

    [compaction] = kept(home, shop, "compact")
    assert compaction.summary == "We fixed it."
    assert compaction.title == "Fix the login form, it loses the token (auto, after 1 message)"
