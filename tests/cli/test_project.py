"""``twiceshy project`` tells projects apart and together, and brings notes home."""

import os
import shutil
import subprocess
from pathlib import Path

import pytest
from tests.cli.conftest import Command
from tests.person import run_by_person
from tests.requirements import requirement
from tests.store.support import learn, opened, prepare
from tests.sync.support import introduce

from twiceshy.core.retention import Retention
from twiceshy.core.session import Session
from twiceshy.places.identity import directory_id
from twiceshy.places.project import identify_project

DECIDED = "Use SQLite, because it needs no server."


def in_folder(folder: Path, *words: str) -> None:
    """Run a command in another folder."""
    folder.mkdir(exist_ok=True)
    assert run_by_person(*words, cwd=folder, env={}).code == 0


def git(folder: Path, *words: str) -> None:
    found = shutil.which("git")
    assert found
    me = ("-c", "user.name=U", "-c", "user.email=u@example.org")
    subprocess.run([found, *me, *words], cwd=folder, check=True, capture_output=True)


class TestListing:
    def test_nothing_is_known_at_first(self, twiceshy: Command) -> None:
        assert twiceshy("project").err == "no projects are known yet\n"

    def test_every_project_is_listed_once_with_what_it_holds(
        self, twiceshy: Command, project: Path, home: Path
    ) -> None:
        twiceshy("note", DECIDED)
        in_folder(project.parent / "site", "note", "Build twice.")
        here = identify_project(str(project), cache=None)
        with opened(home) as store:
            store.save_records(Session("s1", "codex", here.id, here.root, "", 1, 2))

        listed = twiceshy("project", "list", "--json").json

        assert {one["name"]: (one["notes"], one["sessions"]) for one in listed} == {
            "shop": (1, 1),
            "site": (1, 0),
        }
        shop = next(one for one in listed if one["name"] == "shop")
        assert shop["id"] == here.id
        assert f"path:{project}" in shop["aliases"]
        assert "shop: notes 1, sessions 1, last seen 20" in twiceshy("project").out

    def test_one_project_is_shown_with_its_names(self, twiceshy: Command, project: Path) -> None:
        twiceshy("note", DECIDED)

        shown = twiceshy("project", "show", "shop").out

        assert shown.startswith(f"{directory_id(str(project))}  shop\n")
        assert f"  alias:     path:{project}\n" in shown
        assert twiceshy("project", "show", ".", "--json").json["notes"] == 1

    def test_a_project_without_anything_can_be_shown(self, twiceshy: Command) -> None:
        assert twiceshy("project", "show", ".", "--json").json["notes"] == 0

    def test_a_folder_that_is_gone_is_said_to_be(self, twiceshy: Command, project: Path) -> None:
        in_folder(project.parent / "site", "note", "Build twice.")
        (project.parent / "site").rmdir()

        listed = twiceshy("project")

        assert "site (gone)" in listed.out
        assert "project alias NEWPATH OLDPATH" in listed.err


class TestMoving:
    def test_a_repository_that_moved_is_the_same_project_by_itself(
        self, twiceshy: Command, project: Path
    ) -> None:
        git(project, "init", "-q")
        git(project, "commit", "-q", "--allow-empty", "-m", "first")
        twiceshy("note", DECIDED)
        moved = project.parent / "renamed"
        project.rename(moved)
        os.chdir(moved)

        assert DECIDED in twiceshy("list").out
        assert len(twiceshy("project", "--json").json) == 1

    def test_a_plain_folder_that_moved_is_found_by_its_old_path(
        self, twiceshy: Command, project: Path
    ) -> None:
        twiceshy("note", DECIDED)
        moved = project.parent / "renamed"
        project.rename(moved)
        os.chdir(moved)
        assert DECIDED not in twiceshy("list").out

        named = twiceshy("project", "alias", ".", str(project))

        assert named.out.splitlines()[0] == directory_id(str(project))
        assert DECIDED in twiceshy("list").out
        assert twiceshy("project", "alias", ".", str(project)).err.endswith(
            "the project is known by that name already\n"
        )
        twiceshy("undo")
        assert DECIDED not in twiceshy("list").out

    def test_the_name_that_another_device_had_is_an_alias(
        self, twiceshy: Command, project: Path
    ) -> None:
        twiceshy("note", DECIDED)

        twiceshy("project", "alias", "shop", "slug:-home-u-shop")
        twiceshy("project", "alias", "shop", "--", "-home-v-shop")
        twiceshy("project", "alias", "shop", "C:\\code\\shop")

        aliases = twiceshy("project", "show", "shop", "--json").json["aliases"]
        assert {"slug:-home-u-shop", "slug:-home-v-shop", "path:C:/code/shop"} <= set(aliases)
        assert twiceshy("project", "alias", "shop", "git:" + "a" * 40, "--json").json == {
            "project": directory_id(str(project)),
            "aliases": ["git:" + "a" * 40],
        }

    def test_a_repository_with_a_life_of_its_own_is_no_alias(
        self, twiceshy: Command, project: Path
    ) -> None:
        twiceshy("note", DECIDED)
        other = project.parent / "site"
        other.mkdir()
        git(other, "init", "-q")
        git(other, "commit", "-q", "--allow-empty", "-m", "first")

        refused = twiceshy("project", "alias", "shop", "../site", fails=1)

        assert "twiceshy project merge ../site" in refused.err

    def test_the_name_of_another_project_is_no_alias(
        self, twiceshy: Command, project: Path
    ) -> None:
        twiceshy("note", DECIDED)
        in_folder(project.parent / "site", "note", "Build twice.")

        refused = twiceshy("project", "alias", "shop", "site", fails=1)

        assert "twiceshy project merge dir:" in refused.err
        assert "there is no project" in twiceshy("project", "alias", "shop", "x", fails=1).err


class TestMerging:
    def test_a_plan_says_what_would_be_done_and_does_nothing(
        self, twiceshy: Command, project: Path
    ) -> None:
        self.both(twiceshy, project)

        planned = twiceshy("project", "merge", "site", "shop", "--plan")

        assert planned.out == "2 notes moved\n1 of them were known there; the older stays\n"
        assert planned.err == "nothing was changed; this would be done:\n"
        assert len(twiceshy("project", "--json").json) == 2

    def test_two_projects_become_one_and_undo_parts_them(
        self, twiceshy: Command, project: Path
    ) -> None:
        self.both(twiceshy, project)

        twiceshy("project", "merge", "site", "shop")

        [one] = twiceshy("project", "--json").json
        assert (one["name"], one["notes"]) == ("shop", 2)
        assert "Build twice." in twiceshy("list").out
        os.chdir(project.parent / "site")
        assert "Build twice." in twiceshy("list").out
        twiceshy("undo")
        assert len(twiceshy("project", "--json").json) == 2

    def test_sessions_of_both_count_for_the_one(
        self, twiceshy: Command, project: Path, home: Path
    ) -> None:
        self.both(twiceshy, project)
        with opened(home) as store:
            for number, folder in enumerate(("shop", "site")):
                here = identify_project(str(project.parent / folder), cache=None)
                store.save_records(Session(f"s{number}", "codex", here.id, here.root, "", 1, 2))

        twiceshy("project", "merge", "site", "shop")

        assert twiceshy("project", "show", "shop", "--json").json["sessions"] == 2

    def test_a_rule_that_was_approved_stays_approved(
        self, twiceshy: Command, project: Path
    ) -> None:
        twiceshy("note", DECIDED)
        in_folder(project.parent / "site", "note", "--kind", "rule", "Never force a push.")

        twiceshy("project", "merge", "site", "shop")

        assert "Never force a push." in twiceshy("correct").out
        assert twiceshy("review").out == ""

    @pytest.mark.parametrize(("source", "into"), [("*", "shop"), ("shop", "*"), ("shop", "shop")])
    def test_what_is_no_two_projects_is_refused(
        self, twiceshy: Command, source: str, into: str
    ) -> None:
        twiceshy("note", DECIDED)

        refused = twiceshy("project", "merge", source, into, fails=1)

        assert "hint: " in refused.err

    def test_the_other_device_hears_of_it_and_of_its_undo(
        self, twiceshy: Command, project: Path, home: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        self.both(twiceshy, project)
        remote = project.parent / "remote.git"
        remote.mkdir()
        git(remote, "init", "-q", "--bare")
        laptop, desk = str(home), str(home.parent / "desk")
        prepare(Path(desk))
        introduce(home, Path(desk))

        def known_at_the_desk() -> list[str]:
            """Bring both devices to the same, and return the projects that the second one knows."""
            for device in (laptop, desk):
                monkeypatch.setenv("TWICESHY_HOME", device)
                twiceshy("sync", "--remote", str(remote))
                twiceshy("review", "--accept-all", "changes", "--yes")
            names = [one["name"] for one in twiceshy("project", "--json").json]
            monkeypatch.setenv("TWICESHY_HOME", laptop)
            return sorted(names)

        assert known_at_the_desk() == ["shop", "site"]
        twiceshy("project", "merge", "site", "shop")
        assert known_at_the_desk() == ["shop"]
        twiceshy("undo")
        assert known_at_the_desk() == ["shop", "site"]

    def both(self, twiceshy: Command, project: Path) -> None:
        twiceshy("note", DECIDED)
        for text in (DECIDED, "Build twice."):
            in_folder(project.parent / "site", "note", text)


class TestComingHome:
    def test_only_the_notes_that_are_meant_go(
        self, twiceshy: Command, project: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        twiceshy("note", "It belongs here.")
        monkeypatch.setenv("CLAUDECODE", "1")
        monkeypatch.setenv("CLAUDE_CODE_SESSION_ID", "5f1c2d3e-aaaa")
        twiceshy("note", "--skill", "build", "Build twice.")
        for mark in ("CLAUDECODE", "CLAUDE_CODE_SESSION_ID"):
            monkeypatch.delenv(mark)
        in_folder(project.parent / "site", "note", "The site.")

        moved = twiceshy("project", "move-notes", ".", "site", "--session", "5f1c2d", "--json")

        assert len(moved.json["moved"]) == 1
        assert "It belongs here." in twiceshy("list").out
        assert "Build twice." in twiceshy("list", "--project", "site").out
        assert twiceshy("project", "show", "site", "--json").json["notes"] == 2
        twiceshy("undo")
        assert "Build twice." in twiceshy("list").out

    @pytest.mark.parametrize(
        ("given", "count"),
        [
            (("--skill", "build"), 1),
            (("--since", "2020-01-01"), 2),
            (("--since", "2999-01-01"), 0),
            (("--session", "x"), 0),
        ],
    )
    def test_notes_are_chosen_by_skill_day_and_session(
        self, twiceshy: Command, project: Path, given: tuple[str, ...], count: int
    ) -> None:
        twiceshy("note", DECIDED)
        twiceshy("note", "--skill", "build", "Build twice.")
        in_folder(project.parent / "site", "note", "The site.")

        planned = twiceshy("project", "move-notes", ".", "../site", *given, "--plan")

        assert planned.out == f"{count} notes moved\n"

    def test_all_of_them_are_not_meant_by_saying_nothing(self, twiceshy: Command) -> None:
        assert "merge" in twiceshy("project", "move-notes", ".", "x", fails=2).err


@pytest.mark.parametrize(
    "words",
    [
        ("rename", "x"),
        ("show",),
        ("alias", "x"),
        ("list", "--plan"),
        ("merge", "a", "b", "--skill", "x"),
    ],
)
def test_what_makes_no_sense_is_said(twiceshy: Command, words: tuple[str, ...]) -> None:
    assert "hint: see: " in twiceshy("project", *words, fails=2).err


@requirement("U029", "M39")
def test_a_note_keeps_who_wrote_it_where_in_which_session_and_runtime(
    twiceshy: Command, home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("GEMINI_CLI", "1")
    monkeypatch.setenv("GEMINI_SESSION_ID", "s-77")
    name = twiceshy("note", "--as-agent", DECIDED).out.strip()
    monkeypatch.delenv("GEMINI_CLI")
    monkeypatch.delenv("GEMINI_SESSION_ID")
    bundle = str(home / "b.jsonl")

    told = twiceshy("why", name)

    assert "written by: agent, in shop\n" in told.out
    assert "session:    s-77\n" in told.out
    assert "runtime:    gemini\n" in told.out
    assert twiceshy("why", name, "--json").json["runtime"] == "gemini"
    twiceshy("export", bundle)
    monkeypatch.setenv("TWICESHY_HOME", str(home.parent / "other"))
    twiceshy("import", bundle, "--trust")
    assert "runtime:    gemini\n" in twiceshy("why", name).out


def test_what_a_person_writes_has_no_runtime(twiceshy: Command) -> None:
    name = twiceshy("note", DECIDED).out.strip()

    told = twiceshy("why", name)

    assert "written by: user, in shop\n" in told.out
    assert "runtime" not in told.out


def test_the_runtime_is_known_after_its_session_is_pruned(twiceshy: Command, home: Path) -> None:
    with opened(home) as store:
        store.save_records(Session("s1", "codex", "demo", "/home/u", "", 1, 2))
    twiceshy("note", DECIDED)
    with opened(home) as store:
        note = learn(store, "Said by an agent.", origin_session="s1")
        store.prune(Retention(), transcript_exists=lambda _: False)
        assert store.session("s1") is None

    assert "runtime:    codex\n" in twiceshy("why", note.handle).out
