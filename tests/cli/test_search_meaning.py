"""A search by meaning finds what no word would, and nothing that is only a little alike."""

from tests.cli.conftest import Command

from twiceshy.app import opened
from twiceshy.core.filter import Filter
from twiceshy.language.rank import Ranked
from twiceshy.language.vector import Meaning, NoteMeaning, quantised
from twiceshy.recall.searching import Search, search_all


def test_a_note_without_the_words_is_found_only_if_it_surely_means_the_same(
    twiceshy: Command,
) -> None:
    same, other = (
        twiceshy("note", text, "--json").json["note"]["id"]
        for text in ("Pin every version", "Water the plants")
    )
    alike, hardly = (Meaning("m", quantised(numbers)) for numbers in ([1.0, 0.2], [0.3, 1.0]))
    asked = Search("freeze", Filter(), Meaning("m", quantised([1.0, 0.0])))

    with opened() as app:
        app.store.keep(NoteMeaning(same, "text", alike), NoteMeaning(other, "text", hardly))
        results = search_all(app.store, asked, limit=20)

    (hit,) = results.hits
    assert isinstance(hit, Ranked)
    assert hit.note.id == same
    assert hit.fit.meaning > 0.9
