"""The benchmark turns recorded sets into transcripts and measures them like a user's own."""

import gzip
import json
from pathlib import Path
from typing import Any

import pytest
from bench.replay import Transcript, checkout_of, main, measure, session_id, typed

from twiceshy.core.transcript import CallStep, ResultStep, SummaryStep, UserMessage
from twiceshy.runtimes.claude_code.transcript import read_transcript


def a_session(number: int) -> dict[str, Any]:
    wrong = {"command": "cd /Users/eva/work/shop && rtk bun run test", "timeout": "5000"}
    events = [
        {"k": "user", "text": "run the tests", "ts": f"2026-02-0{number + 1}T09:00:00.000Z"},
        {"k": "call", "id": f"a{number}", "tool": "Bash", "in": wrong},
        {"k": "res", "of": 1, "err": True, "text": "error: unrecognized subcommand 'bun'"},
        {"k": "call", "id": f"b{number}", "tool": "Bash", "in": {"command": "bun run test"}},
        {"k": "res", "of": 3, "err": False, "text": "12 pass"},
        {"k": "call", "tool": "Bash", "in": {"command": "ls"}, "side": True},
        {"k": "user", "text": "This session is being continued from a previous conversation"},
    ]
    return {"session": f"s_{number}", "start": None, "events": events}


@pytest.fixture
def shop(tmp_path: Path) -> Path:
    path = tmp_path / "sets" / "shop.jsonl.gz"
    path.parent.mkdir()
    with gzip.open(path, "wt", encoding="utf-8") as file:
        file.writelines(json.dumps(a_session(number)) + "\n" for number in range(6))
    return path


def test_a_recorded_session_becomes_a_transcript(tmp_path: Path) -> None:
    Transcript(a_session(0), "/here", checkout_of("shop")).write(str(tmp_path))

    steps = list(read_transcript(str(tmp_path / f"{session_id('s_0')}.jsonl")))

    assert [type(step) for step in steps] == [
        UserMessage,
        CallStep,
        ResultStep,
        CallStep,
        ResultStep,
        SummaryStep,
    ]
    assert isinstance(steps[1], CallStep)
    assert json.loads(steps[1].arguments) == {
        "command": "cd /here && rtk bun run test",
        "timeout": 5000,
    }
    assert [step.at for step in steps] == sorted(step.at for step in steps)


def test_arguments_get_their_types_back_but_texts_stay_texts() -> None:
    given = {"limit": "20", "all": "true", "items": "[1]", "command": "[1]", "broken": "[1"}

    assert typed(given) == {
        "limit": 20,
        "all": True,
        "items": [1],
        "command": "[1]",
        "broken": "[1",
    }


def test_a_set_is_measured_with_all_policies(shop: Path) -> None:
    replayed = measure(str(shop))

    assert replayed.own_score.sessions == 6
    assert replayed.own_score.mistakes == 5
    assert replayed.scores["oracle"].prevented == 5


def test_all_sets_of_a_folder_are_printed_and_written(
    shop: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    figures = shop.parent / "figures.json"
    monkeypatch.setattr("sys.argv", ["replay", "--data", str(shop.parent), "--json", str(figures)])

    main()

    said = capsys.readouterr().out
    assert "shop: 6 sessions" in said
    assert "the same mistakes came back 5 times (1 different one)" in said
    assert (
        json.loads(figures.read_text(encoding="utf-8"))["shop"]["policies"]["oracle"]["per"] == 1.0
    )
