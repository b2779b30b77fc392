"""The order of a question's words decides between notes that have the same words."""

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.core.builders import a_note, an_id

from twiceshy.core.filter import QueryFit
from twiceshy.language.asked_order import measure_order, put_asked_order_first
from twiceshy.language.rank import rank_notes

ASKED = [
    ("copy the dump from staging to prod", "Copy dumps from staging to prod", "Copy dumps from prod to staging"),
    ("does the web call the api", "Web calls the api", "The api calls web"),
    ("lint before tests?", "Run lint before the tests", "Run the tests before lint"),
    ("先备份还是先迁移，是先备份再迁移吗", "先备份再迁移", "先迁移再备份"),
]  # fmt: skip
WORDS = tuple("lint docs web api worker queue from to before after the with".split())
NOW = 1_700_000_000_000


@pytest.mark.parametrize(("question", "right", "wrong"), ASKED)
def test_the_note_in_the_order_of_the_question_measures_more(
    question: str, right: str, wrong: str
) -> None:
    assert measure_order(question, right) > measure_order(question, wrong)


@given(st.lists(st.lists(st.sampled_from(WORDS), min_size=1, max_size=8), min_size=1, max_size=30))
def test_no_note_is_lost_and_only_notes_with_the_same_words_change_places(
    texts: list[list[str]],
) -> None:
    notes = [a_note(" ".join(text), id=an_id(at)) for at, text in enumerate(texts)]
    fits = {
        note.id: QueryFit(words=1.0, covered=len(set(text)) / 10)
        for note, text in zip(notes, texts, strict=True)
    }
    ranked = rank_notes(notes, fits, now=NOW)

    moved = put_asked_order_first("does web call the api before the worker", list(ranked))

    assert sorted(one.note.id for one in moved) == sorted(one.note.id for one in ranked)
    for before, after in zip(ranked, moved, strict=True):
        assert before.fit.covered == after.fit.covered
