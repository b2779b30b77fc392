"""Unknown words are looked up among the index's own, in a store that nobody may write to as well."""

from contextlib import closing
from pathlib import Path

import pytest
from tests.store.support import EVERY_STATUS, a_store, learn, opened

from twiceshy.language.terms import query_terms
from twiceshy.store.connect import COMMAND_PATIENCE, connect_read_only
from twiceshy.store.spelling import respell_passages

TEXT = "Kubernetes restarts what does not answer its probe."


@pytest.mark.parametrize("most_exact", [0, 500], ids=["large scope", "small scope"])
@pytest.mark.parametrize("question", ["kuberntes", "kubernets", "datenbankmigration"])
def test_a_large_scope_answers_misspelled_words_as_a_small_one(
    home: Path, most_exact: int, question: str
) -> None:
    with opened(home) as store:
        wanted = learn(store, TEXT), learn(store, "Vor der Migration der Datenbank sichern.")
        learn(store, "Something else entirely.")
        store.exact_limit = most_exact

        found = store.search_notes(query_terms(question), EVERY_STATUS).notes

        assert [note.id for note in found] == [wanted[question.startswith("d")].id]


def test_a_store_that_cannot_be_written_to_tells_what_is_meant(home: Path) -> None:
    with opened(home) as store:
        learn(store, TEXT)

    with closing(connect_read_only(str(home / "twiceshy.db"), COMMAND_PATIENCE)) as db:
        meant = respell_passages(db, [("kubernt",)], ["kubernt"], None)

    assert meant == [("kubernt", "kubernet")]


def test_a_word_that_is_in_a_note_is_never_taken_for_another(home: Path) -> None:
    with closing(a_store(home)) as store:
        learn(store, "The kuberntes typo is in the old manifest.")
        right = learn(store, TEXT)

        found = store.search_notes(query_terms("kuberntes"), EVERY_STATUS).notes

        assert right.id not in [note.id for note in found]
