"""A lesson of two projects is told in a third one."""

import json
from pathlib import Path

from tests.hooks.sessions import Session, twiceshy
from tests.requirements import requirement

WRONG, RIGHT = "gh pr diff 7 --stat", "gh pr diff 7 --name-only"
ERROR = "Exit code 1\nunknown flag: --stat"
LINE = "`gh pr diff`: use `--name-only`, not `--stat`: unknown flag: --stat"


@requirement("T10")
def test_what_two_projects_teach_in_the_same_words_is_told_in_a_third(
    home: Path, tmp_path: Path
) -> None:
    for name in ("shop", "blog"):
        folder = tmp_path / name
        folder.mkdir()
        session = Session(folder, name)
        session.start()
        session.works((WRONG, ERROR), (RIGHT, None))
        twiceshy(folder, "distill", "--transcript", str(session.transcript))
    third = tmp_path / "wiki"
    third.mkdir()
    session = Session(third, "wiki")

    assert LINE in session.start()
    assert f">As seen before: {LINE.partition(': unknown')[0]}<" in session.fails(WRONG, ERROR)


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
