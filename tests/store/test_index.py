"""The index finds what reading every note would find, whatever other projects hold."""

from collections.abc import Iterator, Sequence
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.core.builders import a_draft
from tests.store.support import app_of, opened, raw

from twiceshy.core.admit import Admitted
from twiceshy.core.filter import NoteFilter
from twiceshy.core.note import Note
from twiceshy.core.scope import Scope
from twiceshy.language.rank import bm25_scorer, count_terms, describe_collection
from twiceshy.language.terms import index_terms, query_terms
from twiceshy.notes.edit import edit_fields, move_note, retire_note
from twiceshy.notes.write import write_draft
from twiceshy.store import rows, scopes, vectors, words
from twiceshy.store.command_store import WholeStore
from twiceshy.store.index_notes import split_parts

VOCABULARY = "deploy rollback kafka offset schema lock retry cache tls token branch rebase".split()
TEXTS = st.lists(st.sampled_from(VOCABULARY), min_size=1, max_size=30).map(" ".join)
SCOPES = st.sampled_from(
    [Scope("dir:a"), Scope("dir:a", "release"), Scope("dir:b"), Scope("dir:c", "release"), Scope()]
)
WRITTEN = st.lists(st.tuples(TEXTS, TEXTS, SCOPES), min_size=1, max_size=12)
MINE = NoteFilter(projects=("dir:a",), skill="")


@pytest.fixture(autouse=True)
def words_alone(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(vectors, "shipped", vectors.Lexicon(""))


def write(store: WholeStore, text: str, why: str, scope: Scope) -> Note:
    drafted = a_draft(text, scope=scope, why=why)
    outcome = write_draft(app_of(store), drafted, keep_apart=True)
    assert isinstance(outcome, Admitted)
    return outcome.note


def write_many(store: WholeStore, many: Sequence[tuple[str, str, Scope]]) -> list[Note]:
    """Write notes that differ in their first word."""
    return [write(store, f"n{at} {text}", why, to) for at, (text, why, to) in enumerate(many)]


def weigh_each(notes: Sequence[Note], terms: Sequence[str]) -> dict[str, float]:
    """Weigh every note of a collection by reading it."""
    parts = [
        split_parts((n.text, n.why, n.tag, " ".join(n.concepts), " ".join(n.files))) for n in notes
    ]
    score = bm25_scorer(terms, describe_collection(parts, terms))
    weighed = ((n.id, score(count_terms(p, terms))[0]) for n, p in zip(notes, parts, strict=True))
    return {note_id: weight for note_id, weight in weighed if weight}


@given(many=WRITTEN, asked=TEXTS)
@settings(max_examples=40)
def test_the_index_weighs_as_reading_each_note_does(
    tmp_path_factory: pytest.TempPathFactory, many: list[tuple[str, str, Scope]], asked: str
) -> None:
    terms = query_terms(asked)
    with opened(tmp_path_factory.mktemp("home")) as store:
        notes = write_many(store, many)

        found = store.search_notes(terms, MINE.but(projects=("dir:a", "*")))

    seen = [n for n in notes if n.scope in (Scope("dir:a"), Scope())]
    weighed = {note_id: fit.words for note_id, fit in found.fits.items()}
    assert weighed == pytest.approx(weigh_each(seen, terms))


@given(many=WRITTEN, others=WRITTEN, asked=TEXTS)
@settings(max_examples=40)
def test_notes_of_other_projects_change_nothing(
    tmp_path_factory: pytest.TempPathFactory,
    many: list[tuple[str, str, Scope]],
    others: list[tuple[str, str, Scope]],
    asked: str,
) -> None:
    terms, home = query_terms(asked), tmp_path_factory.mktemp("home")
    with opened(home) as store:
        write_many(store, many)
        before = store.search_notes(terms, MINE)

        for number, (text, why, _) in enumerate(others):
            write(store, f"o{number} {text}", why, Scope(f"dir:other{number % 5}"))

        assert store.search_notes(terms, MINE) == before


@given(many=WRITTEN, asked=TEXTS)
@settings(max_examples=20)
def test_what_is_retired_changed_or_moved_is_found_where_it_is(
    tmp_path_factory: pytest.TempPathFactory, many: list[tuple[str, str, Scope]], asked: str
) -> None:
    terms = query_terms(asked)
    with opened(tmp_path_factory.mktemp("home")) as store:
        app = app_of(store)
        for number, note in enumerate(write_many(store, many)):
            if number % 4 == 0:
                retire_note(app, note)
            elif number % 4 == 1:
                edit_fields(app, note, {"text": f"changed {number} tls"})
            elif number % 4 == 2:
                move_note(app, note, Scope("dir:z", "other"))

        everything = store.notes(NoteFilter(statuses=()), limit=None)
        for scope in {note.scope for note in everything}:
            which = NoteFilter(projects=(scope.project,), skill=scope.skill)
            there = [note for note in everything if note.scope == scope]
            shown = {note.id for note in there if note.status == "active"}
            expected = {key: w for key, w in weigh_each(there, terms).items() if key in shown}
            found = store.search_notes(terms, which).fits
            assert {key: fit.words for key, fit in found.items()} == pytest.approx(expected)


def test_a_scope_that_is_full_goes_on_elsewhere(
    home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for module in (scopes, rows):
        monkeypatch.setattr(module, "ROWS", 2)
        monkeypatch.setattr(module, "BLOCK", 2)
    with opened(home) as store:
        kept = [
            write(store, f"kafka number {n}", "", Scope("dir:a", f"s{n % 3}")) for n in range(9)
        ]
        write(store, "kafka elsewhere", "", Scope("dir:b"))

        found = store.search_notes(["kafka"], NoteFilter(projects=("dir:a",)))

        assert {note.id for note in found.notes} == {note.id for note in kept}


def test_many_projects_are_searched_at_once(home: Path) -> None:
    projects = [f"dir:{number}" for number in range(30)]
    with opened(home) as store:
        for project in projects:
            write(store, f"kafka in {project}", "", Scope(project))

        asked = NoteFilter(projects=tuple(projects[::2]))
        found = store.search_notes(["kafka"], asked)

        assert sorted(note.scope.project for note in found.notes) == sorted(projects[::2])


def test_a_common_word_beside_others_finds_the_note_that_has_them_all(
    home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(words, "BASE_READS", 10)
    monkeypatch.setattr(words, "_SAMPLE", 5)
    with opened(home) as store:
        for number in range(40):
            write(store, f"kafka offset retry {number}", "", Scope("dir:a"))
        both = write(store, "kafka rollback", "", Scope("dir:a"))
        for number in range(40):
            write(store, f"rollback schema cache {number}", "", Scope("dir:a"))

        found = store.search_notes(["kafka", "rollback"], MINE)

        best = max(found.fits, key=lambda note_id: found.fits[note_id].words)
        assert best == both.id


@given(st.lists(TEXTS, min_size=5, max_size=5))
def test_counts_are_kept_to_a_tenth(texts: list[str]) -> None:
    from twiceshy.store.index_notes import _pack_counts

    parts = [index_terms(text) for text in texts]
    terms = list(dict.fromkeys(term for part in parts for term in part))

    hashes = {term: words.hash_term(term) for term in terms}
    counts, length = words.unpack_counts(_pack_counts(parts), terms, hashes)

    expected, size = count_terms(parts, terms)
    assert length == size
    assert counts == pytest.approx({t: min(c, words.MAX_COUNT / 10) for t, c in expected.items()})


@pytest.fixture
def indexed_rows(home: Path) -> Iterator[set[int]]:
    with opened(home) as store:
        write(store, "kafka", "", Scope("dir:a"))
        with raw(store.path) as db:
            yield {row for (row,) in db.execute("SELECT seq FROM notes")}


def test_rows_lie_in_the_stretch_of_their_scope(indexed_rows: set[int]) -> None:
    assert {row // rows.ROWS for row in indexed_rows} == {rows.BLOCK}
