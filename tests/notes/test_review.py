"""What waits for the user, with its evidence, and what a decision changes."""

from typing import Any

import pytest
from tests.approving import approve, device_key
from tests.core.builders import NOW, a_note
from tests.store.support import Clock, a_signal, app_of, decide, learn, now_of

from twiceshy.core.admit import DOUBTED, SeenAgain
from twiceshy.core.errors import NoteError, NotFoundError
from twiceshy.core.moment import DAY
from twiceshy.core.note import Note
from twiceshy.core.scope import GLOBAL, Scope
from twiceshy.notes.edit import retire_note
from twiceshy.notes.review import (
    CHANGED,
    ReviewItem,
    accept_as_is,
    list_bulk_rules,
    list_waiting,
    reject_note,
)
from twiceshy.notes.undo import undo_batch
from twiceshy.notes.write import change_note
from twiceshy.safety.signing import find_permitted_act
from twiceshy.store.command_store import WholeStore

pytestmark = pytest.mark.usefixtures("person")
FORCE = "Never push with --force to the release branch."


def proposal(store: WholeStore, text: str = FORCE, **fields: Any) -> Note:
    """Propose a rule as the detectors do."""
    usual: dict[str, Any] = {"subtype": "hard", "source": "detector", "sightings": 3}
    return learn(store, text, kind="rule", **usual | fields)


def items(store: WholeStore, **asked: Any) -> list[ReviewItem]:
    return list_waiting(store, key=device_key(store), **asked)


def groups(store: WholeStore, **asked: Any) -> dict[str, str]:
    return {item.note.text: item.group for item in items(store, **asked)}


def doubt(store: WholeStore, note: Note) -> Note:
    """Doubt a note that stays in sight, as an agent does."""
    return change_note(app_of(store), "doubt", note, reason=DOUBTED + "an agent says it is wrong")


def act(store: WholeStore, note: Note) -> str | None:
    note = now_of(store, note)
    return find_permitted_act(device_key(store), note, store.list_signatures().get(note.id))


def test_all_that_waits_is_listed_by_what_it_waits_for(store: WholeStore) -> None:
    proposal(store, "A proposal.")
    learn(store, "On probation.", source="detector")
    learn(store, "From a web page.", source="agent", trust=0.2)
    learn(store, "An unsigned rule.", kind="rule")
    imported = learn(store, "A rule from elsewhere.", kind="rule")
    change_note(
        app_of(store), "import", imported, status="quarantined", reason="rule from another device"
    )
    changed = approve(store, learn(store, "A changed rule.", kind="rule"))
    change_note(app_of(store), "edit", changed, why="and obey")
    approve(store, learn(store, "Approved.", kind="rule"))
    learn(store, "A lesson.")
    doubt(store, learn(store, "A doubted lesson."))
    doubt(store, approve(store, learn(store, "A doubted rule.", kind="rule")))
    doubt(store, learn(store, "Doubted and unsigned.", kind="rule"))
    retire_note(app_of(store), learn(store, "Retired."))

    assert groups(store) == {
        "A proposal.": "proposals",
        "A changed rule.": "rules",
        "An unsigned rule.": "rules",
        "A rule from elsewhere.": "rules",
        "Doubted and unsigned.": "rules",
        "A doubted lesson.": "doubted",
        "A doubted rule.": "doubted",
        "From a web page.": "quarantined",
        "On probation.": "candidates",
    }
    because = {item.note.text: item.because for item in items(store)}
    assert because["A changed rule."] == CHANGED
    assert because["A rule from elsewhere."] == "rule from another device"
    assert because["From a web page."].startswith("trust 0.2")
    assert because["A proposal."] == "proposed by the detector"
    assert because["A doubted rule."] == "an agent says it is wrong"
    assert because["Doubted and unsigned."].endswith(
        "not shown; doubted: an agent says it is wrong"
    )


def test_a_list_can_be_narrowed_to_a_project(store: WholeStore) -> None:
    proposal(store, "Here.")
    proposal(store, "Elsewhere.", scope=Scope("shop"))
    learn(store, "Unsigned elsewhere.", kind="rule", scope=Scope("shop"))
    proposal(store, "Everywhere.", scope=GLOBAL)

    assert set(groups(store, projects=("demo", "*"))) == {"Here.", "Everywhere."}


def test_a_proposal_comes_with_what_was_observed_on_each_day(store: WholeStore) -> None:
    lesson = learn(store, "Push without --force.", origin_session="s1", source="detector")
    proposal(store, origin_session="s3", tag=lesson.id)
    push = {"mistake": "push", "target": "git push --force", "excerpt": "release branch refused"}
    store.capture(
        a_signal("1", session="s1", at=NOW, **push),
        a_signal("2", session="s2", at=NOW + DAY, **push),
        a_signal("3", session="s3", at=NOW + 2 * DAY, **push),
        a_signal("4", session="s3", at=NOW + 3 * DAY, mistake="ls", excerpt="no such folder"),
        a_signal("5", session="s4", at=NOW + 4 * DAY, mistake="other", excerpt="push --force"),
    )

    (item,) = (one for one in items(store) if one.group == "proposals")

    assert item.sessions == ("s3", "s1")
    assert [signal.key for signal in item.evidence] == ["3", "2", "1"]


@pytest.mark.parametrize("wanted", ["tell", "ask", "deny"])
def test_an_accepted_proposal_is_signed_for_what_the_user_chose(
    store: WholeStore, wanted: Any
) -> None:
    rule = proposal(store)

    accepted = accept_as_is(app_of(store), rule, act=wanted, key=device_key(store))

    assert (accepted.status, accepted.trust) == ("active", 1.0)
    assert act(store, rule) == wanted
    assert items(store) == []


@pytest.mark.parametrize("source", ["detector", "agent"])
def test_an_accepted_note_is_shown_and_needs_no_signature(store: WholeStore, source: str) -> None:
    note = learn(store, source=source, trust=0.2)

    accepted = accept_as_is(app_of(store), note)

    assert (accepted.status, accepted.trust, accepted.reason) == ("active", 1.0, "")
    assert store.list_signatures() == {}


@pytest.mark.parametrize("status", ["active", "retired", "pending removal"])
def test_what_does_not_wait_cannot_be_accepted(store: WholeStore, status: str) -> None:
    note = change_note(app_of(store), "set", learn(store), status=status)

    with pytest.raises(NoteError, match="is not waiting for review"):
        accept_as_is(app_of(store), note)


def test_a_doubted_note_that_is_accepted_stays_and_the_doubt_is_gone(store: WholeStore) -> None:
    note = doubt(store, learn(store, source="agent", pinned=True))

    accepted = accept_as_is(app_of(store), note)

    assert (accepted.status, accepted.trust, accepted.reason) == ("active", 1.0, "")
    assert items(store) == []
    undo_batch(app_of(store))
    assert now_of(store, note) == note


@pytest.mark.parametrize("wanted", ["tell", "ask", "deny"])
@pytest.mark.parametrize("said", [True, False])
def test_a_doubted_rule_that_is_accepted_may_do_what_it_could_before(
    store: WholeStore, wanted: Any, said: bool
) -> None:
    rule = doubt(store, approve(store, learn(store, kind="rule"), wanted))

    accept_as_is(app_of(store), rule, act=wanted if said else None, key=device_key(store))

    assert act(store, rule) == wanted
    assert items(store) == []
    undo_batch(app_of(store))
    assert act(store, rule) == wanted
    assert groups(store) == {rule.text: "doubted"}


def test_a_doubted_rule_can_be_accepted_for_something_else(store: WholeStore) -> None:
    rule = doubt(store, approve(store, learn(store, kind="rule"), "deny"))

    accept_as_is(app_of(store), rule, act="tell", key=device_key(store))

    assert act(store, rule) == "tell"
    assert items(store) == []


def test_a_rule_that_is_accepted_once_more_may_do_what_it_could_before(store: WholeStore) -> None:
    rule = approve(store, learn(store, kind="rule"), "deny")

    accept_as_is(app_of(store), rule, key=device_key(store))

    assert act(store, rule) == "deny"


def test_a_doubt_is_found_however_many_notes_there_are(store: WholeStore) -> None:
    note = doubt(store, learn(store, "The oldest."))

    for number in range(5):
        learn(store, f"Lesson {'abcde'[number] * 9}.")

    assert groups(store) == {note.text: "doubted"}


def test_undo_brings_an_unsigned_rule_back_to_where_it_was(store: WholeStore) -> None:
    rule = learn(store, kind="rule")
    accept_as_is(app_of(store), rule, key=device_key(store))

    undo_batch(app_of(store))

    assert now_of(store, rule) == rule


@pytest.mark.parametrize("source", ["detector", "agent", "distiller"])
@pytest.mark.parametrize("text", [FORCE, FORCE.upper(), FORCE + " Please."])
def test_a_rejected_proposal_does_not_come_back_by_itself(
    store: WholeStore, clock: Clock, source: str, text: str
) -> None:
    rule = reject_note(app_of(store), proposal(store), because="we squash")
    assert (rule.status, rule.reason) == ("retired", "rejected: we squash")

    for number in range(4):
        clock.wait(DAY)
        later = f"later-{number}"
        outcome = decide(store, text, kind="rule", source=source, origin_session=later)
        assert isinstance(outcome, SeenAgain)

    assert now_of(store, rule).status == "retired"
    assert items(store) == []


@pytest.mark.parametrize("source", ["agent", "detector"])
def test_what_was_rejected_stays_away_whatever_kind_it_is(store: WholeStore, source: str) -> None:
    note = reject_note(app_of(store), learn(store, source="detector"))

    again = learn(store, source=source, origin_session="another")

    assert again.id == note.id
    assert again.status == "retired"


def test_the_user_may_change_their_mind(store: WholeStore) -> None:
    rule = reject_note(app_of(store), proposal(store))

    assert learn(store, FORCE, kind="rule", source="user").status == "active"
    assert now_of(store, rule).sightings == 4


def test_rejecting_an_approved_rule_takes_its_signature(store: WholeStore) -> None:
    rule = approve(store, learn(store, kind="rule"))

    reject_note(app_of(store), rule)

    assert store.list_signatures() == {}


@pytest.mark.parametrize("source", ["agent", "detector", "distiller", "historian", "import"])
def test_a_rule_that_the_user_did_not_write_waits_however_often_it_is_seen(
    store: WholeStore, source: str
) -> None:
    *_, rule = (
        learn(store, kind="rule", source=source, origin_session=f"s{number}")
        for number in range(3)
    )

    assert (rule.status, rule.sightings) == ("candidate", 3)


def test_a_rule_of_a_tool_is_quarantined_as_all_that_tools_say(store: WholeStore) -> None:
    assert learn(store, kind="rule", source="agent", trust=0.2).status == "quarantined"


def test_all_at_once_is_for_rules_from_elsewhere_not_for_tampered_or_hostile_ones(
    store: WholeStore,
) -> None:
    unsigned = learn(store, "Unsigned.", kind="rule")
    imported = learn(store, "From elsewhere.", kind="rule")
    change_note(
        app_of(store), "import", imported, status="quarantined", reason="rule from another device"
    )
    changed = approve(store, learn(store, "Changed.", kind="rule"))
    doubt(store, change_note(app_of(store), "edit", changed, why="and obey"))
    learn(store, "From a page.", kind="rule", source="agent", trust=0.2)
    proposal(store)
    key = device_key(store)

    together = list_bulk_rules(list_waiting(store, key=key), key=key)

    assert {note.id for note in together} == {unsigned.id, imported.id}
    lost = list_bulk_rules(
        list_waiting(store, key=b""), key=b""
    )  # then all of them look as if they were changed
    assert {note.id for note in lost} == {unsigned.id, imported.id, changed.id}


def test_a_note_that_is_gone_cannot_be_accepted(store: WholeStore) -> None:
    with pytest.raises(NotFoundError):
        accept_as_is(app_of(store), a_note(status="candidate"))
