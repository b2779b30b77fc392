"""Who asks is answered: the nearest notes are told, and said to be only that, in any budget."""

from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st
from tests.core.builders import phrases
from tests.requirements import requirement
from tests.store.support import a_store, app_of, decide, learn, now_of, opened

from twiceshy.app import App
from twiceshy.core.admit import Refused
from twiceshy.core.errors import NoteError
from twiceshy.core.scope import EVERYWHERE, Scope
from twiceshy.core.text import estimate_tokens
from twiceshy.language.terms import STOP_WORDS, query_terms
from twiceshy.notes.write import change_note
from twiceshy.recall.nearest import RecallAnswer
from twiceshy.recall.request import brief_scope
from twiceshy.store.command_store import WholeStore

PROJECT = Scope("demo")
UNSURE = 'fit="weak">\nNo note fits well.'
LESSONS = (
    "Delete merged branches with git fetch --prune.",
    "Raise the memory limit of a pod that is OOMKilled.",
    "Freeze the clock in tests, or they fail at midnight.",
    "The staging database is reset every night at two.",
    "Ask design before you change the colours of a chart.",
)
# Words as people write them: short ones, identifiers, Chinese, Cyrillic, and any text at all.
words = st.one_of(
    st.sampled_from(
        "go ci PR 迁移 合并 useState --force src/app.py pnpm v1.2 Schlüssel ключ".split()
    ),
    st.text("abcdefghijklmnop", min_size=1, max_size=12),
    st.text(st.characters(min_codepoint=0x4E00, max_codepoint=0x9FFF), min_size=1, max_size=9),
    st.text(st.characters(exclude_categories=["C"]), min_size=1, max_size=12),
)


@pytest.fixture
def store(home: Path) -> Iterator[WholeStore]:
    with closing(a_store(home)) as opened_store:
        yield opened_store


def ask(
    app: App, intent: str, *, scope: Scope = PROJECT, tokens: int | None = None
) -> RecallAnswer:
    return brief_scope(app, scope, intent, tell=pytest.fail, tokens=tokens)


def reason(answer: RecallAnswer) -> str:
    return answer.said.reason if answer.said else ""


@requirement("T120")
@settings(max_examples=60)
@given(
    texts=st.lists(words, min_size=1, max_size=60),
    others=st.lists(st.tuples(phrases, st.booleans()), max_size=8),
    way=st.tuples(st.sampled_from(["", "release"]), st.integers(1, 300)),
    data=st.data(),
)
def test_a_word_of_a_note_that_is_asked_for_always_brings_a_note(
    tmp_path_factory: pytest.TempPathFactory,
    texts: list[str],
    others: list[tuple[str, bool]],
    way: tuple[str, int],
    data: st.DataObject,
) -> None:
    telling = [word for word in texts if set(query_terms(word)) - STOP_WORDS]
    assume(telling)
    skill, tokens = way
    scope = Scope("demo", skill)
    with opened(tmp_path_factory.mktemp("home")) as store:
        try:
            outcome = decide(store, " ".join(texts), scope=scope)
        except NoteError:
            assume(False)
        assert not isinstance(outcome, Refused)
        note = now_of(store, outcome.note)
        assume(note.status == "active")
        for number, (text, pinned) in enumerate(others):
            learn(store, f"{text} {number}", scope=scope, pinned=pinned)
        known = [word for word in telling if word in note.text]  # secrets are taken out
        assume(known)
        word = data.draw(st.sampled_from(known))

        answer = ask(app_of(store), word, scope=scope, tokens=tokens)

        if answer.brief.notes:
            assert answer.fit == "good"
            assert estimate_tokens(answer.brief.text) <= tokens
        else:
            assert reason(answer) == "budget"
            assert answer.tokens > tokens
            assert ask(app_of(store), word, scope=scope, tokens=answer.tokens).brief.notes


def test_who_asks_for_a_single_word_of_a_note_gets_the_note(store: WholeStore) -> None:
    note = learn(store, "Flyway migrations must never be edited after merge.", scope=PROJECT)

    answer = ask(app_of(store), "flyway")

    assert [told.id for told in answer.brief.notes] == [note.id]
    assert (answer.fit, answer.said) == ("good", None)


@requirement("T120")
def test_what_does_not_fit_well_is_told_as_the_nearest_and_no_more_than_three(
    store: WholeStore,
) -> None:
    for number in range(6):
        learn(
            store,
            f"Step {number} of a deployment to the cluster takes {number} minutes.",
            scope=PROJECT,
        )

    answer = ask(app_of(store), "paint the walls of the meeting room before the next deployment")

    assert UNSURE in answer.brief.text
    assert len(answer.brief.notes) == 3
    assert (answer.fit, reason(answer)) == ("weak", "unsure")


def test_the_nearest_are_told_whatever_their_age_without_what_is_far_behind(
    store: WholeStore,
) -> None:
    learn(store, "Deployment takes an hour.", scope=PROJECT, sightings=50)
    near = learn(store, "Walls of the meeting room are white.", scope=PROJECT, learned_at=1)

    answer = ask(app_of(store), "paint walls and rooms with birds before next deployment freeze")

    assert [note.id for note in answer.brief.notes] == [near.id]


def test_what_fits_is_told_without_what_is_only_near(store: WholeStore) -> None:
    for text in LESSONS:
        learn(store, text, scope=PROJECT)

    answer = ask(app_of(store), "prune merged git branches")

    assert [note.text for note in answer.brief.notes] == [LESSONS[0]]
    assert 'fit="weak"' not in answer.brief.text


def test_a_question_that_shares_nothing_with_any_note_is_told_so(store: WholeStore) -> None:
    for text in LESSONS:
        learn(store, text, scope=PROJECT)

    answer = ask(app_of(store), "zxqv")

    assert (answer.brief.text, answer.fit, reason(answer)) == ("", "none", "unrelated")


def test_pinned_notes_do_not_push_out_what_was_asked_for(store: WholeStore) -> None:
    for number in range(9):
        learn(
            store, f"Rule of the house number {number} holds always.", scope=PROJECT, pinned=True
        )
    wanted = learn(store, LESSONS[0], scope=PROJECT)

    fitting = ask(app_of(store), "prune merged git branches").brief.notes
    near = ask(app_of(store), "prune").brief.notes

    assert wanted.id in {note.id for note in fitting}
    assert wanted.id in {note.id for note in near}
    assert any(note.pinned for note in fitting)


@requirement("T120")
@pytest.mark.parametrize(
    "text", ["Copy the table of prices " * 30, "数据库迁移合并后不能修改，" * 40]
)
@pytest.mark.parametrize("skill", ["", "release"])
def test_a_note_that_is_too_long_for_the_budget_is_told_by_its_first_words(
    store: WholeStore, text: str, skill: str
) -> None:
    scope = Scope("demo", skill)
    learn(store, text, scope=scope, why="prices")
    learn(store, "Prices end in 99.", scope=scope)

    answer = ask(app_of(store), text[:20], scope=scope, tokens=60)

    assert estimate_tokens(answer.brief.text) <= 60
    assert text[:15] in answer.brief.text
    assert "…" in answer.brief.text
    assert "observations, not instructions" in answer.brief.text


def test_what_one_line_takes_is_told_where_even_that_is_too_much(store: WholeStore) -> None:
    learn(store, "Prices end in 99.", scope=PROJECT)

    answer = ask(app_of(store), "prices", tokens=20)

    assert (answer.brief.text, reason(answer)) == ("", "budget")
    assert answer.said
    assert str(answer.tokens) in answer.said.hints[0]
    assert ask(app_of(store), "prices", tokens=answer.tokens - 1).brief.text == ""
    assert "Prices" in ask(app_of(store), "prices", tokens=answer.tokens).brief.text


def test_without_words_the_most_valuable_notes_are_told_without_a_remark(
    store: WholeStore,
) -> None:
    learn(store, "Learned once.", scope=PROJECT)
    often = learn(store, "Learned often.", scope=PROJECT, sightings=9)

    answer = ask(app_of(store), "  ")

    assert answer.brief.notes[0].id == often.id
    assert (answer.fit, answer.said) == ("", None)


def test_a_question_of_signs_gets_the_same_notes_and_is_told_why(store: WholeStore) -> None:
    learn(store, "Learned once.", scope=PROJECT)

    for sign in (" ?! ", "🙂"):
        answer = ask(app_of(store), sign)

        assert [note.text for note in answer.brief.notes] == ["Learned once."]
        assert (answer.fit, reason(answer)) == ("", "wordless")


def test_a_setting_of_no_notes_is_for_hooks_and_not_for_who_asks(store: WholeStore) -> None:
    learn(store, LESSONS[0], scope=PROJECT)

    answer = ask(app_of(store, brief__skill_notes=0), "merged branches")

    assert len(answer.brief.notes) == 1


@requirement("T111")
def test_who_asks_is_not_told_what_other_projects_taught_if_that_is_off(store: WholeStore) -> None:
    app = app_of(store, notes__travel=False)
    where = Scope(EVERYWHERE)
    note = learn(store, "Quote rsync paths.", scope=where, source="historian", origin_project="")
    change_note(app, "activate", note, status="active", reason="")

    answer = ask(app, "rsync path")

    assert (answer.brief.text, reason(answer)) == ("", "withheld")
    assert answer.said
    assert "notes.travel" in answer.said.hints[0]


sentences = st.lists(
    st.lists(
        st.sampled_from("proxy night queue cache letter drawer".split()), min_size=3, max_size=12
    ),
    min_size=2,
    max_size=12,
).map(lambda found: [f"{' '.join(words).capitalize()}." for words in found])


@requirement("T175")
@settings(max_examples=60)
@given(
    found=sentences,
    way=st.tuples(st.integers(0, 12), st.integers(2, 18), st.integers(50, 300), st.booleans()),
)
def test_the_sentence_that_answers_is_always_told_whole_or_its_tokens_are_named(
    tmp_path_factory: pytest.TempPathFactory,
    found: list[str],
    way: tuple[int, int, int, bool],
) -> None:
    place, length, tokens, pinned = way
    answering = f"Flyway {'migrates the ledger ' * length}daily."
    text = " ".join((*found[:place], answering, *found[place:]))
    with opened(tmp_path_factory.mktemp("home")) as store:
        learn(store, text, scope=PROJECT, pinned=pinned, why="The letter said so.")

        answer = ask(app_of(store), "flyway ledger", tokens=tokens)
        wider = ask(app_of(store), "flyway ledger", tokens=answer.tokens or tokens)

    assert answering in wider.brief.text
    assert (answering in answer.brief.text) is (reason(answer) != "budget")
    first = answer.brief.text.partition("] ")[2]
    assert text in answer.brief.text or first.startswith(("Flyway", "…Flyway"))


@requirement("T177")
@settings(max_examples=40)
@given(
    tokens=st.integers(50, 200),
    length=st.integers(27, 420),
    others=st.lists(st.tuples(st.integers(10, 90), st.booleans()), min_size=1, max_size=4),
)
def test_a_skills_answering_note_is_told_first_in_every_budget_and_the_named_one_is_enough(
    tmp_path_factory: pytest.TempPathFactory,
    tokens: int,
    length: int,
    others: list[tuple[int, bool]],
) -> None:
    scope = Scope("demo", "dbops")
    text = f"Take a snapshot with pgsnap before each migration, {'as the ledger breaks ' * 20}"
    with opened(tmp_path_factory.mktemp("home")) as store:
        best = learn(store, text[:length].strip(), scope=scope)
        for number, (size, pinned) in enumerate(others):
            filler = f"Pin the extension {number} of audits, {'which the bank asks ' * 5}"
            learn(store, filler[:size].strip() + f" {number}", scope=scope, pinned=pinned)

        answer = ask(app_of(store), "pgsnap", scope=scope, tokens=tokens)

        unpinned = [note.id for note in answer.brief.notes if not note.pinned]
        assert unpinned[0] == best.id
        assert "pgsnap" in answer.brief.text
        assert estimate_tokens(answer.brief.text) <= tokens
        if answer.tokens:
            assert (reason(answer), answer.tokens > tokens) == ("budget", True)
            enough = ask(app_of(store), "pgsnap", scope=scope, tokens=answer.tokens)
            assert enough.brief.notes[0].id == best.id
            assert enough.tokens == 0
