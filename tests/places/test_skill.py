"""A skill is found by its name in every folder that a runtime loads skills from."""

import os
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.places.conftest import a_skill
from tests.requirements import requirement

from twiceshy.places import skill as skills
from twiceshy.places.skill import Skill
from twiceshy.places.skill_folders import SkillSearchPath
from twiceshy.places.skill_frontmatter import SkillSettings

OF_PROJECTS = {
    ".opencode/skill": "opencode-project",
    ".opencode/skills": "opencode-project",
    ".agents/skills": "agents-skills",
    ".claude/skills": "claude-skills",
    ".skills": "skills",
    ".codex/skills": "codex-skills",
    ".gemini/skills": "gemini-skills",
    ".pi/skills": "pi-skills",
}
OF_USERS = {
    ".config/opencode/skills": "opencode-global",
    ".config/opencode/skill": "opencode-global",
    ".opencode/skills": "opencode-global",
    ".opencode/skill": "opencode-global",
    ".agents/skills": "agents-skills",
    ".claude/skills": "claude-skills",
    ".codex/skills": "codex-skills",
    ".codex/skills/.system": "codex-skills",
    ".gemini/skills": "gemini-skills",
    ".pi/agent/skills": "pi-skills",
    ".skills": "skills",
}


def found(name: str, around: SkillSearchPath) -> Skill:
    skill = skills.find_skill(name, around)
    assert skill is not None
    return skill


class TestFolders:
    @requirement("U028")
    @pytest.mark.parametrize("folder", OF_PROJECTS)
    def test_a_projects_skill_is_found_and_wins_over_the_users(
        self, folder: str, around: SkillSearchPath, user: Path, project: Path
    ) -> None:
        for other in OF_USERS:
            a_skill(user / other)
        path = a_skill(project / folder)

        skill = found("release", around)

        assert skill == Skill(
            "release", str(path), str(path.parent), "project", OF_PROJECTS[folder]
        )

    @requirement("U028")
    @pytest.mark.parametrize("folder", OF_USERS)
    def test_a_users_skill_is_found_in_every_project(
        self, folder: str, around: SkillSearchPath, user: Path
    ) -> None:
        path = a_skill(user / folder)

        skill = found("release", around)

        assert skill == Skill("release", str(path), str(path.parent), "global", OF_USERS[folder])

    @pytest.mark.parametrize("tier", ["project", "global"])
    def test_where_several_folders_have_it_the_order_decides(
        self, tier: str, around: SkillSearchPath, user: Path, project: Path
    ) -> None:
        root, folders = (project, OF_PROJECTS) if tier == "project" else (user, OF_USERS)
        paths = [a_skill(root / folder) for folder in folders]
        order = []

        while skill := skills.find_skill("release", around):
            order.append(Path(skill.path))
            order[-1].unlink()

        assert order == paths

    def test_a_runtime_has_read_its_own_folder_if_that_has_the_skill(
        self, around: SkillSearchPath, user: Path, project: Path
    ) -> None:
        a_skill(user / ".claude/skills")
        others = a_skill(project / ".agents/skills")
        own = a_skill(project / ".claude/skills")

        read = [found("release", around.but(prefer=p)).path for p in ("claude", "codex", "")]

        assert read == [str(own), str(others), str(others)]

    def test_a_session_in_a_subdirectory_sees_the_folders_up_to_the_root(
        self, around: SkillSearchPath, user: Path, project: Path
    ) -> None:
        inner = around.but(cwd=str(project / "packages" / "web"))
        a_skill(user / "code" / ".claude/skills", "outside")
        a_skill(project / ".claude/skills")
        a_skill(project / ".claude/skills", "shared")
        near = a_skill(project / "packages/.claude/skills", "shared")

        assert found("release", inner).tier == "project"
        assert found("shared", inner).path == str(near)
        assert skills.find_skill("outside", inner) is None

    def test_a_link_to_the_project_is_followed_to_its_folders(
        self, around: SkillSearchPath, project: Path, tmp_path: Path
    ) -> None:
        a_skill(project / ".claude/skills")
        (project / "docs").mkdir()
        link = tmp_path / "link"
        link.symlink_to(project)

        skill = found("release", around.but(cwd=str(link / "docs")))

        assert skill.tier == "project"

    def test_in_the_home_directory_the_users_skills_are_still_the_users(
        self, around: SkillSearchPath, user: Path
    ) -> None:
        a_skill(user / ".claude/skills")

        skill = found("release", around.but(cwd=str(user), root=str(user)))

        assert skill.tier == "global"

    @pytest.mark.parametrize(
        ("variable", "folder"),
        [
            ("CLAUDE_CONFIG_DIR", "skills"),
            ("CODEX_HOME", "skills"),
            ("PI_CODING_AGENT_DIR", "skills"),
            ("XDG_CONFIG_HOME", "opencode/skills"),
        ],
    )
    def test_a_runtime_that_was_told_to_keep_its_things_elsewhere_is_followed_there(
        self,
        variable: str,
        folder: str,
        around: SkillSearchPath,
        tmp_path: Path,
        monkeypatch: pytest.MonkeyPatch,
    ) -> None:
        monkeypatch.chdir(tmp_path)
        path = a_skill(tmp_path / "elsewhere" / folder)

        moved = around.but(environ={variable: str(tmp_path / "elsewhere")})
        relative = around.but(environ={variable: "elsewhere"})

        assert found("release", moved).path == str(path)
        assert skills.find_skill("release", relative) is None

    def test_without_a_project_and_without_a_home_nothing_is_found(self, project: Path) -> None:
        a_skill(project / ".claude/skills")

        assert skills.find_skill("release", SkillSearchPath(str(project), "", "")) is None

    def test_what_was_looked_at_can_be_told(
        self, around: SkillSearchPath, user: Path, project: Path
    ) -> None:
        places = skills.list_search_folders("release", around)

        assert places == (
            *(str(project / folder) for folder in OF_PROJECTS),
            *(str(user / folder) for folder in OF_USERS),
        )


class TestNames:
    @pytest.mark.parametrize(
        "name",
        [
            "../release",
            "a/../release",
            "/release",
            ".",
            "..",
            "",
            "re\nlease",
            "rel\0ease",
            "a\\b",
        ],
    )
    def test_no_name_leads_out_of_a_folder(
        self, name: str, around: SkillSearchPath, project: Path
    ) -> None:
        a_skill(project / ".claude")
        a_skill(project / ".claude/skills")

        assert skills.find_skill(name, around) is None

    @given(name=st.text())
    def test_any_name_has_an_answer(self, name: str) -> None:
        nowhere = SkillSearchPath("/nowhere", "/nowhere", "/nobody")

        assert skills.find_skill(name, nowhere) is None

    def test_a_folder_without_a_file_is_no_skill(
        self, around: SkillSearchPath, project: Path
    ) -> None:
        (project / ".claude/skills/release/SKILL.md").mkdir(parents=True)

        assert skills.find_skill("release", around) is None


class TestPaths:
    @pytest.mark.parametrize("folder", OF_PROJECTS)
    def test_the_path_of_a_projects_skill_is_known_wherever_the_project_is(
        self, folder: str, around: SkillSearchPath
    ) -> None:
        path = f"/elsewhere/app/{folder}/release/SKILL.md"

        skill = skills.skill_at(path, around)

        folder_path = os.path.dirname(path)
        assert skill == Skill("release", path, folder_path, "project", OF_PROJECTS[folder])

    @pytest.mark.parametrize("folder", OF_USERS)
    def test_the_path_of_a_users_skill_is_known(
        self, folder: str, around: SkillSearchPath, user: Path
    ) -> None:
        path = a_skill(user / folder)

        assert skills.skill_at(str(path), around) == found("release", around)

    @pytest.mark.parametrize(
        "path",
        [
            ".claude/skills/release/SKILL.md",
            "./.claude//skills/other/../release/SKILL.md",
            ".claude\\skills\\release\\SKILL.md",
            "~/code/shop/.claude/skills/release/SKILL.md",
        ],
    )
    def test_a_path_is_understood_from_where_the_session_is(
        self, path: str, around: SkillSearchPath, project: Path
    ) -> None:
        skill = skills.skill_at(path, around)

        assert skill is not None
        assert (skill.name, skill.path) == (
            "release",
            str(project / ".claude/skills/release/SKILL.md"),
        )

    @pytest.mark.parametrize(
        "path",
        [
            "C:\\Users\\me\\app\\.claude\\skills\\release\\SKILL.md",
            "c:/Users/me/app/.claude/skills/release/SKILL.md",
            "\\\\?\\C:\\app\\.agents\\skills\\release\\SKILL.md",
            "\\\\host\\share\\app\\.agents\\skills\\release\\skill.md",
        ],
    )
    def test_a_path_of_another_system_is_understood(
        self, path: str, around: SkillSearchPath
    ) -> None:
        skill = skills.skill_at(path, around)

        assert skill is not None
        assert skill.name == "release"

    def test_where_case_does_not_count_the_name_is_the_folders(
        self, around: SkillSearchPath, project: Path
    ) -> None:
        a_skill(project / ".claude/skills")

        skill = skills.skill_at(str(project / ".claude/skills/RELEASE/skill.md"), around)

        assert skill is not None
        assert skill.name == "release"

    def test_a_skill_is_known_by_its_link_and_by_what_the_link_leads_to(
        self, around: SkillSearchPath, project: Path, tmp_path: Path
    ) -> None:
        target = a_skill(tmp_path / "shared")
        folder = project / ".claude/skills"
        folder.mkdir(parents=True)
        (folder / "release").symlink_to(target.parent)

        by_link = skills.skill_at(str(folder / "release/SKILL.md"), around)
        by_target = skills.skill_at(str(target), around)

        assert by_link == by_target == found("release", around)

    @pytest.mark.parametrize(
        "path",
        [
            "",
            "SKILL.md",
            "/SKILL.md",
            "/skills/release/SKILL.md",
            "/app/docs/SKILL.md",
            "/app/skills/release/SKILL.md",
            "/app/.claude/skills/SKILL.md",
            "/app/.claude/skills/release/docs/SKILL.md",
            "/app/.claude/skills/release/SKILL.md.bak",
            "/app/.claude/skills/release/MY-SKILL.md",
            "/app/x.claude/skills/release/SKILL.md",
            "/app/.claude/skills/re\nlease/SKILL.md",
            "/app/.claude/skills/../SKILL.md",
            "/app/.claude/skills/release/SKILL.md\0",
            "/app/.claude/skills/.hidden/SKILL.md",
            "C:relative\\.claude\\skills\\release\\SKILL.md",
            "/" + "a/" * 3000 + ".claude/skills/release/SKILL.md",
        ],
    )
    def test_other_paths_are_no_skill(self, path: str, around: SkillSearchPath) -> None:
        assert skills.skill_at(path, around) is None

    @given(path=st.text(st.sampled_from("/\\.~C: \0\ud800a\n")), tail=st.booleans())
    def test_any_path_has_an_answer(self, path: str, tail: bool) -> None:
        nowhere = SkillSearchPath("/nowhere", "/nowhere", "/nobody")
        whole = f"{path}/.claude/skills/{path}/SKILL.md" if tail else path

        skill = skills.skill_at(whole, nowhere)

        assert skill is None or "/" not in skill.name


class TestSettings:
    def test_the_front_matter_is_read_from_the_file(
        self, around: SkillSearchPath, project: Path
    ) -> None:
        a_skill(project / ".skills", text="---\nskill-memory: { max_tokens: 300 }\n---\n# It\n")

        assert skills.read_skill_settings(found("release", around)) == SkillSettings(
            max_tokens=300
        )

    def test_only_the_beginning_of_a_file_counts(
        self, around: SkillSearchPath, project: Path
    ) -> None:
        far = f"---\ndescription: {'x' * 9000}\nskill-memory: true\n---\n"
        a_skill(project / ".skills", text=far)

        assert skills.read_skill_settings(found("release", around)) == SkillSettings()

    def test_a_file_that_is_gone_a_folder_and_a_pipe_say_nothing(
        self, around: SkillSearchPath, project: Path
    ) -> None:
        skill = Skill("release", str(project / "gone"), str(project), "project", "skills")
        os.mkfifo(project / "pipe")

        read = [
            skills.read_skill_settings(skill.but(path=str(path)))
            for path in (project / "gone", project, project / "pipe", "a\0b")
        ]

        assert read == [SkillSettings()] * 4
