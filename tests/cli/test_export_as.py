"""``twiceshy export --as`` leaves for another memory; coming back from there brings the same notes."""

import json
import os
import sqlite3
import stat
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest
from tests.cli.conftest import Command, Ran
from tests.cli.test_project import in_folder
from tests.requirements import requirement
from tests.store.support import opened

from twiceshy.core.evidence import Exposure
from twiceshy.core.moment import parse_day
from twiceshy.core.scope import EVERYWHERE
from twiceshy.places.project import identify_project
from twiceshy.project.episodes.build import EpisodeContext, build_session_episode
from twiceshy.project.episodes.work_segment import WorkSegment
from twiceshy.project.handoff.rules import exposure_key
from twiceshy.wording import speak

WORKED = parse_day("2026-10-05") + 45_300_000
LESSON = "Lock before tagging, or the lock file is rewritten."


@pytest.fixture
def kept(twiceshy: Command, project: Path, home: Path) -> None:
    """Something of every kind, in this project and everywhere."""
    twiceshy("note", "--skill", "release", "--why", "cutting a release", LESSON)
    twiceshy("note", "--skill", "release", "--everywhere", "--type", "fix", "Fetch first.")
    twiceshy("note", "--everywhere", "--type", "principle", "Read the whole error.")
    twiceshy("note", "Only this shop sells tea.")
    twiceshy("learn", "Old tags", "--problem", "an old commit", "--solution", "fetch first")
    twiceshy("add-decision", "Use SQLite", "it needs no server")
    twiceshy("note", "--kind", "pattern", "--concept", "tests", "Name tests as sentences")
    twiceshy("add-issue", "The parser drops umlauts", "open")
    twiceshy("note", "--kind", "rule", "Never force a push.")
    twiceshy("todo", "add", "Write the docs")
    twiceshy("memory-set", "architecture", "# Layers\nThree of them.")
    twiceshy("memory-set", "deploy", "# Deploy\nBy hand.")
    twiceshy("handoff", "login", "--status", "half done", "--left", "the form")
    twiceshy("checkpoint", "--skill", "release", "--note", "The tag was old again")
    here = identify_project(str(project), cache=None)
    stretch = WorkSegment(messages=3, title="Fix the login", started_at=WORKED, ended_at=WORKED)
    with opened(home) as store:
        store.capture(
            build_session_episode(stretch, EpisodeContext("s1", here.id, "shop", "fixing"))
        )


def exported(twiceshy: Command, form: str, folder: Path, *more: str) -> Ran:
    return twiceshy("export", "--as", form, str(folder), *more)


def paths(folder: Path) -> set[str]:
    return {str(path.relative_to(folder)) for path in folder.rglob("*") if path.is_file()}


def elsewhere(home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Go to a machine that knows nothing yet."""
    monkeypatch.setenv("TWICESHY_HOME", str(home.parent / "elsewhere"))


def told(twiceshy: Command, *kinds: str) -> set[tuple[str, ...]]:
    """Return what notes of some kinds say, and where, whether they wait for an approval or not."""
    words = [word for kind in kinds for word in ("--kind", kind)]
    notes: list[dict[str, Any]] = twiceshy(
        "list", "--all", "--status", "any", *words, "--json"
    ).json
    return {
        (note["text"], note["why"], note["skill"] or "", "*" * (note["project"] == EVERYWHERE))
        for note in notes
    }


def flat(notes: set[tuple[str, ...]]) -> set[tuple[str, ...]]:
    """Leave out what KNOWLEDGE.md does not hold: line breaks, and which project it is."""
    return {(" ".join(text.split()), why, skill) for text, why, skill, _ in notes}


@pytest.mark.usefixtures("kept")
class TestLayouts:
    def test_fireworks_has_a_file_for_each_skill_and_one_for_all(
        self, twiceshy: Command, tmp_path: Path
    ) -> None:
        said = exported(twiceshy, "fireworks", tmp_path / "out")

        assert paths(tmp_path / "out") == {
            "global/KNOWLEDGE.md",
            "skills/release/CHECKPOINTS.md",
            "skills/release/KNOWLEDGE.md",
        }
        knowledge = (tmp_path / "out/skills/release/KNOWLEDGE.md").read_text()
        assert LESSON in knowledge
        assert "[HIT:1]\n  why: cutting a release\n" in knowledge
        assert said.err.startswith("5 notes in 3 files, as fireworks-skill-memory has them, in ")
        left = "1 decision, 1 issue, 2 page, 1 pattern, 1 rule, 1 task"
        assert f"no place there for: {left}; a bundle holds them all\n" in said.err

    def test_keeper_has_a_folder_for_each_project(self, twiceshy: Command, tmp_path: Path) -> None:
        exported(twiceshy, "keeper", tmp_path / "out")

        root = "shop/.claude/memory"
        assert paths(tmp_path / "out") == {
            f"{root}/architecture.md",
            f"{root}/facts.json",
            f"{root}/memory.md",
            f"{root}/sessions/2026-10-05_1235.md",
        }
        facts = json.loads((tmp_path / "out" / root / "facts.json").read_text())
        assert [fact["content"] for fact in facts["decisions"]] == ["Use SQLite"]
        assert facts["concepts"] == {"tests": ["p001"]}

    @requirement("E14")
    def test_engine_has_sessions_learned_files_and_a_hub(
        self, twiceshy: Command, tmp_path: Path, project: Path
    ) -> None:
        exported(twiceshy, "engine", tmp_path / "out")

        [memory] = (tmp_path / "out/projects").iterdir()
        assert {path.name for path in (memory / "memory").iterdir()} == {
            "MEMORY.md",
            "architecture.md",
            "deploy.md",
            "handoff-login.md",
            "todo-status.md",
        }
        assert "- [ ] Write the docs" in (memory / "memory/todo-status.md").read_text()
        learned = paths(tmp_path / "out/skills/learned")
        assert {"old-tags.md", "writing-review-list.md"} <= learned
        assert sum(name.startswith("auto-pitfall-") for name in learned) == 2
        assert len(list((tmp_path / "out/sessions").glob("2026-10-05-*-session.md"))) == 1
        index = (tmp_path / "out/sessions/project-index.md").read_text()
        assert "- 2026-10-05 12:35 | Fix the login | " in index

    def test_magic_context_has_a_table_that_can_be_searched(
        self, twiceshy: Command, tmp_path: Path
    ) -> None:
        exported(twiceshy, "magic-context", tmp_path / "out")

        with closing(sqlite3.connect(tmp_path / "out/context.db")) as db:
            columns = "delta, intent, kind, tier, skill_id, hit_count"
            rows = db.execute(f"SELECT {columns} FROM skill_memory ORDER BY delta").fetchall()
            found = db.execute(
                "SELECT rowid FROM skill_memory_fts WHERE skill_memory_fts MATCH 'tagged'"
            ).fetchall()
            db.execute("DELETE FROM skill_memory")
            db.execute(
                "INSERT INTO skill_memory_fts (skill_memory_fts) VALUES ('integrity-check')"
            )
        assert rows == [
            ("Fetch first.", "Fetch first.", "fix", "global", "release", 0),
            (LESSON, "cutting a release", "gotcha", "project", "release", 0),
        ]
        assert len(found) == 1

    def test_a_handoff_that_was_shown_is_listed_as_read(
        self, twiceshy: Command, tmp_path: Path, home: Path
    ) -> None:
        with opened(home) as store:
            [handoff] = store.list_episodes(kinds=("handoff",), limit=None)
            store.capture(Exposure(exposure_key(handoff), handoff.id, "s1", "handoff", 1))

        exported(twiceshy, "engine", tmp_path / "out")

        read = json.loads((tmp_path / "out/sessions/.handoff-read.json").read_text())
        assert read == ["handoff-login.md"]


@pytest.mark.usefixtures("kept")
class TestComingBack:
    def test_from_fireworks(
        self, twiceshy: Command, tmp_path: Path, home: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        before = flat(told(twiceshy, "lesson"))
        exported(twiceshy, "fireworks", tmp_path / "out")
        elsewhere(home, monkeypatch)

        twiceshy("import", "fireworks", str(tmp_path / "out"))

        assert flat(told(twiceshy, "lesson")) == before

    def test_from_keeper(
        self, twiceshy: Command, tmp_path: Path, home: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        facts = ("decision", "pattern", "issue")
        before = told(twiceshy, *facts)
        exported(twiceshy, "keeper", tmp_path / "out")
        elsewhere(home, monkeypatch)

        twiceshy("import", "memory-keeper", str(tmp_path / "out/shop"))

        assert told(twiceshy, *facts) == before
        assert ("# Layers\nThree of them.", "", "", "") in told(twiceshy, "page")
        assert "Fix the login" in twiceshy("episodes", "--all").out

    def test_from_engine(
        self, twiceshy: Command, home: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        kinds = ("rule", "task", "page")
        before = told(twiceshy, *kinds)
        lessons = {text for text, *_ in told(twiceshy, "lesson")}
        exported(twiceshy, "engine", Path(os.environ["HOME"]) / ".claude")
        elsewhere(home, monkeypatch)
        twiceshy("note", "So that the project is known here.")

        twiceshy("import", "memory-engine")

        assert {text for text, *_ in told(twiceshy, *kinds)} == {text for text, *_ in before}
        assert lessons <= {text for text, *_ in told(twiceshy, "lesson")}
        assert "Fix the login" in twiceshy("episodes").out
        assert "the form" in twiceshy("handoff", "--show").out

    def test_from_magic_context(
        self, twiceshy: Command, tmp_path: Path, home: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        before = {one for one in told(twiceshy, "lesson") if one[2]}
        exported(twiceshy, "magic-context", tmp_path / "out")
        elsewhere(home, monkeypatch)

        twiceshy("import", "magic-context", str(tmp_path / "out"))

        assert told(twiceshy, "lesson") == before


class TestCare:
    def test_nothing_is_written_where_something_is(
        self, twiceshy: Command, tmp_path: Path
    ) -> None:
        full, file, link, empty = (tmp_path / name for name in ("full", "file", "link", "empty"))
        full.mkdir()
        empty.mkdir()
        (full / "x").touch()
        file.touch()
        link.symlink_to(tmp_path / "gone")
        (tmp_path / "shortcut").symlink_to(empty)

        for place in (full, file, link, tmp_path / "shortcut"):
            refused = twiceshy("export", "--as", "keeper", str(place), fails=1)
            assert "hint: name a folder that is not there yet" in refused.err
        assert paths(full) == {"x"}
        assert paths(empty) == set()
        assert not (tmp_path / "gone").exists()

    def test_an_empty_folder_will_do_and_its_owner_alone_can_read_it(
        self, twiceshy: Command, tmp_path: Path
    ) -> None:
        twiceshy("note", "--skill", "release", LESSON)
        (tmp_path / "out").mkdir()

        exported(twiceshy, "fireworks", tmp_path / "out")

        for path in (tmp_path / "out", tmp_path / "out/skills/release/KNOWLEDGE.md"):
            assert stat.S_IMODE(path.stat().st_mode) & 0o077 == 0
        assert [path.name for path in tmp_path.glob(".twiceshy-*")] == []

    def test_what_cannot_be_written_leaves_nothing_behind(
        self, twiceshy: Command, tmp_path: Path
    ) -> None:
        (tmp_path / "file").touch()

        refused = twiceshy("export", "--as", "keeper", str(tmp_path / "file" / "out"), fails=1)

        assert "cannot write" in refused.err

    @pytest.mark.parametrize("words", [(), ("--force", "x"), ("--notes-only", "x")])
    def test_a_layout_needs_a_folder_and_nothing_else(
        self, twiceshy: Command, words: tuple[str, ...]
    ) -> None:
        assert (
            "--as needs a new folder" in twiceshy("export", "--as", "keeper", *words, fails=2).err
        )

    def test_only_one_project_or_skill_can_be_exported(
        self, twiceshy: Command, tmp_path: Path, project: Path
    ) -> None:
        twiceshy("note", "--skill", "release", LESSON)
        twiceshy("note", "--skill", "review", "Read twice.")
        in_folder(project.parent / "site", "note", "--skill", "release", "Not of this shop.")

        exported(twiceshy, "fireworks", tmp_path / "a", "--project", ".")
        exported(twiceshy, "fireworks", tmp_path / "b", "--skill", "review")

        assert "Not of this shop." not in (tmp_path / "a/skills/release/KNOWLEDGE.md").read_text()
        assert paths(tmp_path / "b") == {"global/KNOWLEDGE.md", "skills/review/KNOWLEDGE.md"}

    def test_names_that_would_climb_stay_inside(
        self, twiceshy: Command, tmp_path: Path, home: Path, project: Path
    ) -> None:
        twiceshy("add-decision", "Use SQLite", "it needs no server")
        with opened(home) as store:
            here = identify_project(str(project), cache=None)
            store.record_project(here.id, name="../../../up", root=here.root)

        exported(twiceshy, "keeper", tmp_path / "out")

        assert paths(tmp_path / "out") == {"-..-..-up/.claude/memory/facts.json"}

    def test_a_secret_that_the_rules_know_now_does_not_leave(
        self, twiceshy: Command, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        twiceshy("note", "--skill", "release", "The word is xyzzy-plugh-42 for all.")
        monkeypatch.setenv("DEPLOY_TOKEN", "xyzzy-plugh-42")

        for form in ("fireworks", "engine", "keeper", "magic-context"):
            exported(twiceshy, form, tmp_path / form)

        files = [
            path
            for form in ("fireworks", "engine", "keeper", "magic-context")
            for path in (tmp_path / form).rglob("*")
            if path.is_file()
        ]
        assert len(files) >= 3
        assert not [path for path in files if b"xyzzy-plugh-42" in path.read_bytes()]

    def test_what_is_said_is_said_in_chinese_too(
        self, twiceshy: Command, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.setenv("LANG", "zh_TW.UTF-8")
        twiceshy("add-decision", "Use SQLite", "it needs no server")

        said = exported(twiceshy, "fireworks", tmp_path / "out")

        speak(lambda: "en")
        assert "那裡放不下:1 decision" in said.err
