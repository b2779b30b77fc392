"""A session that ends costs one call of a model, whatever it is asked about."""

import json
import os
from pathlib import Path
from typing import Any

import pytest
from tests.hooks.conftest import a_skill
from tests.hooks.sessions import Session, learning, twiceshy
from tests.learning.sessions import ROOT, Told
from tests.models.claude_program import FakeClaude
from tests.requirements import requirement

SKILLS = ("release", "deploy", "pack")
LESSON = "Run `pnpm %s` instead of `npm %s`."
ORDER = "no, use pnpm, not npm"
WHY = "npm breaks the build of the shop"
# It answers with what LESSONS has for each section, by skill or by name.
ANSWER = """!
import re
material = json.loads(told.decode().rpartition("MATERIAL\\n")[2])
lessons = json.loads({lessons!r})
parts = {{one["section"]: lessons.get(one.get("skill", one["section"]), []) for one in material["sections"]}}
print(json.dumps(parts){broken})
"""


def lessons() -> dict[str, Any]:
    """Return what there is to say about each skill, in general, and about what the user said."""
    about = {
        skill: [{"op": "add", "kind": "fix", "text": LESSON % (skill, skill)}] for skill in SKILLS
    }
    general = {"op": "add", "kind": "principle", "text": "Use pnpm for release, deploy and pack."}
    said = {"op": "add", "kind": "convention", "text": "Use pnpm, not npm.", "why": WHY}
    return about | {"principles": [general], "corrections": [said]}


@pytest.fixture
def session(project: Path) -> Session:
    """A session with three skills, in which npm failed and the user asked for pnpm."""
    session = Session(project)
    told = Told(session.name).said("Please ship the shop.")
    for skill in SKILLS:
        a_skill(project / ".claude/skills" / skill)
        told.failed(f"npm {skill}", f"npm error Missing script: {skill}").ran(f"pnpm {skill}")
    told.said(f"{ORDER}, {WHY}").whiled(3)
    file = told.file(session.transcript.parent)
    file.write_text(file.read_text().replace(ROOT, str(project)))
    return session


@pytest.fixture
def claude(tmp_path: Path, session: Session) -> FakeClaude:
    folder = tmp_path / "programs"
    folder.mkdir()
    session.env = {
        "PATH": f"{folder}:{os.environ['PATH']}",
        "TWICESHY_DISTILLER_BACKEND": "claude-cli",
        "TWICESHY_DISTILLER_DEBUG": "1",
    }
    return FakeClaude(folder)


def end(session: Session) -> None:
    """Load the skills, and end the session with all that its hooks start."""
    session.start()
    for skill in SKILLS:
        call = session.call("Skill", skill=skill)
        session.told("PostToolUse", **call, tool_response={"commandName": skill})
    close(session)


def close(session: Session) -> None:
    with learning(session) as learner:
        session.told("SessionEnd", reason="other")
        assert learner.ended()


def distilled(project: Path) -> dict[str, tuple[str | None, str]]:
    """Return skill and kind by the text of what a model wrote."""
    listed = json.loads(twiceshy(project, "list", "--all", "--status", "any", "--json"))
    return {
        note["text"]: (note["skill"], note["kind"])
        for note in listed
        if note["source"] == "distiller"
    }


@requirement("F69")
def test_a_session_with_three_skills_and_corrections_costs_one_call(
    home: Path, project: Path, session: Session, claude: FakeClaude
) -> None:
    claude.answers(any=ANSWER.format(lessons=json.dumps(lessons()), broken=""))

    end(session)
    close(session)  # once more: there is nothing new

    [asked] = claude.asked
    assert asked["stdin"].count(f"npm error Missing script: {SKILLS[0]}") == 1
    assert distilled(project) == {
        **{LESSON % (skill, skill): (skill, "lesson") for skill in SKILLS},
        "Use pnpm for release, deploy and pack.": (None, "lesson"),
        "Use pnpm, not npm.": (None, "pattern"),
    }
    assert json.loads(twiceshy(project, "cost", "--json"))["today"] == 1


@requirement("F69")
def test_a_broken_part_costs_only_itself_and_is_in_the_log(
    home: Path, project: Path, session: Session, claude: FakeClaude
) -> None:
    broken = r'.replace("`pnpm deploy`", "\"")'
    claude.answers(any=ANSWER.format(lessons=json.dumps(lessons()), broken=broken))

    end(session)

    assert len(claude.asked) == 1
    assert {skill for skill, _ in distilled(project).values()} == {"release", "pack", None}
    assert len(distilled(project)) == 4
    log = (home / "distiller.log").read_text()
    assert "| SKIP | lessons deploy | its part is missing or broken" in log
