"""The order of notes: what fits, what is fresh, what was seen often, and always the same."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.core.builders import NOW, a_note, an_id, notes, phrases, several

from twiceshy.core.filter import SHARE, QueryFit
from twiceshy.core.moment import DAY
from twiceshy.core.note import MAY_REPLACE
from twiceshy.language.rank import (
    CollectionStats,
    RankedNote,
    RankWeights,
    blend_relevance,
    bm25_scorer,
    count_terms,
    describe_collection,
    put_replacing_first,
    rank_notes,
)
from twiceshy.language.terms import index_terms, query_terms

if TYPE_CHECKING:
    from collections.abc import Sequence

    from twiceshy.core.note import Note
    from twiceshy.language.rank import FieldTerms

PLAIN = CollectionStats(
    notes=100, mean_length=10.0, holding={"rare": 1, "common": 60, "other": 10}
)


def parts(text: str = "", why: str = "", tag: str = "") -> list[list[str]]:
    return [index_terms(text), index_terms(why), index_terms(tag), [], []]


def weight(of: FieldTerms, query: Sequence[str], collection: CollectionStats = PLAIN) -> float:
    return bm25_scorer(query, collection)(count_terms(of, query))[0]


def relevance(note: Note, query: str) -> float:
    wanted = query_terms(query)
    return weight(parts(note.text), wanted, describe_collection([parts(note.text)], wanted))


@given(st.data(), several(notes()))
def test_the_order_never_depends_on_the_order_notes_are_read_in(
    data: st.DataObject, some: list[Note]
) -> None:
    amounts = st.sampled_from((0.0, 0.5, 3.0))
    scores = {note.id: QueryFit(data.draw(amounts), 0.0, data.draw(amounts)) for note in some}
    shuffled = data.draw(st.permutations(some))

    assert rank_notes(shuffled, scores, now=NOW) == rank_notes(some, scores, now=NOW)


@given(several(notes()))
def test_pinned_notes_come_first_and_then_the_best(some: list[Note]) -> None:
    some = [note.but(tag="", superseded_by="") for note in some]

    ranked = rank_notes(some, {}, now=NOW)

    keys = [(not each.note.pinned, -each.score) for each in ranked]
    assert keys == sorted(keys)
    assert sorted(each.note.id for each in ranked) == sorted(note.id for note in some)


@given(several(notes()), st.floats(0, 1), st.floats(0, 1), st.floats(0, 1))
def test_every_score_and_every_part_of_it_is_between_nothing_and_all(
    some: list[Note], one: float, two: float, three: float
) -> None:
    for each in rank_notes(some, {}, now=NOW, weights=RankWeights(one, two, three)):
        for part in (each.score, each.relevance, each.recency, each.sightings):
            assert 0.0 <= part <= 1.0 + 1e-9


def test_between_equals_the_older_id_comes_first() -> None:
    some = [a_note(id=an_id(number)) for number in (3, 1, 2)]

    assert [each.note.id for each in rank_notes(some, {}, now=NOW)] == [
        an_id(1),
        an_id(2),
        an_id(3),
    ]


def test_what_fits_beats_what_is_fresh_and_that_beats_what_was_seen_often() -> None:
    fits = a_note(id=an_id(1), learned_at=NOW - 900 * DAY)
    fresh = a_note(id=an_id(2), learned_at=NOW)
    often = a_note(id=an_id(3), learned_at=NOW - 900 * DAY, sightings=40)

    ranked = rank_notes([often, fresh, fits], {fits.id: QueryFit(5.0)}, now=NOW)

    assert [each.note for each in ranked] == [fits, fresh, often]
    assert (ranked[0].relevance, ranked[1].recency, ranked[2].sightings) == (1.0, 1.0, 1.0)


def test_words_and_meaning_are_blended_by_score() -> None:
    fits = {
        "both": QueryFit(4.0, 1.0, 0.8),
        "words": QueryFit(4.0),
        "meaning": QueryFit(0.0, 0.0, 0.8),
    }

    found = blend_relevance(fits)

    assert found["both"] == pytest.approx(1.0)
    assert found["words"] == pytest.approx(1 - SHARE)
    assert found["meaning"] == pytest.approx(SHARE)


def test_of_equal_words_those_that_cover_more_of_the_query_count_more() -> None:
    all_of_it, half = QueryFit(4.0, 1.0, emphasis=0.5), QueryFit(4.0, 0.25, emphasis=0.5)

    assert blend_relevance({"all": all_of_it, "half": half}) == {"all": 1.0, "half": 0.5}
    plain = {"all": all_of_it.but(emphasis=0.0), "half": half.but(emphasis=0.0)}
    assert blend_relevance(plain) == {"all": 1.0, "half": 1.0}


def test_without_words_meaning_is_all_there_is_and_without_meaning_words_are() -> None:
    assert blend_relevance({"a": QueryFit(meaning=0.4), "b": QueryFit(meaning=0.2)}) == {
        "a": 1.0,
        "b": 0.5,
    }
    assert blend_relevance({"a": QueryFit(4.0), "b": QueryFit(2.0)}) == {"a": 1.0, "b": 0.5}
    assert blend_relevance({"a": QueryFit(), "b": QueryFit(meaning=-0.3)}) == {"a": 0.0, "b": 0.0}
    assert blend_relevance({}) == {}


@given(
    st.dictionaries(
        st.text(max_size=3),
        st.builds(
            QueryFit,
            st.floats(0, 9),
            st.floats(0, 1),
            st.floats(-1, 1),
            emphasis=st.sampled_from((0.0, 0.5)),
        ).filter(
            lambda fit: 0 in (fit.words, fit.meaning) or min(fit.words, abs(fit.meaning)) > 1e-9
        ),
        max_size=6,
    )
)
def test_relevance_is_always_between_nothing_and_all(fits: dict[str, QueryFit]) -> None:
    assert all(0.0 <= each <= 1.0 + 1e-9 for each in blend_relevance(fits).values())


def test_a_note_never_comes_before_the_one_that_replaced_it() -> None:
    old = a_note("Run a.", id=an_id(1), superseded_by=an_id(3), status="retired")
    other, new = a_note("Other.", id=an_id(2)), a_note("Run b.", id=an_id(3))
    fits = {old.id: QueryFit(9.0), other.id: QueryFit(5.0), new.id: QueryFit(1.0)}

    ranked = [each.note for each in rank_notes([old, other, new], fits, now=NOW)]

    assert ranked == [new, old, other]


def test_of_two_close_notes_about_one_thing_the_newer_comes_first() -> None:
    older = a_note("Run a.", id=an_id(1), tag="lint", learned_at=NOW - DAY)
    newer = a_note("Run b.", id=an_id(2), tag="lint", learned_at=NOW)
    other = a_note("Run c.", id=an_id(3), tag="test", learned_at=NOW + DAY)
    only_words = RankWeights(1.0, 0.0, 0.0)

    def order(worth: float) -> list[Note]:
        fits = {older.id: QueryFit(1.0), newer.id: QueryFit(worth), other.id: QueryFit(worth)}
        notes = [older, newer, other]
        return [each.note for each in rank_notes(notes, fits, now=NOW, weights=only_words)]

    assert order(0.99) == [newer, older, other]
    assert order(0.9) == [older, newer, other]


def test_how_much_of_a_query_is_covered_counts_rare_words_more() -> None:
    query = ["rare", "common"]
    score = bm25_scorer(query, PLAIN)

    rare, common, both, none = (
        score(count_terms(parts(text), query))[1]
        for text in ("rare", "common", "common rare", "word")
    )

    assert none == 0.0 < common < 0.5 < rare < both == 1.0


def test_only_the_proportion_of_the_weights_matters() -> None:
    some = [a_note(id=an_id(1), sightings=9), a_note(id=an_id(2), learned_at=NOW - 9 * DAY)]

    def scores(weights: RankWeights) -> list[float]:
        return [round(each.score, 9) for each in rank_notes(some, {}, now=NOW, weights=weights)]

    assert (
        scores(RankWeights(6, 2.5, 1.5))
        == scores(RankWeights(0.6, 0.25, 0.15))
        == scores(RankWeights())
    )
    assert scores(RankWeights(0, 0, 0)) == [0.0, 0.0]


def test_nothing_is_ranked_when_there_is_nothing() -> None:
    assert rank_notes([], {}, now=NOW) == []


# relevance


def test_a_rare_term_says_more_than_a_common_one() -> None:
    assert weight(parts("rare word"), ["rare"]) > weight(parts("common word"), ["common"], PLAIN)


def test_two_terms_that_match_say_more_than_one() -> None:
    query = ["rare", "other"]

    assert weight(parts("rare other"), query) > weight(parts("rare word"), query)


def test_a_repeated_term_says_more_but_less_and_less() -> None:
    once, twice, thrice = (
        weight([["rare"] * n + ["word"] * (9 - n), [], [], [], []], ["rare"]) for n in (1, 2, 3)
    )

    assert once < twice < thrice
    assert thrice - twice < twice - once


def test_a_short_note_says_more_than_a_long_one() -> None:
    assert weight(parts("rare word"), ["rare"]) > weight(
        parts("rare word " + "more " * 40), ["rare"], PLAIN
    )


def test_a_tag_says_more_than_the_text_and_the_reason_less() -> None:
    text, why, tag = (
        weight(each, ["rare"])
        for each in (parts("rare", "x", "x"), parts("x", "rare", "x"), parts("x", "x", "rare"))
    )

    assert tag > text > why > 0


@given(phrases, phrases, phrases)
def test_relevance_is_never_negative_and_zero_exactly_when_nothing_matches(
    text: str, other: str, query: str
) -> None:
    wanted = query_terms(query)
    collection = describe_collection([parts(text), parts(other)], wanted)

    score = weight(parts(text), wanted, collection)

    assert score >= 0
    assert (score > 0) is bool(set(wanted) & set(index_terms(text)))


def test_a_term_that_is_counted_in_more_notes_than_there_are_is_not_held_against_a_note() -> None:
    stale = CollectionStats(notes=1, mean_length=2.0, holding={"rare": 9})

    assert weight(parts("rare word"), ["rare"], stale) > 0


@given(several(notes()))
def test_an_empty_query_finds_nothing_relevant(some: list[Note]) -> None:
    collection = describe_collection([parts(note.text) for note in some], [])

    assert [weight(parts(note.text), [], collection) for note in some] == [0.0] * len(some)


def test_a_collection_is_described_by_number_length_and_terms() -> None:
    described = describe_collection(
        [parts("fetch tags"), parts("fetch", "why")], ["fetch", "tag", "push"]
    )

    assert described == CollectionStats(2, 2.0, {"fetch": 2, "tag": 1, "push": 0})
    assert describe_collection([], ["fetch"]) == CollectionStats(0, 0.0, {"fetch": 0})


def test_the_note_about_the_question_comes_first() -> None:
    about = a_note("Run git fetch --tags before tagging", id=an_id(2), learned_at=NOW - 300 * DAY)
    other = a_note("The linter reads its settings from setup.cfg", id=an_id(1))
    found = {
        note.id: QueryFit(relevance(note, "I want to tag a release")) for note in (about, other)
    }

    assert [each.note for each in rank_notes([other, about], found, now=NOW)] == [about, other]


@given(st.data())
def test_whatever_may_replace_a_note_always_stands_before_it(data: st.DataObject) -> None:
    ids = data.draw(st.permutations("abcdef"))
    notes = []
    for at, name in enumerate(ids):
        older = data.draw(st.sampled_from(["", *ids[:at]]))
        reason = f"{MAY_REPLACE}{older}" if older else ""
        notes.append(a_note(id=name, text=f"Text {name}.", status="active", reason=reason))
    ranked = [RankedNote(note, 0.0, 0.0, 0.0, 0.0) for note in data.draw(st.permutations(notes))]

    placed = [one.note for one in put_replacing_first(ranked, swapped=True)]

    order = [note.id for note in placed]
    assert sorted(order) == sorted(ids)
    for note in placed:
        assert not note.replaced_id or order.index(note.id) < order.index(note.replaced_id)
