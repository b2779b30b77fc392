"""Misses are counted exactly, new rules wait for the user, and a hard rule is proposed once."""

from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from tests.requirements import requirement
from tests.store.support import app_of, learn, now_of

from twiceshy.core.errors import NoteError
from twiceshy.core.note import Note
from twiceshy.core.scope import EVERYWHERE, Scope
from twiceshy.core.store import Store
from twiceshy.notes.review import list_waiting, reject_note
from twiceshy.notes.write import change_note
from twiceshy.project.notebook.corrections import (
    EditAnalysis,
    analyse_changes,
    count_misses,
    find_hard_rule,
    list_notebook_rules,
    needs_hard_rule,
    propose_hard_rule,
    save_rule,
    set_rule_state,
)
from twiceshy.project.notebook.diffs import TextChange
from twiceshy.store.command_store import WholeStore

HERE = Scope("demo")
SEEN = ("demo", EVERYWHERE)
USE = 'Write "use", not "utilize".'


def a_rule(store: Store, text: str = USE, **fields: Any) -> Note:
    usual: dict[str, Any] = {
        "kind": "rule",
        "subtype": "correction",
        "scope": HERE,
        "tag": "prose",
    }
    return learn(store, text, **usual | fields)


def an_edit(number: int = 0, *, wrong: str = "utilize", right: str = "use") -> TextChange:
    said = f"Line {number}: we {{}} the cache."
    return TextChange("a.md", said.format(wrong), said.format(right), "v1")


def looked_at(store: Store, *changes: TextChange) -> EditAnalysis:
    found = analyse_changes(store, changes, projects=SEEN)
    count_misses(app_of(store), found, project="demo")
    return found


def kept(store: Store, found: EditAnalysis, **fields: Any) -> list[Note | None]:
    usual: dict[str, Any] = {"scope": HERE, "source": "detector"}
    return [
        save_rule(app_of(store), one, found.changes, **usual | fields) for one in found.proposals
    ]


def test_a_rule_that_an_edit_puts_right_is_counted(store: WholeStore) -> None:
    rule = a_rule(store)

    found = looked_at(store, an_edit(1), an_edit(2), an_edit(3, wrong="keep", right="hold"))

    assert (len(found.changes), found.known) == (3, 2)
    assert now_of(store, rule).missed == 2


def test_the_same_edit_counts_once_however_often_it_is_analysed(store: WholeStore) -> None:
    rule = a_rule(store)

    first = looked_at(store, an_edit(1))
    again = looked_at(store, an_edit(1), an_edit(2))

    assert [len(first.missed[0].uncounted), len(again.missed[0].uncounted)] == [1, 1]
    assert now_of(store, rule).missed == 2


def test_looking_writes_nothing(store: WholeStore) -> None:
    rule = a_rule(store)

    analyse_changes(store, [an_edit(1)], projects=SEEN)

    assert now_of(store, rule).missed == 0
    assert store.list_evidence(rule.id) == []


@settings(max_examples=40, suppress_health_check=list(HealthCheck))
@given(runs=st.lists(st.lists(st.integers(0, 5), max_size=5), max_size=5))
def test_counts_are_exact_whatever_is_repeated(store: WholeStore, runs: list[list[int]]) -> None:
    fresh = a_rule(store, 'Write "use", not "utilize": ' + str(store.now()))

    for run in runs:
        looked_at(store, *(an_edit(number) for number in sorted(set(run))))

    assert now_of(store, fresh).missed == len({number for run in runs for number in run})
    change_note(app_of(store), "retire", fresh, status="retired")


@requirement("U094")
def test_an_edit_counts_rules_missed_again_and_proposes_rules_for_the_rest(
    store: WholeStore,
) -> None:
    rule = a_rule(store)
    edits = [
        an_edit(1),
        *(an_edit(number, wrong="leverage", right="employ") for number in (2, 3)),
    ]

    found = looked_at(store, *edits)
    [new] = kept(store, found)

    assert now_of(store, rule).missed == 1
    assert new is not None
    assert (new.text, new.why, new.tag) == (
        'Write "employ", not "leverage".',
        "leverage → employ",
        "prose",
    )
    assert (new.kind, new.subtype, new.state, new.status) == (
        *("rule", "correction", "current", "candidate"),
    )


def test_what_a_rule_was_learned_from_is_never_a_miss_of_it(store: WholeStore) -> None:
    edits = [an_edit(1), an_edit(2)]
    [new] = kept(store, analyse_changes(store, edits, projects=SEEN), source="user")
    assert new

    looked_at(store, *edits)

    assert now_of(store, new).missed == 0
    assert len(store.list_evidence(new.id)) == 2


def test_a_rule_that_waits_is_not_missed_and_not_proposed_again(store: WholeStore) -> None:
    kept(store, analyse_changes(store, [an_edit(1), an_edit(2)], projects=SEEN))

    again = looked_at(store, an_edit(1), an_edit(2), an_edit(3))

    assert again.proposals == ()
    [waits] = again.waiting
    assert (waits.note.missed, again.known, again.missed) == (0, 3, ())
    change_note(app_of(store), "accept", waits.note, status="active")
    assert looked_at(store, an_edit(3)).missed[0].uncounted == ()


def test_a_rule_that_the_user_rejected_is_not_proposed_again(store: WholeStore) -> None:
    [new] = kept(store, analyse_changes(store, [an_edit(1), an_edit(2)], projects=SEEN))
    assert new
    reject_note(app_of(store), new)

    again = looked_at(store, an_edit(1), an_edit(2))

    assert (again.proposals, again.waiting, again.missed, again.known) == ((), (), (), 0)


def test_a_cleared_rule_is_told_and_not_counted(store: WholeStore) -> None:
    rule = set_rule_state(app_of(store), a_rule(store), "cleared")

    found = looked_at(store, an_edit(1))

    assert [each.note.id for each in found.cleared] == [rule.id]
    assert now_of(store, rule).missed == 0
    set_rule_state(app_of(store), rule, "current")
    looked_at(store, an_edit(1))
    assert now_of(store, rule).missed == 0


def test_an_edit_that_does_the_opposite_is_told_and_makes_no_rule(store: WholeStore) -> None:
    rule = a_rule(store)
    other = a_rule(store, 'Write "employ", not "leverage".')

    found = looked_at(
        store,
        an_edit(1, wrong="use", right="utilize"),
        *(an_edit(number, wrong="employ", right="leverage") for number in (2, 3)),
    )

    assert found.proposals == ()
    assert {note.id for note in found.contradicted} == {rule.id, other.id}
    assert now_of(store, rule).missed == 0


def test_rules_of_other_projects_do_not_count(store: WholeStore) -> None:
    other = a_rule(store, scope=Scope("shop"))
    everywhere = a_rule(store, scope=Scope())

    looked_at(store, an_edit(1))

    assert (now_of(store, other).missed, now_of(store, everywhere).missed) == (0, 1)


def test_what_was_missed_three_times_is_proposed_as_a_hard_rule_once(store: WholeStore) -> None:
    rule = a_rule(store, why="utilize → use")
    looked_at(store, an_edit(1), an_edit(2))
    assert propose_hard_rule(app_of(store), now_of(store, rule)) is None

    looked_at(store, an_edit(3))
    missed = now_of(store, rule)
    hard = propose_hard_rule(app_of(store), missed)

    assert needs_hard_rule(missed)
    assert hard
    assert (hard.subtype, hard.status, hard.tag) == ("hard", "candidate", rule.id)
    assert find_hard_rule(store, rule) == hard
    [item] = [one for one in list_waiting(store, key=b"") if one.note.id == hard.id]
    assert (item.group, len(item.evidence)) == ("proposals", 3)
    assert propose_hard_rule(app_of(store), missed) is None
    reject_note(app_of(store), hard)
    assert propose_hard_rule(app_of(store), missed) is None


def test_m4_three_unrelated_corrections_make_no_hard_rule(store: WholeStore) -> None:
    rules = [
        a_rule(store, f'Write "{right}", not "{wrong}".')
        for wrong, right in (("utilize", "use"), ("leverage", "employ"), ("begin", "start"))
    ]

    looked_at(
        store,
        an_edit(1),
        an_edit(2, wrong="leverage", right="employ"),
        an_edit(3, wrong="begin", right="start"),
    )

    counted = [now_of(store, rule) for rule in rules]
    assert [rule.missed for rule in counted] == [1, 1, 1]
    assert [propose_hard_rule(app_of(store), rule) for rule in counted] == [None] * 3


def test_a_hard_rule_too_long_to_keep_is_not_proposed(store: WholeStore) -> None:
    rule = a_rule(store, USE + " x" * 3_985)
    for number in range(3):
        looked_at(store, an_edit(number))

    assert propose_hard_rule(app_of(store), now_of(store, rule)) is None


def test_an_edit_leaves_evidence_without_its_secrets(store: WholeStore) -> None:
    rule = a_rule(store)

    looked_at(store, an_edit(1))

    [(key, _, _)] = store.list_evidence(rule.id)
    [signal] = store.list_signals(keys=[key])
    assert (signal.kind, signal.target) == ("correction", "a.md")
    assert "utilize" in signal.excerpt


@requirement("U058")
def test_a_rule_of_the_notebook_keeps_all_it_needs_and_is_active_or_cleared(
    store: WholeStore,
) -> None:
    rule = a_rule(store, why="utilize → use")
    looked_at(store, an_edit(1))

    cleared = set_rule_state(app_of(store), rule, "cleared")

    [kept_rule] = list_notebook_rules(store, projects=SEEN)
    assert (kept_rule.text, kept_rule.why, kept_rule.missed) == (USE, "utilize → use", 1)
    assert (cleared.state, set_rule_state(app_of(store), cleared, "current").state) == (
        "cleared",
        "current",
    )


def test_only_rules_of_the_notebook_are_cleared(store: WholeStore) -> None:
    hard = learn(store, "Tag last.", kind="rule", subtype="hard", scope=HERE)

    with pytest.raises(NoteError, match="no rule of the notebook"):
        set_rule_state(app_of(store), hard, "cleared")


def test_the_most_missed_rule_comes_first(store: WholeStore) -> None:
    other = a_rule(store, 'Write "employ", not "leverage".')
    rule = a_rule(store)
    looked_at(store, an_edit(1))

    assert [note.id for note in list_notebook_rules(store, projects=SEEN)] == [rule.id, other.id]
