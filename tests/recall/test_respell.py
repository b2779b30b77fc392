"""Who asks for a mistyped word is told the notes with the word that may be meant."""

import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st
from tests.requirements import requirement
from tests.store.support import app_of, learn, opened

from twiceshy.core.scope import Scope
from twiceshy.language.misspelled import list_word_edits
from twiceshy.language.spelling import count_edits
from twiceshy.recall.request import brief_scope

DEMO = Scope("demo")
TEXTS = {
    "psycopg2": "psycopg2 needs libpq to build",
    "Stripe": "Stripe signs what it sends",
    "Резервные": "Резервные копии лежат на сервере",
    "kubernetes": "kubernetes restarts the pod",
    "Schlüssel": "Der Schlüssel liegt im Tresor",
    "terraform": "terraform locks its state",
}


def mistype(word: str, at: int, *, swap: bool) -> str:
    """Swap two letters of a word, or leave one out; digits stay as they are."""
    if swap:
        return word[:at] + word[at + 1] + word[at] + word[at + 2 :]
    return word[:at] + word[at + 1 :]


@requirement("T173")
@settings(max_examples=60)
@given(data=st.data(), swap=st.booleans())
def test_a_word_with_letters_swapped_or_left_out_always_brings_its_note(
    tmp_path_factory: pytest.TempPathFactory, data: st.DataObject, swap: bool
) -> None:
    word = data.draw(st.sampled_from(sorted(TEXTS)))
    letters = sum(map(str.isalpha, word))
    asked = mistype(word, data.draw(st.integers(0, letters - 2)), swap=swap)
    assume(asked.casefold() != word.casefold())
    with opened(tmp_path_factory.mktemp("home")) as store:
        for text in TEXTS.values():
            learn(store, text, scope=DEMO)

        answer = brief_scope(app_of(store), DEMO, asked, tell=pytest.fail, tokens=None)

    assert TEXTS[word] in [note.text for note in answer.brief.notes]
    assert answer.fit == "weak"


@pytest.mark.parametrize("asked", ["psycpog2", "kuberntes"])
def test_a_guess_is_never_sure_however_rare_the_word_is(
    tmp_path_factory: pytest.TempPathFactory, asked: str
) -> None:
    with opened(tmp_path_factory.mktemp("home")) as store:
        for number in range(150):
            learn(store, f"Step {number} of the release takes {number * 7} minutes", scope=DEMO)
        for text in TEXTS.values():
            learn(store, text, scope=DEMO)

        answer = brief_scope(app_of(store), DEMO, asked, tell=pytest.fail, tokens=None)

    assert answer.fit == "weak"
    assert answer.said is not None
    assert "the nearest word is" in answer.said.hints[0]


@pytest.mark.parametrize("asked", ["psycopg3", "psycopg", "trust", "zebra"])
def test_another_number_or_another_word_is_no_mistyped_one(
    tmp_path_factory: pytest.TempPathFactory, asked: str
) -> None:
    with opened(tmp_path_factory.mktemp("home")) as store:
        learn(store, "psycopg2 needs libpq; the crust of it is in apt", scope=DEMO)

        answer = brief_scope(app_of(store), DEMO, asked, tell=pytest.fail, tokens=None)

    assert answer.said is None or "nearest word" not in " ".join(answer.said.hints)


@given(st.text("abc12зя", min_size=5, max_size=9))
def test_an_edit_is_always_one_letter_apart_and_keeps_the_digits(word: str) -> None:
    for edit in list_word_edits(word):
        assert count_edits(word, edit, most=2) == 1
        assert list(filter(str.isdigit, edit)) == list(filter(str.isdigit, word))
