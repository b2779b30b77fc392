"""How often a detector is right is told with its uncertainty, and labels hold no text of anybody."""

import gzip
import json
import os
from pathlib import Path
from typing import Any

import pytest
from bench.detectors import (
    DETECTORS,
    LABELS,
    Found,
    Session,
    choose_sample,
    corrections,
    interrupts,
    labels,
    rejections,
    report,
    sessions,
    wilson,
)
from hypothesis import given
from hypothesis import strategies as st

REFUSED = (
    "The user doesn't want to proceed with this tool use. The tool use was rejected. "
    "To tell you how to proceed, the user said:\n"
)


Key = tuple[str, str, int, int]
KEYS = {"file", "session", "event", "label", "fix", "why"}
REASONS = {
    *("", "accepted", "answer", "asked", "folder", "got-further", "looked-at", "no-trace"),
    *("on-purpose", "one-off", "opinion", "other-argument", "other-failure", "other-place"),
    *("other-task", "pasted", "question", "request", "stopped", "taken-back", "text-cut"),
}


def key(event: int, fix: int = -1) -> Key:
    return "demo", "s1", event, fix


def call(command: str) -> dict[str, object]:
    return {"k": "call", "tool": "Bash", "in": {"command": command}}


def user(text: str, **flags: bool) -> dict[str, object]:
    return {"k": "user", "text": text, **flags}


@pytest.mark.parametrize(
    ("right", "total", "low", "high"),
    [(0, 0, 0.0, 1.0), (8, 10, 0.490, 0.943), (50, 100, 0.404, 0.596), (10, 10, 0.722, 1.0)],
)
def test_the_interval_is_that_of_wilson(right: int, total: int, low: float, high: float) -> None:
    assert wilson(right, total) == pytest.approx((low, high), abs=0.001)


@given(st.integers(0, 500).flatmap(lambda n: st.tuples(st.integers(0, n), st.just(n))))
def test_the_interval_always_holds_the_share(counted: tuple[int, int]) -> None:
    right, total = counted

    low, high = wilson(right, total)

    assert 0 <= low <= right / (total or 1) + 1e-9
    assert right / (total or 1) - 1e-9 <= high <= 1


def test_corrections_are_found_where_they_are_said() -> None:
    events = [
        user("add a login page"),
        call("npm install"),
        {"k": "res", "of": 1, "err": True, "text": f"{REFUSED}use pnpm, not npm"},
        user("you forgot the tests", meta=True),
        call("pnpm install"),
        user("[Request interrupted by user]"),
        user("but that is the old folder"),
        user("thanks, commit"),
    ]

    found = [(each.event, each.tier) for each in corrections(Session("demo", "s1", events))]

    assert found == [(1, "rejection"), (6, "interrupt")]


def test_refusals_and_interrupts_are_told_at_the_call_or_the_message() -> None:
    asked = {"k": "call", "tool": "ExitPlanMode", "in": {"plan": "1. add tests"}}
    events: list[dict[str, Any]] = [
        user("add a login page"),
        call("npm install"),
        {"k": "res", "of": 1, "err": True, "text": f"{REFUSED}use pnpm, not npm"},
        asked,
        {"k": "res", "of": 3, "err": True, "text": REFUSED.partition(" To tell")[0]},
        user("[Request interrupted by user for tool use]"),
    ]
    session = Session("demo", "s1", events)

    assert [(one.event, one.tier) for one in rejections(session)] == [(1, "reason"), (3, "asked")]
    assert [(one.event, one.tier) for one in interrupts(session)] == [(5, "between")]


def test_the_report_tells_precision_what_was_missed_and_what_has_no_label() -> None:
    found = {key(event): Found(event, "wording", "no, not that") for event in (1, 2, 3, 4)}
    known: dict[Key, bool | None] = {key(1): True, key(2): False, key(4): None, key(9): True}

    lines = list(report(found, known))

    assert lines[1].split()[:5] == ["demo", "4", "2", "1", "0.500"]
    assert lines[2].split()[:6] == ["by", "wording", "4", "2", "1", "0.500"]
    assert lines[4:6] == [
        "unclear, in no figure above: 1",
        "passed over: 1 of 1 labelled events should have been reported",
    ]
    assert lines[6:] == ["without a label: 1", "  demo s1 3 wording"]


def test_a_label_about_another_fix_says_nothing_about_this_one() -> None:
    found = {key(1, 5): Found(1, "variant", "use that", fix=5)}
    known: dict[Key, bool | None] = {key(1, 3): True}

    lines = list(report(found, known))

    assert lines[-2:] == ["without a label: 1", "  demo s1 1 variant"]


@given(st.integers(0, 300), st.integers(0, 300))
def test_a_sample_is_always_the_same_and_never_larger_than_what_there_is(
    total: int, size: int
) -> None:
    keys = [key(event) for event in range(total)]

    chosen = choose_sample(keys, size)

    assert chosen == choose_sample(keys, size)
    assert len(set(chosen)) == len(chosen) == min(size, total)


def test_sessions_are_read_from_a_folder(tmp_path: Path) -> None:
    line = json.dumps({"session": "s1", "events": [user("hello")]})
    with gzip.open(tmp_path / "demo.jsonl.gz", "wt", encoding="utf-8") as file:
        file.write(line + "\n")
    (tmp_path / "README.md").write_text("not a transcript")

    assert list(sessions(str(tmp_path))) == [Session("demo", "s1", [user("hello")])]


@pytest.mark.parametrize("detector", sorted(DETECTORS))
def test_a_label_is_an_id_and_a_verdict_and_never_a_text(detector: str) -> None:
    with open(os.path.join(LABELS, f"{detector}.jsonl"), encoding="utf-8") as file:
        rows = [json.loads(line) for line in file]

    assert len(labels(detector)) == len(rows)
    assert {name for row in rows for name in row} <= KEYS
    assert {row["label"] for row in rows} <= {0, 1, None}
    assert {row.get("why", "") for row in rows} <= REASONS
