"""Passages of a question: sentences with few terms, and no telling word of a prompt lost."""

from hypothesis import given
from hypothesis import strategies as st

from twiceshy.language.passages import split_passages
from twiceshy.language.terms import MAX_PASSAGE, MAX_QUERY, MAX_TERMS, query_terms

words = st.text("abcdefghijklmnopqrstuvwxyz", min_size=2, max_size=9)
sentences = st.lists(words, min_size=1, max_size=40).map(" ".join)
prompts = st.lists(sentences, max_size=12).map(". ".join)


@given(prompts)
def test_every_telling_word_is_in_a_passage_and_no_passage_is_long(prompt: str) -> None:
    passages = split_passages(prompt)

    assert {term for passage in passages for term in passage} == set(query_terms(prompt))
    assert all(0 < len(set(passage)) == len(passage) <= MAX_PASSAGE for passage in passages)


@given(prompts)
def test_a_short_prompt_is_one_passage_with_the_terms_of_a_query(prompt: str) -> None:
    terms = query_terms(prompt)

    assert (split_passages(prompt) == ((terms,) if terms else ())) or len(terms) > MAX_PASSAGE


@given(st.lists(words, min_size=1, max_size=8), st.text(max_size=40))
def test_of_a_text_without_end_both_ends_are_read_in_bounded_terms(
    question: list[str], filler: str
) -> None:
    asked = " ".join(question)
    prompt = f"{asked}\n{(filler + ' padding ') * MAX_QUERY}\n{asked} again"

    known = {term for passage in split_passages(prompt) for term in passage}

    assert len(known) <= MAX_TERMS + MAX_PASSAGE
    assert set(query_terms(f"{asked} again padding")) <= known
