"""A model is asked about each note once, and what it says is never mixed with what others say."""

from collections.abc import Iterator, Sequence
from contextlib import closing
from pathlib import Path

import pytest
from tests.store.support import a_store, app_of, learn

from twiceshy.core.filter import NoteFilter
from twiceshy.core.scope import Scope
from twiceshy.language.terms import query_terms
from twiceshy.language.vector import quantise_vector
from twiceshy.notes.edit import edit_fields
from twiceshy.notes.embed import embed_missing, query_meaning
from twiceshy.recall.brief import BriefBudget
from twiceshy.recall.recall_notes import recall_notes
from twiceshy.store.command_store import WholeStore

HERE = NoteFilter(projects=("demo",), skill="release")
TOPICS = {"dog": 0, "puppy": 0, "hound": 0, "ship": 1, "boat": 1, "vessel": 1}


class Topics:
    """A model that knows two topics, and which words belong to them."""

    identity = "topics-1"
    dims = 4

    def __init__(self) -> None:
        self.asked: list[str] = []

    def embed(self, texts: Sequence[str]) -> list[bytes]:
        self.asked += texts
        return [self._vector(text) for text in texts]

    def _vector(self, text: str) -> bytes:
        numbers = [0.0] * self.dims
        for word in text.lower().replace(".", " ").split():
            if word in TOPICS:
                numbers[TOPICS[word]] += 1.0
        return quantise_vector(numbers)


@pytest.fixture
def store(home: Path) -> Iterator[WholeStore]:
    with closing(a_store(home)) as opened:
        yield opened


def test_a_model_is_asked_about_each_note_once(store: WholeStore) -> None:
    model = Topics()
    first = learn(store, "Walk the dog.", why="a hound is loud")

    assert list(embed_missing(store, model)) == [first.id]
    second = learn(store, "Nothing it knows.")
    assert list(embed_missing(store, model)) == [second.id]
    assert list(embed_missing(store, model)) == []
    assert model.asked == ["Walk the dog.", "a hound is loud", "Nothing it knows."]


def test_a_note_that_was_edited_is_asked_about_again(store: WholeStore) -> None:
    model = Topics()
    note = learn(store, "Walk the dog.")
    list(embed_missing(store, model))

    edit_fields(app_of(store), note, {"text": "Board the ship."})

    assert list(embed_missing(store, model)) == [note.id]


def test_no_more_notes_are_asked_about_than_there_is_time_for(store: WholeStore) -> None:
    for number in range(5):
        learn(store, f"Lesson {number} of five.")

    assert len(list(embed_missing(store, Topics(), most=3))) == 3


def test_what_shares_no_word_is_found_by_its_meaning(store: WholeStore) -> None:
    model = Topics()
    dog, ship = learn(store, "Walk the dog."), learn(store, "Board the ship.")
    list(embed_missing(store, model))

    found = store.search_notes(query_terms("puppy"), HERE, meaning=query_meaning("puppy", model))
    told = recall_notes(
        store,
        Scope("demo", "release"),
        "vessel",
        budget=BriefBudget(),
        meaning=query_meaning("vessel", model),
    )

    assert [note.id for note in found.notes] == [dog.id]
    assert found.fits[dog.id].meaning == pytest.approx(1.0, abs=0.01)
    assert [note.id for note in told.brief.notes] == [ship.id, dog.id]
    assert told.brief.mode == "full"


def test_vectors_of_another_model_are_not_asked(store: WholeStore) -> None:
    learn(store, "Walk the dog.")
    list(embed_missing(store, Topics()))
    other = Topics()
    other.identity = "topics-2"

    found = store.search_notes(query_terms("puppy"), HERE, meaning=query_meaning("puppy", other))

    assert found.notes == []


def test_a_query_that_means_nothing_has_no_meaning() -> None:
    assert query_meaning("xyzzy", Topics()) is None
