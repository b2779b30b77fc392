"""The notes are what the journal adds up to, whatever was done; nothing else is ever needed."""

import re
from collections.abc import Callable
from contextlib import suppress
from itertools import pairwise
from pathlib import Path
from shutil import rmtree
from tempfile import mkdtemp

import pytest
from hypothesis import HealthCheck, settings
from hypothesis import strategies as st
from hypothesis.stateful import (
    Bundle,
    RuleBasedStateMachine,
    consumes,
    initialize,
    invariant,
    multiple,
    rule,
)
from tests.core.builders import phrases, scopes
from tests.store.support import (
    EVERY_STATUS,
    Clock,
    a_store,
    app_of,
    bytes_under,
    decide,
    dump,
    learn,
    opened,
    raw,
)

from twiceshy.app import App
from twiceshy.core.errors import NoteError, NotFoundError, StoreError
from twiceshy.core.filter import NoteFilter
from twiceshy.core.moment import DAY
from twiceshy.core.note import Note
from twiceshy.core.scope import Scope
from twiceshy.language.terms import query_terms
from twiceshy.notes.edit import (
    edit_fields,
    move_note,
    pin_note,
    restore_note,
    retire_note,
    unpin_note,
)
from twiceshy.notes.undo import undo_batch
from twiceshy.notes.write import NoteLimits
from twiceshy.safety.redact import redact
from twiceshy.store import settle
from twiceshy.store.command_store import WholeStore

SECRET = "password is correct-horse-battery-9"
NARROW = NoteLimits(skill_max=3, global_max=3)
# Words that are nowhere else, so that what is left of a forgotten note can be looked for.
MARKS = st.integers(0, 9).map(lambda number: f"xyzzy{number}plugh")
LOOKED_FOR = ("fetch tags", "拉取", "--force", "src/app.py", "xyzzy1plugh")
DERIVED = ("notes", "episodes")


class JournalMachine(RuleBasedStateMachine):
    """Do anything to a few notes, in any order; after each step the store must be in order."""

    known = Bundle("known")

    @initialize()
    def begin(self) -> None:
        self.home = Path(mkdtemp())
        self.clock = Clock()
        self.store = a_store(self.home, clock=self.clock)
        self.gone: set[str] = set()

    @rule(
        target=known,
        text=phrases,
        mark=MARKS,
        scope=scopes,
        kind=st.sampled_from(("lesson", "rule", "task")),
    )
    def write(self, text: str, mark: str, scope: Scope, kind: str) -> object:
        if mark in self.gone:
            return multiple()
        outcome = decide(
            self.store, f"{text} {mark} {SECRET}", scope=scope, kind=kind, bounds=NARROW
        )
        note: Note = outcome.note  # type: ignore[union-attr]  # a user's note is never refused
        return note.id

    @rule(note=known, text=phrases)
    def edit(self, note: str, text: str) -> None:
        self.do(
            lambda one: edit_fields(app_of(self.store), one, {"text": text, "why": text}), note
        )

    @rule(note=known, scope=scopes)
    def move(self, note: str, scope: Scope) -> None:
        self.do(lambda one: move_note(app_of(self.store), one, scope), note)

    @rule(
        note=known,
        act=st.sampled_from((pin_note, unpin_note, retire_note, restore_note)),
    )
    def touch(self, note: str, act: Callable[[App, Note], Note]) -> None:
        self.do(lambda one: act(app_of(self.store), one), note)

    @rule(note=known)
    def see(self, note: str) -> None:
        self.do(
            lambda one: decide(
                self.store, one.text.upper(), scope=one.scope, kind=one.kind, bounds=NARROW
            ),
            note,
        )

    @rule(note=known)
    def show(self, note: str) -> None:
        self.store.increment_counter("recalls", [note])

    @rule(redo=st.booleans())
    def undo(self, redo: bool) -> None:
        with suppress(NotFoundError, NoteError):
            undo_batch(app_of(self.store), redo=redo)

    @rule(days=st.integers(-2, 2))
    def wait(self, days: int) -> None:
        self.clock.wait(days * DAY)

    @rule(note=consumes(known))
    def forget(self, note: str) -> None:
        one = self.store.note(note)
        if one is None:
            return
        alive = [other.id for other in self.store.notes(EVERY_STATUS) if other.id != note]
        elsewhere = {mark for other in alive for mark in self.marks(other)}
        own = self.marks(note)
        assert self.store.forget(one).left == ()
        self.gone |= own - elsewhere

    def marks(self, note: str) -> set[str]:
        """Return the marks that a note bears, or ever bore."""
        return set(re.findall(r"xyzzy\dplugh", repr(self.store.history(note)).lower()))

    def do(self, act: Callable[[Note], object], note_id: str) -> None:
        note = self.store.note(note_id)
        if note is not None:
            with suppress(NoteError, NotFoundError):
                act(note)

    @invariant()
    def the_notes_are_what_the_journal_says(self) -> None:
        with raw(self.store.path) as db:
            assert settle.list_drifted_notes(db) == []
            indexed = db.execute("SELECT total(notes) FROM scopes").fetchone()[0]
            assert len(dump(db, "notes")) == indexed
            assert {row[0] for row in dump(db, "labels")} <= {"file", "concept"}

    @invariant()
    def nothing_is_stored_that_was_not_redacted(self) -> None:
        for note in self.store.notes(EVERY_STATUS):
            assert redact(note.text) == note.text
            assert SECRET not in note.text

    @invariant()
    def nothing_is_left_of_what_was_forgotten(self) -> None:
        files = bytes_under(self.home)
        for mark in self.gone:
            for path, content in files.items():
                assert mark.encode() not in content, path

    def teardown(self) -> None:
        if hasattr(self, "store"):
            before = state(self.store)
            for _ in self.store.rebuild_derived():
                pass
            after = state(self.store)
            self.store.close()
            rmtree(self.home)
            assert after == before


def state(store: WholeStore) -> dict[str, object]:
    """Return all that can be known about the notes: every column, and what a search finds."""
    found = {
        query: sorted(
            note.id for note in store.search_notes(query_terms(query), EVERY_STATUS).notes
        )
        for query in LOOKED_FOR
    }
    with raw(store.path) as db:
        columns = [row[1] for row in db.execute("PRAGMA table_info (notes)") if row[1] != "seq"]
        rows = db.execute(f"SELECT {', '.join(columns)} FROM notes ORDER BY id").fetchall()
        episodes = dump(db, "episodes")
    return {"notes": rows, "episodes": episodes, "found": found}


TestJournal = JournalMachine.TestCase
TestJournal.settings = settings(
    max_examples=12,
    stateful_step_count=25,
    deadline=None,
    suppress_health_check=[HealthCheck.too_slow],
)


class TestIndex:
    def index(self, store: WholeStore) -> list[tuple[object, ...]]:
        """Return the bytes that the full-text index consists of."""
        tables = ("words_data", "words_idx", "scopes", "labels")
        with raw(store.path) as db:
            return [row for table in tables for row in dump(db, table)]

    @pytest.mark.parametrize("act", ["tally", "see", "pin", "retire", "undo"])
    def test_a_counter_or_a_pin_does_not_touch_the_full_text_index(
        self, home: Path, act: str
    ) -> None:
        with opened(home) as store:
            note = learn(store, files=("src/app.py",), concepts=("git",))
            learn(store, "Another note.")
            before = self.index(store)

            acts: dict[str, Callable[[], object]] = {
                "tally": lambda: store.increment_counter("recalls", [note.id]),
                "see": lambda: learn(store),
                "pin": lambda: pin_note(app_of(store), note),
                "retire": lambda: retire_note(app_of(store), note),
                "undo": lambda: undo_batch(app_of(store)),
            }
            acts[act]()

            assert self.index(store) == before

    def test_an_edit_does(self, home: Path) -> None:
        with opened(home) as store:
            note = learn(store)
            before = self.index(store)

            edit_fields(app_of(store), note, {"text": "Quite another text."})

            assert self.index(store) != before
            assert store.search_notes(query_terms("tagging"), EVERY_STATUS).notes == []

    def test_the_index_keeps_no_words_of_a_text_that_was_changed(self, home: Path) -> None:
        with opened(home) as store:
            note = learn(store, "Say xyzzy.")
            edit_fields(app_of(store), note, {"text": "Say nothing."})
            for _ in store.rebuild_derived():
                pass

            with raw(store.path) as db:
                db.execute("CREATE VIRTUAL TABLE temp.terms USING fts5vocab (main, words, row)")
                kept = db.execute("SELECT term FROM terms").fetchall()

        assert kept == [("noth",), ("sai",)]

    def test_a_note_that_moves_takes_its_words_along(self, home: Path) -> None:
        with opened(home) as store:
            note = learn(store, "Say xyzzy.", files=("src/app.py",))
            learn(store, "Say plugh.")

            move_note(app_of(store), note, Scope("dir:elsewhere", "release"))

            there = NoteFilter(projects=("dir:elsewhere",), skill="release", file="app.py")
            here = NoteFilter(projects=(note.scope.project,), skill=note.scope.skill)
            assert [n.id for n in store.search_notes(["xyzzi"], there).notes] == [note.id]
            assert store.search_notes(["xyzzi"], here).notes == []
            with raw(store.path) as db:
                counted = db.execute("SELECT project, notes FROM scopes ORDER BY project")
                assert dict(counted) == {note.scope.project: 1, "dir:elsewhere": 1}


class TestDrift:
    def test_a_row_that_someone_changed_by_hand_is_noticed_and_put_right(self, home: Path) -> None:
        with opened(home) as store:
            note = learn(store)
            with raw(store.path) as db:
                db.execute("UPDATE notes SET text = 'Something else', pinned = 1")
                assert settle.list_drifted_notes(db) == [note.id]

            for _ in store.rebuild_derived():
                pass

            assert store.note(note.id) == note

    def test_a_row_that_is_gone_or_was_never_written_is_noticed(self, home: Path) -> None:
        with opened(home) as store:
            gone, stray = learn(store), learn(store, "Another.")
            with raw(store.path) as db:
                db.execute("DELETE FROM notes WHERE id = ?", [gone.id])
                db.execute("DELETE FROM journal WHERE object = ?", [stray.id])

                assert settle.list_drifted_notes(db) == sorted([gone.id, stray.id])

    def test_the_journal_only_grows(self, home: Path) -> None:
        with opened(home) as store:
            note = learn(store)
            seen: list[list[tuple[object, ...]]] = []
            for act in (pin_note, retire_note, restore_note, unpin_note):
                act(app_of(store), note)
                with raw(store.path) as db:
                    seen.append(dump(db, "journal"))
            with suppress(StoreError):
                undo_batch(app_of(store))
            with raw(store.path) as db:
                seen.append(dump(db, "journal"))

        assert [len(rows) for rows in seen] == [2, 3, 4, 5, 6]
        assert all(set(older) < set(newer) for older, newer in pairwise(seen))
