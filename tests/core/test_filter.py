"""What nobody asked for and nobody said counts for nothing."""

from tests.core.builders import NOW, an_id

from twiceshy.core.evidence import Exposure
from twiceshy.core.filter import SHARE, NoteFilter, QueryFit, SearchHits


def test_a_filter_that_says_nothing_asks_for_what_is_shown_at_any_time() -> None:
    anything = NoteFilter()

    assert (anything.since, anything.until) == (0, 0)
    assert anything.statuses == ("active", "candidate")


def test_a_note_that_was_not_compared_fits_in_no_way() -> None:
    fit = QueryFit()

    assert (fit.words, fit.covered, fit.meaning, fit.passages) == (0.0, 0.0, 0.0, 1)


def test_meaning_counts_half_beside_words_unless_a_model_says_otherwise() -> None:
    assert SearchHits([], {}).share == SHARE == 0.5


def test_what_was_shown_took_no_tokens_unless_it_says_so() -> None:
    assert Exposure("k", an_id(), session="s", channel="skill", at=NOW).tokens == 0
