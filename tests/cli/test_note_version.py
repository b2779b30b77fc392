"""A note about a skill remembers which version of the skill it was learned under."""

from pathlib import Path

from tests.cli.conftest import Command

from twiceshy.places.skill_version import hash_skill_version

TEXT = "Push the tag before the branch, or the release job finds nothing."


def write_skill(root: Path, text: str, *, folder: str = ".claude/skills") -> str:
    """Write the release skill below a folder and return its version."""
    path = root / folder / "release" / "SKILL.md"
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text)
    return hash_skill_version(str(path.parent))


def hash_of(twiceshy: Command, name: str) -> str:
    said: str = twiceshy("show", name, "--json").json[0]["skill_hash"]
    return said


def test_a_note_keeps_the_version_of_the_skill_it_is_about(
    twiceshy: Command, project: Path
) -> None:
    now = write_skill(project, "# Release\n")

    name = twiceshy("note", TEXT, "--skill", "release").out.strip()

    assert len(now) == 16
    assert hash_of(twiceshy, name) == now


def test_a_skill_of_the_user_has_a_version_too(twiceshy: Command, tmp_path: Path) -> None:
    now = write_skill(tmp_path / "user", "# Release\n")

    name = twiceshy("note", TEXT, "--skill", "release", "--everywhere").out.strip()

    assert hash_of(twiceshy, name) == now


def test_a_note_for_another_project_does_not_take_the_version_from_here(
    twiceshy: Command, project: Path, tmp_path: Path
) -> None:
    write_skill(project, "# Release\n")
    (tmp_path / "other").mkdir()

    name = twiceshy("note", TEXT, "--skill", "release", "--project", "../other").out.strip()

    assert hash_of(twiceshy, name) == ""


def test_without_a_skill_or_where_none_is_found_there_is_no_version(twiceshy: Command) -> None:
    plain = twiceshy("note", "Use tabs.").out.strip()
    unknown = twiceshy("note", TEXT, "--skill", "nowhere").out.strip()

    assert [hash_of(twiceshy, name) for name in (plain, unknown)] == ["", ""]


def test_learning_it_again_confirms_it_for_the_version_of_today(
    twiceshy: Command, project: Path
) -> None:
    write_skill(project, "# Release\n")
    name = twiceshy("note", TEXT, "--skill", "release").out.strip()
    after = write_skill(project, "# Release, now with signing\n")

    again = twiceshy("note", TEXT.upper(), "--skill", "release", "--json").json

    assert again["outcome"] == "seen"
    assert again["note"]["skill_hash"] == hash_of(twiceshy, name) == after
    assert again["note"]["revision"] == 1


def test_undo_takes_back_the_sighting_and_the_version_together(
    twiceshy: Command, project: Path
) -> None:
    before = write_skill(project, "# Release\n")
    name = twiceshy("note", TEXT, "--skill", "release").out.strip()
    write_skill(project, "# Release, now with signing\n")
    twiceshy("note", TEXT, "--skill", "release")

    twiceshy("undo")

    note = twiceshy("show", name, "--json").json[0]
    assert (note["skill_hash"], note["sightings"]) == (before, 1)


def test_where_the_skill_is_gone_the_version_it_was_learned_under_stays(
    twiceshy: Command, project: Path
) -> None:
    before = write_skill(project, "# Release\n")
    name = twiceshy("note", TEXT, "--skill", "release").out.strip()
    (project / ".claude/skills/release/SKILL.md").unlink()

    twiceshy("note", TEXT, "--skill", "release")

    assert hash_of(twiceshy, name) == before
