"""A snippet shows the place that answers best, and marks nothing but what was looked for."""

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.core.builders import broken_texts, phrases, texts

from twiceshy.language.snippet import Snippet, cut_snippet, find_marks
from twiceshy.language.terms import index_terms, query_terms, tell_language

FILLER = "Nothing of this has anything to do with it, so nobody needs to see any of it. "
LOCK = "Lock with `uv lock --frozen` before tagging, or the lock file is rewritten."


def shown(found: Snippet) -> str:
    """Write a snippet with its marks in brackets."""
    written, at = "", 0
    for start, end in found.marks:
        written += f"{found.text[at:start]}[{found.text[start:end]}]"
        at = end
    return written + found.text[at:]


@pytest.mark.parametrize(
    ("text", "query", "marks"),
    [
        ("Tagging the tagged tags.", "tag", "[Tagging] the [tagged] [tags]."),
        ("useState and HTTPServer", "state server", "use[State] and HTTP[Server]"),
        ("useState", "useState", "[useState]"),
        ("see os.path.join, then foo_bar", "path bar", "see os.[path].join, then foo_[bar]"),
        ("commit --no-verify.", "--no-verify", "commit [--no-verify]."),
        ("commit --no-verify", "verify", "commit --no-[verify]"),
        ("(src/app.py)", "app.py", "(src/[app].[py])"),
        ("先拉取代码，再推", "拉取代码", "先[拉取代码]，再推"),
        ("檢查設定檔", "检查设定", "[檢查設定]檔"),
        ("先git pull再", "pull", "先git [pull]再"),
        ("Größe, cafe\u0301!", "groesse café Größe", "[Größe], [cafe\u0301]!"),
        ("two\n\n lines", "lines", "two [lines]"),
        ("nothing of it", "zebra", "nothing of it"),
        ("", "zebra", ""),
        ("-- __ :", "zebra", "-- __ :"),
    ],
)
def test_words_are_marked_as_the_index_knows_them(text: str, query: str, marks: str) -> None:
    assert shown(cut_snippet(text, query_terms(query), limit=80)) == marks


def test_a_long_text_is_cut_around_the_place_with_most_of_the_words() -> None:
    text = f"{FILLER * 4}A lock here. {FILLER * 4}{LOCK} {FILLER * 4}"

    found = cut_snippet(text, query_terms("lock file tagged"), limit=80)

    assert shown(found) == (
        "…of it. [Lock] with `uv [lock] --frozen` before [tagging], or the [lock] [file] is…"
    )


def test_the_first_of_equal_places_is_shown() -> None:
    text = f"{FILLER}First lock. {FILLER * 3}Second lock. {FILLER}"

    found = cut_snippet(text, ["lock"], limit=60)

    assert "First [lock]" in shown(found)


@pytest.mark.parametrize(
    ("text", "query", "marked"),
    [
        ("Vor der Datenbankmigration sichern.", "Migration der Datenbank", "[Datenbankmigration]"),
        ("Die Häuser stehen im Schema.", "Wo ist ein Haus?", "[Häuser]"),
        ("Серверы обновляем по одному.", "обновление сервера", "[Серверы] [обновляем]"),
    ],
)
def test_a_word_is_marked_whatever_its_form(text: str, query: str, marked: str) -> None:
    found = cut_snippet(text, query_terms(query), limit=80)

    assert marked in shown(found)


def test_a_text_that_does_not_match_is_shown_from_its_beginning() -> None:
    found = cut_snippet(FILLER * 3, ["zebra"], limit=40)

    assert found == Snippet("Nothing of this has anything to do with…", ())


def test_a_word_longer_than_the_snippet_is_marked_as_far_as_it_is_shown() -> None:
    word = "x" * 60

    found = cut_snippet(f"{FILLER}{word} {FILLER}", [word], limit=30)

    assert shown(found) == f"…[{'x' * 28}]…"


marks_of = st.lists(st.sampled_from("tag fetch verifi app 拉取 --forc".split()), max_size=4)
long_texts = st.lists(phrases | texts | broken_texts, max_size=12).map(" ".join)


@given(long_texts, marks_of | phrases.map(query_terms), st.integers(20, 200))
def test_a_snippet_is_never_too_long_and_its_marks_never_overlap(
    text: str, query: list[str], limit: int
) -> None:
    found = cut_snippet(text, query, limit=limit)

    edges = [edge for span in found.marks for edge in span]
    assert len(found.text) <= limit
    assert edges == sorted(set(edges))
    assert all(0 <= edge <= len(found.text) for edge in edges)


@given(long_texts, phrases)
def test_what_is_marked_always_holds_what_was_looked_for(text: str, query: str) -> None:
    wanted = query_terms(query)

    tongue = tell_language(text)
    for mark in find_marks(text, wanted):
        here = index_terms(text[mark.start : mark.end], tongue=tongue)
        assert mark.found <= set(wanted).intersection(here)
        assert mark.found


@given(st.lists(phrases, max_size=6).map(". ".join), phrases)
def test_every_word_that_matches_is_marked(text: str, query: str) -> None:
    wanted = set(query_terms(query))

    found = set[str]().union(*(mark.found for mark in find_marks(text, wanted)))

    assert found == wanted.intersection(index_terms(text))


@given(st.text("aAbB1_.-/", min_size=1, max_size=12))
def test_every_part_of_an_identifier_is_marked(word: str) -> None:
    *parts, _ = index_terms(word) or [""]

    found = set[str]().union(*(mark.found for mark in find_marks(word, parts)))

    assert found == set(parts)
