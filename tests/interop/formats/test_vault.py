"""The vault's files hold what their notes say, and tell a person's edits of a session from the rest."""

from typing import Any

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st
from tests.core.builders import NOW, a_note, an_id
from tests.interop.formats.noting import items_in
from tests.requirements import requirement

from twiceshy.core.errors import NoteError
from twiceshy.core.evidence import WITHHELD_PART, Episode
from twiceshy.core.note import KINDS, MISTAKE
from twiceshy.core.scope import Scope
from twiceshy.interop.formats import FileContext, join_pieces
from twiceshy.interop.formats.registry import load_format
from twiceshy.interop.formats.vault import TITLES

ABOUT = FileContext("demo", now=NOW)
TEXTS = st.text(st.sampled_from("ab \n-#*[]x\\<!>.1`:記👩"), min_size=1, max_size=40)
TAGS = st.text(st.sampled_from("ab記 "), max_size=8).map(str.split).map(" ".join)
SESSION = load_format("vault_session")
EPISODE = Episode(
    "e" + "0" * 31,
    "end",
    "s1",
    "demo",
    NOW,
    NOW + 1,
    "Fix the login",
    "3 messages on shop; fixing:\nFix the login\nIt was late.\n# No heading",
    ("mend the button", "and the tests"),
    files=("src/login.py",),
)
PAGE = """\
---
date: 2026-11-02
---

# Fix the login

## Summary

It was late.
\\# No heading

## Requests

- mend the button
- and the tests

## Files

- src/login.py
"""


@requirement("T342")
@given(
    st.sampled_from(list(TITLES)),
    st.lists(st.tuples(TEXTS, TAGS, st.booleans()), max_size=5),
)
def test_a_list_holds_text_tag_and_state_of_every_note(
    kind: Any, told: list[tuple[str, str, bool]]
) -> None:
    notes = []
    for number, (said, tag, over) in enumerate(told):
        text = "\n".join(line.rstrip() for line in said.strip().split("\n"))
        assume(any(map(str.isalnum, text)))
        state = KINDS[kind][1][-1] if over else KINDS[kind][1][0]
        scope = Scope("demo")
        fields = {"kind": kind, "tag": tag, "state": state, "scope": scope}
        notes.append(a_note(text, id=an_id(number + 1), **fields))

    items = items_in(load_format(f"vault_{kind}").render_items(notes, ABOUT))

    drafts = {item.key: item.draft for item in items}
    assert drafts.keys() == {note.id for note in notes}
    for note in notes:
        draft = drafts[note.id]
        assert draft is not None
        assert (draft.kind, draft.text, draft.tag) == (kind, note.text, note.tag)
        assert draft.state == note.state or kind not in ("task", "issue")


def test_the_key_of_a_mistake_is_no_heading() -> None:
    note = a_note("Push with lease", tag=f"{MISTAKE}git push", scope=Scope("demo"))

    text = join_pieces(load_format("vault_lesson").render_items([note], ABOUT))

    assert text == f"# Lessons\n\n- Push with lease <!-- {note.id} -->\n"


@requirement("T340")
def test_a_session_is_a_page_without_counts() -> None:
    pieces = SESSION.render_items([EPISODE], ABOUT)

    assert join_pieces(pieces) == PAGE
    [item] = items_in(pieces)
    assert item.episode is not None
    assert item.episode.title == "Fix the login"
    assert item.episode.summary == "It was late.\n# No heading"
    assert item.episode.requests == EPISODE.requests


def edited(page: str, known: Episode = EPISODE, shown: str = PAGE) -> dict[str, object]:
    """Return what changes in an episode when its page is edited."""
    assert SESSION.find_rewording is not None
    [was], [now] = (items_in(SESSION.parse_text(text, ABOUT)) for text in (shown, page))
    assert was.episode is not None
    assert now.episode is not None
    return SESSION.find_rewording(known, was.episode, now.episode)


@requirement("T342")
@pytest.mark.parametrize(
    ("old", "new", "fields"),
    [
        ("\n## Files", "\n## Files", {}),
        ("- and the tests\n", "", {"requests": ("mend the button",)}),
        ("- src/login.py\n", "- src/button.py\n", {"files": ("src/button.py",)}),
        ("\n## Mine\n", "", {}),
    ],
)
def test_a_part_that_was_edited_is_all_that_changes(
    old: str, new: str, fields: dict[str, object]
) -> None:
    assert edited(PAGE.replace(old, new)) == fields


@requirement("T342")
def test_an_edited_title_is_the_first_line_of_the_summary_too() -> None:
    changed = edited(PAGE.replace("# Fix the login", "# Mend the login"))

    said = "3 messages on shop; fixing:\nMend the login\nIt was late.\n# No heading"
    assert changed == {"title": "Mend the login", "summary": said}


@requirement("T342")
def test_an_edited_summary_keeps_its_counts() -> None:
    changed = edited(PAGE.replace("It was late.", "It was early."))

    said = "3 messages on shop; fixing:\nFix the login\nIt was early.\n# No heading"
    assert changed == {"summary": said}


def test_what_is_withheld_from_a_page_is_kept_when_other_lines_are_edited() -> None:
    told = EPISODE.but(summary=EPISODE.summary.replace("# No heading", WITHHELD_PART))
    shown = join_pieces(SESSION.render_items([told], ABOUT))
    assert WITHHELD_PART in shown

    changed = edited(shown.replace("It was late.", "It was early."), shown=shown)

    assert str(changed["summary"]).endswith("It was early.\n# No heading")
    with pytest.raises(NoteError, match="withheld"):
        edited(shown.replace(WITHHELD_PART, f"No {WITHHELD_PART}"), shown=shown)
