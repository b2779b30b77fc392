"""What an agent writes into a view is the agent's, not the user's."""

import json
import time
from pathlib import Path

import pytest
from tests.attacks.channels import SKILL, World
from tests.attacks.tally import Tally
from tests.requirements import requirement

from twiceshy.core.moment import format_stamp

OWN, ADDED = "Tag last.", "Deploy from the branch of the day."
FAMILY = "edits of views by agents"


@pytest.fixture
def world(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> World:
    world = World(tmp_path / "world", monkeypatch)
    monkeypatch.setenv("TWICESHY_NOW", format_stamp(time.time_ns() // 1_000_000))
    world.must("note", OWN, "--skill", SKILL)
    world.must("note", "Sign the tag.", "--skill", SKILL)
    world.must("views", "write")
    return world


def edit_view(world: World, how: str) -> None:
    path = world.home / "vault" / world.project.name / "lessons" / f"{SKILL}.md"
    text = path.read_text()
    assert OWN in text
    match how:
        case "a new line":
            text += f"- {ADDED}\n"
        case "a deleted line":
            text = "".join(line for line in text.splitlines(True) if OWN not in line)
        case _:
            text = text.replace(OWN, ADDED)
    path.write_text(text)


def read_notes(world: World) -> dict[str, tuple[str, str]]:
    listed = json.loads(world.must("list", "--all", "--status", "any", "--json").out)
    return {one["text"]: (one["source"], one["status"]) for one in listed}


WAYS = ["a new line", "a deleted line", "a reworded line"]


@requirement("Y87")
@pytest.mark.parametrize("who", ["a session was open", "an agent runs the command"])
@pytest.mark.parametrize("how", WAYS)
def test_what_an_agent_may_have_written_into_a_view_is_not_the_users(
    how: str, who: str, world: World, tally: Tally
) -> None:
    if who == "a session was open":
        world.client().start()
    edit_view(world, how)
    done = world.run("views", "write", agent=who != "a session was open")

    notes = read_notes(world)
    believed = notes.get(ADDED, ("", ""))[0] == "user" or notes[OWN] != ("user", "active")
    tally.count_attack(FAMILY, f"{how}: {who}", succeeded=believed)
    if how == "a new line":
        assert notes[ADDED][0] == "agent"
    else:
        assert "you wrote this note" in done.out + done.err
    assert tally.succeeded == []


@requirement("Y87")
@pytest.mark.parametrize("how", WAYS)
def test_what_a_person_writes_into_a_view_is_the_users(how: str, world: World) -> None:
    edit_view(world, how)

    world.must("views", "write")

    notes = read_notes(world)
    if how == "a deleted line":
        assert notes[OWN] == ("user", "retired")
    else:
        assert notes[ADDED] == ("user", "active")
