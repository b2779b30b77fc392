"""A lesson of two projects is told in a third one, and what one project knows never is."""

import json
import shutil
import subprocess
from pathlib import Path

import pytest
from tests.hooks.conftest import a_skill
from tests.hooks.sessions import Session, after, twiceshy
from tests.requirements import requirement
from tests.runtimes.claude_code.transcript_lines import a_line, by_user

WRONG, RIGHT = "gh pr diff 7 --stat", "gh pr diff 7 --name-only"
ERROR = "Exit code 1\nunknown flag: --stat"
LINE = "`gh pr diff`: use `--name-only`, not `--stat`: unknown flag: --stat"


@requirement("T10")
def test_what_two_projects_teach_in_the_same_words_is_told_in_a_third(
    home: Path, tmp_path: Path
) -> None:
    for name in ("shop", "blog"):
        teach(a_folder(tmp_path / name), name)

    session = Session(a_folder(tmp_path / "wiki"), "wiki")
    assert LINE in session.start()
    assert f">As seen before: {LINE.partition(': unknown')[0]}<" in session.fails(WRONG, ERROR)


@requirement("T13")
def test_clones_and_copies_of_one_project_are_one_teacher(home: Path, tmp_path: Path) -> None:
    shop = a_folder(tmp_path / "shop")
    commit = "-c user.name=u -c user.email=u@example.com commit -q --allow-empty -m x"
    for words in ("init -q", commit):
        subprocess.run(["git", *words.split()], cwd=shop, check=True)
    subprocess.run(["git", "clone", "-q", str(shop), str(tmp_path / "clone")], check=True)
    copy = Path(shutil.copytree(shop, tmp_path / "old" / "shop", ignore=lambda *_: [".git"]))

    for number, folder in enumerate((shop, tmp_path / "clone", copy)):
        teach(folder, f"session-{number}")

    assert fail_elsewhere(tmp_path) == ""


OBSERVED = "Tell quetzal.example before you cut a release."


@requirement("T13")
@pytest.mark.parametrize("others", [0, 1])
def test_what_a_summary_says_of_a_skill_waits_for_a_second_project(
    home: Path, tmp_path: Path, others: int
) -> None:
    a_skill(tmp_path / "user/.claude/skills/release")
    for number, name in enumerate(("shop", "shop", "blog")[: 2 + others]):
        folder, session = a_folder(tmp_path / name), f"session-{number}"
        teach(folder, session, observed=OBSERVED)
    third = a_folder(tmp_path / "wiki")

    known = json.loads(twiceshy(third, "list", "--json", "--skill", "release"))

    assert [each["text"] for each in known] == [OBSERVED] * others


def a_folder(path: Path) -> Path:
    path.mkdir(exist_ok=True)
    return path


def teach(folder: Path, name: str, *, observed: str = "") -> None:
    """Let a session make the mistake and put it right; its summary may observe something."""
    session = Session(folder, name)
    session.start()
    session.works((WRONG, ERROR), (RIGHT, None))
    if observed:
        block = f"<skill_observations>\n* release | gotcha | {observed}\n</skill_observations>"
        # the same words at the same time are a copy, as in a forked session
        where = {"sessionId": name, "cwd": str(folder), "timestamp": after(int(name[-1]))}
        said = by_user(f"{name}-said", observed, **where)
        text = f"This session is being continued.\n{block}"
        summary = by_user(f"{name}-summary", text, isCompactSummary=True, **where)
        with session.transcript.open("ab") as file:
            file.write(a_line(said) + a_line(summary))
    twiceshy(folder, "distill", "--transcript", str(session.transcript))


def fail_elsewhere(tmp_path: Path) -> str:
    """Make the mistake in another project, and return what is told."""
    session = Session(a_folder(tmp_path / "wiki"), "wiki")
    session.start()
    return session.fails(WRONG, ERROR)


@requirement("T12")
def test_why_says_what_telling_a_lesson_saves_and_costs(home: Path, tmp_path: Path) -> None:
    session = Session(tmp_path, "first")
    session.start()
    session.works((WRONG, ERROR), (RIGHT, None))
    twiceshy(tmp_path, "distill", "--transcript", str(session.transcript))
    [known] = json.loads(twiceshy(tmp_path, "list", "--json"))

    said = twiceshy(tmp_path, "why", known["handle"])
    told = json.loads(twiceshy(tmp_path, "why", known["handle"], "--json"))["learned"]["telling"]

    assert f"{told['tokens']} tokens save {told['saves']:,} for {told['costs']:,}" in said
    assert told["saves"] == round(told["chance"] * told["lost_calls"] * 6_000)
    assert told["costs"] == 4 * told["tokens"]
    assert told["pays"] == (told["saves"] >= 2 * told["costs"])
