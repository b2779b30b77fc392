"""What a text is found by, and that the index keeps every such term as it is."""

import re
import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.core.builders import broken_texts, phrases, texts, tokens_of
from tests.sizes import sized

from twiceshy.language.terms import JOINERS, STOP_WORDS, index_terms, query_terms

INDEX = f"unicode61 remove_diacritics 0 tokenchars '{JOINERS}'"


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("Tagging the tagged tags", ["tag", "the", "tag", "tag"]),
        ("useState", ["us", "state", "usestate"]),
        ("HTTPServer", ["http", "server", "httpserver"]),
        ("foo_bar", ["foo", "bar", "foo_bar"]),
        ("os.path.join", ["os", "path", "join", "os.path.join"]),
        ("--no-verify", ["no", "verifi", "--no-verify"]),
        ("-x", ["x", "-x"]),
        ("src/app.py", ["src", "app", "py", "src/app.py"]),
        ("python3.11", ["python3", "11", "python3.11"]),
        ("user@host", ["user", "host", "user@host"]),
        ("C# g++ .env", ["c", "g", "env"]),
        ("README", ["readm"]),
        ("拉取", ["拉取"]),
        ("先拉取再推", ["先拉", "拉取", "取再", "再推"]),
        ("推", ["推"]),
        ("先git pull再推", ["先", "git", "pull", "再推"]),
        ("データベース・テスト", ["デー", "ータ", "タベ", "ベー", "ース", "テス", "スト"]),
        ("데이터 저장소", ["데이", "이터", "저장", "장소"]),
        ("Größe café ΟΔΟΣ", ["gross", "cafe", "οδοσ"]),
        ("ｆｏｏ＿ｂａｒ", ["foo", "bar", "foo_bar"]),
        ("___", ["___"]),
        ("", []),
        ("… — !", []),
    ],
)  # fmt: skip
def test_a_text_is_found_by_these_terms(text: str, found: list[str]) -> None:
    assert index_terms(text) == found


def test_a_kana_with_its_voice_is_another_kana() -> None:
    assert index_terms("バス") != index_terms("ハス")
    assert index_terms("ﾊﾞｽ") == index_terms("バス")


@given(texts | phrases)
def test_what_is_looked_for_in_a_text_is_always_found_in_it(text: str) -> None:
    assert set(query_terms(text)) <= set(index_terms(text))


@given(texts | phrases)
def test_something_is_looked_for_unless_there_is_nothing(text: str) -> None:
    wanted = query_terms(text)

    assert bool(wanted) is bool(index_terms(text))
    assert len(set(wanted)) == len(wanted) <= 24


def test_stop_words_are_not_looked_for_unless_there_is_nothing_else() -> None:
    assert query_terms("How do I use this before tagging?") == ("tag",)
    assert query_terms("to be or not to be") == ("to", "be", "or", "not")
    assert query_terms("fetch every tag twice", most=2) == ("fetch", "everi")


def test_no_stop_word_is_ever_telling() -> None:
    assert query_terms(" ".join(STOP_WORDS) + " fetch", most=1_000) == ("fetch",)


@given(broken_texts)
def test_no_text_is_too_odd_to_have_terms(text: str) -> None:
    assert all(0 < len(term) <= 64 for term in index_terms(text))


odd = st.text("_-./:@+#aA1Éß拉ガ\u3099 ", max_size=20)


@given(st.lists(texts | odd | phrases, min_size=1, max_size=20))
def test_the_index_keeps_every_term_as_it_is(several: list[str]) -> None:
    ours = [index_terms(text) for text in several]

    assert tokens_of([" ".join(found) for found in ours], tokenizer=INDEX) == ours


# Blocks whose characters are all alike to us and to SQLite: ideographs and syllables.
ALIKE = [*range(0x3400, 0xA000), *range(0xAC00, 0xD7A4), *range(0x20000, 0x32000)]


def test_the_index_keeps_terms_with_any_character_of_unicode_as_they_are() -> None:
    skipped = {*range(0xD800, 0xE000), *sized([code for code in ALIKE if code % 50], [])}
    characters = [chr(code) for code in range(1, 0x32000) if code not in skipped]
    ours = sorted({term for char in characters for term in index_terms(f"ab{char}cd {char}")})

    theirs = tokens_of(ours, tokenizer=INDEX)

    assert [term for term, tokens in zip(ours, theirs, strict=True) if tokens != [term]] == []


CHARACTERS = "abzAZ09_.-/:@+# ,()'\n\t配置日本ばび한éΩß²ⅷ–“”\u19b0\u19c8"
CJK = (
    "\u3005-\u3007\u3041-\u3096\u309d-\u309f\u30a1-\u30fa\u30fc-\u30ff"
    "\u3400-\u4dbf\u4e00-\u9fff\uac00-\ud7a3\uf900-\ufaff"
)
LETTERS = rf"[^\W{CJK}\u19b0-\u19c0\u19c8\u19c9\u1cf2\u1cf3]+"
# the grammar of a chunk, in one line; the scanner that hooks can afford must find the same
CHUNK = re.compile(rf"[{CJK}]+|-{{0,2}}{LETTERS}(?:[.\-/:@+#]+{LETTERS})*")


@given(st.text(alphabet=CHARACTERS, max_size=20))
def test_chunks_are_found_as_their_grammar_says(text: str) -> None:
    expected = [term for chunk in CHUNK.findall(text) for term in index_terms(chunk)]

    assert unicodedata.is_normalized("NFKD", text) is False or index_terms(text) == expected


@pytest.mark.parametrize(
    ("word", "parts"),
    [
        ("camelCase", ["camel", "case"]),
        ("HTTPServer2Go", ["http", "server2", "go"]),
        ("utf8B", ["utf8", "b"]),
        ("ABC", []),
    ],
)
def test_an_identifier_is_cut_where_a_word_begins(word: str, parts: list[str]) -> None:
    *found, whole = index_terms(word)

    assert (found, whole) == (parts, word.casefold())
