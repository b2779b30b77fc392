"""A note is marked by what is known against it; old age alone removes nothing."""

from typing import Any

import pytest
from tests.core.builders import NOW, a_note, an_id
from tests.effect.outcomes import an_outcome

from twiceshy.core.moment import DAY
from twiceshy.core.outcome import Outcome
from twiceshy.core.scope import Scope
from twiceshy.project.audit import run_audit
from twiceshy.project.audit.facts import (
    AuditFacts,
    NoteContext,
    PageCollection,
    PageFacts,
)
from twiceshy.project.audit.review import ReviewedNote, pitfall_status_of, review_notes

LATER = NOW + 40 * DAY
FETCH = "Run git fetch --tags before tagging, or the tag lands on an old commit."
AGAIN = "Before tagging run git fetch --tags, or the tag lands on an old commit."


def look(*, around: NoteContext | None = None, now: int = NOW, **fields: Any) -> ReviewedNote:
    """Review a note by what the whole audit finds against it."""
    note = a_note(**fields)
    page = PageFacts(note.tag, note.text, note.written_at, note=note.id, times_shown=1)
    pages = (PageCollection(pages=(page,)),) if note.kind == "page" else ()
    contexts = {note.id: around or NoteContext()}
    facts = AuditFacts(now, notes=(note,), page_collections=pages, contexts=contexts)
    (found,) = review_notes([note], run_audit(facts, ["memory"]), facts)
    return found


def calm(session: str, day: int = 1, **fields: Any) -> Outcome:
    """A session that had the occasion and did not make the mistake."""
    usual: dict[str, Any] = {"opportunity": True, "followed": True}
    return an_outcome(session=session, key=session, at=NOW + day * DAY, **(usual | fields))


def test_a_note_against_which_nothing_is_known_is_active() -> None:
    assert look(kind="decision") == ReviewedNote(a_note(kind="decision"))
    assert look(kind="decision").mark == "active"


@pytest.mark.parametrize(
    ("fields", "around", "mark", "evidence"),
    [
        ({"kind": "decision", "state": "superseded"}, {}, "superseded", "its state is superseded"),
        ({}, {"replaced_by": "n7k2x"}, "superseded", "n7k2x is newer and takes its place"),
        ({"reason": "contradicted: no"}, {}, "superseded", "contradicted: no"),
        ({"expires_at": NOW}, {}, "outdated", "its time is over"),
        ({"state": "stale"}, {}, "outdated", "its time is over"),
        ({"files": ("a", "b")}, {"missing": ("a", "b")}, "outdated", "gone: a, b"),
        ({"files": ("a", "b")}, {"missing": ("a",)}, "needs-update", "gone: a"),
        (
            {"scope": Scope("demo", "release")},
            {"skill_changed": True},
            "needs-update",
            "the skill release has changed since",
        ),
        (
            {"files": tuple("abcde"), "kind": "decision"},
            {"missing": tuple("abcde")},
            "outdated",
            "gone: a, b, c and 2 more",
        ),
    ],
)
def test_what_is_known_against_a_note_marks_it(
    fields: dict[str, Any], around: dict[str, Any], mark: str, evidence: str
) -> None:
    found = look(around=NoteContext.of(around), now=LATER, **fields)

    assert (found.mark, found.evidence) == (mark, (evidence,))


def test_of_two_that_say_nearly_the_same_the_one_seen_less_is_the_duplicate() -> None:
    kept = a_note(FETCH, id=an_id(1), sightings=2)
    other = a_note(AGAIN, id=an_id(2))
    near = ((kept, other, 0.9),)
    contexts = {note.id: NoteContext() for note in (kept, other)}
    facts = AuditFacts(NOW, notes=(kept, other), near=near, contexts=contexts)

    first, second = review_notes((kept, other), run_audit(facts, ["memory"]), facts)

    assert (first.mark, second.mark) == ("active", "duplicate")
    assert second.evidence == (f"nearly the same (90 %): {FETCH}",)


def test_what_is_done_for_long_is_a_leftover() -> None:
    task = look(kind="task", state="done", now=LATER)
    issue = look(kind="issue", state="resolved", now=LATER)
    fresh = look(kind="task", state="done")
    still_open = look(kind="task", now=LATER)

    assert [each.mark for each in (task, issue, fresh, still_open)] == [
        "outdated",
        "outdated",
        "active",
        "active",
    ]


def test_an_old_page_is_looked_at_and_never_removed_for_its_age() -> None:
    old = look(kind="page", tag="architecture", now=LATER)
    long = look(text="line\n" * 201, kind="page", tag="architecture")

    assert (old.mark, old.evidence) == ("needs-update", ("not changed for 40 days",))
    assert (long.mark, old.is_valid, long.is_valid) == ("needs-update", True, True)


def test_a_pitfall_nobody_falls_into_any_more_is_internalised() -> None:
    outcomes = tuple(calm(f"s{number}") for number in range(3))

    found = look(around=NoteContext(outcomes=outcomes), subtype="pitfall")

    assert found.pitfall_status == "internalised"
    assert found.evidence == ("no session makes this mistake any more",)
    assert found.is_valid


@pytest.mark.parametrize(
    "again",
    [
        calm("s2", followed=False, failed=True),
        calm("s2", harmed=True),
        calm("s2", withheld=True),
        calm("s2", opportunity=False),
        calm("s1"),
    ],
)
def test_a_pitfall_that_was_met_twice_only_is_still_relevant(again: Outcome) -> None:
    outcomes = (calm("s0", day=1), calm("s1", day=1), again)

    assert pitfall_status_of(a_note(subtype="pitfall"), outcomes) == "relevant"


def test_only_lessons_about_mistakes_have_a_standing() -> None:
    assert pitfall_status_of(a_note(subtype="workflow"), ()) == ""
    assert pitfall_status_of(a_note(kind="decision"), ()) == ""


def test_a_warning_of_what_works_again_may_go() -> None:
    worked = tuple(
        an_outcome(
            session=f"s{number}",
            key=f"s{number}",
            at=NOW + (number + 1) * DAY,
            channel="call",
            opportunity=True,
            false_alarm=True,
        )
        for number in range(6)
    )

    found = look(around=NoteContext(outcomes=worked))

    assert (found.mark, found.pitfall_status, found.is_valid) == ("outdated", "removable", False)
    assert found.evidence == ("what it warns of worked in the last 6 sessions",)


def test_a_warning_that_helped_nobody_may_go() -> None:
    harmed = tuple(calm(f"s{number}", harmed=True, failed=True) for number in range(8))

    found = look(around=NoteContext(outcomes=harmed))

    assert (found.mark, found.pitfall_status) == ("active", "removable")
    assert found.evidence == ("it came up often, and helped nobody",)
    assert not found.is_valid
