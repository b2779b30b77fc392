"""From 60 % of the context on an agent is told once which moments are good to compact, and which are not."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tests.hooks.attack import UNHURRIED
from tests.hooks.sessions import MORNING, Session, learning
from tests.requirements import requirement
from tests.runtimes.claude_code.transcript_lines import a_file, a_record, a_text

if TYPE_CHECKING:
    from pathlib import Path


def rests_at(session: Session, tokens: int) -> None:
    """Let an agent finish an answer after which so many tokens of its 200,000 are used."""
    usage = {"input_tokens": 2, "cache_read_input_tokens": tokens - 2, "output_tokens": 5}
    common = {"sessionId": session.name, "cwd": str(session.project), "timestamp": MORNING}
    said = {"role": "user", "content": "Go on"}
    message = {
        "role": "assistant",
        "model": "claude-sonnet-4-5",
        "content": [a_text("Done.")],
        "usage": usage,
    }
    a_file(
        session.transcript,
        a_record("user", "u1", message=said, **common),
        a_record("assistant", "a1", message=message, **common),
    )
    with learning(session) as learner:
        session.told("Stop", stop_hook_active=False)
        assert learner.ended()


def a_session(project: Path) -> Session:
    session = Session(project)
    session.env = dict(UNHURRIED)
    session.start()
    session.prompt("Go on")
    return session


@requirement("U196")
def test_an_agent_whose_context_is_full_is_told_once_when_to_compact(project: Path) -> None:
    session = a_session(project)
    rests_at(session, 130_000)

    told, again = session.prompt("Go on"), session.prompt("Go on")

    assert told.startswith('<twiceshy-context used="65%">Compact between tasks')
    assert "Not in the middle of code, with a failure unsolved" in told
    assert again == ""


@requirement("U196")
def test_below_that_nobody_is_advised_and_after_a_compaction_it_begins_anew(project: Path) -> None:
    session = a_session(project)
    rests_at(session, 110_000)
    early = session.prompt("Go on")
    rests_at(session, 150_000)
    full = session.prompt("Go on")
    session.start("compact")
    emptied = session.prompt("Go on")
    rests_at(session, 160_000)

    assert early == ""
    assert 'used="75%"' in full
    assert emptied == ""
    assert 'used="80%"' in session.prompt("Go on")
