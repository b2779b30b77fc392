"""A text is told by its small words, and English never pays for another language."""

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.core.builders import phrases

from twiceshy.language.terms import STOP_WORDS, index_terms, query_terms, tell_language
from twiceshy.language.tongue import (
    CHINESE,
    GERMAN,
    PLAIN,
    ROMANCE,
    RUSSIAN,
    UNTOLD,
    bend_beside_han,
    bend_romance,
)


@pytest.mark.parametrize(
    ("text", "empty"),
    [
        ("Die Datei ist nicht da", GERMAN),
        ("Häuser löschen", GERMAN),
        ("Le serveur est dans la cave", ROMANCE),
        ("Los servidores se actualizan uno por uno", ROMANCE),
        ("Где лежит файл", RUSSIAN),
        ("用docker部署", CHINESE),
        ("The server is down", PLAIN.empty),
        ("The office in Zürich is closed for the day", PLAIN.empty),
        ("cache configuration", UNTOLD.empty),
    ],
)
def test_a_text_is_told_by_its_small_words_and_letters(text: str, empty: frozenset[str]) -> None:
    assert tell_language(text).empty == empty


@pytest.mark.parametrize(
    ("question", "telling"),
    [
        ("Wann darf ich die Datenbank migrieren?", ("datenbank", "migrat")),
        ("где логи сервера", ("лог", "сервер")),
        ("怎么用docker部署", ("docker", "部署")),
    ],
)
def test_small_words_are_not_looked_for(question: str, telling: tuple[str, ...]) -> None:
    found = query_terms(question)

    assert set(telling) <= set(found)
    assert not {"wann", "ich", "die", "где", "怎么", "用"}.intersection(found)


@pytest.mark.parametrize("words", ["wie ist das", "что это", "用", "怎么"])
def test_small_words_are_looked_for_if_there_is_nothing_else(words: str) -> None:
    assert query_terms(words)


@pytest.mark.parametrize(
    ("question", "note"),
    [
        ("升级到Node20后报错", "升级到 Node 20 后构建报错"),
        ("mysql 8 默认字符集", "MySQL8的默认字符集"),
        ("ＲＥＤＩＳ锁过期", "在redis里锁过期"),
        ("用docker部署时端口冲突", "docker 部署时，端口冲突"),
    ],
)
def test_latin_words_beside_chinese_are_found_with_and_without_blanks(
    question: str, note: str
) -> None:
    latin = {term for term in query_terms(question) if term.isascii() and term.isalpha()}

    assert latin
    assert latin <= set(index_terms(note))


@pytest.mark.parametrize(
    ("word", "terms"),
    [
        ("node20", ("node", "20", "node20")),
        ("k8s", ("k8s",)),
        ("v2", ("v2",)),
        ("docker", ("docker",)),
    ],
)
def test_a_number_is_taken_off_a_name_beside_chinese(word: str, terms: tuple[str, ...]) -> None:
    assert bend_beside_han(word) == terms


def test_in_english_a_number_stays_with_its_name() -> None:
    assert index_terms("Use Node20 here") == ["us", "node20", "here"]


@pytest.mark.parametrize(
    "family",
    [
        "migrazione migrazioni",
        "bloccato bloccata bloccati",
        "bloqueados bloqueada bloquear bloquean",
    ],
)
def test_genders_and_numbers_of_romance_words_are_one_stem(family: str) -> None:
    assert len({bend_romance(word) for word in family.split()}) == 1


@given(phrases)
def test_a_text_with_english_small_words_alone_is_always_english(text: str) -> None:
    words = [word for word in text.split() if word in STOP_WORDS - GERMAN - ROMANCE]

    assert tell_language(" ".join(["the", *words])) is PLAIN


@given(st.lists(st.sampled_from(sorted(GERMAN | ROMANCE | RUSSIAN | CHINESE)), max_size=8))
def test_what_is_looked_for_in_a_text_is_always_found_in_it(words: list[str]) -> None:
    text = " ".join(words)

    assert set(query_terms(text)) <= set(index_terms(text))
