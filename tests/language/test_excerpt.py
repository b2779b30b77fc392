"""An excerpt begins with the sentence that answers best, and has all of it."""

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.core.builders import broken_texts, phrases, texts

from twiceshy.language.excerpt import cut_to_sentence
from twiceshy.language.terms import query_terms

FILLER = "Nothing of this has to do with it, so nobody needs to see any of it. "
PAGER = "The pager text names the replica."


@pytest.mark.parametrize(
    ("text", "question", "limit", "shown"),
    [
        ("Short. And done.", "done", 80, "Short. And done."),
        (f"{FILLER}{PAGER} {FILLER}", "pager replica", 40, f"…{PAGER}…"),
        (f"{FILLER}{PAGER} {FILLER}", "pager replica", 53, f"…{PAGER} Nothing of this…"),
        (f"{FILLER}{PAGER}", "pager replica", 60, f"…{PAGER}"),
        (f"{PAGER} {FILLER}", "pager", 40, f"{PAGER}…"),
        (f"{FILLER}{PAGER}", "zebra", 40, "Nothing of this has to do with it, so…"),
        (
            "先拉取代码。迁移合并后不能修改。再推送到主干。",
            "迁移 修改",
            14,
            "…迁移合并后不能修改。再推…",
        ),
        ("See v1.2 of it. Run a.py now. Wait.", "a.py", 20, "…Run a.py now. Wait."),
    ],
)
def test_the_sentence_that_answers_comes_first(
    text: str, question: str, limit: int, shown: str
) -> None:
    assert cut_to_sentence(text, query_terms(question), limit=limit).text == shown


def test_a_word_that_few_sentences_have_counts_more() -> None:
    text = f"{'The backup of the database runs at night. ' * 5}The backup is encrypted by age."

    found = cut_to_sentence(text, query_terms("encrypted backup"), limit=60)

    assert found.text == "…The backup is encrypted by age."


def test_a_sentence_that_is_too_long_is_cut_around_the_words() -> None:
    sentence = f"{'word ' * 30}the pager {'word ' * 30}."

    found = cut_to_sentence(f"{FILLER}{sentence}", query_terms("pager"), limit=60)

    assert "pager" in found.text
    assert not found.whole


long_texts = st.lists(phrases | texts | broken_texts, max_size=12).map(". ".join)


@given(long_texts, phrases, st.integers(20, 200))
def test_an_excerpt_is_never_too_long_and_always_has_the_sentence_if_it_says_so(
    text: str, question: str, limit: int
) -> None:
    found = cut_to_sentence(text, query_terms(question), limit=limit)

    assert len(found.text) <= limit
    assert found.sentence in " ".join(text.split())
    assert found.whole == (found.sentence in found.text)
