"""What every runtime's reader of transcripts can do: go on where it was, or read all and tell what is new."""

import shutil
from pathlib import Path

import pytest
from tests.runtimes.opencode.database import Database

from twiceshy.runtimes import RUNTIMES
from twiceshy.runtimes.transcripts import load_reader

PAYLOADS = Path(__file__).parents[1] / "payloads"
RECORDED = sorted(PAYLOADS.glob("*/transcripts/**/*.jsonl"))


def test_every_runtime_is_looked_at() -> None:
    recorded = {path.relative_to(PAYLOADS).parts[0].replace("_", "-") for path in RECORDED}

    assert recorded | {"opencode"} == set(RUNTIMES)


@pytest.mark.parametrize("recorded", RECORDED, ids=lambda path: path.stem[-12:])
def test_a_whole_pass_yields_all_steps_and_tells_which_are_new(
    recorded: Path, tmp_path: Path
) -> None:
    place = recorded.relative_to(PAYLOADS)
    shutil.copytree(PAYLOADS / place.parts[0], tmp_path / place.parts[0])
    path, lines = tmp_path / place, recorded.read_bytes().splitlines(keepends=True)
    read = load_reader(place.parts[0].replace("_", "-")).read_transcript
    for cut in range(len(lines) + 1):
        path.write_bytes(b"".join(lines[:cut]))
        early = read(str(path))
        known = {step.key for step in early}
        path.write_bytes(b"".join(lines))

        later, whole = read(str(path), after=early.position), read(str(path), whole=True)
        both = read(str(path), after=early.position, whole=True)
        told = [(step, both.is_fresh) for step in both]

        assert [step for step, _ in told] == list(whole)
        assert [step for step, fresh in told if fresh] == [
            step for step in later if step.key not in known
        ]
        assert both.position == later.position


def test_a_whole_pass_over_a_session_of_opencode_tells_what_is_new(tmp_path: Path) -> None:
    database, read = Database(tmp_path), load_reader("opencode").read_transcript
    database.session()
    database.said(1, "pack")
    early = read(database.place())
    assert len(list(early)) == 1
    database.said(2, "ship")

    both = read(database.place(), after=early.position, whole=True)
    told = [(getattr(step, "text", ""), both.is_fresh) for step in both]

    assert told == [("pack", False), ("ship", True)]


def test_all_of_a_file_that_was_replaced_is_new(tmp_path: Path) -> None:
    longest = max(
        PAYLOADS.glob("claude_code/transcripts/*/*.jsonl"), key=lambda one: one.stat().st_size
    )
    path = tmp_path / longest.name
    path.write_bytes(longest.read_bytes())
    early = load_reader("claude-code").read_transcript(str(path))
    steps = list(early)
    path.write_bytes(b'{"type":"summary","summary":"Another file."}\n' + longest.read_bytes())

    both = load_reader("claude-code").read_transcript(str(path), after=early.position, whole=True)

    assert [both.is_fresh for _ in both] == [True] * len(steps)
