"""``twiceshy replay``, as somebody runs it who has installed nothing yet."""

import csv
import json
import os
import subprocess
import sys
from pathlib import Path
from xml.etree import ElementTree

import pytest
from tests.replay.tapes import Session, tripped

from twiceshy.replay.score import ReplayScore
from twiceshy.replay.table import describe_result, render_table


class Replay:
    """Runs the command in a process of its own, with a home of its own."""

    def __init__(self, home: Path) -> None:
        self.home = home
        self.transcripts = home / ".claude/projects/-srv-shop"

    def __call__(self, *words: str, fails: int = 0) -> subprocess.CompletedProcess[str]:
        done = subprocess.run(
            [sys.executable, "-m", "twiceshy", "replay", *words],
            capture_output=True,
            text=True,
            encoding="utf-8",
            check=False,
            cwd=self.home,
        )
        assert done.returncode == fails, done.stderr
        return done


@pytest.fixture
def replay(tmp_path: Path) -> Replay:
    return Replay(tmp_path / "user")


def eight_sessions(replay: Replay) -> None:
    sessions(replay, 8)


def sessions(replay: Replay, count: int) -> None:
    for number in range(count):
        tripped(f"s{number}", "/srv/shop", hours=number).write(replay.transcripts)


def test_one_sentence_and_a_table_tell_what_would_have_been(replay: Replay, home: Path) -> None:
    eight_sessions(replay)

    done = replay()

    first, blank, *rows = done.stdout.splitlines()
    assert first.startswith(
        "On your last 8 sessions, twiceshy would have shown the right note before 7 of 7 repeated"
        " mistakes (7 of 7 that were called wrongly), for "
    )
    assert first.endswith(" tokens a session.")
    assert blank == ""
    assert rows[0].split() == "PER wrong fix cost repair precision tokens idle false".split()
    assert rows[1].split()[:8] == "twiceshy 1.0 .65-1.0 1.0 1.0 1.0 1.0 1.0".split()
    assert all(len(row) <= 100 for row in rows)
    assert len([row for row in rows[1:] if row[:1].isalpha() and ":" not in row]) >= 7
    assert not home.exists()
    assert os.listdir(replay.home) == [".claude"]


def test_everything_is_there_as_json_too(replay: Replay) -> None:
    eight_sessions(replay)
    (replay.transcripts / "odd.jsonl").write_text("{}\n", encoding="utf-8")

    told = json.loads(replay("claude-code", "--json", "--no-baselines").stdout)

    assert list(told["policies"]) == ["twiceshy"]
    assert told["policies"]["twiceshy"]["per"] == 1.0
    assert told["enough"] is True
    [project] = told["projects"]
    assert told["names"] == {project: "shop"}
    assert [Path(each["path"]).name for each in told["passed_over"]] == ["odd.jsonl"]
    assert told["faults"] == []


def test_the_same_history_gives_the_same_figures_every_time(
    replay: Replay, monkeypatch: pytest.MonkeyPatch
) -> None:
    sessions(replay, 4)
    said = set()

    for seed in ("1", "2", "3"):
        monkeypatch.setenv("PYTHONHASHSEED", seed)
        said.add(replay("--json").stdout)

    assert len(said) == 1


def test_files_and_folders_can_be_named_and_narrowed(replay: Replay, tmp_path: Path) -> None:
    eight_sessions(replay)
    other = tripped("c0", "/srv/cafe").write(tmp_path / "elsewhere")

    some = json.loads(replay("--json", "--limit", "3", "--no-baselines").stdout)
    both = json.loads(
        replay("--json", "--no-baselines", str(replay.transcripts), str(other)).stdout
    )
    cafe = json.loads(
        replay("--json", "--no-baselines", str(tmp_path), "--project", "/srv/cafe").stdout
    )

    assert some["policies"]["twiceshy"]["sessions"] == 3
    assert both["policies"]["twiceshy"]["sessions"] == 9
    assert cafe["policies"]["twiceshy"]["sessions"] == 1


def test_too_little_is_said_to_be_too_little(replay: Replay) -> None:
    sessions(replay, 3)

    done = replay("--no-baselines")

    assert done.stdout.splitlines()[0].endswith("So few prove nothing.")
    assert "needs at least 5 repeated failures" in done.stderr


def test_nothing_at_all_is_said_as_well(replay: Replay) -> None:
    replay.transcripts.mkdir(parents=True)

    assert "nothing to replay" in replay().stdout

    Session("s0", "/srv/shop").says("hello").works("ls").write(replay.transcripts)

    assert "nothing failed in a session that had failed in an earlier one" in replay().stdout


def test_what_cannot_be_read_is_counted_and_named(replay: Replay) -> None:
    eight_sessions(replay)
    for number in range(7):
        (replay.transcripts / f"odd{number}.jsonl").write_text("{}\n", encoding="utf-8")

    done = replay("--no-baselines")

    assert "7 of 15 files were left out:" in done.stderr
    assert "odd0.jsonl does not say where its session was" in done.stderr
    assert "and 2 more; --json names them all" in done.stderr


def test_a_wrong_place_or_picture_is_refused_with_a_hint(replay: Replay) -> None:
    assert "there is no transcript or folder nowhere" in replay("nowhere", fails=1).stderr
    assert "neither .svg nor .csv" in replay("--curve", "c.png", fails=2).stderr
    assert "hint: make it" in replay("--curve", "no/such/c.svg", fails=1).stderr
    assert "nothing to replay" in replay().stdout  # no runtime was ever here


def test_a_curve_is_a_table_or_a_picture(replay: Replay, tmp_path: Path) -> None:
    sessions(replay, 3)

    replay("--no-baselines", "--curve", str(tmp_path / "c.csv"))
    replay("--no-baselines", "--curve", str(tmp_path / "c.svg"))

    with (tmp_path / "c.csv").open(encoding="utf-8", newline="") as file:
        rows = list(csv.DictReader(file))
    names = {row["policy"] for row in rows}
    assert "twiceshy" in names
    assert len(names) == 5
    assert {row["per"] for row in rows if row["policy"] == "inject-all"} == {"1.0000"}
    drawing = ElementTree.parse(tmp_path / "c.svg").getroot()
    lines = [each for each in drawing if each.tag.endswith("polyline")]
    assert len(lines) == 5


def test_the_table_fits_whatever_the_figures_are() -> None:
    large = ReplayScore.of(
        dict.fromkeys(ReplayScore.__fields__, 99_999) | {"covered": 77_777, "sessions": 3}
    )

    assert all(len(line) <= 100 for line in render_table({"BM25 on prompt, top 8": large}))


def test_the_sentence_speaks_of_one_session_as_of_one() -> None:
    one = ReplayScore(sessions=1, calls=2, recurrences=9, covered=3, wrong=0, tokens=70)

    assert describe_result(one) == (
        "On your last session, twiceshy would have shown the right note before 3 of 9 repeated"
        " mistakes, for 70 tokens a session."
    )
