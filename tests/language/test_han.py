"""One Chinese text in two scripts is one text to the index."""

import subprocess
import sys
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.core.builders import broken_texts, texts

import twiceshy
from twiceshy.language.han import _FORMS, fold_chinese
from twiceshy.language.terms import index_terms, query_terms

TRADITIONAL = "".join(map(chr, _FORMS))
chinese = st.text(
    st.characters(min_codepoint=0x3400, max_codepoint=0x9FFF) | st.sampled_from(TRADITIONAL)
)


@pytest.mark.parametrize(
    ("traditional", "simplified"),
    [
        ("檢查設定", "检查设定"),
        ("資料庫遷移", "资料库迁移"),
        ("虛擬環境", "虚拟环境"),
        ("瞭解", "了解"),
        ("接著", "接着"),
        ("裡面", "里面"),
        ("裏面", "里面"),
        ("為什麼", "为什么"),
    ],
)
def test_what_is_written_in_one_script_is_found_in_the_other(
    traditional: str, simplified: str
) -> None:
    assert query_terms(traditional) == query_terms(simplified)
    assert index_terms(traditional) == index_terms(simplified)


@pytest.mark.parametrize("together", ["發髮发発", "乾幹干", "曆歷历歴", "臺檯颱台枱", "後后"])
def test_several_characters_that_became_one_are_that_one(together: str) -> None:
    assert len(set(fold_chinese(together))) == 1


@pytest.mark.parametrize(
    ("japanese", "chinese"),
    [("検査", "檢查"), ("図書", "圖書"), ("実装", "实装"), ("変換", "变换")],
)
def test_japanese_characters_are_the_chinese_ones_they_come_from(
    japanese: str, chinese: str
) -> None:
    assert index_terms(japanese) == index_terms(chinese)


def test_a_japanese_form_that_chinese_uses_for_something_else_stays_apart() -> None:
    assert fold_chinese("芸") != fold_chinese("藝")


@given(texts | broken_texts | chinese)
def test_folding_twice_is_folding_once_and_keeps_every_place(text: str) -> None:
    once = fold_chinese(text)

    assert fold_chinese(once) == once
    assert len(once) == len(text)


@given(texts | chinese)
def test_a_folded_text_has_the_same_terms(text: str) -> None:
    assert index_terms(fold_chinese(text)) == index_terms(text)


def test_only_chinese_characters_change_and_only_into_others() -> None:
    characters = [chr(code) for code in range(0x110000)]

    changed = {char: fold_chinese(char) for char in characters if fold_chinese(char) != char}

    assert 2_500 < len(changed) < 3_500
    assert all("\u3400" <= char <= "\u9fff" for pair in changed.items() for char in pair)


@pytest.mark.parametrize(("text", "needed"), [("Größe café 데이터", False), ("先拉取", True)])
def test_the_table_is_loaded_for_texts_with_chinese_characters_only(
    text: str, needed: bool
) -> None:
    source = str(Path(twiceshy.__file__).parents[1])
    program = (
        f"import sys; sys.path.insert(0, {source!r})\n"
        f"from twiceshy.language.terms import index_terms; index_terms({text!r})\n"
        "print('twiceshy.language.han' in sys.modules)"
    )

    done = subprocess.run(
        [sys.executable, "-I", "-S", "-c", program], capture_output=True, text=True, check=True
    )

    assert done.stdout.strip() == str(needed)
