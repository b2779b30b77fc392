"""Every runtime's transcript tells how full the context is: by its last own answer, and only that."""

import json
import shutil
from pathlib import Path

import pytest
from tests.runtimes.claude_code.transcript_lines import a_file, by_agent, by_user
from tests.runtimes.opencode.database import Database, text

from twiceshy.learning.compaction_advice import ContextUse, read_context_use

PAYLOADS = Path(__file__).parent.parent / "payloads"
CLAUDE = {"input_tokens": 10, "cache_read_input_tokens": 100_000, "output_tokens": 9}


def answered(
    usage: object, model: str = "claude-sonnet-4-5", **fields: object
) -> dict[str, object]:
    """An answer in a transcript of Claude Code."""
    record = by_agent("a1", **fields)
    return record | {"message": {"role": "assistant", "model": model, "usage": usage}}


def boundary(**told: int) -> dict[str, object]:
    return {"type": "system", "subtype": "compact_boundary", "compactMetadata": told}


@pytest.mark.parametrize(
    ("path", "expected"),
    [
        (
            "codex/transcripts/2026/01/05/rollout-2026-01-05T09-00-00-"
            "00000000-0000-4000-8000-000000000001.jsonl",
            ContextUse(1_020, 258_400),
        ),
        (
            "gemini/transcripts/shop/chats/session-2026-01-05T09-00-00000002.jsonl",
            ContextUse(1_000, 1_048_576),
        ),
        (
            "pi/transcripts/--home-u-shop--/2026-01-05T09-00-00-000Z_"
            "00000000-0000-4000-8000-000000000001.jsonl",
            ContextUse(1_000, 200_000),
        ),
    ],
)
def test_a_recorded_session_tells_how_full_it_is(path: str, expected: ContextUse) -> None:
    assert read_context_use(str(PAYLOADS / path)) == expected


def test_claude_code_counts_what_was_sent_and_what_came_from_the_cache(tmp_path: Path) -> None:
    usage = CLAUDE | {"cache_creation_input_tokens": 20_000}
    path = a_file(tmp_path / "s1.jsonl", answered({"input_tokens": 5}), answered(usage))

    assert read_context_use(path) == ContextUse(120_010, 200_000)


def test_a_large_window_is_known_by_the_model(tmp_path: Path) -> None:
    path = a_file(tmp_path / "s1.jsonl", answered(CLAUDE, "claude-sonnet-4-5[1m]"))

    assert read_context_use(path) == ContextUse(100_010, 1_000_000)


@pytest.mark.parametrize(
    "behind",
    [
        answered({"input_tokens": 7}, isSidechain=True),
        answered({"input_tokens": 0}, "<synthetic>"),
        answered("much"),
        answered({"input_tokens": True, "cache_read_input_tokens": -4}),
        by_user("u2", 'what does "usage" mean?'),
        {"type": "assistant", "message": ["usage"]},
    ],
)
def test_only_an_answer_of_the_session_itself_counts(tmp_path: Path, behind: object) -> None:
    path = a_file(tmp_path / "s1.jsonl", answered(CLAUDE), behind)

    assert read_context_use(path) == ContextUse(100_010, 200_000)


def test_after_a_compaction_the_old_figure_no_longer_holds(tmp_path: Path) -> None:
    told = a_file(tmp_path / "s1.jsonl", answered(CLAUDE), boundary(postTokens=9_000))
    silent = a_file(tmp_path / "s2.jsonl", answered(CLAUDE), boundary(preTokens=150_000))

    assert read_context_use(told) == ContextUse(9_000, 200_000)
    assert read_context_use(silent) is None


@pytest.mark.parametrize(
    ("name", "compacted"),
    [
        ("rollout-2026-01-05T09-00-00-00000000-0000-4000-8000-000000000001.jsonl", "compacted"),
        ("2026-01-05T09-00-00-000Z_00000000-0000-4000-8000-000000000001.jsonl", "compaction"),
    ],
)
def test_so_it_is_with_the_others(tmp_path: Path, name: str, compacted: str) -> None:
    recorded = next(PAYLOADS.rglob(name))
    path = tmp_path / name
    shutil.copy(recorded, path)
    with path.open("a", encoding="utf-8") as file:
        file.write(json.dumps({"type": compacted, "payload": {}}) + "\n")

    assert read_context_use(str(path)) is None


def test_a_long_last_line_hides_nothing(tmp_path: Path) -> None:
    path = a_file(tmp_path / "s1.jsonl", answered(CLAUDE), by_user("u2", "x" * 600_000))

    assert read_context_use(path) == ContextUse(100_010, 200_000)


def test_opencode_tells_it_in_its_database(tmp_path: Path) -> None:
    database = Database(tmp_path)
    database.session()
    database.said(1, "pack")
    tokens = {"input": 1_000, "output": 5, "cache": {"read": 50_000, "write": 9_000}}
    database.answer(2, text("packed"), tokens=tokens, modelID="gpt-5")
    database.answer(3, text("working"), unfinished=True, tokens={"input": 0})

    assert read_context_use(database.place()) == ContextUse(60_000, 272_000)

    database.answer(4, text("so far"), summary=True, tokens=tokens)

    assert read_context_use(database.place()) is None


@pytest.mark.parametrize("content", [b"", b"{}", b"\xff\xfe not json\n", b'{"usage": [}\n'])
def test_what_tells_nothing_is_unknown(tmp_path: Path, content: bytes) -> None:
    path = tmp_path / "s1.jsonl"
    path.write_bytes(content)

    assert read_context_use(str(path)) is None
    assert read_context_use(str(tmp_path / "gone.jsonl")) is None
    assert read_context_use(str(tmp_path / "opencode.db") + "#ses_1") is None
