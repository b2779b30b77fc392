"""Old stores open, newer ones are left alone, and what a store lost comes back."""

import hashlib
import shutil
import sqlite3
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path

import pytest
from tests.core.builders import NOW, a_note
from tests.effect.outcomes import an_outcome
from tests.requirements import requirement
from tests.store.older_schema import OLDER_STEPS
from tests.store.support import (
    EVERY_STATUS,
    SHORT,
    Clock,
    Writer,
    a_signal,
    all_together,
    app_of,
    dump,
    learn,
    modes_under,
    opened,
    raw,
    structure,
)
from tools.tables import PURPOSE

from twiceshy.core.errors import NewerStoreError, StoreError
from twiceshy.core.evidence import Episode
from twiceshy.core.filter import NoteFilter
from twiceshy.core.history import fields_to_write
from twiceshy.core.note import Note
from twiceshy.language.terms import query_terms
from twiceshy.notes.edit import edit_fields, pin_note
from twiceshy.store import known_schema, migrate, schema_repair, settle
from twiceshy.store.command_store import WholeStore
from twiceshy.store.connect import COMMAND_PATIENCE, HOOK_PATIENCE, LockPatience, connect
from twiceshy.store.migrate import BACKUPS_KEPT, list_missing_parts
from twiceshy.store.rows import COLUMNS, build_row, dump_payload, join_marks
from twiceshy.store.schema import STEPS, VERSION
from twiceshy.store.store_file import make_folder

AGES = range(1, len(OLDER_STEPS) + 1)
OLD = a_note("Written long ago.", files=("src/app.py",))
# In the order they were given out. A number that was released means this step for ever.
NUMBERS = ["first schema"]


def an_old_store(home: Path, age: int) -> Path:
    """Make a store of before the first release as it was after ``age`` steps, with one note in it."""
    path = home / "twiceshy.db"
    make_folder(str(home))
    with raw(path) as db:
        db.executescript(
            schema_repair.META_TABLES + "".join(step for _, step in OLDER_STEPS[:age])
        )
        after = {
            ("life" if name == "status" else name): each
            for name, each in fields_to_write(OLD).items()
        }
        db.execute("INSERT INTO payloads VALUES (1, ?, ?)", (OLD.id, dump_payload(after)))
        db.execute(
            "INSERT INTO journal VALUES (?, 'old', 'b1', 'write', ?, ?, NULL, 1, '')",
            (1 << 40, OLD.id, NOW),
        )
        columns = ", ".join("life" if name == "status" else name for name in COLUMNS)
        marks = ", ".join("?" * len(COLUMNS))
        db.execute(
            f"INSERT INTO notes ({columns}, fingerprint, redacted_by) VALUES ({marks}, ?, 1)",
            [*build_row(OLD), OLD.fingerprint],
        )
        db.execute(f"PRAGMA user_version = {age}")
        db.commit()
    path.chmod(0o600)
    return path


def a_store_with_a_note(home: Path) -> Path:
    """Make a store of today with one note in it."""
    with opened(home) as store, store.change():
        store.record_entry("write", OLD.id, fields_to_write(OLD))
    return home / "twiceshy.db"


class TestMigrating:
    @requirement("A17")
    @pytest.mark.parametrize("age", AGES)
    def test_every_older_schema_opens_and_keeps_its_notes(self, home: Path, age: int) -> None:
        path = an_old_store(home, age)

        with opened(home) as store:
            found = store.note(OLD.id)
            by_words = store.search_notes(query_terms("written long ago"), NoteFilter())
            learn(store)

        assert found == OLD
        assert [note.id for note in by_words.notes] == [OLD.id]
        with raw(path) as db:
            assert settle.list_drifted_notes(db) == []

    @requirement("U184")
    @pytest.mark.parametrize("age", AGES)
    def test_a_migrated_schema_equals_a_fresh_one(self, home: Path, age: int) -> None:
        path = an_old_store(home / "old", age)
        for name in ("old", "new"):
            with opened(home / name, prepared=False):
                pass

        assert structure(path) == structure(home / "new" / "twiceshy.db")

    def test_every_table_says_what_it_is_for(self, home: Path) -> None:
        with opened(home, prepared=False) as store, raw(store.path) as db:
            tables = {
                name
                for kind, name in db.execute("SELECT type, name FROM sqlite_master")
                if kind == "table" and not name.startswith("words_")
            }

        assert tables == set(PURPOSE)

    @requirement("A17")
    def test_a_number_is_never_given_to_another_step(self, home: Path) -> None:
        with opened(home, prepared=False) as store, raw(store.path) as db:
            applied = db.execute("SELECT number, name FROM migrations ORDER BY number").fetchall()

        assert applied[: len(NUMBERS)] == list(enumerate(NUMBERS, start=1))
        assert [name for _, name in applied] == [name for name, _ in STEPS]

    @requirement("U182")
    def test_a_step_that_fails_is_taken_back_whole(self, home: Path) -> None:
        path = a_store_with_a_note(home)
        wrong = (*STEPS, ("wrong", "CREATE TABLE half (x); CREATE TABLE half (x);"))
        before = structure(path)
        db = connect(str(path), COMMAND_PATIENCE)

        with pytest.raises(StoreError, match="half"):
            migrate.migrate(db, str(path), COMMAND_PATIENCE, now=NOW, steps=wrong)
        db.close()

        assert structure(path) == before
        with opened(home) as store:
            assert store.note(OLD.id) == OLD
            assert store.summarise_store().schema == VERSION

    def test_each_step_is_recorded_with_its_number_name_and_time(self, home: Path) -> None:
        path = an_old_store(home, 1)

        with opened(home, clock=Clock(NOW + 5)):
            pass

        with raw(path) as db:
            rows = db.execute("SELECT * FROM migrations ORDER BY number").fetchall()
        assert [row[0] for row in rows] == list(range(1, len(STEPS) + 1))
        assert all(row[2] > NOW for row in rows)

    @requirement("U182")
    @pytest.mark.parametrize("age", [0, 1])
    @pytest.mark.parametrize("count", [2, 8])
    def test_processes_that_migrate_at_once_end_with_one_schema(
        self, home: Path, age: int, count: int
    ) -> None:
        if age:
            an_old_store(home, age)
        home.mkdir(exist_ok=True)

        said = all_together([Writer(home, "look") for _ in range(count)])

        assert [len(lines) for lines in said] == [2] * count, said
        assert {lines[0]["schema"] for lines in said} == {VERSION}
        assert len(list((home / "backups").glob("*"))) == (1 if age else 0)
        with opened(home) as store, raw(store.path) as db:
            assert len(dump(db, "migrations")) == len(STEPS)
            assert store.count_notes(EVERY_STATUS) == 1 + bool(age)
            assert settle.list_drifted_notes(db) == []
        with opened(home / "fresh", prepared=False) as fresh:
            pass
        assert structure(store.path) == structure(fresh.path)


class TestBackingUp:
    def test_a_backup_is_made_before_a_migration(self, home: Path) -> None:
        an_old_store(home, 2)

        with opened(home):
            pass

        [backup] = (home / "backups").iterdir()
        assert backup.name.startswith("schema-2-2026-11-02T")
        assert (backup.stat().st_mode & 0o777, backup.parent.stat().st_mode & 0o777) == (
            0o600,
            0o700,
        )
        with raw(backup) as db:
            assert db.execute("PRAGMA user_version").fetchone() == (2,)
            assert db.execute("SELECT id FROM notes").fetchall() == [(OLD.id,)]

    def test_a_fresh_store_and_a_current_one_need_no_backup(self, home: Path) -> None:
        for _ in range(2):
            with opened(home, prepared=False):
                pass

        assert not (home / "backups").exists()

    def test_only_the_newest_backups_are_kept_and_nobody_elses_files_deleted(
        self, home: Path
    ) -> None:
        path = an_old_store(home, 1)
        (home / "backups").mkdir(mode=0o700)
        (home / "backups" / "mine.db").write_text("a copy of my own")
        versions = [1, 9, 10, 11, 2, 3, 4]

        made = [
            Path(migrate.back_up(str(path), version, now=NOW + at)).name
            for at, version in enumerate(versions)
        ]

        again = [Path(migrate.back_up(str(path), 4, now=NOW + at)).name for at in (90, 91)]

        kept = {backup.name for backup in (home / "backups").iterdir()}
        assert kept == {"mine.db", *made[-BACKUPS_KEPT:-1], again[-1]}


class TestFence:
    def a_newer_store(self, home: Path) -> Path:
        with opened(home) as store:
            learn(store)
            pin_note(app_of(store), learn(store, "Another note."))
        with raw(store.path) as db:
            db.execute("INSERT INTO migrations VALUES (899, 'of a later version', 0)")
            db.execute("PRAGMA user_version = 999")
        return Path(store.path)

    @requirement("U183", "A17")
    @pytest.mark.parametrize("patience", [COMMAND_PATIENCE, HOOK_PATIENCE])
    def test_a_newer_store_can_be_read_but_not_changed(
        self, home: Path, patience: LockPatience
    ) -> None:
        path = self.a_newer_store(home)
        before = hashlib.sha256(path.read_bytes()).hexdigest()

        with opened(home, patience=patience) as store:
            notes = store.notes(NoteFilter())
            found = store.search_notes(query_terms("tagging"), NoteFilter())
            with pytest.raises(NewerStoreError) as refused:
                pin_note(app_of(store), notes[-1])

        assert len(notes) == 2
        assert len(found.notes) == 1
        assert "999" in str(refused.value)
        assert "upgrade" in refused.value.hint
        assert store.read_only
        assert hashlib.sha256(path.read_bytes()).hexdigest() == before

    def test_a_sibling_that_upgrades_meanwhile_raises_the_fence_too(self, home: Path) -> None:
        an_old_store(home, 1)
        db = connect(str(home / "twiceshy.db"), COMMAND_PATIENCE)
        with raw(home / "twiceshy.db") as sibling:
            sibling.execute("PRAGMA user_version = 999")

        with pytest.raises(NewerStoreError):
            migrate.migrate(db, str(home / "twiceshy.db"), COMMAND_PATIENCE, now=NOW)
        db.close()

    def test_nothing_of_a_newer_store_is_backed_up_or_mended(self, home: Path) -> None:
        path = self.a_newer_store(home)
        with raw(path) as db:
            db.execute("DROP TABLE vectors")

        with opened(home):
            pass

        assert not (home / "backups").exists()
        assert missing(path) == ["vectors"]


@cache
def reference() -> sqlite3.Connection:
    """Return an empty database with the complete schema, created once for all tests."""
    db = sqlite3.connect(":memory:", isolation_level=None)
    migrate.migrate(db, ":memory:", COMMAND_PATIENCE, now=0)
    return db


def parts(kind: str) -> list[str]:
    """Name every table or index of the schema."""
    rows = reference().execute("SELECT type, name FROM sqlite_master WHERE sql IS NOT NULL")
    return [name for what, name in rows.fetchall() if what == kind]


def columns() -> list[str]:
    """Name every column that could be dropped."""
    found = []
    for table in parts("table"):
        if not table.startswith("words"):
            rows = reference().execute(f"PRAGMA table_info ({table})").fetchall()
            keys = {row[1] for row in rows if row[5]} | {"notes": {"id"}}.get(table, set())
            found += [f"{table}.{row[1]}" for row in rows if row[1] not in keys]
    return found


def missing(path: Path | str) -> list[str]:
    with raw(path) as db:
        return [part.name for part in schema_repair.list_lost_parts(db, reference())]


@dataclass(frozen=True, slots=True)
class Past:
    """A home whose store is closed and whole: its notes, those a search finds, its schema."""

    home: Path
    notes: Sequence[Note]
    found: list[str]
    structure: dict[str, object]


# What is not written down anywhere else is gone with its table; a note never is.
ALONE = {"counters", "tombstones", "projects", "aliases", "signals", "exposures", "vectors"}


@pytest.fixture(scope="module")
def past(tmp_path_factory: pytest.TempPathFactory) -> Past:
    """A closed store in which every note has a past, and what it says while it is whole."""
    home = tmp_path_factory.mktemp("past") / "home"
    with opened(home) as store:
        note = edit_fields(app_of(store), learn(store), {"text": "Fetch first."})
        learn(store, "Fetch first.")
        store.increment_counter("recalls", [note.id])
        pin_note(
            app_of(store),
            learn(store, "A rule.", kind="rule", files=("src/app.py",), why="because"),
        )
        learn(store, "Better.", supersedes=learn(store, "Worse.").id)
        store.forget(learn(store, "A secret that must go."))
        store.capture(a_signal(), Episode("e1", "end", "session-1", "demo", NOW, NOW))
        store.record_project("git:1", name="demo", root="/demo", aliases=["dir:1"])
    with opened(home) as store:
        notes = store.notes(EVERY_STATUS)
        found = [note.id for note in store.search_notes(query_terms("fetch"), EVERY_STATUS).notes]
    return Past(home, notes, found, structure(store.path))


class TestMending:
    @pytest.fixture
    def store_path(self, home: Path, past: Past) -> Path:
        """A copy of that store in the test's own home."""
        shutil.copytree(past.home, home)
        return home / "twiceshy.db"

    def check(
        self,
        home: Path,
        past: Past,
        lose: Callable[[sqlite3.Connection], object],
        *,
        goes_on: bool = True,
    ) -> list[str]:
        """Lose something, open the store, and return what was lost; everything else must be there."""
        path = home / "twiceshy.db"
        with raw(path) as db:
            lose(db)
        lost = missing(path)

        with opened(home) as store:
            after = store.notes(EVERY_STATUS)
            again = [
                note.id for note in store.search_notes(query_terms("fetch"), EVERY_STATUS).notes
            ]
            if goes_on:
                learn(store, "And life goes on.")
                store.forget(learn(store, "Another secret that must go."))
            verdicts = {finding.what: finding for finding in store.check_health()}

        assert structure(path) == past.structure
        assert missing(path) == []
        assert [n.but(recalls=0, revision=0) for n in after] == [
            n.but(recalls=0, revision=0) for n in past.notes
        ]
        assert again == past.found
        assert all(f.verdict == "ok" for f in verdicts.values()), verdicts
        return lost

    @requirement("U184")
    @pytest.mark.parametrize("table", parts("table"))
    def test_a_lost_table_comes_back(
        self, home: Path, past: Past, store_path: Path, table: str
    ) -> None:
        lost = self.check(home, past, lambda db: db.execute(f"DROP TABLE {table}"))

        assert any(table in name for name in lost)
        if table in ALONE:
            with raw(store_path) as db:
                assert [row for row in dump(db, table) if "secret" in repr(row)] == []

    @requirement("U184")
    @pytest.mark.parametrize("index", parts("index"))
    def test_a_lost_index_comes_back(
        self, home: Path, past: Past, store_path: Path, index: str
    ) -> None:
        assert self.check(home, past, lambda db: db.execute(f"DROP INDEX {index}")) == [index]

    @requirement("U184")
    @pytest.mark.parametrize("column", columns())
    def test_a_lost_column_comes_back(
        self, home: Path, past: Past, store_path: Path, column: str
    ) -> None:
        table, _, name = column.partition(".")

        def lose(db: sqlite3.Connection) -> None:
            for (index,) in db.execute(
                "SELECT name FROM sqlite_master WHERE type = 'index' AND tbl_name = ? AND sql <> ''",
                [table],
            ).fetchall():
                db.execute(f"DROP INDEX {index}")
            db.execute(f"ALTER TABLE {table} DROP COLUMN {name}")

        # the structure is the old one, so that writing is what it is after the loss of a table
        lost = self.check(home, past, lose, goes_on=False)

        assert column in lost

    @requirement("A17")
    @pytest.mark.parametrize("number", range(1, len(STEPS) + 1))
    def test_a_lost_migration_row_comes_back(
        self, home: Path, past: Past, store_path: Path, number: int
    ) -> None:
        self.check(
            home, past, lambda db: db.execute(f"DELETE FROM migrations WHERE number = {number}")
        )

        with raw(store_path) as db:
            assert {row[0] for row in dump(db, "migrations")} == set(range(1, len(STEPS) + 1))

    def test_a_lost_number_of_the_schema_comes_back(
        self, home: Path, past: Past, store_path: Path
    ) -> None:
        self.check(home, past, lambda db: db.execute("PRAGMA user_version = 0"))

        with raw(store_path) as db:
            assert db.execute("PRAGMA user_version").fetchone() == (VERSION,)

    def test_everything_derived_may_be_lost_at_once(
        self, home: Path, past: Past, store_path: Path
    ) -> None:
        def lose(db: sqlite3.Connection) -> None:
            for table in ("notes", "labels", "words", "episodes", "meta"):
                db.execute(f"DROP TABLE {table}")

        self.check(home, past, lose)

        with raw(store_path) as db:
            assert len(dump(db, "episodes")) == 1

    @pytest.mark.parametrize("table", ["journal", "payloads"])
    def test_a_lost_history_begins_anew_and_mixes_no_two_notes_up(
        self, home: Path, store_path: Path, table: str
    ) -> None:
        with raw(store_path) as db:
            db.execute(f"DROP TABLE {table}")

        with opened(home) as store:
            texts = {note.id: note.text for note in store.notes(EVERY_STATUS)}
            for note in store.notes(EVERY_STATUS):
                edit_fields(app_of(store), note, {"why": "anew"})
            for _ in store.rebuild_derived():
                pass
            after = {note.id: note.text for note in store.notes(EVERY_STATUS)}

        assert after == texts

    def test_notes_that_became_equal_behind_our_back_become_one(
        self, home: Path, store_path: Path
    ) -> None:
        with raw(store_path) as db:
            db.execute("DROP INDEX notes_the_same")
            db.execute("UPDATE payloads SET body = replace(body, 'Better.', 'Fetch first.')")
            db.execute("UPDATE notes SET text = 'Fetch first.', fingerprint = 'same'")

        with opened(home) as store:
            same = [note for note in store.notes(EVERY_STATUS) if note.text == "Fetch first."]
            verdicts = {finding.verdict for finding in store.check_health()}

        shown, hidden = sorted(same, key=lambda note: note.status)
        assert (shown.status, hidden.status) == ("active", "retired")
        assert hidden.superseded_by == shown.id
        assert verdicts == {"ok"}

    def test_what_is_mended_is_backed_up_first(self, home: Path, store_path: Path) -> None:
        with raw(store_path) as db:
            db.execute("DROP TABLE journal")

        with opened(home):
            pass

        [backup] = (home / "backups").iterdir()
        with raw(backup) as db:
            assert len(dump(db, "notes")) == 4
            assert set(list_missing_parts(db)) == {
                "journal",
                "journal_by_batch",
                "journal_by_object",
            }

    def test_mending_keeps_the_home_to_its_owner(self, home: Path, store_path: Path) -> None:
        with raw(store_path) as db:
            db.execute("DROP TABLE labels")

        with opened(home):
            modes = modes_under(home)

        assert set(modes.values()) == {"0600", "0700"}


def test_a_store_that_someone_else_is_migrating_makes_a_hook_wait_for_nothing(home: Path) -> None:
    an_old_store(home, 1)
    with raw(home / "twiceshy.db") as sibling:
        sibling.execute("BEGIN IMMEDIATE")

        with opened(home, patience=HOOK_PATIENCE) as store:
            acknowledged = store.capture(a_signal())
            shown = store.notes(NoteFilter())
        with pytest.raises(StoreError):
            WholeStore(str(home / "twiceshy.db"), clock=Clock(), patience=SHORT)

    assert acknowledged == "spooled"
    assert shown == []
    with opened(home) as store:
        learn(store)
        assert store.summarise_store().signals == 1
        assert store.count_notes(NoteFilter()) == 2


def test_the_version_that_is_known_at_once_is_that_of_the_steps() -> None:
    assert known_schema.TODAY == VERSION


def test_what_was_compared_is_known_until_a_table_changes(home: Path) -> None:
    with opened(home) as store:
        path = store.path

    with raw(path) as db:
        assert known_schema.is_schema_known(db)
        db.execute("DROP INDEX notes_by_handle")
        assert not known_schema.is_schema_known(db)
    with opened(home), raw(path) as db:
        assert known_schema.is_schema_known(db)
        assert db.execute("SELECT 1 FROM sqlite_master WHERE name = 'notes_by_handle'").fetchone()


@pytest.mark.parametrize(("device", "own"), [("here", 1), ("elsewhere", 0)])
def test_outcomes_of_before_sums_are_this_devices_own_if_it_never_met_another(
    home: Path, device: str, own: int
) -> None:
    number = next(n for n, (name, _) in enumerate(STEPS) if "sums of outcomes" in name)
    make_folder(str(home))
    path = str(home / "twiceshy.db")
    db = connect(path, COMMAND_PATIENCE)
    migrate.migrate(db, path, COMMAND_PATIENCE, now=NOW, steps=STEPS[:number])
    db.execute("INSERT INTO meta VALUES ('device', 'here')")
    entry = (1, device, "batch", "see", "n1", NOW, None, None, "")
    db.execute(f"INSERT INTO journal VALUES ({join_marks(entry)})", entry)
    fields = an_outcome(1).fields()
    columns, marks = ", ".join(fields), join_marks(fields)
    db.execute(f"INSERT INTO outcomes ({columns}) VALUES ({marks})", [*fields.values()])
    db.close()

    with opened(home, prepared=False) as store:
        assert [each.session for each in store.list_outcomes()] == ["s1"]
        with raw(store.path) as db:
            assert db.execute("SELECT own FROM outcomes").fetchall() == [(own,)]
