"""A search by meaning finds what no word would, and nothing that is only a little alike."""

from tests.cli.conftest import Command

from twiceshy.app import open_app
from twiceshy.core.filter import NoteFilter
from twiceshy.language.rank import RankedNote
from twiceshy.language.vector import NoteMeaning, QueryVector, quantise_vector
from twiceshy.recall.search import Search, search_all


def test_a_note_without_the_words_is_found_only_if_it_surely_means_the_same(
    twiceshy: Command,
) -> None:
    same, other = (
        twiceshy("note", text, "--json").json["note"]["id"]
        for text in ("Pin every version", "Water the plants")
    )
    alike, hardly = (
        QueryVector("m", quantise_vector(numbers)) for numbers in ([1.0, 0.2], [0.3, 1.0])
    )
    asked = Search("freeze", NoteFilter(), QueryVector("m", quantise_vector([1.0, 0.0])))

    with open_app() as app:
        app.store.save_records(
            NoteMeaning(same, "text", alike), NoteMeaning(other, "text", hardly)
        )
        results = search_all(app.store, asked, limit=20)

    (hit,) = results.hits
    assert isinstance(hit, RankedNote)
    assert hit.note.id == same
    assert hit.fit.meaning > 0.9
