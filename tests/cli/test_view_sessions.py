"""A session is a file of memory-keeper and one of memory-engine; an edit in either is told by both."""

from pathlib import Path
from typing import Any

import pytest
from tests.cli.conftest import Command
from tests.cli.test_views import replace
from tests.requirements import requirement

from twiceshy.app import App, open_app
from twiceshy.core.draft import Draft
from twiceshy.core.evidence import Episode
from twiceshy.core.filter import NoteFilter
from twiceshy.core.moment import SECOND, parse_stamp
from twiceshy.core.scope import Scope
from twiceshy.notes.take_note import take_note
from twiceshy.project.episodes.archive import build_archive
from twiceshy.project.episodes.build import (
    EpisodeContext,
    build_checkpoint_episode,
    build_compact_episode,
    build_session_episode,
)
from twiceshy.project.episodes.facts import parse_episode_facts
from twiceshy.project.episodes.work_segment import WorkSegment

pytestmark = pytest.mark.usefixtures("older_layouts")

BEGAN = parse_stamp("2026-11-14T12:35")
STRETCH = WorkSegment(
    messages=3,
    title="Fix the login",
    started_at=BEGAN,
    ended_at=BEGAN + 600 * SECOND,
    requests=("mend the button", "and the tests"),
    tools=("Edit",),
    files=("src/login.py",),
)
KEEPER = """\
# Session 2026-11-14_1235

## Summary
Fix the login
Doing: fixing
Asked: mend the button
Asked: and the tests
Files: src/login.py

## Decisions
- [other] Sessions live in cookies: no server state
  <!-- {note} -->
  - concepts: auth

## Patterns

## Issues
"""


def about(app: App, session: str = "s1") -> EpisodeContext:
    return EpisodeContext(session, app.current_project().id, "shop", "fixing")


@pytest.fixture(autouse=True)
def known(project: Path) -> None:
    """The project has a name, as if somebody had worked there."""
    with open_app() as app:
        app.store.record_project(app.current_project().id, name="shop", root=str(project))


@pytest.fixture
def worked(twiceshy: Command, older_layouts: None) -> str:
    """A session and a decision that it left, as files; the id of the decision."""
    with open_app() as app:
        app.store.capture(build_session_episode(STRETCH, about(app)))
        draft = Draft(
            "decision", "Sessions live in cookies", Scope(app.current_project().id), "user"
        )
        draft = draft.but(why="no server state", origin_session="s1", concepts=("auth",))
        note: Any = take_note(app, draft)
    twiceshy("views", "write")
    return str(note.note.id)


@pytest.fixture
def keeper(home: Path) -> Path:
    return home / "views" / "shop" / "keeper"


def engine(home: Path) -> Path:
    [file] = (home / "views" / "shop" / "memory" / "sessions").glob("*-session.md")
    return file


def session() -> Episode:
    with open_app() as app:
        [kept] = app.store.list_episodes([app.current_project().id], kinds=("end",))
        return kept


def all_titles() -> set[object]:
    """Return what the session was ever called."""
    with open_app() as app:
        return {(one.after or {}).get("title") for one in app.store.history(session().id)}


@requirement("U180")
def test_the_file_of_a_session_is_as_memory_keeper_has_it(worked: str, keeper: Path) -> None:
    file = keeper / "sessions" / "2026-11-14_1235.md"

    assert file.read_text() == KEEPER.format(note=worked)


@requirement("U180")
@pytest.mark.usefixtures("worked")
def test_what_is_edited_in_one_file_of_a_session_is_told_by_the_other(
    twiceshy: Command, home: Path, keeper: Path
) -> None:
    theirs, ours = keeper / "sessions" / "2026-11-14_1235.md", engine(home)

    replace(theirs, "Fix the login", "Mend the login")
    replace(theirs, "Asked: and the tests\n", "Asked: and all tests\nIt was late.\n")
    twiceshy("views", "write")
    first, mine = ours.read_text(), theirs.read_text()
    replace(ours, "Mend the login", "Write the login anew")
    twiceshy("views", "write")

    assert "**Title:** Mend the login\n" in first
    assert "- mend the button\n- and all tests\n" in first
    assert "\nAsked: and all tests\nIt was late.\nFiles: src/login.py\n" in mine
    assert "\nWrite the login anew\nDoing: fixing\n" in theirs.read_text()
    assert "\nIt was late.\n" in theirs.read_text()
    assert session().files == ("src/login.py",)
    assert session().summary == "3 messages on shop; fixing:\nWrite the login anew\nIt was late."
    assert parse_episode_facts(session()).ended == "It was late."


@pytest.mark.usefixtures("worked")
def test_what_was_edited_in_the_file_of_a_session_can_be_undone_and_done_again(
    twiceshy: Command, home: Path
) -> None:
    replace(engine(home), "Fix the login", "Mend the login")
    twiceshy("views", "write")
    mended = session().title

    twiceshy("undo")
    undone = session()
    twiceshy("views", "write")
    written = engine(home).read_text()
    twiceshy("undo", "--redo")

    assert (mended, undone.title, session().title) == (
        "Mend the login",
        "Fix the login",
        "Mend the login",
    )
    assert undone.summary.startswith("3 messages on shop; fixing:\nFix the login")
    assert "**Title:** Fix the login\n" in written


@pytest.mark.usefixtures("worked")
def test_edits_in_both_files_of_a_session_lose_nothing(
    twiceshy: Command, home: Path, keeper: Path
) -> None:
    theirs, ours = keeper / "sessions" / "2026-11-14_1235.md", engine(home)
    replace(ours, "Fix the login", "Mend the login")
    replace(ours, "- mend the button", "- mend the big button")
    replace(theirs, "Doing: fixing", "Doing: testing\nAsk Ana about it.")
    twiceshy("views", "write")
    both = ours.read_text(), theirs.read_text()
    replace(ours, "Mend the login", "Ours")
    replace(theirs, "Mend the login", "Theirs")

    twiceshy("views", "write")

    assert "**Title:** Mend the login\n" in both[0]
    assert "Mend the login\nDoing: testing\nAsked: mend the big button\n" in both[1]
    assert "\nAsk Ana about it.\n" in both[1]
    assert "**Title:** Theirs\n" in ours.read_text()
    assert "## Summary\nTheirs\n" in theirs.read_text()
    assert {"Fix the login", "Mend the login", "Ours", "Theirs"} <= all_titles()


def test_a_fact_can_be_edited_in_its_session_and_in_facts(
    twiceshy: Command, keeper: Path, worked: str
) -> None:
    file, facts = keeper / "sessions" / "2026-11-14_1235.md", keeper / "facts.json"

    replace(file, "no server state", "nothing to lose")
    replace(file, "## Issues\n", "## Issues\n- [bugfix] It jumps: open\n")
    twiceshy("views", "write")
    told = facts.read_text()
    replace(facts, '"It jumps"', '"It jumps about"')
    replace(facts, "Sessions live in cookies", "Sessions live in signed cookies")
    replace(file, "Sessions live in cookies", "Sessions are cookies")
    twiceshy("views", "write")

    assert "nothing to lose" in told
    assert '"content": "It jumps"' in told
    assert "- [bugfix] It jumps about: open\n" in file.read_text()
    assert '"Sessions are cookies"' in facts.read_text()
    assert "Sessions are cookies" in file.read_text()
    assert "Sessions live in signed cookies" in twiceshy("history", worked).out
    with open_app() as app:
        [issue] = app.store.notes(NoteFilter(kinds=("issue",)), limit=2)
    assert issue.origin_session == "s1"


@pytest.mark.usefixtures("worked")
def test_a_session_that_goes_on_keeps_its_files_and_what_people_wrote_there(
    twiceshy: Command, home: Path, keeper: Path
) -> None:
    theirs, ours = keeper / "sessions" / "2026-11-14_1235.md", engine(home)
    theirs.write_text(theirs.read_text() + "\n## Mine\n\nAsk Ana.\n")
    ours.write_text(ours.read_text() + "\n## Mine\n\nAsk Ben.\n")
    twiceshy("views", "write")
    longer = STRETCH.but(messages=9, ended_at=BEGAN + 9_000 * SECOND, requests=("and the docs",))
    with open_app() as app, app.store.change():
        now = build_session_episode(longer, about(app)).fields()
        app.store.record_entry("edit", str(now.pop("id")), now)

    twiceshy("views", "write")

    assert "Asked: and the docs\n" in theirs.read_text()
    assert theirs.read_text().endswith("\n## Mine\n\nAsk Ana.\n")
    assert "**Messages:** 9\n" in ours.read_text()
    assert ours.read_text().endswith("\n## Mine\n\nAsk Ben.\n")


def test_two_sessions_of_one_minute_have_two_files(twiceshy: Command, keeper: Path) -> None:
    with open_app() as app:
        for name in ("s1", "s2"):
            app.store.capture(build_session_episode(STRETCH.but(title=name), about(app, name)))

    twiceshy("views", "write")

    files = sorted((keeper / "sessions").iterdir())
    assert [len(file.stem) for file in files] == [20, 15]
    assert {file.read_text().splitlines()[3] for file in files} == {"s1", "s2"}


def test_compactions_and_checkpoints_can_be_edited(twiceshy: Command, home: Path) -> None:
    with open_app() as app:
        app.store.capture(
            build_checkpoint_episode(STRETCH, about(app)),
            build_compact_episode(
                STRETCH, about(app), step="u1", automatic=True, summary="All\nmoved."
            ),
        )
    twiceshy("views", "write")
    folder = home / "views" / "shop" / "memory" / "sessions"
    [compaction], [checkpoint] = folder.glob("*-compact.md"), folder.glob("*-checkpoint.md")
    replace(compaction, "moved.", "moved away.")
    replace(checkpoint, "\nfixing\n", "\ntesting\n")

    twiceshy("views", "write")

    with open_app() as app:
        kept = app.store.list_episodes([app.current_project().id], kinds=("compact", "checkpoint"))
    told = {one.kind: one for one in kept}
    assert told["compact"].summary == "All\nmoved away."
    assert told["compact"].title == "Fix the login (auto, after 3 messages)"
    assert told["checkpoint"].summary.startswith("3 messages on shop; testing:\nFix the login")


def test_a_session_file_of_memory_keeper_is_imported_and_stays_as_it_is(
    twiceshy: Command, project: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("TWICESHY_VIEWS_PROJECT", "true")
    file = project / ".claude" / "memory" / "sessions" / "2026-11-14_1235.md"
    file.parent.mkdir(parents=True)
    file.write_text(
        "# Session 2026-11-14_1235\n\n## Summary\nWe mended it.\nFiles: a.py\nIt was late.\n\n"
        "## Decisions\n- [technology] SQLite: one file\n  - files: db.py\n\n## Notes\nMine.\n"
    )
    before = file.read_text()
    twiceshy("import", "memory-keeper")

    first = twiceshy("views", "write", "--json").json
    again = twiceshy("views", "write", "--json").json

    assert file.read_text() == before
    assert not [one for one in (*first, *again) if one["refused"] or one["added"]]
    replace(file, "It was late.", "It was early.")
    twiceshy("views", "write")
    with open_app() as app:
        [kept] = app.store.list_episodes([app.current_project().id], kinds=("note",))
    assert (kept.summary, kept.files) == ("We mended it.\nIt was early.", ("a.py",))


def test_archives_diaries_and_reports_are_files_in_which_lines_of_others_stay(
    twiceshy: Command, home: Path, keeper: Path
) -> None:
    with open_app() as app:
        old = build_session_episode(STRETCH, about(app, "s0"))
        kept = build_archive(None, [old], project=app.current_project().id, device="d")
        app.store.capture(kept)
    twiceshy("diary", "2026-11-15", "--add", "look at it")
    twiceshy("reflect")
    twiceshy("views", "write")
    sessions = home / "views" / "shop" / "memory" / "sessions"
    diary = sessions / "diary" / "2026-11-15.md"
    [report] = sessions.glob("reflect-*.md")
    archive = keeper / "sessions" / "archive" / "2026-11.md"
    for file in (diary, report, archive):
        file.write_text(file.read_text() + "\nMine.\n")

    twiceshy("diary", "2026-11-15", "--add", "and at that")
    twiceshy("views", "write")

    assert {"- look at it", "- and at that", "Mine."} <= set(diary.read_text().splitlines())
    assert report.read_text().startswith("# Reflection: ")
    assert "# Session 2026-11-14_1245\n\n## Summary\nFix the login\n" in archive.read_text()
    assert all(file.read_text().endswith("\nMine.\n") for file in (report, archive))


@pytest.mark.usefixtures("worked")
def test_a_secret_in_a_summary_is_kept_nowhere(
    twiceshy: Command, home: Path, keeper: Path
) -> None:
    secret = "ghp_" + "a1B2c3D4e5" * 4
    replace(keeper / "sessions" / "2026-11-14_1235.md", "Fix the login", f"Log in with {secret}")

    said = twiceshy("views", "write").err

    assert "there was a secret" in said
    assert session().title.startswith("Log in with ")
    for path in home.rglob("*"):
        if path.is_file():
            assert secret.encode() not in path.read_bytes(), path


def test_the_topic_of_a_handoff_is_the_name_of_its_file(twiceshy: Command, home: Path) -> None:
    twiceshy("handoff", "login", "--status", "half done")
    twiceshy("views", "write")
    memory = home / "views" / "shop" / "memory"
    replace(memory / "handoff-login.md", "# Login Handoff", "# A/B .. Handoff")
    replace(memory / "handoff-login.md", "half done", "nearly done")

    twiceshy("views", "write")
    again = twiceshy("views", "write", "--json").json

    assert "nearly done" in twiceshy("handoff", "--show", "login").out
    assert [path.name for path in memory.glob("handoff-*")] == ["handoff-login.md"]
    assert "# A/B .. Handoff\n" in (memory / "handoff-login.md").read_text()
    assert {one["became"] for one in again} == {"unchanged"}


def test_a_handoff_whose_topic_can_be_no_name_has_a_file_nevertheless(
    twiceshy: Command, home: Path
) -> None:
    with open_app() as app:
        handoff = build_session_episode(STRETCH, about(app)).but(kind="handoff", title="../A\\B")
        app.store.capture(handoff)

    twiceshy("views", "write")

    assert (home / "views" / "shop" / "memory" / f"handoff-{handoff.id[-8:]}.md").exists()
