"""What detectors find in the calls of a session is told by the place of the event it is about."""

from typing import Any

from bench.detectors import Session, fixes, loops, thrash

BROKEN = "--- FAIL: TestTotal (0.01s)"


def a_session(*calls: tuple[str, dict[str, str], str]) -> Session:
    """A session of calls, a minute apart: tool, arguments, and the error if one came."""
    events: list[dict[str, Any]] = []
    for minute, (tool, given, error) in enumerate(calls):
        stamp = f"2026-11-02T10:{minute:02}:00Z"
        events.append({"k": "call", "tool": tool, "in": given, "ts": stamp})
        text = error or "done"
        events.append({"k": "res", "of": len(events) - 1, "err": bool(error), "text": text})
    return Session("demo", "s1", events)


def ran(command: str, error: str = "") -> tuple[str, dict[str, str], str]:
    return "Bash", {"command": command}, error


def edited(old: str, new: str) -> tuple[str, dict[str, str], str]:
    return "Edit", {"file_path": "/home/u/shop/a.py", "old_string": old, "new_string": new}, ""


def test_a_fix_is_told_at_the_call_that_failed() -> None:
    session = a_session(
        ran("ls"),
        ran("gh pr diff 7 --stat", "unknown flag: --stat"),
        ran("gh pr diff 7 --name-only"),
    )

    found = [(each.event, each.fix, each.tier) for each in fixes(session)]

    assert found == [(2, 4, "variant")]


def test_a_loop_is_told_at_the_failure_that_completes_it() -> None:
    tries = [each for _ in range(3) for each in (edited("a", "b"), ran("go test ./...", BROKEN))]

    found = [(each.event, each.tier) for each in loops(a_session(*tries))]

    assert found == [(10, "calls")]


def test_a_thrash_is_told_at_the_edit_that_turns_back_again() -> None:
    one, other = "timeout = 30", "timeout = 60"
    session = a_session(edited(one, other), edited(other, one), ran("ls"), edited(one, other))

    found = [(each.event, each.text) for each in thrash(session)]

    assert found == [(6, "/home/u/shop/a.py")]


def test_what_another_agent_did_is_passed_over() -> None:
    session = a_session(*[ran("go test ./...", BROKEN)] * 3)
    aside = [{**event, "side": True} for event in session.events]

    assert list(loops(session))
    assert list(loops(session.but(events=aside))) == []
