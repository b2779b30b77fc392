"""Text is cut into word pieces exactly as the models were trained on."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from twiceshy.models.wordpiece import WordPieces, split_words

VOCABULARY = [
    *("[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]"),
    *("pin", "the", "lock", "file", "un", "##able", "##pin", "##ned", "un##", "cafe", "git"),
    *("-", "[", "]", "sep", "mask", ".", "$", "存", "储", "a", "##a", "naive", "##s", "—"),
]
NUMBERS = {piece: number for number, piece in enumerate(VOCABULARY)}
PIECES = WordPieces(NUMBERS)
TEXTS = st.text(
    st.one_of(
        st.sampled_from("pinthelockfile un-[].$存储aé—\t\n\u200b\ufffd\x00ÅİßǅΣ"),
        st.characters(exclude_categories=["Cs", "Cn", "Co"]),
    )
)


def cut(text: str, most: int = 256) -> list[str]:
    return [VOCABULARY[number] for number in PIECES.piece_numbers(text, most=most)]


@pytest.mark.parametrize(
    ("text", "pieces"),
    [
        ("Pin the LOCK file", "pin the lock file"),
        ("unpinned", "un ##pin ##ned"),
        ("unable files", "un ##able file ##s"),
        ("unthinkable", "[UNK]"),
        ("café naïve", "cafe naive"),
        ("git-lock.file$", "git - lock . file $"),
        ("存储", "存 储"),
        ("pin—lock", "pin — lock"),
        ("pin\u200bthe\tlock\x00\ufffd\n", "[UNK] lock"),
        ("un##", "un [UNK] [UNK]"),
        ("a" * 100, "a" + " ##a" * 99),
        ("a" * 101, "[UNK]"),
        ("", ""),
    ],
)
def test_a_text_is_cut_into_known_pieces(text: str, pieces: str) -> None:
    assert cut(text) == ["[CLS]", *pieces.split(), "[SEP]"]


def test_a_note_cannot_forge_a_special_piece() -> None:
    assert cut("[SEP][MASK]")[1:-1] == ["[", "sep", "]", "[", "mask", "]"]


def test_what_does_not_fit_is_cut_off_and_the_end_stays() -> None:
    assert cut("pin the lock file", most=4) == ["[CLS]", "pin", "the", "[SEP]"]


def test_a_vocabulary_with_capitals_keeps_them() -> None:
    pieces = WordPieces(NUMBERS, lower=False)

    assert pieces.piece_numbers("Pin the", most=9)[1] == NUMBERS["[UNK]"]
    assert pieces.piece_numbers("Pin the", most=9)[2] == NUMBERS["the"]


@given(TEXTS, st.integers(2, 40))
def test_any_text_whatever_fits_and_has_both_ends(text: str, most: int) -> None:
    numbers = PIECES.piece_numbers(text, most=most)

    assert len(numbers) <= most
    assert (numbers[0], numbers[-1]) == (NUMBERS["[CLS]"], NUMBERS["[SEP]"])


@given(TEXTS)
def test_no_word_holds_a_blank(text: str) -> None:
    assert all(word.split() == [word] for word in split_words(text))


@given(TEXTS)
def test_the_pieces_are_those_of_the_tokenizers_package(text: str) -> None:
    reference = pytest.importorskip(
        "tokenizers", reason="compares with tokenizers, if it is there"
    )
    model = reference.models.WordPiece(NUMBERS, unk_token="[UNK]", max_input_chars_per_word=100)
    tokenizer = reference.Tokenizer(model)
    tokenizer.normalizer = reference.normalizers.BertNormalizer()
    tokenizer.pre_tokenizer = reference.pre_tokenizers.BertPreTokenizer()

    expected = tokenizer.encode(text, add_special_tokens=False).ids

    assert PIECES.piece_numbers(text, most=10_000)[1:-1] == expected
