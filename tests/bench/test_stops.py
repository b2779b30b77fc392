"""Recorded calls are played in the words of every client, and false stops are counted."""

import gzip
import json
from pathlib import Path
from typing import Any

import pytest
from bench.client_events import TAPES
from bench.stops import main, play_set
from tests.requirements import requirement

WRONG, RIGHT = {"command": "git stauts"}, {"command": "git status"}
ERROR = "Exit code 1\ngit: 'stauts' is not a git command. See 'git --help'."


def a_session(number: int, *outcomes: str) -> dict[str, Any]:
    """Build a session that makes a wrong call so many times, and then the right one."""
    events: list[dict[str, Any]] = [
        {"k": "user", "text": "look around", "ts": f"2026-02-{number + 10}T09:00:00.000Z"}
    ]
    for each in (*outcomes, ""):
        made = {"k": "call", "id": f"c{number}x{len(events)}", "tool": "Bash"}
        events.append({**made, "in": WRONG if each else RIGHT})
        text = ERROR if each == "fails" else "On branch main"
        events.append({"k": "res", "of": len(events) - 1, "err": each == "fails", "text": text})
    events += [
        {"k": "call", "id": f"d{number}", "tool": "Read", "in": {"file_path": "/x/a.py"}},
        {"k": "res", "of": len(events), "err": False, "text": "x = 1"},
        {"k": "call", "id": f"e{number}", "tool": "TodoWrite", "in": {"todos": "[]"}},
        {"k": "res", "of": len(events) + 2, "err": False, "text": "done"},
        {"k": "call", "id": f"f{number}", "tool": "Write", "in": {"file_path": "/x/.env"}},
        {"k": "res", "of": len(events) + 4, "err": False, "text": "written"},
        {"k": "asst", "text": "Done."},
        {"k": "res", "err": False, "text": "of a call that is not there"},
    ]
    return {"session": f"session-{number}", "start": events[0]["ts"], "events": events}


@pytest.fixture
def record(tmp_path: Path) -> Any:
    def write(last: str) -> str:
        sessions = [a_session(number, "fails") for number in range(3)]
        sessions.append(a_session(3, "fails", last))
        path = tmp_path / "shop.jsonl.gz"
        with gzip.open(path, "wt", encoding="utf-8") as file:
            file.writelines(json.dumps(each) + "\n" for each in sessions)
        return str(path)

    return write


@requirement("T27")
@pytest.mark.parametrize("client", TAPES)
@pytest.mark.parametrize("last", ["fails", "works"])
def test_a_call_that_failed_again_and_again_is_stopped_in_the_words_of_every_client(
    record: Any, client: str, last: str
) -> None:
    played = play_set(record(last), client)

    counts = played["counts"]
    assert played["faults"] == {}
    # the lesson, its copy for other projects, and the rule it proposes
    assert (counts["notes"], counts["stops"]) == (3, 1)
    assert counts["false_stops"] == (last == "works")
    # a guard warns of a file with secrets, and Gemini CLI cannot be told before a call
    assert ("guards" in counts) is (client != "gemini")
    assert [(each["kind"], each["worked"]) for each in played["told"]] == [
        ("stops", last == "works")
    ]


def test_calls_that_a_client_has_no_tool_for_are_left_out(record: Any) -> None:
    path = record("fails")

    calls = {client: play_set(path, client, 1)["counts"]["calls"] for client in TAPES}

    assert calls == {"claude-code": 5, "codex": 3, "opencode": 4, "pi": 4, "gemini": 4}


def test_the_table_tells_rates_by_client(
    record: Any, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    data = str(Path(record("works")).parent)
    monkeypatch.setattr("sys.argv", ["stops", "--data", data, "--client", "pi"])

    main()

    last = capsys.readouterr().out.splitlines()[-2].split()
    assert (last[0], last[7:9]) == ("pi", ["1", "1"])
    assert last[-2] == f"{1000 / 17:.2f}"
