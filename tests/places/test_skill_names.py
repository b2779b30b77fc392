"""The names of the skills that a session could load are listed, of folders and of plugins."""

import json
from pathlib import Path

from tests.places.conftest import a_skill

from twiceshy.places.skill import find_skill
from twiceshy.places.skill_folders import SkillSearchPath
from twiceshy.places.skill_names import list_skill_names


def test_skills_of_the_project_the_user_and_plugins_are_listed_once(
    around: SkillSearchPath, project: Path, user: Path
) -> None:
    copy = user / ".claude/plugins/cache/market/garden/1.2.0"
    a_skill(copy / "skills", "water")
    listed = {"version": 2, "plugins": {"garden@market": [{"installPath": str(copy)}]}}
    (user / ".claude/plugins/installed_plugins.json").write_text(json.dumps(listed))
    for place in (project / ".claude/skills", user / ".claude/skills", user / ".codex/skills"):
        a_skill(place, "release")
    a_skill(user / ".claude/skills", "deploy")
    (user / ".claude/skills/empty").mkdir()
    (user / ".claude/skills/notes.md").write_text("no skill")

    names = list_skill_names(around)

    assert sorted(names) == ["deploy", "garden:water", "release"]
    assert all(find_skill(name, around) for name in names)


def test_without_folders_no_name_is_listed(around: SkillSearchPath) -> None:
    assert list_skill_names(around) == []
