"""What every store remembers between two looks at a transcript; only the port is used."""

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.contracts.test_store import Another
from tests.store.support import Clock, a_signal, app_of, learn, live_on, now_of

from twiceshy.core.filter import NoteFilter
from twiceshy.core.jsontext import parse_json, write_json
from twiceshy.core.scope import EVERYWHERE, Scope
from twiceshy.core.store import Store
from twiceshy.core.store_learning import find_progress
from twiceshy.core.transcript import CLOSED, TranscriptProgress
from twiceshy.notes.write import change_note

SECRET = "ghp_" + "a1B2c3D4e5F6" * 3
DEMO = Scope("demo")


def a_reading(
    path: str = "/t/s1.jsonl", *, closed: bool = False, at: int = 5
) -> TranscriptProgress:
    state = f'{CLOSED},"acts":[]}}' if closed else '{"closed":false,"acts":[{"closed":true}]}'
    return TranscriptProgress(path, "s1", "120-0badcafe", state, at)


def test_how_far_a_transcript_was_read_is_known(store: Store) -> None:
    store.save_records(a_reading())

    assert find_progress(store, "/t/s1.jsonl") == a_reading()
    assert find_progress(store, "/t/s2.jsonl") is None


def test_a_transcript_has_one_reading(store: Store) -> None:
    store.save_records(a_reading())
    store.save_records(a_reading(closed=True, at=6))

    assert find_progress(store, "/t/s1.jsonl") == a_reading(closed=True, at=6)


def test_what_waits_for_something_is_found_when_it_was_not_read_for_a_while(store: Store) -> None:
    for path, closed, at in (("a", False, 9), ("b", True, 1), ("c", False, 2), ("d", False, 50)):
        store.save_records(a_reading(path, closed=closed, at=at))

    assert [reading.path for reading in store.list_progress(before=50)] == ["c", "a"]


@pytest.mark.parametrize(
    "text", [f"deploy --token {SECRET}", f'X="{SECRET}"', f"<private>{SECRET}</private>", SECRET]
)
def test_what_is_waited_for_holds_no_secret_and_can_be_read_again(store: Store, text: str) -> None:
    state = write_json(
        {"closed": False, "acts": [[text, {text: text}]], "calls": [write_json({"c": text})]}
    )

    store.save_records(a_reading().but(state=state))

    kept = find_progress(store, "/t/s1.jsonl")
    assert kept is not None
    assert "a1B2c3D4" not in kept.state
    found = parse_json(kept.state)
    assert isinstance(found, dict)
    assert isinstance(parse_json(found["calls"][0]), dict)


def test_a_state_that_is_no_json_is_kept_without_its_secrets(store: Store) -> None:
    store.save_records(a_reading().but(state=f"token {SECRET} {{"))

    kept = find_progress(store, "/t/s1.jsonl")
    assert kept is not None
    assert "a1B2c3D4" not in kept.state


def test_a_call_belongs_to_the_session_that_was_read_first(store: Store) -> None:
    assert store.register_calls(["c1", "c2"], "s1", project="demo") == set()
    assert store.register_calls(["c2", "c3"], "s2", project="demo") == {"c2"}
    assert store.register_calls(["c1", "c3", "c4"], "s1", project="demo") == {"c1", "c3"}


@given(st.lists(st.sets(st.integers(0, 30)), max_size=6))
def test_every_call_is_new_exactly_once(another: Another, many: list[set[int]]) -> None:
    with another() as store:
        new = [
            call
            for number, calls in enumerate(many)
            for call in {f"c{each}" for each in calls}
            - store.register_calls(
                [f"c{each}" for each in sorted(calls)], f"s{number}", project="demo"
            )
        ]

        assert sorted(new) == sorted({f"c{each}" for calls in many for each in calls})


def test_many_calls_can_be_asked_for_at_once(store: Store) -> None:
    calls = [f"c{number}" for number in range(2_500)]

    assert store.register_calls(calls, "s1", project="demo") == set()
    assert store.register_calls(calls, "s2", project="demo") == set(calls)


def test_calls_that_nobody_can_copy_any_more_are_let_go(store: Store, clock: Clock) -> None:
    store.register_calls(["c1"], "s1", project="demo")
    live_on(store, clock, 91 * 86_400_000)

    assert store.register_calls(["c1"], "s2", project="demo") == set()


def test_a_session_is_new_until_something_of_it_was_read(store: Store) -> None:
    learn(store, scope=DEMO, trigger="Bash npm")

    def age() -> int:
        store.register_calls([], "s1", project="demo")
        (match,) = store.match_triggers(["demo"])
        return match.age

    assert (age(), age()) == (1, 2)

    store.save_records(a_reading())

    assert age() == 2


def test_notes_are_found_by_the_gram_that_their_trigger_stands_on(store: Store) -> None:
    stat = learn(store, "No --stat.", scope=DEMO, trigger="Bash/usage gh --stat")
    npm = learn(store, "No npm here.", scope=Scope(EVERYWHERE, "x"), trigger="Bash npm")
    learn(store, "Elsewhere.", scope=Scope("other"), trigger="Bash npm")
    learn(store, "About nothing.", scope=DEMO)
    learn(store, "Wrongly written.", scope=DEMO, trigger="npm")
    both = ["demo", EVERYWHERE]

    def about(tool: str | None = None, grams: list[str] | None = None) -> list[str]:
        return [match.note.id for match in store.match_triggers(both, tool, grams)]

    assert about() == sorted([stat.id, npm.id])
    assert about("Bash", ["gh", "--stat"]) == [stat.id]
    assert about("Bash", ["gh"]) == about("Bash", ["--stat"]) == []
    assert about(None, ["--stat"]) == [stat.id]
    assert about("Skill", ["npm"]) == []
    assert about("Bash", ["npm", "--stat", "gh"]) == sorted([stat.id, npm.id])


@pytest.mark.parametrize(
    ("words", "error", "found"),
    [
        (["gh", "pr"], "Exit code 1\nunknown flag: --stat", True),
        (["gh", "pr"], "✗ 未知: (unknown flag:)", True),
        (["git"], "unknown flag: --stat", False),
        ([], "unknown flag: --stat", False),
        (["gh"], "unknown command: stat", False),
        (["gh"], "the flag: unknown", False),
    ],
)
def test_notes_are_found_by_the_error_that_they_quote_of_a_call_alike(
    store: Store, words: list[str], error: str, found: bool
) -> None:
    why = '`gh pr --stat` failed: "unknown flag: --stat". `gh pr` worked.'
    learn(store, "No --stat.", why=why, scope=DEMO, trigger="Bash/usage --stat gh")
    learn(store, "Elsewhere.", why=why, scope=Scope("other"), trigger="Bash/usage --stat gh")

    matches = store.match_triggers(["demo"], "Bash", words, error=error)

    assert [match.note.text for match in matches] == ["No --stat."] * found


def test_a_path_is_found_by_the_error_that_it_quotes_whatever_the_call(store: Store) -> None:
    why = '`cat web/app.js` failed: "No such file or directory". `cat app.js` worked.'
    learn(store, "It is app.js.", why=why, scope=DEMO, trigger="files/missing web/app.js")

    (match,) = store.match_triggers(["demo"], "Bash", [], error="No such file or directory")

    assert match.note.text == "It is app.js."


@pytest.mark.usefixtures("person")
@pytest.mark.parametrize("status", ["retired", "quarantined", "pending removal"])
def test_a_note_that_is_not_shown_is_about_no_call(store: Store, status: str) -> None:
    note = learn(store, scope=DEMO, trigger="Bash npm")
    with store.change():
        hidden = change_note(app_of(store), "retire", note, status=status)
    gone = store.match_triggers(["demo"])

    change_note(app_of(store), "restore", hidden, status="active")

    assert gone == []
    assert [match.note.id for match in store.match_triggers(["demo"])] == [note.id]


def test_calls_are_counted_by_where_they_were_made(store: Store) -> None:
    note = learn(store, scope=DEMO, trigger="Bash npm")
    for context, failed in (("web", True), ("web", True), ("", False), ("api", True)):
        store.count_call([note.id], context, failed=failed)

    (here,), (there,) = (
        store.match_triggers(["demo"], context=where) for where in ("web", "docs")
    )

    assert (
        here.failed_calls,
        here.succeeded_calls,
        here.failed_calls_here,
        here.succeeded_calls_here,
    ) == (3, 1, 2, 0)
    assert (
        there.failed_calls,
        there.succeeded_calls,
        there.failed_calls_here,
        there.succeeded_calls_here,
    ) == (3, 1, 0, 0)


def test_what_was_counted_survives_a_change_of_the_note(store: Store) -> None:
    note = learn(store, scope=DEMO, trigger="Bash npm")
    store.count_call([note.id], "", failed=True)
    store.record_evidence(note.id, "call:1", "s1", at=1, lost_calls=2, lost_ms=30)

    change_note(app_of(store), "edit", note, trigger="Bash npm publish")

    (match,) = store.match_triggers(["demo"], "Bash", ["npm", "publish"])
    assert (match.failed_calls, match.recent) == (1, 1)
    assert (match.lost_calls, match.lost_ms) == (2, 30)


def test_a_session_makes_what_happened_before_it_older(store: Store) -> None:
    note = learn(store, scope=DEMO, trigger="Bash npm")
    other = learn(store, "x", scope=Scope("other"), trigger="Bash npm")
    store.record_evidence(note.id, "call:1", "s1", at=1)

    store.register_calls([], "s2", project="demo")
    store.register_calls([], "s3", project="demo")
    store.record_evidence(note.id, "call:2", "s3", at=2, unseen=True)

    ((match,), (old,)) = (store.match_triggers([project]) for project in ("demo", "other"))
    assert (match.age, match.recent, match.unseen) == (2, 0b101, 1)
    assert (old.note.id, old.age) == (other.id, 0)


def test_evidence_is_kept_once_and_tells_whether_the_session_taught_it_before(
    store: Store,
) -> None:
    note = learn(store, scope=DEMO, trigger="Bash npm")

    told = [
        store.record_evidence(note.id, signal, session, at=at, lost_calls=1, lost_ms=10)
        for signal, session, at in (
            *(("call:1", "s1", 1), ("call:2", "s1", 2), ("call:3", "s2", 3)),
            *(("call:1", "s1", 1), ("call:1", "s9", 9)),  # the same again, and a copy of it
        )
    ]

    assert told == [False, True, False, True, True]
    assert store.list_evidence(note.id) == [
        *(("call:3", "s2", 3), ("call:2", "s1", 2), ("call:1", "s1", 1)),
    ]
    (match,) = store.match_triggers(["demo"])
    assert (match.lost_calls, match.lost_ms) == (3, 30)


def test_how_many_lessons_began_with_a_session_is_known_whatever_became_of_them(
    store: Store,
) -> None:
    own: dict[str, Any] = {"origin_session": "s1", "source": "detector", "trust": 0.8}
    kept = learn(store, "One.", scope=DEMO, trigger="Bash a", **own)
    retired = learn(store, "Two.", scope=Scope("demo", "release"), trigger="Bash b", **own)
    older = learn(store, "Three.", scope=DEMO, trigger="Bash c", **own | {"origin_session": "s0"})
    stated = learn(store, "Four.", kind="preference", scope=DEMO, **own)
    for number, note in enumerate((kept, kept, retired, older, stated)):
        store.record_evidence(note.id, f"call:{number}", "s1", at=number)
    change_note(app_of(store), "retire", now_of(store, retired), status="retired")

    def began(session: str) -> set[str]:
        which = NoteFilter(kinds=("lesson",), statuses=(), taught_by=session)
        return {note.id for note in store.notes(which)}

    assert began("s1") == {kept.id, retired.id}
    assert began("s2") == set()


def test_a_signal_says_later_which_mistake_it_was(store: Store) -> None:
    note = learn(store, scope=DEMO, trigger="Bash npm")
    for number in (1, 2, 3):
        signal = a_signal(f"call:{number}", at=number)
        store.capture(signal)
        store.save_records(signal.but(mistake=f"Bash|npm|{SECRET if number == 3 else number}"))
        store.record_evidence(note.id, f"call:{number}", "s1", at=number)
    store.save_records(a_signal("call:1", mistake="Bash|npm|1", pair="c9"))
    store.save_records(a_signal("call:1", mistake="Bash|npm|one"))

    (first,) = (
        each for each in store.list_signals(sessions=["session-1"]) if each.key == "call:1"
    )
    assert (first.mistake, first.pair) == ("Bash|npm|one", "c9")
    said = {each.key: each.mistake for each in store.list_signals(sessions=["session-1"])}
    assert (said["call:2"], said["call:1"]) == ("Bash|npm|2", "Bash|npm|one")
    assert SECRET not in "".join(said.values())
