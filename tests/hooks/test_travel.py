"""A lesson of two projects is told in a third one, and what one project knows never is."""

import json
import os
import shutil
import subprocess
from pathlib import Path

import pytest
from tests.hooks.conftest import a_skill
from tests.hooks.sessions import Session, after, twiceshy
from tests.requirements import requirement
from tests.runtimes.claude_code.transcript_lines import a_line, by_user

from twiceshy.recall.first_use import watch_programs

WRONG, RIGHT = "gh pr diff 7 --stat", "gh pr diff 7 --name-only"
ERROR = "Exit code 1\nunknown flag: --stat"
OWN_WRONG, OWN_RIGHT = "shopctl diff 7 --stat", "shopctl diff 7 --name-only"
LINE = "`gh pr diff`: use `--name-only`, not `--stat`: unknown flag: --stat"

OWN = "Never `gh pr diff --stat`, anywhere."


@requirement("T10", "F52")
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
        teach(folder, f"session-{number}", calls=(OWN_WRONG, OWN_RIGHT))

    assert fail_elsewhere(tmp_path, OWN_WRONG) == ""


@requirement("T10")
@pytest.mark.parametrize(("sessions", "told"), [(1, False), (2, True)])
def test_a_lesson_in_public_words_is_told_elsewhere_once_two_sessions_taught_it(
    home: Path, tmp_path: Path, sessions: int, told: bool
) -> None:
    shop = a_folder(tmp_path / "shop")
    for number in range(sessions):
        teach(shop, f"session-{number}")

    assert (LINE.partition(": unknown")[0] in fail_elsewhere(tmp_path)) is told


def test_a_project_with_a_note_of_its_own_is_told_once(home: Path, tmp_path: Path) -> None:
    shop = a_folder(tmp_path / "shop")
    for number in range(2):
        teach(shop, f"session-{number}")

    session = Session(shop, "third")
    said = [session.start(), session.prompt(f"Please run `{WRONG}` and show it to me.")]

    assert [LINE in text for text in said] == [True, False]


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


def teach(
    folder: Path, name: str, *, observed: str = "", calls: tuple[str, str] = (WRONG, RIGHT)
) -> None:
    """Let a session make the mistake and put it right; its summary may observe something."""
    session = Session(folder, name)
    session.start()
    session.works((calls[0], ERROR), (calls[1], None))
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


def fail_elsewhere(tmp_path: Path, command: str = WRONG) -> str:
    """Make the mistake in another project, and return what is told."""
    session = Session(a_folder(tmp_path / "wiki"), "wiki")
    session.start()
    return session.fails(command, ERROR)


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


@requirement("T111")
@pytest.mark.parametrize("travel", [True, False])
def test_with_travel_off_no_moment_tells_what_other_projects_taught(
    home: Path, tmp_path: Path, travel: bool
) -> None:
    for name in ("shop", "blog"):
        teach(a_folder(tmp_path / name), name)

    told = tell_everywhere(a_folder(tmp_path / "wiki"), travel=travel)

    assert [LINE in text for text in told] == [travel, travel, travel, travel]


@requirement("T111")
@pytest.mark.parametrize("how", ["moved", "pinned", "own"])
def test_with_travel_off_what_a_person_made_global_is_told(
    home: Path, tmp_path: Path, how: str
) -> None:
    for name in ("shop", "blog")[: 1 if how == "moved" else 2]:
        teach(a_folder(tmp_path / name), name)
    shop, wiki = tmp_path / "shop", a_folder(tmp_path / "wiki")
    if how == "moved":
        [known] = json.loads(twiceshy(shop, "list", "--json"))
        twiceshy(shop, "move", known["handle"], "-g")
    elif how == "pinned":
        [known] = json.loads(twiceshy(wiki, "list", "--json"))
        twiceshy(wiki, "pin", known["handle"])
    else:
        twiceshy(shop, "note", "-g", OWN)

    told = tell_everywhere(wiki, travel=False)

    assert any((OWN if how == "own" else LINE) in text for text in told)


@requirement("T111")
def test_with_travel_off_a_project_is_told_its_own_lesson(home: Path, tmp_path: Path) -> None:
    for name in ("shop", "blog"):
        teach(a_folder(tmp_path / name), name)

    told = tell_everywhere(tmp_path / "shop", travel=False)

    assert [LINE in text for text in told] == [True] * 4


def tell_everywhere(folder: Path, *, travel: bool) -> list[str]:
    """Return what four sessions are told: at start, prompt, first use and failure."""
    told = []
    for name in ("start", "prompt", "use", "failure"):
        session = Session(folder, f"{folder.name}-{name}")
        session.env = {"TWICESHY_NOTES_TRAVEL": str(travel).lower()}
        if name == "start":
            told.append(session.start())
        elif name == "prompt":
            told.append(session.prompt(f"run `{WRONG.replace(' 7', '')}` for me"))
        elif name == "use":
            watch_programs(os.environ["TWICESHY_HOME"], session.name, ["gh"])
            told.append(session.prints("gh pr view", "done"))
        else:
            told.append(session.fails(WRONG, ERROR))
    return told


@requirement("T111")
@pytest.mark.parametrize("travel", [True, False])
def test_with_travel_off_a_skill_tells_nothing_of_other_projects(
    home: Path, tmp_path: Path, travel: bool
) -> None:
    a_skill(tmp_path / "user/.claude/skills/release")
    for number, name in enumerate(("shop", "blog")):
        teach(a_folder(tmp_path / name), f"session-{number}", observed=OBSERVED)
    session = Session(a_folder(tmp_path / "wiki"), "wiki")
    session.env = {"TWICESHY_NOTES_TRAVEL": str(travel).lower()}

    told = session.told(
        "PostToolUse",
        **session.call("Skill", skill="release"),
        tool_response={"commandName": "release"},
    )

    assert (OBSERVED in told) is travel
