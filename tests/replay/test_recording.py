"""Sessions are read in the order in which they happened, without what they only repeat."""

import json
from pathlib import Path

import pytest
from tests.replay.tapes import HOUR, NOON, PASSED, UNKNOWN, Session, tripped

from twiceshy.core.transcript import CallStep, ResultStep
from twiceshy.places.project import identify_project
from twiceshy.replay.histories import (
    FoundHistories,
    RecordedSession,
    Recording,
    find_histories,
    finished_calls,
    has_hooks,
    keep_newest,
    keep_project,
)


def found(*places: Path) -> FoundHistories:
    return find_histories(map(str, places), lambda cwd: identify_project(cwd, cache=None))


def taped(folder: Path) -> list[Recording]:
    [history] = found(folder).histories
    return list(RecordedSession(history))


def copied(parent: Session, name: str, *, hours: int) -> Session:
    """A fork: it begins with what its parent holds, line for line."""
    fork = Session(name, parent.cwd, hours=hours)
    for line in parent.lines:
        fork.lines.append(json.dumps({**json.loads(line), "sessionId": name}))
    return fork


def test_sessions_come_in_order_of_time_by_project(tmp_path: Path) -> None:
    shop, cafe = tmp_path / "shop", tmp_path / "cafe"
    for name, cwd, hours in [("s3", shop, 9), ("s1", shop, 1), ("c1", cafe, 2), ("s2", shop, 4)]:
        tripped(name, cwd, hours=hours).write(tmp_path / "t")

    histories = {
        each.name: [one.session for one in each.sessions]
        for each in found(tmp_path / "t").histories
    }

    assert histories == {"shop": ["s1", "s2", "s3"], "cafe": ["c1"]}


def test_a_limit_keeps_the_newest_sessions_and_a_project_its_own(tmp_path: Path) -> None:
    for name, cwd, hours in [("s1", "shop", 1), ("s2", "shop", 5), ("c1", "cafe", 3)]:
        tripped(name, tmp_path / cwd, hours=hours).write(tmp_path / "t")
    everything = found(tmp_path / "t")

    last = keep_newest(everything, 2)
    shop = keep_project(everything, identify_project(str(tmp_path / "shop"), cache=None).id)

    assert sorted(one.session for each in last.histories for one in each.sessions) == ["c1", "s2"]
    assert [one.session for each in shop.histories for one in each.sessions] == ["s1", "s2"]


def test_what_a_fork_repeats_is_dropped_and_it_waits_for_its_own_time(tmp_path: Path) -> None:
    parent = tripped("parent", tmp_path, hours=0)
    parent.write(tmp_path / "t")
    copied(parent, "fork", hours=20).works("make dist").write(tmp_path / "t")
    tripped("between", tmp_path, hours=5).write(tmp_path / "t")

    recordings = taped(tmp_path / "t")

    assert [each.source.session for each in recordings] == ["parent", "between", "fork"]
    assert [each.resumed for each in recordings] == [False, False, True]
    assert recordings[2].steps[0].at >= NOON + 20 * HOUR
    assert len(finished_calls(recordings[2], "")) == 1


def test_agents_that_a_session_starts_are_left_aside(tmp_path: Path) -> None:
    session = tripped("s1", tmp_path)
    use = {"type": "tool_use", "id": "side", "name": "Bash", "input": {"command": "ls"}}
    came = {"type": "tool_result", "tool_use_id": "side", "content": "app.py"}
    session.line("assistant", {"role": "assistant", "content": [use]}, isSidechain=True)
    session.line("user", {"role": "user", "content": [came]}, isSidechain=True)
    session.write(tmp_path / "t")
    tripped("agent-7", tmp_path).write(tmp_path / "t" / "s1" / "subagents")

    [recording] = taped(tmp_path / "t")

    assert len(finished_calls(recording, "")) == 2


@pytest.mark.parametrize(
    ("tool", "error", "fires"),
    [
        ("Bash", "Exit code 1\nno such thing", True),
        ("Read", "<tool_use_error>File does not exist.</tool_use_error>", True),
        ("Edit", "<tool_use_error>File has not been read yet.</tool_use_error>", False),
        ("Skill", "<tool_use_error>Unknown skill: commit</tool_use_error>", False),
        ("Grep", "<tool_use_error>InputValidationError: bad</tool_use_error>", False),
    ],
)
def test_what_a_tool_refuses_by_itself_fires_no_hook(
    tool: str, error: str, fires: bool, tmp_path: Path
) -> None:
    session = Session("s1", tmp_path)
    session.returns(session.calls(tool, {"file_path": "/x/y.py"}), error, failed=True)
    session.write(tmp_path / "t")

    [recording] = taped(tmp_path / "t")

    call, result = (step for step in recording.steps if isinstance(step, CallStep | ResultStep))
    assert isinstance(call, CallStep)
    assert isinstance(result, ResultStep)
    assert has_hooks(call, result) is fires
    assert [made.heard for made in finished_calls(recording, "")] == [fires]


def test_a_rejected_call_is_no_mistake(tmp_path: Path) -> None:
    session = Session("s1", tmp_path)
    refusal = "The user doesn't want to proceed with this tool use. The tool use was rejected."
    session.returns(session.calls("Bash", {"command": "rm x"}), refusal, failed=True)
    session.write(tmp_path / "t")

    [recording] = taped(tmp_path / "t")

    assert finished_calls(recording, "") == []
    assert [type(step) for step in recording.steps] == [CallStep, ResultStep]


def test_what_is_no_transcript_is_passed_over_and_named(tmp_path: Path) -> None:
    folder = tmp_path / "t"
    tripped("s1", tmp_path).write(folder)
    (folder / "empty.jsonl").write_text("", encoding="utf-8")
    (folder / "settings.jsonl").write_text('{"theme": "dark"}\n', encoding="utf-8")
    (folder / "two words.jsonl").write_text("{}\n", encoding="utf-8")
    (folder / "gone.jsonl").symlink_to(tmp_path / "nowhere")
    (folder / "readme.md").write_text("not a transcript", encoding="utf-8")

    passed = {Path(each.path).name: each.why for each in found(folder).passed_over}

    assert passed == {
        "empty.jsonl": "does not say where its session was",
        "settings.jsonl": "does not say where its session was",
        "two words.jsonl": "is not named after a session",
        "gone.jsonl": "cannot be read",
    }


def test_a_transcript_that_disappears_before_its_turn_is_named(tmp_path: Path) -> None:
    path = tripped("s1", tmp_path).write(tmp_path / "t")
    [history] = found(tmp_path / "t").histories
    path.unlink()

    tape = RecordedSession(history)

    assert list(tape) == []
    assert [each.path for each in tape.passed_over] == [str(path)]


def test_broken_lines_are_counted_and_the_rest_is_read(tmp_path: Path) -> None:
    session = tripped("s1", tmp_path)
    session.lines.insert(1, '{"type": "user", "message": {"content"')
    session.write(tmp_path / "t")

    [recording] = taped(tmp_path / "t")

    assert recording.broken == 1
    assert [made.act.mistake is not None for made in finished_calls(recording, "")] == [
        True,
        False,
    ]
    texts = [step.text for step in recording.steps if isinstance(step, ResultStep)]
    assert texts == [UNKNOWN, PASSED]
