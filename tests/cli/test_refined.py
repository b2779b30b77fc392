"""A transcript is printed without its bulk on request, and copied only when that is asked for."""

import json
from pathlib import Path

import pytest
from tests.cli.conftest import Command
from tests.requirements import requirement
from tests.runtimes.claude_code.transcript_lines import a_file, a_record, a_return, a_use, by_user
from tests.store.support import Clock, live_on, modes_under, opened

from twiceshy.core.moment import DAY, format_stamp, parse_stamp
from twiceshy.places.project import identify_project
from twiceshy.project.episodes.build import EpisodeContext, build_session_episode
from twiceshy.project.episodes.work_segment import WorkSegment

WHEN = "2026-11-02T09:00:00Z"
SECRET = "ghp_" + "a1B2c3D4e5F6" * 3


@pytest.fixture
def transcript(tmp_path: Path, project: Path) -> Path:
    common = {"sessionId": "s1", "cwd": str(project), "timestamp": WHEN}
    made = [a_use("c1", "Bash", command="make deploy")]
    came = [a_return("c1", f"no rule\n{'noise' * 2_000}", is_error=True)]
    path = tmp_path / "transcripts" / "s1.jsonl"
    a_file(
        path,
        by_user("u1", f"Deploy it with {SECRET}", **common),
        a_record("assistant", "u2", message={"role": "assistant", "content": made}, **common),
        a_record("user", "u3", message={"role": "user", "content": came}, **common),
    )
    return path


@pytest.fixture
def worked(home: Path, project: Path, transcript: Path) -> str:
    """A session whose transcript is there; returns the id of its episode."""
    here, at = identify_project(str(project), cache=None), parse_stamp(WHEN)
    stretch = WorkSegment(messages=1, title="Deploy it", started_at=at, ended_at=at)
    episode = build_session_episode(
        stretch, EpisodeContext("s1", here.id, "shop", "", str(transcript))
    )
    with opened(home) as store:
        store.record_project(here.id, name=here.name, root=here.root, aliases=here.aliases)
        store.capture(episode)
    return episode.id


def test_what_was_said_and_done_is_printed_without_its_bulk(
    twiceshy: Command, worked: str, transcript: Path, home: Path
) -> None:
    before = modes_under(home)

    lines = [
        json.loads(line) for line in twiceshy("episodes", worked, "--refined").out.splitlines()
    ]

    assert [line.get("said") or line.get("tool") for line in lines] == ["user", "Bash"]
    assert (lines[1]["target"], lines[1]["ok"]) == ("make deploy", False)
    assert SECRET[:6] not in repr(lines)
    assert "noise" not in repr(lines)
    assert modes_under(home) == before


@requirement("U051")
def test_a_copy_is_kept_on_request_for_its_owner_alone_and_goes_in_time(
    twiceshy: Command, worked: str, transcript: Path, home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with opened(home) as store:
        assert store.list_episodes(kinds=("end",), limit=None)[0].transcript == str(transcript)

    kept = twiceshy("episodes", worked, "--refined", "--keep")

    copy = home / "transcripts" / f"{worked}.jsonl"
    assert kept.err == f"kept in {copy} for 30 days\n"
    assert copy.read_text() == kept.out
    assert len(kept.out) < len(transcript.read_text()) / 10
    modes = modes_under(home)
    assert (modes["transcripts"], modes[f"transcripts/{worked}.jsonl"]) == ("0700", "0600")
    written = int(copy.stat().st_mtime * 1000)
    clock = Clock(written)
    with opened(home, clock=clock) as store:
        live_on(store, clock, 31 * DAY)
    monkeypatch.setenv("TWICESHY_NOW", format_stamp(written + 31 * DAY))
    assert f"transcripts/{worked}.jsonl" in twiceshy("compress").out
    assert not copy.exists()
    assert transcript.exists()


def test_a_transcript_that_is_gone_is_an_error_with_a_hint(
    twiceshy: Command, worked: str, transcript: Path
) -> None:
    transcript.unlink()

    assert "hint: " in twiceshy("episodes", worked, "--refined", fails=1).err


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["--refined"], "--refined needs the ID"),
        (["e1", "--keep"], "--keep needs --refined"),
    ],
)
def test_options_that_go_with_another_say_so(
    twiceshy: Command, words: list[str], said: str
) -> None:
    assert said in twiceshy("episodes", *words, fails=2).err
