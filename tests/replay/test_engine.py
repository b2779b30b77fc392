"""Made-up histories through the real hooks: what is shown in time, at which cost, and where it is kept."""

import hashlib
import os
from contextlib import closing
from pathlib import Path

import pytest
from tests.replay.tapes import PASSED, UNKNOWN, Session, tripped
from tests.requirements import requirement

from twiceshy import app
from twiceshy.cli import run_command_line
from twiceshy.core.filter import NoteFilter
from twiceshy.core.moment import format_day
from twiceshy.places.project import identify_project
from twiceshy.replay.histories import find_histories
from twiceshy.replay.play import Replayed, replay_projects
from twiceshy.replay.policies import BASELINES
from twiceshy.store.command_store import WholeStore


def replayed(tmp_path: Path, *, baselines: bool = False) -> Replayed:
    found = find_histories([str(tmp_path / "t")], lambda cwd: identify_project(cwd, cache=None))
    chosen = BASELINES if baselines else ()
    return replay_projects(found, str(tmp_path / "stage"), baselines=chosen)


def contents(folder: Path) -> dict[str, str]:
    return {
        str(path): hashlib.sha256(path.read_bytes()).hexdigest()
        for path in sorted(folder.rglob("*"))
        if path.is_file()
    }


@requirement("L18")
def test_what_one_session_learned_the_hard_way_is_shown_to_the_next(tmp_path: Path) -> None:
    for number in range(3):
        tripped(f"s{number}", tmp_path / "shop", hours=number).write(tmp_path / "t")

    ours = replayed(tmp_path).own_score

    assert (ours.sessions, ours.calls) == (3, 6)
    assert (ours.recurrences, ours.mistakes, ours.lost) == (2, 2, 2)
    assert ours.prevented + ours.stopped + ours.repaired == 2
    assert ours.heard == 2
    assert (ours.idle, ours.idle_tokens) == (1, 0)  # the first session has nothing to be told
    assert ours.useful == ours.items > 0
    assert 0 < ours.tokens < 3 * 300
    assert ours.false_fires == 0


@requirement("L18")
def test_the_others_are_measured_on_the_same_sessions(tmp_path: Path) -> None:
    for number in range(4):
        session = Session(f"s{number}", tmp_path / "shop", hours=number).says("hello there")
        session.works("ls src").fails("rtk bun run test", UNKNOWN).works("bun run test", PASSED)
        session.write(tmp_path / "t")

    scores = dict(replayed(tmp_path, baselines=True).scores)

    assert list(scores) == ["twiceshy", *(policy.name for policy in BASELINES)]
    assert {name: score.recurrences for name, score in scores.items()} == dict.fromkeys(scores, 3)
    del scores["twiceshy"]
    fates = {
        name: (score.prevented, score.stopped, score.repaired) for name, score in scores.items()
    }
    assert fates == {
        "none": (0, 0, 0),
        "inject-all, newest 100": (3, 0, 0),
        "recency × hits, top 20": (3, 0, 0),
        "BM25 on prompt, top 8": (0, 0, 0),
        "BM25 on call, top 3": (0, 0, 3),
        "exact repair at failure": (0, 0, 3),
        "200 tokens at start, repair": (3, 0, 0),
        "oracle": (3, 0, 0),
    }
    assert {score.saved for score in scores.values()} == {0, 3}
    assert scores["oracle"].useful == scores["oracle"].items == 3
    assert scores["none"].tokens == 0


def test_no_note_is_withheld_to_measure_what_it_does(tmp_path: Path) -> None:
    for number in range(30):
        tripped(f"s{number}", tmp_path / "shop", hours=number).write(tmp_path / "t")

    ours = replayed(tmp_path).own_score

    assert ours.prevented + ours.stopped + ours.repaired == ours.mistakes == 29


def test_projects_know_nothing_of_each_other(tmp_path: Path) -> None:
    tripped("en", tmp_path / "shop").write(tmp_path / "t")
    chinese = Session("zh", tmp_path / "商店", hours=1).says("跑一下测试")
    chinese.fails("rtk bun run test", UNKNOWN).works("bun run test", PASSED)
    chinese.write(tmp_path / "t")

    result = replayed(tmp_path, baselines=True)

    assert len(result.projects) == 2
    assert {score.recurrences for score in result.scores.values()} == {0}
    assert result.own_score.tokens == 0


def test_mistakes_in_chinese_sessions_are_known_again(tmp_path: Path) -> None:
    error = "Exit code 1\n错误：未找到命令 pnpmx，请检查拼写"
    for number in range(2):
        session = Session(f"z{number}", tmp_path / "商店", hours=number).says("安装依赖")
        session.fails("pnpmx install --frozen", error).works("pnpm install --frozen", "完成")
        session.write(tmp_path / "t")

    scores = replayed(tmp_path, baselines=True).scores

    shown = scores["inject-all, newest 100"]
    assert (shown.recurrences, shown.items, shown.useful) == (1, 1, 1)


def test_calls_that_no_hook_hears_of_cannot_be_met_in_time_by_one(tmp_path: Path) -> None:
    for number in range(3):
        session = Session(f"s{number}", tmp_path / "shop", hours=number).says("go on")
        call = session.calls("Skill", {"skill": "commit"})
        refusal = "<tool_use_error>Unknown skill: commit</tool_use_error>"
        session.returns(call, refusal, failed=True).works("ls")
        session.write(tmp_path / "t")

    scores = replayed(tmp_path, baselines=True).scores

    assert scores["BM25 on call, top 3"].mistakes == 2
    assert scores["BM25 on call, top 3"].tokens == 0
    assert scores["twiceshy"].heard == scores["twiceshy"].repaired == 0
    assert scores["oracle"].prevented == 2


@requirement("L18")
def test_the_users_memory_is_neither_read_nor_changed_and_nobody_is_started(
    tmp_path: Path, home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    assert run_command_line(["note", "Call bun without rtk, always"]) == 0
    session = Session("s0", tmp_path / "shop")
    for number in range(45):  # hooks let somebody learn after so many prompts
        session.says(f"and now number {number}").works("ls")
    session.compacts("We ran ls a lot").fails("rtk bun run test", UNKNOWN)
    session.write(tmp_path / "t")
    tripped("s1", tmp_path / "shop", hours=9).write(tmp_path / "t")
    before, started = {**contents(home), **contents(tmp_path / "user")}, []
    monkeypatch.setattr(os, "posix_spawn", lambda *given, **_: started.append(given))

    result = replayed(tmp_path)

    assert {**contents(home), **contents(tmp_path / "user")} == before
    assert started == []
    assert result.own_score.recurrences == 1
    assert result.faults == ()
    assert (tmp_path / "stage/0/memory/twiceshy.db").exists()


def test_time_is_the_one_of_the_recording_and_the_real_clock_goes_on(tmp_path: Path) -> None:
    tripped("s0", tmp_path / "shop").write(tmp_path / "t")
    tripped("s1", tmp_path / "shop", hours=24).write(tmp_path / "t")

    replayed(tmp_path)

    path = str(tmp_path / "stage/0/memory/twiceshy.db")
    with closing(WholeStore(path, clock=app.read_clock)) as store:
        [note] = store.notes(NoteFilter(statuses=(), kinds=("lesson",)))
    assert (format_day(note.written_at), format_day(note.learned_at)) == (
        "2026-11-02",
        "2026-11-03",
    )
    assert "TWICESHY_NOW" not in os.environ
    assert app.read_clock() > 1_600_000_000_000


def test_a_transcript_that_disappears_meanwhile_is_named(tmp_path: Path) -> None:
    path = tripped("s0", tmp_path / "shop").write(tmp_path / "t")
    found = find_histories([str(tmp_path / "t")], lambda cwd: identify_project(cwd, cache=None))
    path.unlink()

    result = replay_projects(found, str(tmp_path / "stage"))

    assert [each.path for each in result.passed_over] == [str(path)]
    assert result.own_score.sessions == 0


def test_secrets_in_transcripts_do_not_reach_the_stage(tmp_path: Path) -> None:
    secret = "ghp_" + "a1B2c3D4e5F6" * 3
    for number in range(2):
        session = Session(f"s{number}", tmp_path / "shop", hours=number).says(f"use {secret}")
        session.fails(f"deployx --token {secret}", f"error: unknown option '--token' {secret}")
        session.works(f"deploy --with {secret}").write(tmp_path / "t")

    replayed(tmp_path)

    stored = [path.read_bytes() for path in (tmp_path / "stage").rglob("*") if path.is_file()]
    assert stored
    assert not any(secret.encode() in each for each in stored)


def test_a_fault_inside_a_hook_is_counted_and_the_replay_goes_on(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for number in range(2):
        tripped(f"s{number}", tmp_path / "shop", hours=number).write(tmp_path / "t")

    def fails(*_: object) -> str:
        raise ValueError

    monkeypatch.setattr("twiceshy.replay.hook_home.respond_to_event", fails)
    result = replayed(tmp_path)

    assert result.own_score.recurrences == 1
    assert result.own_score.tokens == 0
    assert "PreToolUse: ValueError" in result.faults
