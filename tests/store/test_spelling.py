"""Unknown words are looked up among the index's own, in a store that nobody may write to as well."""

from contextlib import closing
from pathlib import Path

import pytest
from tests.store.support import EVERY_STATUS, a_store, learn, opened

from twiceshy.core.filter import NoteFilter
from twiceshy.core.scope import Scope
from twiceshy.language.terms import query_terms
from twiceshy.store.connect import COMMAND_PATIENCE, connect_read_only
from twiceshy.store.rows import find_area
from twiceshy.store.spelling import respell_passages

TEXT = "Kubernetes restarts what does not answer its probe."


@pytest.mark.parametrize("question", ["kuberntes", "kubernets", "datenbankmigration"])
def test_a_misspelled_word_finds_the_note_with_the_word_that_is_meant(
    home: Path, question: str
) -> None:
    with opened(home) as store:
        wanted = learn(store, TEXT), learn(store, "Vor der Migration der Datenbank sichern.")
        learn(store, "Something else entirely.")

        found = store.search_notes(query_terms(question), EVERY_STATUS).notes

        assert [note.id for note in found] == [wanted[question.startswith("d")].id]


def test_a_store_that_cannot_be_written_to_tells_what_is_meant(home: Path) -> None:
    with opened(home) as store:
        learn(store, TEXT)

    with closing(connect_read_only(str(home / "twiceshy.db"), COMMAND_PATIENCE)) as db:
        area = find_area(db, EVERY_STATUS)
        meant = respell_passages(db, [("kubernt",)], ["kubernt"], area)

    assert meant == [("kubernt", "kubernet")]


def test_words_of_other_projects_are_never_meant(home: Path) -> None:
    with opened(home) as store:
        learn(store, TEXT, scope=Scope("dir:theirs"))
        mine = learn(store, "Elasticsearch needs more memory.", scope=Scope("dir:mine"))

        which = NoteFilter(projects=("dir:mine",))
        assert store.search_notes(query_terms("kuberntes"), which).notes == []
        found = store.search_notes(query_terms("elasticserch"), which).notes
        assert [note.id for note in found] == [mine.id]


def test_a_word_that_is_in_a_note_is_never_taken_for_another(home: Path) -> None:
    with closing(a_store(home)) as store:
        learn(store, "The kuberntes typo is in the old manifest.")
        right = learn(store, TEXT)

        found = store.search_notes(query_terms("kuberntes"), EVERY_STATUS).notes

        assert right.id not in [note.id for note in found]
