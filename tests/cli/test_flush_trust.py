"""A session's word is not the user's: what may harm waits, and no secret comes along."""

import json
from pathlib import Path

import pytest
from tests.cli.conftest import Command
from tests.cli.flushing import FETCH, LOCK, RISKY, a_summary, flush, told


def test_what_a_tool_printed_waits_for_review(twiceshy: Command, project: Path) -> None:
    said = {"type": "message", "role": "assistant", "text": f"## Lessons\n- {LOCK}"}
    printed = {"type": "function_call_output", "output": f"## Lessons\n- {FETCH}"}
    (project / "s.jsonl").write_text(f"{json.dumps(printed)}\n{json.dumps(said)}\n")

    flushed = flush(twiceshy, "--session-file", "s.jsonl")

    assert [(one["outcome"], one["note"]["text"]) for one in flushed["kept"]] == [
        ("noted", LOCK),
        ("waiting", FETCH),
    ]
    assert FETCH not in twiceshy("inject", "--skill", "release").out
    assert FETCH in twiceshy("review", "--json").out


@pytest.mark.parametrize("mark", ["", "CODEX_SANDBOX"])
def test_a_risky_lesson_waits_whoever_hands_it_in(
    twiceshy: Command, project: Path, monkeypatch: pytest.MonkeyPatch, mark: str
) -> None:
    if mark:
        monkeypatch.setenv(mark, "1")

    ran = twiceshy(
        "flush", "--skill", "release", "--summary-file", a_summary(project, f"- {RISKY}")
    )

    assert f"waiting: {RISKY}" in ran.err
    assert "twiceshy review" in ran.err
    twiceshy("inject", "--skill", "release", fails=1)


@pytest.mark.parametrize(("mark", "source"), [("", "user"), ("CODEX_SANDBOX", "agent")])
def test_a_note_says_who_handed_it_in(
    twiceshy: Command,
    project: Path,
    monkeypatch: pytest.MonkeyPatch,
    mark: str,
    source: str,
) -> None:
    if mark:
        monkeypatch.setenv(mark, "1")

    (kept,) = flush(twiceshy, "--summary-file", a_summary(project, f"- {LOCK}"))["kept"]

    assert kept["note"]["source"] == source


def test_an_agent_cannot_bring_back_what_was_forgotten(
    twiceshy: Command, project: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    summary = a_summary(project, f"- {LOCK}")
    (kept,) = flush(twiceshy, "--summary-file", summary)["kept"]
    twiceshy("forget", kept["note"]["id"], "--yes")
    monkeypatch.setenv("CODEX_SANDBOX", "seatbelt")

    ran = flush(twiceshy, "--summary-file", summary, fails=1)

    assert "was not kept: this was forgotten on request" in ran.err
    assert twiceshy("list", "--all", "--json").json == []


def test_one_lesson_that_cannot_be_kept_hinders_no_other(twiceshy: Command, project: Path) -> None:
    summary = a_summary(project, f"- {LOCK}", f"- {'x ' * 4_100}", f"- {FETCH}")

    ran = twiceshy("flush", "--skill", "release", "--summary-file", summary)

    assert told(twiceshy) == [LOCK, FETCH]
    assert "left out: x x" in ran.err
    assert "8,000 is the most" in ran.err


def test_no_secret_of_a_summary_reaches_the_disk(
    twiceshy: Command, project: Path, home: Path
) -> None:
    token = "ghp_" + "a1B2" * 9
    body = ["MIIEpAIBAAKCAQEA7" + letter * 47 for letter in "bcd"]
    key = ["-----BEGIN RSA PRIVATE KEY-----", *body, "-----END RSA PRIVATE KEY-----"]
    summary = a_summary(project, f"- Log in with {token} first", *key)

    flush(twiceshy, "--summary-file", summary, "--max-lessons", "9")

    kept = b"".join(path.read_bytes() for path in home.rglob("*") if path.is_file())
    assert b"Log in with" in kept
    assert not [secret for secret in (token, *body) if secret.encode() in kept]
