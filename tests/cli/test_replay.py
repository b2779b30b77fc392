"""``twiceshy replay``, as somebody runs it who has installed nothing yet."""

import csv
import json
import os
import re
import subprocess
import sys
from pathlib import Path
from xml.etree import ElementTree

import pytest
from tests.commands import run_command
from tests.replay.tapes import Session, tripped
from tests.requirements import requirement

from twiceshy.cli import progress
from twiceshy.core.prices import Prices
from twiceshy.replay.score import ReplayScore
from twiceshy.replay.table import render_table


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


@requirement("T46")
def test_it_opens_with_the_story_of_what_came_back(replay: Replay, home: Path) -> None:
    eight_sessions(replay)

    story = replay().stdout.splitlines()

    assert story[:2] == [
        "In 8 sessions, the same mistakes came back 7 times (1 different one) and cost 7 turns."
        " It was:",
        "  1. `rtk bun run test` failed with \"error: unrecognized subcommand 'bun'\": 7 times,"
        " 7 turns; `bun run test` worked",
    ]
    told = re.fullmatch(
        r"twiceshy would have prevented (\d) of them, stopped (\d) and repaired (\d) at the"
        r" failure: (\d) of 7 turns saved, for (\d+) tokens a session, net ([+-][\d,]+)\."
        r" At most: an agent may ignore a note\.",
        story[2],
    )
    assert told
    prevented, stopped, repaired, saved, tokens = map(int, told.groups()[:5])
    assert prevented + stopped + repaired == 7
    assert saved == prevented  # a stop or a repair saves nothing of a single turn
    assert abs(int(told[6].replace(",", "")) - (saved * 6_000 / 8 - tokens * 4)) <= 4
    assert story[3:] == [
        "Next: twiceshy install --plan, to see how your agents would be connected."
    ]
    assert not home.exists()
    assert os.listdir(replay.home) == [".claude"]


@requirement("T46")
def test_the_three_dearest_are_named_with_their_projects(replay: Replay) -> None:
    calls = {"shop": ("jqq .a", "jqq .b", "jqq .c"), "cafe": ("fdd x",)}
    slips = {"jqq .a": 1, "jqq .b": 3, "jqq .c": 5, "fdd x": 7}
    for number in range(2):
        for name, commands in calls.items():
            session = Session(f"{name}{number}", f"/srv/{name}", hours=number).says("go on")
            for command in commands:
                error = f"error: unexpected argument {command[-2:]}"
                for _ in range(slips[command]):
                    session.fails(f"{command} --raw 1", error)
                session.works(f"{command} 1")
            session.write(replay.transcripts)

    story = replay("--limit", "4").stdout.splitlines()

    assert story[0].startswith("In 4 sessions, the same mistakes came back 4 times (4 different")
    assert "`fdd x --raw 1`" in story[1]
    assert "1 time in cafe, 7 turns; `fdd x 1` worked" in story[1]
    assert "`jqq .c --raw 1`" in story[2]
    assert "`jqq .b --raw 1`" in story[3]
    assert not any("jqq .a" in line for line in story)


@requirement("T46")
def test_prices_are_the_users(replay: Replay, monkeypatch: pytest.MonkeyPatch) -> None:
    eight_sessions(replay)
    dear = json.loads(replay("--json").stdout)["policies"]["twiceshy"]
    monkeypatch.setenv("TWICESHY_TELLING_TURN_TOKENS", "1000")
    monkeypatch.setenv("TWICESHY_TELLING_TOKEN_PRICE", "1")

    cheap = json.loads(replay("--json").stdout)

    assert (cheap["prices"]["turn"], cheap["prices"]["told"]) == (1000, 1)
    mine = cheap["policies"]["twiceshy"]
    assert mine["saved"] == dear["saved"]
    assert mine["net_tokens"] == (mine["saved"] * 1000 - mine["tokens"]) / 8


def test_what_a_transcript_says_cannot_command_the_terminal_or_show_a_secret(
    replay: Replay,
) -> None:
    secret = "ghp_" + "a1B2c3D4e5F6" * 3
    for number in range(2):
        session = Session(f"s{number}", "/srv/shop", hours=number).says("deploy")
        session.fails(f"deployx --token {secret}", "error: unknown option \x1b[2J'--token'")
        session.works("deployx --with it").write(replay.transcripts)

    said = replay().stdout

    assert "deployx --token" in said
    assert secret not in said
    assert "\x1b" not in said


def test_a_table_compares_with_simpler_methods_on_request(replay: Replay) -> None:
    eight_sessions(replay)

    plain, *rows = replay("--compare").stdout.split("\n\n", maxsplit=1)

    table = rows[0].splitlines()
    assert plain.startswith("In 8 sessions")
    titles = "net saved PER repair precision tokens idle false stops".split()
    assert table[0].split() == titles
    assert table[1].startswith("twiceshy ")
    assert all(len(row) <= 112 for row in table)
    assert table.index("") == 10  # nine methods below the titles
    explained = [row.split()[0] for row in table[11:]]
    assert explained == ["net", "saved", "PER", "repair", "precision", "tokens", "false", "(a"]


def test_everything_is_there_as_json_too(replay: Replay) -> None:
    eight_sessions(replay)
    (replay.transcripts / "odd.jsonl").write_text("{}\n", encoding="utf-8")

    told = json.loads(replay("claude-code", "--json").stdout)

    assert list(told["policies"]) == ["twiceshy"]
    assert told["policies"]["twiceshy"]["mistakes"] == 7
    assert told["enough"] is True
    assert [each["times"] for each in told["mistakes"]] == [7]
    assert told["story"][0].startswith("In 8 sessions")
    [project] = told["projects"]
    assert told["names"] == {project: "shop"}
    assert [Path(each["path"]).name for each in told["passed_over"]] == ["odd.jsonl"]
    assert told["faults"] == []


@requirement("T48")
def test_the_same_history_gives_the_same_figures_every_time(
    replay: Replay, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Many mistakes of equal weight and moment: only the order of their ids could tell them apart."""
    for number in range(5):
        session = Session(f"s{number}", "/srv/shop", hours=number).says("go on")
        for tool in "abcdefgh":
            session.fails(f"run{tool} --all x", f"error: unexpected argument '--all' of {tool}")
            session.works(f"run{tool} x")
        session.write(replay.transcripts)
    said = set()

    for seed in ("1", "2", "3"):
        monkeypatch.setenv("PYTHONHASHSEED", seed)
        said.add(replay("--json", "--compare").stdout)

    assert len(said) == 1


def test_files_and_folders_can_be_named_and_narrowed(replay: Replay, tmp_path: Path) -> None:
    eight_sessions(replay)
    other = tripped("c0", "/srv/cafe").write(tmp_path / "elsewhere")

    some = json.loads(replay("--json", "--limit", "3").stdout)
    both = json.loads(replay("--json", str(replay.transcripts), str(other)).stdout)
    cafe = json.loads(replay("--json", str(tmp_path), "--project", "/srv/cafe").stdout)

    assert some["policies"]["twiceshy"]["sessions"] == 3
    assert both["policies"]["twiceshy"]["sessions"] == 9
    assert cafe["policies"]["twiceshy"]["sessions"] == 1


def test_too_little_is_said_to_be_too_little(replay: Replay) -> None:
    sessions(replay, 3)

    done = replay()

    assert done.stdout.splitlines()[-2] == "So few prove nothing."


def test_nothing_at_all_is_said_as_well(replay: Replay) -> None:
    replay.transcripts.mkdir(parents=True)

    assert "nothing to replay" in replay().stdout

    Session("s0", "/srv/shop").says("hello").works("ls").write(replay.transcripts)

    assert "no mistake came back that an earlier session had made" in replay().stdout


def test_what_cannot_be_read_is_counted_and_named(replay: Replay) -> None:
    eight_sessions(replay)
    for number in range(7):
        (replay.transcripts / f"odd{number}.jsonl").write_text("{}\n", encoding="utf-8")

    done = replay()

    assert "7 of 15 files were left out:" in done.stderr
    assert "odd0.jsonl does not say where its session was" in done.stderr
    assert "and 2 more; --json names them all" in done.stderr


def test_a_wrong_place_or_picture_is_refused_with_a_hint(replay: Replay) -> None:
    assert "there is no transcript or folder nowhere" in replay("nowhere", fails=1).stderr
    assert "neither .svg nor .csv" in replay("--curve", "c.png", fails=2).stderr
    assert "hint: make it" in replay("--curve", "no/such/c.svg", fails=1).stderr
    assert "nothing to replay" in replay().stdout  # no runtime was ever here


def test_a_curve_is_a_chart_in_the_terminal(replay: Replay) -> None:
    sessions(replay, 3)

    done = replay("--curve", "-")

    chart = done.stdout.partition("connected.\n")[2].splitlines()
    assert chart[0] == "twiceshy (tokens told in a session → net tokens a session)"
    assert all(re.fullmatch(r" +[\d,]+ → +[+-][\d,]+  [█░]*", line) for line in chart[1:6])
    assert any("█" in line for line in chart[1:6])


def test_progress_is_told_in_lines_where_there_is_no_terminal(
    replay: Replay, monkeypatch: pytest.MonkeyPatch
) -> None:
    sessions(replay, 5)
    monkeypatch.setattr(progress, "_SHORT_WAIT", 0.0)

    told = run_command("replay", cwd=replay.home, env={}).err

    assert told.splitlines() == [f"replaying: {percent} %" for percent in (20, 40, 60, 80, 100)]


def test_a_curve_is_a_table_or_a_picture(replay: Replay, tmp_path: Path) -> None:
    sessions(replay, 3)

    replay("--curve", str(tmp_path / "c.csv"))
    replay("--curve", str(tmp_path / "c.svg"))

    with (tmp_path / "c.csv").open(encoding="utf-8", newline="") as file:
        rows = list(csv.DictReader(file))
    names = {row["policy"] for row in rows}
    assert "twiceshy" in names
    assert len(names) == 5
    assert {row["saved_share"] for row in rows if row["policy"] == "inject-all"} == {"1.0000"}
    assert all(float(row["net_tokens"]) < 6_000 for row in rows)
    drawing = ElementTree.parse(tmp_path / "c.svg").getroot()
    lines = [each for each in drawing if each.tag.endswith("polyline")]
    assert len(lines) == 5


def test_the_table_fits_whatever_the_figures_are() -> None:
    large = ReplayScore.of(
        dict.fromkeys(ReplayScore.__fields__, 99_999) | {"sessions": 300, "stopped": 0}
    )

    lines = list(render_table({"200 tokens at start, repair": large}, Prices()))

    assert all(len(line) <= 100 for line in lines)
