"""What becomes of a draft: kept, counted, put in another's place, or refused."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.core.builders import NOW, TEXT, a_draft, a_note, an_id, notes, scopes, texts
from tests.core.test_text import LESSON, OTHER, SAME
from tests.requirements import requirement

from twiceshy.core.admit import (
    Admitted,
    Refused,
    RelatedNotes,
    Revised,
    SeenAgain,
    Superseding,
    admit,
)
from twiceshy.core.draft import prepare
from twiceshy.core.moment import DAY
from twiceshy.core.note import SOURCES, STATUSES
from twiceshy.core.scope import Scope

if TYPE_CHECKING:
    from twiceshy.core.draft import Draft
    from twiceshy.core.note import Note, NoteStatus, Source

Decision = Admitted | SeenAgain | Revised | Superseding | Refused


def decide(draft: Draft, **known: Note | bool) -> Decision:
    return admit(draft, RelatedNotes.of(known), note_id=an_id(2), now=NOW)


def learn_all(drafts: list[Draft]) -> tuple[list[Note], list[Decision]]:
    """Learn one draft after another, with a dictionary for a store."""
    kept: dict[tuple[Scope, str], Note] = {}
    decisions: list[Decision] = []
    for number, draft in enumerate(drafts):
        ready = prepare(draft, str)
        duplicate = kept.get((ready.scope, ready.fingerprint))
        decided = admit(
            ready, RelatedNotes(duplicate=duplicate), note_id=an_id(number), now=NOW + number * DAY
        )
        if isinstance(decided, Admitted):
            kept[decided.note.scope, decided.note.fingerprint] = decided.note
        decisions.append(decided)
    return list(kept.values()), decisions


@requirement("U100", "A03")
def test_a_lesson_learned_again_is_counted_not_kept_twice() -> None:
    kept, decisions = learn_all([a_draft(text) for text in SAME])

    assert [note.text for note in kept] == [LESSON]
    assert isinstance(decisions[0], Admitted)
    assert all(isinstance(decided, SeenAgain) for decided in decisions[1:])


@requirement("U100", "A03")
def test_a_lesson_that_merely_looks_like_another_or_contains_it_is_another_note() -> None:
    kept, decisions = learn_all([a_draft(text) for text in [LESSON, *OTHER]])

    assert len(kept) == 1 + len(OTHER)
    assert all(isinstance(decided, Admitted) for decided in decisions)


@requirement("A03")
def test_one_tag_on_two_lessons_makes_two_notes_and_one_lesson_in_two_months_one() -> None:
    kept, _ = learn_all(
        [
            a_draft("- [2026-11] [git] Sign every tag  [HIT:1]"),
            a_draft("- [2026-11] [git] Push tags one by one  [HIT:1]"),
            a_draft("- [2026-12] [git] Sign every tag  [HIT:1]"),
            a_draft("- [2026-11] [git] 打标签前先 fetch"),
            a_draft("* [2026-12] 打标签前先fetch。"),
        ]
    )

    assert len(kept) == 3


def test_the_same_text_in_two_scopes_is_two_notes() -> None:
    kept, _ = learn_all(
        [a_draft(), a_draft(scope=Scope("shop", "release")), a_draft(scope=Scope())]
    )

    assert len(kept) == 3


def test_a_new_note_holds_what_was_proposed_and_begins_its_life_now() -> None:
    draft = prepare(
        a_draft(
            why="tagging", tag="git", files=("Makefile",), concepts=("tags",), trigger="git tag",
            pinned=True, skill_hash="abc", subtype="fix",
        ),
        str,
    )  # fmt: skip

    decided = admit(draft, RelatedNotes(), note_id=an_id(7), now=NOW, expires_at=NOW + DAY)

    assert isinstance(decided, Admitted)
    note = decided.note
    same = [name for name in draft.fields() if name not in ("trust", "learned_at")]
    assert [note.fields()[name] for name in same] == [draft.fields()[name] for name in same]
    assert (note.id, note.written_at, note.learned_at) == (an_id(7), NOW, NOW)
    assert (note.status, note.trust, note.sightings, note.days) == ("active", 1.0, 1, 1)
    assert (note.expires_at, note.revision, note.recalls) == (NOW + DAY, 1, 0)
    assert note.fingerprint == draft.fingerprint


def test_an_undated_note_is_as_old_as_its_arrival_and_a_dated_one_keeps_its_date() -> None:
    undated, dated = decide(a_draft()), decide(a_draft(learned_at=NOW - 90 * DAY, sightings=4))

    assert isinstance(undated, Admitted)
    assert isinstance(dated, Admitted)
    assert undated.note.learned_at == NOW
    assert (dated.note.learned_at, dated.note.sightings) == (NOW - 90 * DAY, 4)


def test_a_near_note_is_seen_again_and_the_other_wording_is_kept() -> None:
    near = a_note("Fetch the tags first, or the tag lands on an old commit.")

    decided = decide(a_draft(), near=near)

    assert decided == SeenAgain(near, variant=TEXT, revived=False)


def test_the_very_same_wording_is_no_variant() -> None:
    assert decide(a_draft(), duplicate=a_note()) == SeenAgain(a_note(), variant="", revived=False)
    assert decide(a_draft(f"- {TEXT.upper()}"), duplicate=a_note()) == SeenAgain(
        a_note(), variant="", revived=False
    )


def test_a_page_that_says_something_else_is_revised() -> None:
    page = a_note("Version 1", kind="page", tag="plan")

    again, changed = (
        decide(a_draft(text, kind="page", tag="plan"), duplicate=page)
        for text in ("Version 1", "Version 2")
    )

    assert again == SeenAgain(page, variant="", revived=False)
    assert changed == Revised(page, "Version 2")


def test_a_duplicate_is_preferred_to_a_note_that_is_only_near() -> None:
    decided = decide(a_draft(), duplicate=a_note(), near=a_note("else", id=an_id(9)))

    assert isinstance(decided, SeenAgain)
    assert decided.note == a_note()


@given(notes(), texts, st.sampled_from(SOURCES), st.booleans())
def test_a_draft_never_changes_the_note_it_repeats(
    duplicate: Note, text: str, source: Source, near: bool
) -> None:
    before = duplicate.fields()

    decided = decide(a_draft(text, source=source), **{"near" if near else "duplicate": duplicate})

    assert not isinstance(decided, Admitted | Superseding)
    assert duplicate.fields() == before


def test_what_was_superseded_is_not_learned_again_beside_its_successor() -> None:
    successor = a_note("Tag with the release script.", id=an_id(9))

    decided = decide(a_draft("Tag by hand."), duplicate=successor)

    assert isinstance(decided, Refused)
    assert successor.handle in decided.reason


@pytest.mark.parametrize(("source", "revived"), [("user", True), ("agent", False)])
def test_only_the_user_takes_a_note_out_of_quarantine(source: Source, revived: bool) -> None:
    decided = decide(a_draft(source=source), duplicate=a_note(status="quarantined"))

    assert isinstance(decided, SeenAgain)
    assert decided.revived is revived


def test_a_draft_can_take_the_place_of_an_older_note() -> None:
    old = a_note("Tag by hand.", id=an_id(1))

    decided = decide(a_draft(supersedes=old.id), old=old)

    assert isinstance(decided, Superseding)
    assert decided.old == old
    assert (decided.note.text, decided.note.supersedes) == (TEXT, old.id)


def test_a_draft_that_replaces_a_note_is_not_mistaken_for_it() -> None:
    old = a_note("Fetch the tags first, or the tag lands on an old commit.")
    draft = a_draft(supersedes=old.id)

    assert isinstance(decide(draft, old=old, near=old), Superseding)
    assert isinstance(decide(draft, old=old, near=a_note(id=an_id(9))), Superseding)


def test_replacing_a_note_that_does_not_exist_is_refused() -> None:
    decided = decide(a_draft(supersedes="n404"))

    assert isinstance(decided, Refused)
    assert "there is no note n404" in decided.reason
    assert decided.hint


@given(st.sampled_from(SOURCES), scopes)
def test_what_was_forgotten_is_learned_again_only_when_the_user_writes_it(
    source: Source, scope: Scope
) -> None:
    decided = decide(a_draft(source=source, scope=scope), forgotten=True)

    assert isinstance(decided, Admitted if source == "user" else Refused)
    if isinstance(decided, Refused):
        assert "forgotten" in decided.reason
        assert decided.hint


@pytest.mark.parametrize("status", ["retired", "pending removal"])
@pytest.mark.parametrize("source", SOURCES)
def test_a_retired_note_comes_back_when_the_user_or_the_agent_learns_it_again(
    status: NoteStatus, source: Source
) -> None:
    decided = decide(
        a_draft(source=source, origin_session="later"), duplicate=a_note(status=status)
    )

    assert isinstance(decided, SeenAgain)
    assert decided.revived is (source in ("user", "agent"))


@pytest.mark.parametrize(
    ("source", "session", "revived"),
    [
        ("detector", "session-1", False),
        ("distiller", "session-1", False),
        ("detector", "session-2", True),
        ("historian", "session-2", True),
        ("agent", "session-1", True),
        ("user", "session-1", True),
    ],
)
def test_probation_ends_in_a_second_session_or_when_someone_says_so(
    source: Source, session: str, revived: bool
) -> None:
    candidate = a_note(status="candidate", source="detector")

    decided = decide(a_draft(source=source, origin_session=session), duplicate=candidate)

    assert decided == SeenAgain(candidate, variant="", revived=revived)


@given(
    st.sampled_from(STATUSES), st.sampled_from(SOURCES), st.sampled_from(("session-1", "other"))
)
def test_what_a_tool_printed_never_brings_a_note_back(
    status: NoteStatus, source: Source, session: str
) -> None:
    untrusted = a_draft(source=source, trust=0.2, origin_session=session)

    decided = decide(untrusted, duplicate=a_note(status=status))

    assert isinstance(decided, SeenAgain)
    assert not decided.revived


@given(st.sampled_from(SOURCES))
def test_a_note_that_is_shown_already_is_not_revived(source: Source) -> None:
    decided = decide(
        a_draft(source=source, origin_session="other"), duplicate=a_note(status="active")
    )

    assert isinstance(decided, SeenAgain)
    assert not decided.revived


@pytest.mark.parametrize(("length", "whole"), [(80, True), (81, False)])
def test_what_took_its_place_is_quoted_up_to_eighty_characters(length: int, whole: bool) -> None:
    text = ("Sign the tag. " * 9)[: length - 1] + "!"

    decided = decide(a_draft("Tag by hand."), duplicate=a_note(text))

    assert isinstance(decided, Refused)
    assert decided.reason.endswith("!" if whole else "…")
    assert len(decided.reason.partition(": ")[2]) <= 80
