"""Skills that plugins bring are found by ``plugin:name``, where Claude Code reads them."""

import json
from pathlib import Path

import pytest
from tests.places.conftest import a_skill

from twiceshy.places import skill as skills
from twiceshy.places.skill import Skill
from twiceshy.places.skill_folders import SkillSearchPath


def put(path: Path, document: object) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(json.dumps(document))


def listed(place: Path, *, scope: str = "user", **more: str) -> dict[str, str]:
    """Return how ``installed_plugins.json`` tells of one copy of a plugin."""
    return {"scope": scope, "installPath": str(place), "version": "1.2.0", **more}


def install(config: Path, key: str, *copies: dict[str, str]) -> None:
    put(config / "plugins/installed_plugins.json", {"version": 2, "plugins": {key: copies}})


@pytest.fixture
def copy(user: Path) -> Path:
    """The copy of a plugin that Claude Code has made for itself."""
    place = user / ".claude/plugins/cache/market/garden/1.2.0"
    put(place / ".claude-plugin/plugin.json", {"name": "garden", "version": "1.2.0"})
    a_skill(place / "skills", "water")
    return place


def test_the_skill_of_an_installed_plugin_is_found(
    around: SkillSearchPath, user: Path, copy: Path
) -> None:
    install(user / ".claude", "garden@market", listed(copy))

    skill = skills.find_skill("garden:water", around)

    path = copy / "skills/water/SKILL.md"
    assert skill == Skill("garden:water", str(path), str(path.parent), "global", "plugin")
    assert skills.find_skill("garden:dig", around) is None
    assert skills.find_skill("orchard:water", around) is None


def test_a_plugins_skill_may_be_called_by_its_own_name_alone(
    around: SkillSearchPath, user: Path, project: Path, copy: Path
) -> None:
    install(user / ".claude", "garden@market", listed(copy))

    short = skills.find_skill("water", around)
    a_skill(project / ".claude/skills", "water")
    shadowed = skills.find_skill("water", around)

    assert short == skills.find_skill("garden:water", around)
    assert shadowed
    assert shadowed.source == "claude-skills"


def test_a_plugin_from_a_directory_is_read_in_place(
    around: SkillSearchPath, user: Path, copy: Path, tmp_path: Path
) -> None:
    market = tmp_path / "market"
    offer = {"name": "garden", "source": "./plugins/garden"}
    put(market / ".claude-plugin/marketplace.json", {"name": "market", "plugins": [offer]})
    source = {"source": "directory", "path": str(market)}
    put(
        user / ".claude/plugins/known_marketplaces.json",
        {"market": {"source": source, "installLocation": str(market)}},
    )
    install(user / ".claude", "garden@market", listed(copy))
    path = a_skill(market / "plugins/garden/skills", "water")

    read = skills.find_skill("garden:water", around)

    assert read is not None
    assert read.path == str(path)


def test_a_plugin_for_one_project_is_found_in_that_project(
    around: SkillSearchPath, user: Path, copy: Path, tmp_path: Path
) -> None:
    only_there = listed(copy, scope="project", projectPath=around.root)
    install(user / ".claude", "garden@market", only_there)

    other = around.but(cwd=str(tmp_path), root=str(tmp_path))

    assert skills.find_skill("garden:water", around) is not None
    assert skills.find_skill("garden:water", other) is None


@pytest.mark.parametrize(
    ("variable", "folder"),
    [("CLAUDE_CONFIG_DIR", "moved"), ("CLAUDE_CODE_PLUGIN_CACHE_DIR", "moved/plugins")],
)
def test_the_list_of_plugins_is_read_where_claude_code_was_told_to_keep_it(
    variable: str, folder: str, around: SkillSearchPath, copy: Path, tmp_path: Path
) -> None:
    install(tmp_path / "moved", "garden@market", listed(copy))

    skill = skills.find_skill(
        "garden:water", around.but(environ={variable: str(tmp_path / folder)})
    )

    assert skill is not None


def test_the_path_of_a_plugins_skill_is_known_by_what_the_plugin_calls_itself(
    around: SkillSearchPath, copy: Path
) -> None:
    path = str(copy / "skills/water/SKILL.md")

    skill = skills.skill_at(path, around)

    assert skill is not None
    assert (skill.name, skill.path, skill.tier) == ("garden:water", path, "global")


def test_the_same_plugin_in_codex_has_the_same_skill(around: SkillSearchPath, user: Path) -> None:
    place = user / ".codex/plugins/cache/market/garden/1.2.0"
    put(place / ".codex-plugin/plugin.json", {"name": "garden"})
    path = a_skill(place / "skills", "water")

    skill = skills.skill_at(str(path), around)

    assert skill is not None
    assert skill.name == "garden:water"


@pytest.mark.parametrize("name", ["../garden", "", 7, None, "a\nb", ["garden"]])
def test_a_plugin_that_calls_itself_what_no_key_may_be_has_no_skills(
    name: object, around: SkillSearchPath, copy: Path
) -> None:
    put(copy / ".claude-plugin/plugin.json", {"name": name})

    assert skills.skill_at(str(copy / "skills/water/SKILL.md"), around) is None


@pytest.mark.parametrize(
    "text",
    [
        "",
        "{",
        "[]",
        "7",
        '{"plugins": []}',
        '{"plugins": {"garden@market": 7}}',
        '{"plugins": {"garden@market": [{"installPath": 7}, null]}}',
        '{"plugins": {"garden@market": [{"installPath": "/nowhere\\u0000"}]}}',
        "[" * 100_000,
    ],
)
def test_a_damaged_list_of_plugins_is_an_empty_one(
    text: str, around: SkillSearchPath, user: Path
) -> None:
    file = user / ".claude/plugins/installed_plugins.json"
    file.parent.mkdir(parents=True)
    file.write_text(text)

    assert skills.find_skill("garden:water", around) is None


def test_where_plugins_were_looked_for_can_be_told(
    around: SkillSearchPath, user: Path, copy: Path
) -> None:
    install(user / ".claude", "garden@market", listed(copy))

    places = skills.list_search_folders("garden:dig", around)

    assert places[:2] == (
        str(user / ".claude/plugins/installed_plugins.json"),
        str(copy / "skills"),
    )
