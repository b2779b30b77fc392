"""What the four seeds, Claude Code and plain files keep comes in from where they keep it, and from nowhere else."""

import os
import shutil
import sqlite3
from contextlib import closing
from pathlib import Path

import pytest
from tests.interop.imports.conftest import Imported, all_notes, put
from tests.interop.imports.shop import MILLISECOND, ROW, SAMPLES, a_database, a_shop
from tests.requirements import requirement
from tests.store.support import app_of, opened

from twiceshy.core.draft import Draft
from twiceshy.core.moment import format_day
from twiceshy.core.scope import EVERYWHERE, Scope
from twiceshy.core.session import SkillUse
from twiceshy.core.view import ViewRecord
from twiceshy.interop.imports import (
    ImportContext,
    ImportSource,
    claude_folders,
    database,
    instructions,
    load_sources,
    markdown,
)
from twiceshy.interop.imports.seeds import engine, fireworks, keeper, magic_context
from twiceshy.notes.undo import undo_batch
from twiceshy.notes.write import write_draft
from twiceshy.places.identity import claude_slug
from twiceshy.project.handoff.rules import exposure_key
from twiceshy.recall.brief import BriefBudget
from twiceshy.recall.session_start import brief_session_start
from twiceshy.store.command_store import WholeStore
from twiceshy.upkeep.tend_steps import promote_notes


@pytest.fixture
def shop(user: Path, project: Path, around: ImportContext) -> ImportContext:
    """Look around where every sample lies in its place."""
    return a_shop(user, project, around)


def test_how_often_skills_were_used_is_added_to_what_is_counted_here(
    imported: Imported, store: WholeStore, shop: ImportContext
) -> None:
    with store.change():
        store.save_records(SkillUse("s1", "", "release", EVERYWHERE, "active", store.now()))

    imported(fireworks, around=shop)

    both = {
        one.skill: (one.sessions, one.daily.get("2026-10-18", 0))
        for one in store.count_skill_usage()
    }
    assert both == {"playwright": (3, 0), "release": (10, 5)}
    undo_batch(app_of(store))
    assert [(one.skill, one.sessions) for one in store.count_skill_usage()] == [("release", 1)]


def test_a_file_of_counts_that_we_wrote_ourselves_is_not_counted_again(
    imported: Imported, store: WholeStore, shop: ImportContext
) -> None:
    file = Path(shop.home) / ".claude" / "skill-usage-stats.json"
    store.save_records(
        ViewRecord(str(file), "fireworks_stats", EVERYWHERE, "", file.read_text(), 1)
    )

    report = imported(fireworks, around=shop)

    assert report.counts == 0
    assert store.count_skill_usage() == []


def test_counts_of_another_device_are_added_and_come_in_once(
    imported: Imported, store: WholeStore, shop: ImportContext, tmp_path: Path
) -> None:
    imported(fireworks, around=shop)
    bundle = list(store.export_records())

    with opened(tmp_path / "desk") as desk:
        for _ in range(2):
            with desk.change():
                desk.import_records(bundle)

        assert desk.count_skill_usage() == store.count_skill_usage() != []


SEEDS: list[ImportSource] = [fireworks, magic_context, engine, keeper, instructions]


@pytest.mark.parametrize("source", SEEDS, ids=lambda source: source.NAME)
def test_every_sample_comes_in_once_and_one_undo_takes_its_notes_back(
    source: ImportSource, imported: Imported, store: WholeStore, shop: ImportContext
) -> None:
    report = imported(source, around=shop)

    again = imported(source, around=shop)
    assert report.imported
    assert (again.imported, again.merged) == ((), {})
    assert (again.episodes, again.signals, again.counts) == (0, 0, 0)
    assert again.known + len(again.refused) == again.offered == report.offered
    assert again.batch == ""
    undo_batch(app_of(store))
    assert {note.status for note in all_notes(store)} == {"retired"}


def test_a_source_that_nobody_used_finds_nothing(around: ImportContext) -> None:
    found = {name: source.find_places(around) for name, source in load_sources().items()}

    assert {name for name, places in found.items() if places} == set()
    assert {"fireworks", "magic-context", "memory-engine", "memory-keeper"} <= set(found)
    assert {"claude-code", "instructions", "markdown"} <= set(found)


def test_fireworks_is_found_where_its_variables_say(around: ImportContext, tmp_path: Path) -> None:
    home = tmp_path / "elsewhere"
    put(home / "skills/release/KNOWLEDGE.md", "- one lesson about tags\n")
    put(home / "global/KNOWLEDGE.md", "- one principle\n")

    found = fireworks.find_places(around.but(environ={"AI_MEMORY_HOME": str(home)}))

    assert [(place.skill, os.path.relpath(place.path, home)) for place in found] == [
        ("release", "skills/release/KNOWLEDGE.md"),
        ("", "global/KNOWLEDGE.md"),
    ]


def test_what_people_wrote_around_their_lessons_is_a_page(
    imported: Imported, store: WholeStore, user: Path
) -> None:
    text = "# release — experience\n\nCall Ada first.\n\n- Fetch the tags before tagging.\n"
    put(user / ".claude/skills/release/KNOWLEDGE.md", text)

    imported(fireworks)

    page = next(note for note in all_notes(store) if note.kind == "page")
    assert page.tag == "knowledge-preamble release"
    assert page.text == "# release — experience\n\nCall Ada first."


def test_a_skill_whose_name_could_be_a_path_stays_out(imported: Imported, user: Path) -> None:
    put(user / ".ai-memory/skills/con/KNOWLEDGE.md", "- a lesson\n")

    report = imported(fireworks)

    assert "device on Windows" in "".join(report.refused.values())


def test_a_link_that_leads_out_of_its_folder_is_not_followed(
    imported: Imported, store: WholeStore, user: Path, tmp_path: Path
) -> None:
    secret = put(tmp_path / "private.md", "- what nobody may read\n")
    folder = user / ".ai-memory/skills/release"
    folder.mkdir(parents=True)
    (folder / "KNOWLEDGE.md").symlink_to(secret)

    report = imported(fireworks)

    assert list(report.refused.values()) == ["it is a link that leads out of its folder"]
    assert all_notes(store) == []


@pytest.mark.parametrize(
    ("content", "why"),
    [
        (b"- a lesson\xff\xfe\n", "it is not valid UTF-8"),
        (b"- a lesson\0\n", "it is no text"),
        (b"- a lesson\n" * 500_000, "it is larger than 4096 KiB"),
    ],
    ids=["encoding", "binary", "huge"],
)
def test_a_file_that_is_no_text_stays_out(
    imported: Imported, user: Path, content: bytes, why: str
) -> None:
    put(user / ".ai-memory/skills/release/KNOWLEDGE.md", "").write_bytes(content)

    report = imported(fireworks)

    assert list(report.refused.values()) == [why]


def test_a_pipe_in_place_of_a_file_keeps_nobody_waiting(imported: Imported, project: Path) -> None:
    folder = project / ".claude/memory"
    folder.mkdir(parents=True)
    os.mkfifo(folder / "facts.json")

    assert imported(keeper, project).offered == 0


def test_rows_of_magic_context_keep_pin_counts_and_project(
    imported: Imported, store: WholeStore, around: ImportContext, tmp_path: Path
) -> None:
    commit = "git:" + "0f" * 20
    path = a_database(
        tmp_path / "context.db",
        ROW
        | {"hit_count": 2, "recall_count": 5, "pinned": 1, "tags": '["version"]'}
        | {"tier": "project", "project_identity": commit, "last_used_at": MILLISECOND + 5},
    )

    imported(magic_context, path)

    (note,) = all_notes(store)
    assert (note.scope.project, note.scope.skill) == (commit, "release")
    assert (note.pinned, note.sightings, note.recalls) == (True, 3, 5)
    assert (note.why, note.concepts) == ("when cutting a release", ("version",))
    assert format_day(note.learned_at) == format_day(MILLISECOND)


@pytest.mark.parametrize(
    ("changed", "why"),
    [
        ({"delta": 17}, "its delta is no text"),
        ({"delta": None}, "it has no delta"),
        ({"kind": "opinion"}, "'opinion' is no kind of note there"),
        ({"tier": "planet"}, "'planet' is no tier"),
        ({"hit_count": "many"}, "its hit_count is no count"),
        ({"hit_count": -1}, "its hit_count is no count"),
        ({"tags": "{"}, "it is no JSON, or nests too deep"),
        ({"tags": "[" * 100_000}, "it is no JSON, or nests too deep"),
        ({"skill_id": "../release"}, "the skill name '../release' contains"),
        (
            {"tier": "project", "project_identity": "dir:1"},
            "its project 'dir:1' is not known here",
        ),
        ({"delta": "x" * 9_000}, "the note has 9,000 characters"),
    ],
)
def test_a_row_that_is_not_as_documented_is_refused_and_the_next_one_comes_in(
    imported: Imported, tmp_path: Path, changed: dict[str, object], why: str
) -> None:
    path = a_database(tmp_path / "context.db", ROW | changed, ROW)

    report = imported(magic_context, path)

    ((what, reason),) = report.refused.items()
    assert what == "skill_memory:1"
    assert reason.startswith(why)
    assert len(report.imported) == 1


def test_a_table_of_an_older_release_lacks_columns_and_is_read_all_the_same(
    imported: Imported, store: WholeStore, tmp_path: Path
) -> None:
    old = (
        "id INTEGER PRIMARY KEY, skill_id, tier, project_identity, intent, kind, delta, created_at"
    )
    path = a_database(tmp_path / "context.db", ROW, columns=old)

    imported(magic_context, path)

    assert [note.sightings for note in all_notes(store)] == [1]


@pytest.mark.parametrize(
    "content", [b"", b"no database at all", b"SQLite format 3\0" + b"\xff" * 500]
)
def test_a_file_that_is_no_database_is_told_and_left_as_it_is(
    imported: Imported, tmp_path: Path, content: bytes
) -> None:
    path = tmp_path / "context.db"
    path.write_bytes(content)

    report = imported(magic_context, path)

    assert len(report.refused) == 1
    assert path.read_bytes() == content


def test_a_database_that_is_being_written_is_read_with_what_waits_beside_it(
    imported: Imported, store: WholeStore, tmp_path: Path
) -> None:
    path = a_database(tmp_path / "context.db")
    with closing(sqlite3.connect(path)) as writer:
        writer.execute("PRAGMA journal_mode = WAL")
        columns, marks = ", ".join(ROW), ", ".join("?" * len(ROW))
        writer.execute(f"INSERT INTO skill_memory ({columns}) VALUES ({marks})", [*ROW.values()])
        writer.commit()
        writer.execute("BEGIN IMMEDIATE")

        imported(magic_context, path)

    assert len(all_notes(store)) == 1


def test_facts_keep_type_reason_state_and_concepts(
    imported: Imported, store: WholeStore, around: ImportContext, project: Path
) -> None:
    fact = (
        '{"id": "d001", "type": "architecture", "date": "2026-05-01", "content": "Count in cents",'
    )
    fact += ' "reason": "floats round", "files": ["price.py"], "concepts": ["money"]}'
    put(project / ".claude/memory/facts.json", f'{{"decisions": [{fact}]}}')

    imported(keeper)

    (note,) = all_notes(store)
    assert (note.kind, note.subtype, note.why) == ("decision", "architecture", "floats round")
    assert (note.files, note.concepts) == (("price.py",), ("money",))
    assert (note.scope.project, format_day(note.learned_at)) == (around.here.id, "2026-05-01")


@requirement("K57")
def test_damaged_facts_are_told_and_the_file_stays_as_it_is(
    imported: Imported, project: Path
) -> None:
    path = put(project / ".claude/memory/facts.json", '{"decisions": [{"content": "half')

    report = imported(keeper)

    assert report.refused == {"facts.json": "it is damaged: no JSON object"}
    assert path.read_text() == '{"decisions": [{"content": "half'


def test_a_line_of_a_session_that_states_no_fact_is_told_by_its_number(
    imported: Imported, project: Path
) -> None:
    text = "# Session 2026-05-03_1030\n## Patterns\nno item\n- [convention] Tests are sentences\n"
    put(project / ".claude/memory/sessions/2026-05-03_1030.md", text)

    report = imported(keeper)

    assert report.refused == {"sessions/2026-05-03_1030.md:3": "it is no item of a list"}
    assert len(report.imported) == 1


def test_a_private_passage_over_several_items_is_taken_out_whole(
    imported: Imported, store: WholeStore, project: Path
) -> None:
    text = "# Session 2026-05-03_1030\n## Patterns\n- [convention] <private>The door\n- [convention] opens at six</private>\n"
    put(project / ".claude/memory/sessions/2026-05-03_1030.md", text)

    imported(keeper)

    assert "six" not in "".join(note.text for note in all_notes(store))


def test_facts_of_every_project_that_we_know_are_found(
    imported: Imported, store: WholeStore, around: ImportContext, tmp_path: Path
) -> None:
    other = tmp_path / "other"
    put(other / ".claude/memory/project.md", "The other one.")

    imported(keeper, around=around.but(known=(around.identify(str(other)),)))

    assert all_notes(store)[0].scope.project == around.identify(str(other)).id


def test_a_handoff_that_was_told_there_is_not_told_here(
    imported: Imported, store: WholeStore, shop: ImportContext, user: Path
) -> None:
    put(user / ".claude/sessions/.handoff-read.json", '["handoff-checkout.md"]')

    imported(engine, around=shop)

    (handoff,) = store.list_episodes([shop.here.id], kinds=("handoff",))
    assert handoff.title
    assert store.list_exposures(key=exposure_key(handoff))


def test_a_handoff_that_was_not_told_there_still_waits(
    imported: Imported, store: WholeStore, shop: ImportContext, user: Path
) -> None:
    put(user / ".claude/sessions/.handoff-read.json", "no list")

    imported(engine, around=shop)

    (handoff,) = store.list_episodes([shop.here.id], kinds=("handoff",))
    assert not store.list_exposures(key=exposure_key(handoff))


def test_a_copy_of_a_whole_home_is_read_where_somebody_says_it_lies(
    imported: Imported, shop: ImportContext, user: Path, tmp_path: Path
) -> None:
    put(user / ".claude/sessions/.handoff-read.json", '["handoff-checkout.md"]')
    moved = (user / ".claude").rename(tmp_path / "copy")

    report = imported(engine, moved, around=shop)

    assert (report.offered, report.episodes, report.refused) == (20, 6, {})
    assert engine.find_places(shop) == []


def test_a_project_that_nobody_knows_becomes_one_by_its_name(
    imported: Imported, store: WholeStore, around: ImportContext, user: Path
) -> None:
    shutil.copytree(SAMPLES / "engine", user / ".claude")

    report = imported(engine, around=around.but(here=around.here.but(name="another")))

    assert report.refused == {}
    known = {name for name, _ in store.list_projects().values()}
    assert known == {"shop"}  # what a session calls it and what its folder is called


def test_the_notebook_comes_in_as_rules_that_wait_with_how_often_they_were_missed(
    imported: Imported, store: WholeStore, user: Path
) -> None:
    text = (
        "# Writing Review List\n\n## wording\n\n### Say cart\n- **Rule:** Say cart, not basket.\n"
    )
    put(user / ".claude/skills/learned/writing-review-list.md", text + "- **Missed:** 2 times\n")

    report = imported(engine)

    (rule,) = all_notes(store)
    assert (rule.kind, rule.status, rule.missed, rule.sightings) == ("rule", "candidate", 2, 1)
    assert list(report.waiting) == [rule.id]


def test_claude_codes_own_folder_is_read_where_memory_engine_is_not(
    imported: Imported, store: WholeStore, around: ImportContext, user: Path, project: Path
) -> None:
    folder = user / ".claude/projects" / claude_slug(str(project)) / "memory"
    put(folder / "MEMORY.md", "# Memory\n\n- [Design](design.md)\n- The staging host is slow.\n")
    put(folder / "design.md", "---\nname: design\n---\n\nAll is blue.\n")
    knows = around.but(by_slug=lambda _: around.here)

    imported(claude_folders, around=knows)

    found = {note.text: note for note in all_notes(store)}
    assert set(found) == {"All is blue.", "The staging host is slow."}
    assert found["All is blue."].tag == "design"
    assert engine.find_places(knows) == []
    put(folder / "todo-status.md", "- [ ] paint it\n")
    assert claude_folders.find_places(knows) == []
    assert len(engine.find_places(knows)) == 3


def test_instructions_come_in_as_conventions_and_never_as_rules(
    imported: Imported, store: WholeStore, around: ImportContext, user: Path, project: Path
) -> None:
    put(project / "CLAUDE.md", "# Shop\n\n## Testing\n- Run one file at a time.\n")
    put(user / ".claude/CLAUDE.md", "- Answer in short sentences.\n")

    imported(instructions)

    found = {note.text: note for note in all_notes(store)}
    here, everywhere = found["Run one file at a time."], found["Answer in short sentences."]
    assert (here.kind, here.subtype, here.tag) == ("pattern", "convention", "Testing")
    assert (here.scope.project, everywhere.scope.project) == (around.here.id, "*")


def test_what_a_client_reads_itself_is_told_again_only_when_a_session_learned_the_same(
    imported: Imported, store: WholeStore, project: Path, around: ImportContext
) -> None:
    put(project / "CLAUDE.md", "- Run one file at a time.\n")
    scope = Scope(around.here.id)
    imported(instructions)

    before = brief_session_start(store, scope, budget=BriefBudget())
    learned = Draft("pattern", "Run one file at a time.", scope, "detector", subtype="convention")
    write_draft(app_of(store), learned.but(origin_session="s1"))
    promote_notes(app_of(store))
    after = brief_session_start(store, scope, budget=BriefBudget())

    assert "one file" not in before.brief.text
    assert "one file" in after.brief.text


def test_what_only_points_elsewhere_is_no_convention(
    imported: Imported, store: WholeStore, project: Path
) -> None:
    pointers = (
        "@docs/design.md",
        "See [the guide](docs/guide.md).",
        "`src/api/`",
        "https://x.org/a",
    )
    sentences = ("Either/or is no path here.", "Node.js", "`npm test` - run all tests")
    put(project / "CLAUDE.md", "".join(f"- {text}\n" for text in (*pointers, *sentences)))

    report = imported(instructions)

    assert {note.text for note in all_notes(store)} == set(sentences)
    assert list(report.refused.values()) == ["it only points elsewhere"] * len(pointers)


def test_instructions_of_another_folder_belong_to_it_unless_somebody_says_whose_they_are(
    around: ImportContext, tmp_path: Path
) -> None:
    put(tmp_path / "blog/AGENTS.md", "- Write short sentences.\n")

    theirs = instructions.find_places(around.but(given=str(tmp_path / "blog")))
    named = instructions.find_places(
        around.but(given=str(tmp_path / "blog/AGENTS.md"), named=True)
    )

    assert [place.project_id for place in theirs] == [around.identify(str(tmp_path / "blog")).id]
    assert [place.project_id for place in named] == [around.here.id]


def test_a_folder_of_markdown_is_a_page_for_each_text_and_a_note_for_each_item_of_a_list(
    imported: Imported, store: WholeStore, tmp_path: Path
) -> None:
    vault = tmp_path / "vault"
    put(vault / "a/index.md", "The first index.")
    put(vault / "b/index.md", "The second index.")
    put(
        vault / "list.md",
        "# Notes\n\n## Printing\n\n- Margins are four millimetres.\n- [ ] buy paper\n",
    )
    put(vault / ".trash/old.md", "gone")
    (vault / "loop").symlink_to(vault)

    report = imported(markdown, vault)

    found = {note.text: (note.kind, note.tag) for note in all_notes(store)}
    assert found == {
        "The first index.": ("page", "a-index"),
        "The second index.": ("page", "b-index"),
        "Margins are four millimetres.": ("lesson", "Printing"),
        "buy paper": ("task", "Printing"),
    }
    assert (report.offered, imported(markdown, vault).known) == (4, 4)


def test_no_more_files_are_taken_than_the_most_and_that_is_told(
    imported: Imported, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in ("oak", "ash", "elm"):
        put(tmp_path / f"vault/{name}.md", f"About {name} trees.")
    monkeypatch.setattr(markdown, "MOST_FILES", 2)

    report = imported(markdown, tmp_path / "vault")

    assert len(report.imported) == 2
    assert list(report.refused.values()) == ["more than 2 files; the rest stays out"]


def test_a_database_beyond_all_bounds_is_not_read(
    imported: Imported, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = a_database(tmp_path / "context.db", ROW)
    monkeypatch.setattr(database, "LARGEST", 100)

    report = imported(magic_context, path)

    assert list(report.refused.values()) == ["it is larger than 0 MiB"]
