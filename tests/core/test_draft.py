"""A draft is cleaned, redacted and checked before anyone decides about it."""

from collections.abc import Callable
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.core.builders import a_draft, broken_texts

from twiceshy.core.draft import MAX_ITEMS, MAX_LINE, MAX_PAGE, MAX_TEXT, Draft, prepare
from twiceshy.core.errors import NoteError
from twiceshy.core.note import KINDS
from twiceshy.core.scope import Scope
from twiceshy.core.text import find_unsafe_character

CANARY = "hunter2"
TEXT_FIELDS = ("text", "why", "tag", "trigger", "files", "concepts")


def unchanged(text: str) -> str:
    return text


def redacted(text: str) -> str:
    return text.replace(CANARY, "[redacted]")


def refusal(draft: Draft) -> NoteError:
    with pytest.raises(NoteError) as refused:
        prepare(draft, unchanged)
    return refused.value


@pytest.mark.parametrize(
    ("kind", "subtype", "state"),
    [
        (kind, subtype, state)
        for kind, (subtypes, states) in KINDS.items()
        for subtype in subtypes
        for state in states
    ],
)
def test_every_kind_subtype_and_state_of_the_contract_is_accepted(
    kind: str, subtype: str, state: str
) -> None:
    draft = a_draft(kind=kind, subtype=subtype, state=state, tag="name")

    ready = prepare(draft, unchanged)

    assert (ready.kind, ready.subtype, ready.state) == (kind, subtype, state)


@pytest.mark.parametrize(
    ("kind", "subtype", "state"),
    [
        ("lesson", "gotcha", "current"),
        ("decision", "other", "current"),
        ("pattern", "other", "current"),
        ("issue", "other", "open"),
        ("rule", "correction", "current"),
        ("task", "", "open"),
        ("page", "topic", "current"),
        ("preference", "", "current"),
    ],
)
def test_what_is_not_said_is_the_usual(kind: str, subtype: str, state: str) -> None:
    ready = prepare(a_draft(kind=kind, tag="name"), unchanged)

    assert (ready.subtype, ready.state) == (subtype, state)


@pytest.mark.parametrize(
    ("fields", "message", "hint"),
    [
        ({"kind": "general"}, "no kind of note is called 'general'", "lesson, decision"),
        ({"subtype": "general"}, "'general' is no type of lesson", "gotcha, discovery"),
        ({"state": "open"}, "'open' is no state of a lesson", "current, stale"),
        ({"kind": "task", "subtype": "bug"}, "'bug' is no type of task", "one of: none"),
        ({"text": ""}, "the note is empty", "say what"),
        ({"text": " \n\t "}, "the note is empty", "say what"),
        ({"text": "x" * (MAX_TEXT + 1)}, "8,001 characters; 8,000 is the most", "--file"),
        ({"text": "x" * 1_048_576}, "1,048,576 characters", "--file"),
        ({"kind": "page", "tag": "p", "text": "x" * (MAX_PAGE + 1)}, "200,000 is the most", "--file"),
        ({"why": "x" * (MAX_TEXT + 1)}, "the reason has 8,001", "--file"),
        ({"trigger": "x" * (MAX_TEXT + 1)}, "the trigger has 8,001", "--file"),
        ({"tag": "x" * (MAX_LINE + 1)}, "the tag has 501", "--file"),
        ({"tag": "one\ntwo"}, "the tag has more than one line", "into the note"),
        ({"files": ("a\nb",)}, "the file has more than one line", "into the note"),
        ({"files": ("x" * (MAX_LINE + 1),)}, "the file has 501", "--file"),
        ({"files": tuple(map(str, range(MAX_ITEMS + 1)))}, "51 files are too many", "50 is the most"),
        ({"concepts": tuple(map(str, range(MAX_ITEMS + 1)))}, "51 concepts are", "50 is the most"),
        ({"kind": "page"}, "a page needs a name", "--tag"),
        ({"text": "caf\udce9"}, "the note is not valid UTF-8", "save the text as UTF-8"),
        ({"why": "\ud800"}, "the reason is not valid UTF-8", "save the text as UTF-8"),
        ({"text": "a\x1b[31mred"}, "U+001B", "take it out"),
        ({"text": "a\x00b"}, "U+0000", "take it out"),
        ({"text": "abc\u202ecba"}, "U+202E", "take it out"),
        ({"text": "ad\u200bmin"}, "U+200B", "take it out"),
        ({"text": "a\u2028b"}, "U+2028", "take it out"),
        ({"tag": "\u2066a"}, "the tag holds an invisible or control character", "take it out"),
        ({"files": ("a\x07",)}, "the file holds", "take it out"),
        ({"concepts": ("\ufeffa",)}, "the concept holds", "take it out"),
        ({"trigger": "\U000e0041"}, "U+E0041", "take it out"),
    ],
)  # fmt: skip
def test_a_draft_that_cannot_be_kept_is_refused_with_a_way_out(
    fields: dict[str, Any], message: str, hint: str
) -> None:
    error = refusal(a_draft(**fields))

    assert message in str(error)
    assert hint in error.hint


def test_what_is_just_within_the_limits_is_kept() -> None:
    draft = a_draft("x" * MAX_TEXT, tag="y" * MAX_LINE, files=tuple(map(str, range(MAX_ITEMS))))

    assert prepare(draft, unchanged).text == draft.text
    assert len(prepare(draft, unchanged).files) == MAX_ITEMS
    assert len(prepare(a_draft("x" * MAX_PAGE, kind="page", tag="p"), unchanged).text) == MAX_PAGE


def test_ordinary_text_is_kept_as_it_was_written() -> None:
    text = "First line\n\tindented `a < b && c`\n\n中文, naïve café 👩‍💻 1️⃣"

    assert prepare(a_draft(text), unchanged).text == text


def test_blanks_windows_lines_and_repetitions_are_tidied() -> None:
    draft = a_draft(
        "  one\r\ntwo \n",
        tag=" git ",
        files=("a.py", " a.py ", "", "b.py"),
        concepts=("Tags", "tags", "GIT"),
    )

    ready = prepare(draft, unchanged)

    assert ready.text == "one\ntwo"
    assert ready.tag == "git"
    assert ready.files == ("a.py", "b.py")
    assert ready.concepts == ("tags", "git")


@pytest.mark.parametrize("field", TEXT_FIELDS)
def test_every_text_of_a_draft_passes_the_redaction(field: str) -> None:
    secret = f"the password is {CANARY}"
    draft = a_draft().but(**{field: (secret,) if field in ("files", "concepts") else secret})

    ready = prepare(draft, redacted)

    assert CANARY not in repr(ready)
    assert "[redacted]" in repr(ready.fields()[field])


def test_redaction_sees_the_text_without_what_could_hide_a_secret_from_it() -> None:
    seen: list[str] = []

    def gate(text: str) -> str:
        seen.append(text)
        return text

    prepare(a_draft("one\r\ntwo"), gate)

    assert "one\ntwo" in seen


texts_given = st.fixed_dictionaries(
    {"text": broken_texts},
    optional={
        "why": broken_texts,
        "tag": broken_texts,
        "trigger": broken_texts,
        "files": st.lists(broken_texts, max_size=3).map(tuple),
        "concepts": st.lists(broken_texts, max_size=3).map(tuple),
    },
)


def outcome(draft: Draft, redact: Callable[[str], str] = unchanged) -> Draft | NoteError:
    try:
        return prepare(draft, redact)
    except NoteError as error:
        return error


@given(texts_given)
def test_a_prepared_draft_never_holds_an_unsafe_character_or_is_empty(
    fields: dict[str, Any],
) -> None:
    ready = outcome(a_draft(**fields))

    if isinstance(ready, NoteError):
        assert ready.hint
        return
    assert ready.text
    for text in (ready.text, ready.why, ready.tag, ready.trigger, *ready.files, *ready.concepts):
        assert find_unsafe_character(text) is None
        assert text == text.strip()


@given(texts_given)
def test_preparing_twice_is_the_same_as_once(fields: dict[str, Any]) -> None:
    once = outcome(a_draft(**fields), redacted)

    assert isinstance(once, NoteError) or prepare(once, redacted) == once


def test_what_is_not_text_is_left_as_it_is() -> None:
    draft = a_draft(pinned=True, trust=0.8, supersedes="n1", sightings=4, learned_at=5)

    ready = prepare(draft, redacted)

    kept = ("pinned", "trust", "supersedes", "sightings", "learned_at", "scope", "source")
    assert [ready.fields()[name] for name in kept] == [draft.fields()[name] for name in kept]


def test_a_draft_was_seen_once_and_at_no_time_of_its_own_unless_it_says_so() -> None:
    draft = Draft("lesson", "Fetch first.", Scope("demo"), "user")

    assert (draft.sightings, draft.learned_at) == (1, 0)


@pytest.mark.parametrize("code", [0xD800, 0xDBFF, 0xDC00, 0xDFFF])
def test_the_first_and_the_last_half_character_are_no_text(code: int) -> None:
    with pytest.raises(NoteError, match="not valid UTF-8"):
        prepare(a_draft(chr(code)), unchanged)
