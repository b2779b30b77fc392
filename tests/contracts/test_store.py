"""What every store must do, whatever it keeps the notes in; only the port is used."""

from collections.abc import Callable
from contextlib import AbstractContextManager
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.core.builders import NOW, RELEASE, TEXT, a_draft, a_note, scopes, texts
from tests.requirements import requirement
from tests.store.support import EVERY_STATUS, Clock, a_signal, app_of, decide, learn, now_of

from twiceshy.app import App
from twiceshy.core.admit import Admitted, Refused, SeenAgain, Superseding
from twiceshy.core.draft import MAX_TEXT
from twiceshy.core.errors import NoteError, NotFoundError, StoreError
from twiceshy.core.evidence import Episode, Exposure
from twiceshy.core.filter import NoteFilter, filter_visible_notes
from twiceshy.core.history import fields_to_write
from twiceshy.core.moment import DAY
from twiceshy.core.note import KINDS, Note
from twiceshy.core.scope import EVERYWHERE, GLOBAL, Scope
from twiceshy.core.store import Store
from twiceshy.core.text import strip_unsafe
from twiceshy.language.terms import query_terms
from twiceshy.notes.edit import (
    edit_fields,
    move_note,
    pin_note,
    restore_note,
    retire_note,
    unpin_note,
)
from twiceshy.notes.find_by_name import find_notes_by_name
from twiceshy.notes.undo import undo_batch
from twiceshy.notes.write import change_note
from twiceshy.recall.brief import BriefBudget
from twiceshy.recall.recall_notes import recall_notes, search_notes

Another = Callable[[], AbstractContextManager[Store]]

HERE = NoteFilter(projects=("demo",), skill="release")


def on_one_line(text: str) -> str:
    return " ".join(strip_unsafe(text).split())


class TestWriting:
    def test_a_new_note_is_kept_with_everything_that_was_said_about_it(self, store: Store) -> None:
        said: dict[str, Any] = {
            "kind": "decision",
            "subtype": "technology",
            "why": "it needs no server",
            "tag": "storage",
            "files": ("src/store.py", "docs/why.md"),
            "concepts": ("sqlite", "local first"),
            "trigger": "pip install",
            "origin_project": "demo",
            "origin_session": "session-9",
            "skill_hash": "abc123",
            "scope": Scope("demo", ""),
            "learned_at": NOW - 3 * DAY,
        }

        note = learn(store, "Use SQLite.", **said)

        kept = note.fields()
        assert kept["text"] == "Use SQLite."
        assert {name: kept[name] for name in said} == said
        assert (note.status, note.state, note.sightings, note.revision) == (
            "active",
            "current",
            1,
            1,
        )

    def test_the_same_lesson_learned_again_is_counted_not_kept_twice(
        self, store: Store, clock: Clock
    ) -> None:
        first = learn(store)
        clock.wait(2 * DAY)

        again = decide(store)

        assert isinstance(again, SeenAgain)
        note = now_of(store, first)
        assert (note.sightings, note.days) == (2, 2)
        assert note.learned_at >= first.learned_at + 2 * DAY
        assert store.count_notes(HERE) == 1

    @requirement("A03")
    @pytest.mark.parametrize(
        ("known", "learned", "same"),
        [
            ("- [2026-09] [git] Fetch tags first.", "- [2026-11] [git] Fetch tags first.", True),
            ("Fetch tags first.", "  fetch   TAGS first", True),
            ("Fetch tags first.", "* Fetch tags first.  [HIT:7]", True),
            ("先拉取标签再打标签。", "先拉取标签 再打标签", True),
            ("[git] Fetch tags first.", "[git] Sign the release with your own key.", False),
            ("Fetch tags.", "Fetch tags before you build the wheel and upload it.", False),
            ("Fetch tags before you build the wheel and upload it.", "Fetch tags.", False),
        ],
    )
    def test_what_is_the_same_note_does_not_depend_on_how_it_is_listed(
        self, store: Store, known: str, learned: str, same: bool
    ) -> None:
        learn(store, known)

        learn(store, learned)

        assert store.count_notes(HERE) == (1 if same else 2)

    def test_a_lesson_in_other_words_is_a_sighting_and_its_wording_is_kept(
        self, store: Store
    ) -> None:
        first = learn(store, "Always run the database migration before deploying the web service")
        wording = "Always run the database migrations before deploying the web services"

        outcome = decide(store, wording)

        assert isinstance(outcome, SeenAgain)
        assert outcome.note.id == first.id
        assert [entry.after for entry in store.history(first.id)][1] == {"variant": wording}
        assert now_of(store, first).text == first.text

    def test_a_note_that_supersedes_another_takes_its_place(self, store: Store) -> None:
        old = learn(store, "Tag by hand.")

        outcome = decide(store, "Tag with the release script.", supersedes=old.id)

        assert isinstance(outcome, Superseding)
        retired = now_of(store, old)
        assert (retired.status, retired.superseded_by) == ("retired", outcome.note.id)
        assert store.notes(HERE) == [now_of(store, outcome.note)]

    def test_what_was_superseded_is_not_learned_again_nor_counted_for_its_successor(
        self, store: Store
    ) -> None:
        old = learn(store, "Tag by hand.")
        new = learn(store, "Tag with the release script.", supersedes=old.id)

        again = decide(store, "Tag by hand.")

        assert isinstance(again, Refused)
        assert new.handle in again.reason
        assert now_of(store, new).sightings == 1

    def test_a_note_cannot_supersede_one_that_is_not_there(self, store: Store) -> None:
        outcome = decide(store, supersedes="n00000000000000000")

        assert isinstance(outcome, Refused)
        assert store.history() == []

    def test_what_was_forgotten_is_not_learned_again_by_a_machine_but_by_the_user(
        self, store: Store
    ) -> None:
        store.forget(learn(store))

        by_machine = decide(store, source="detector")
        by_hand = decide(store, source="user")

        assert isinstance(by_machine, Refused)
        assert isinstance(by_hand, Admitted)

    @pytest.mark.parametrize(
        "wrong",
        [
            {"text": " \n "},
            {"text": "x" * (1 << 20)},
            {"text": "x" * (MAX_TEXT + 1)},
            {"text": "caf\udce9"},
            {"text": "ring \x07 the bell"},
            {"text": "right \u202e to left"},
            {"text": "zero\u200bwidth"},
            {"kind": "memory"},
            {"subtype": "general"},
            {"kind": "page", "tag": ""},
            {"tag": "two\nlines"},
        ],
    )
    def test_a_note_that_cannot_be_kept_leaves_no_trace(
        self, store: Store, wrong: dict[str, Any]
    ) -> None:
        with pytest.raises(NoteError) as refused:
            decide(store, **wrong)

        assert refused.value.hint
        assert store.history() == []
        assert store.count_notes(EVERY_STATUS) == 0

    def test_a_secret_never_gets_in_whichever_way_it_comes(self, store: Store) -> None:
        secret = "ghp_" + "aB3dE5gH7jK9mN1pQ3sT5vW7yZ9bC1dE3fG5"
        note = learn(store, f"Log in with {secret} first.", why=f"because {secret}")

        with store.change():
            store.record_entry("edit", note.id, {"text": f"Use {secret}.", "files": (secret,)})
        store.capture(a_signal(excerpt=f"denied for {secret}"))

        after = now_of(store, note)
        told = [note.text, note.why, after.text, *after.files, repr(store.history(note.id))]
        assert not any(secret in text for text in told)
        assert "Log in with" in note.text

    @given(
        text=texts.map(strip_unsafe).filter(bool),
        why=texts.map(strip_unsafe),
        tag=texts.map(on_one_line),
    )
    @settings(max_examples=40)
    def test_whatever_can_be_written_is_read_back_the_same(
        self, another: Another, text: str, why: str, tag: str
    ) -> None:
        with another() as store:
            note = learn(store, text, why=why, tag=tag, scope=GLOBAL, kind="pattern")

            again = store.note(note.id)

            assert again == note
            assert find_notes_by_name(store, note.id) == [note]

    @pytest.mark.parametrize(
        "text",
        [
            "naïve café, Ångström",
            "先拉取标签，再打标签",
            "まずタグを取得する",
            "نص عربي",
            "ภาษาไทย",
            "👩‍🚀 ships 🚀, 1️⃣ at a time",
            "a 'quote' \"and\" a \\ and a % and a _",
            "'; DROP TABLE notes; --",
            "line one\nline two\n\n    indented",
            "𝕬 mathematical letters 𐍈",
        ],
    )
    def test_text_of_every_script_is_kept_to_the_letter(self, store: Store, text: str) -> None:
        note = learn(store, text)

        assert now_of(store, note).text == text
        assert store.history(note.id)[0].after is not None
        assert (store.history(note.id)[0].after or {})["text"] == text


class TestScopes:
    @requirement("A10")
    @given(homes=st.lists(scopes, min_size=1, max_size=8), asking=scopes, intent=texts)
    @settings(max_examples=40)
    def test_nothing_of_one_project_is_ever_shown_in_another(
        self, another: Another, homes: list[Scope], asking: Scope, intent: str
    ) -> None:
        with another() as store:
            for number, scope in enumerate(homes):
                learn(store, f"Lesson {number} about {intent[:20]!a}.", scope=scope)

            recalled = recall_notes(
                store, asking, f"lesson {intent}", budget=BriefBudget(notes=20)
            )
            shown = [*recalled.brief.notes, *(one.note for one in recalled.ranked)]
            listed = store.notes(filter_visible_notes(store, asking))
            found = search_notes(store, "lesson", filter_visible_notes(store, asking), limit=50)

            assert all(asking.can_see(note.scope) for note in shown)
            assert {note.id for note in listed} == {
                note.id for note in store.notes(EVERY_STATUS) if asking.can_see(note.scope)
            }
            assert {one.note.id for one in found} == {note.id for note in listed}

    def test_a_note_for_all_projects_is_seen_in_each_of_them(self, store: Store) -> None:
        note = learn(store, scope=Scope(EVERYWHERE, "release"))

        seen = [
            store.notes(filter_visible_notes(store, Scope(name, "release")))
            for name in ("demo", "shop")
        ]

        assert seen == [[note], [note]]

    def test_a_project_has_the_notes_of_every_name_it_ever_had(self, store: Store) -> None:
        for number, name in enumerate(("dir:a", "remote:b", "git:c", "git:other")):
            learn(store, f"Lesson {number}.", scope=Scope(name, ""))
        store.record_project("remote:b", name="demo", root="/demo", aliases=["dir:a", "remote:b"])
        store.record_project("git:c", name="demo", root="/demo", aliases=["remote:b"])

        for name in ("dir:a", "remote:b", "git:c"):
            seen = store.notes(filter_visible_notes(store, Scope(name, "")))

            assert store.list_project_ids(name)[0] == name
            assert {note.scope.project for note in seen} == {"dir:a", "remote:b", "git:c"}

    def test_no_alias_can_make_everywhere_a_project(self, store: Store) -> None:
        store.record_project("git:c", name="demo", root="/demo", aliases=["*", "dir:a"])

        store.record_project("*", name="all", root="/", aliases=["dir:x", "dir:y"])

        assert store.list_project_ids("*") == ("*",)
        assert store.list_project_ids("git:c") == ("git:c", "dir:a")
        assert store.list_project_ids("dir:x") == ("dir:x",)

    def test_the_same_text_in_two_projects_is_two_notes(self, store: Store) -> None:
        ours = learn(store, scope=Scope("demo", ""))

        theirs = learn(store, scope=Scope("shop", ""))

        assert ours.id != theirs.id

    def test_projects_and_skills_are_listed_once_each(self, store: Store) -> None:
        store.record_project("git:b", name="shop", root="/shop")
        store.record_project("git:a", name="demo", root="/old")
        store.record_project("git:a", name="demo", root="/new")
        learn(store, "One.", scope=Scope("git:a", "review"))
        learn(store, "Two.", scope=Scope("git:b", "release"))

        assert store.list_projects() == {"git:a": ("demo", "/new"), "git:b": ("shop", "/shop")}
        assert store.list_skills() == ["release", "review"]


class TestFinding:
    @pytest.fixture
    def names(self, store: Store, clock: Clock) -> dict[str, str]:
        """Six notes that differ in everything one can ask for; the second was learned later."""
        ids = {"lesson": learn(store, "A lesson.", files=("src/app.py",), tag="git").id}
        clock.wait(DAY)
        ids["issue"] = learn(store, "An issue.", kind="issue", subtype="security").id
        done = learn(store, "Another issue.", kind="issue", concepts=("Sync",))
        ids["done"] = edit_fields(app_of(store), done, {"state": "resolved"}).id
        ids["pinned"] = learn(store, "A rule.", kind="rule", pinned=True).id
        ids["candidate"] = learn(store, "Seen by a machine.", source="detector").id
        ids["retired"] = retire_note(
            app_of(store), learn(store, "Old news."), reason="old: it says so"
        ).id
        change_note(app_of(store), "doubt", now_of(store, done), reason="it is old: so it says")
        change_note(
            app_of(store), "doubt", learn(store, "An issue.", kind="issue"), reason="old: maybe"
        )
        learn(store, "A lesson.", scope=Scope("shop", ""))
        return ids

    @pytest.mark.parametrize(
        ("which", "expected"),
        [
            (NoteFilter(kinds=("issue",)), {"issue", "done"}),
            (NoteFilter(kinds=("issue", "rule")), {"issue", "done", "pinned"}),
            (NoteFilter(subtype="security"), {"issue"}),
            (NoteFilter(state="resolved"), {"done"}),
            (NoteFilter(concept="SYNC"), {"done"}),
            (NoteFilter(file="app.py"), {"lesson"}),
            (NoteFilter(file="%"), set()),
            (NoteFilter(tag="git"), {"lesson"}),
            (NoteFilter(pinned=True), {"pinned"}),
            (NoteFilter(pinned=False, kinds=("rule",)), set()),
            (NoteFilter(since=NOW + DAY), {"issue", "done", "pinned", "candidate"}),
            (NoteFilter(until=NOW + DAY), {"lesson"}),
            (NoteFilter(statuses=("retired",)), {"retired"}),
            (NoteFilter(reason="old: "), {"issue"}),
            (NoteFilter(reason="old: ", statuses=()), {"issue", "retired"}),
            (NoteFilter(reason="%", statuses=()), set()),
            (NoteFilter(statuses=("candidate",)), {"candidate"}),
            (NoteFilter(skill="review"), set()),
            (NoteFilter(), {"lesson", "issue", "done", "pinned", "candidate"}),
        ],
    )
    def test_a_filter_gives_the_notes_it_means_and_no_others(
        self, store: Store, names: dict[str, str], which: NoteFilter, expected: set[str]
    ) -> None:
        here = which.but(projects=("demo",))

        found = {note.id for note in store.notes(here)}

        assert found == {names[name] for name in expected}
        assert store.count_notes(here) == len(expected)

    def test_no_project_at_all_gives_no_notes(self, store: Store, names: dict[str, str]) -> None:
        assert store.notes(NoteFilter(projects=())) == []

    def test_pinned_notes_come_first_and_then_the_newest(
        self, store: Store, names: dict[str, str]
    ) -> None:
        found = [note.id for note in store.notes(NoteFilter(projects=("demo",)))]

        assert found[0] == names["pinned"]
        assert found[-1] == names["lesson"]
        assert found == [note.id for note in store.notes(NoteFilter(projects=("demo",)), limit=5)]
        assert len(store.notes(NoteFilter(projects=("demo",)), limit=2)) == 2

    def test_a_note_goes_by_its_id_its_handle_and_any_longer_ending(self, store: Store) -> None:
        note = learn(store)
        tail = note.id[1:]

        for name in (note.id, note.handle, note.handle.upper(), tail[-3:], tail[-6:], tail):
            assert find_notes_by_name(store, name) == [note], name

    def test_an_ending_that_begins_like_an_id_is_still_an_ending(self, store: Store) -> None:
        note_id = "n000000000000mmn0w"
        with store.change():
            store.record_entry("write", note_id, fields_to_write(a_note(id=note_id)))

        for name in ("n0w", "mn0w", "nmn0w", "N0W"):
            assert [note.id for note in find_notes_by_name(store, name)] == [note_id], name

    def test_a_name_that_two_notes_share_gives_both(self, store: Store) -> None:
        first, second = "n0000000000000abcd", "n0000000000001abcd"
        for note_id in (first, second):
            with store.change():
                store.record_entry("write", note_id, written(f"Lesson {note_id}."))

        found = find_notes_by_name(store, "nabcd")

        assert [note.id for note in found] == [first, second]
        assert [note.id for note in find_notes_by_name(store, "0abcd")] == [first]

    @pytest.mark.parametrize("name", ["", "n", "nx", "%", "____", "%%%%", "nzzzz", "n'--", "*"])
    def test_a_name_that_nothing_has_gives_nothing(self, store: Store, name: str) -> None:
        learn(store)

        assert find_notes_by_name(store, name) == []

    @pytest.mark.parametrize(
        "query",
        ["拉取", "useState", "state", "--no-verify", "src/app.py", "app", "tagged", "Tags", "café",
         "cafe", "release", "retry_count", "count", "v1.2.3", "SYNC"],
    )  # fmt: skip
    def test_words_find_the_note_however_it_spells_them(self, store: Store, query: str) -> None:
        note = learn(
            store,
            "先拉取代码 before tagging the releases at the café; commit with --no-verify, never "
            "call useState in a loop, and keep retry_count at v1.2.3.",
            files=("src/app.py",),
            concepts=("sync",),
        )
        learn(store, "Something else entirely.")

        found = store.search_notes(query_terms(query), HERE)

        assert [one.id for one in found.notes] == [note.id]

    def test_the_reason_and_the_tag_are_searched_as_well(self, store: Store) -> None:
        note = learn(store, why="the mirror lags behind", tag="mirrors")

        assert [n.id for n in store.search_notes(query_terms("mirror lags"), HERE).notes] == [
            note.id
        ]

    def test_words_are_only_looked_for_where_one_asks(self, store: Store) -> None:
        learn(store, scope=Scope("shop", "release"))
        retire_note(app_of(store), learn(store))

        assert store.search_notes(query_terms("tagging"), HERE).notes == []

    @given(kinds=st.lists(st.sampled_from(sorted(KINDS)), min_size=1, max_size=4, unique=True))
    @settings(max_examples=20)
    def test_counting_and_listing_always_agree(self, another: Another, kinds: list[Any]) -> None:
        with another() as store:
            for kind in kinds:
                learn(store, f"This is a {kind}.", kind=kind, tag=kind)

            for kind in KINDS:
                which = NoteFilter(kinds=(kind,))
                assert store.count_notes(which) == len(store.notes(which)) == (kind in kinds)


class TestCounting:
    def test_being_shown_changes_neither_recency_nor_sightings_nor_history(
        self, store: Store, clock: Clock
    ) -> None:
        shown, other = learn(store), learn(store, "Never shown.")
        history = store.history()
        clock.wait(DAY)

        store.increment_counter("recalls", [shown.id, shown.id])
        store.increment_counter("helped", [shown.id])

        assert now_of(store, shown) == shown.but(recalls=2, helped=1)
        assert now_of(store, other) == other
        assert store.history() == history

    def test_a_note_that_was_seen_brings_its_counters_along(self, store: Store) -> None:
        note = learn(store)
        store.increment_counter("missed", [note.id])

        found = [
            *find_notes_by_name(store, note.handle),
            *store.notes(HERE),
            *store.search_notes(query_terms("tagging"), HERE).notes,
        ]

        assert [one.missed for one in found] == [1, 1, 1]

    def test_counting_for_no_note_at_all_is_fine(self, store: Store) -> None:
        store.increment_counter("recalls", [])

        assert store.summarise_store().entries == 0


class TestObserving:
    def test_an_observation_is_kept_once_however_often_it_is_made(self, store: Store) -> None:
        episode = Episode("e1", "end", "session-1", "demo", NOW, NOW, title="Done")
        exposure = Exposure("x1", "n1", "session-1", "skill", NOW)

        for _ in range(3):
            assert store.capture(a_signal(), exposure, episode) == "stored"
        store.capture(episode.but(title="Done differently"))

        standing = store.summarise_store()
        assert (standing.signals, standing.episodes, standing.entries) == (1, 1, 1)
        assert (store.history("e1")[0].after or {})["title"] == "Done"

    def test_half_a_character_from_a_runtime_is_no_reason_to_lose_a_signal(
        self, store: Store
    ) -> None:
        store.capture(a_signal(excerpt="cut in \ud83d half", tool="\udc80"))

        assert store.summarise_store().signals == 1

    def test_an_episode_is_history_but_not_a_note(self, store: Store) -> None:
        store.capture(Episode("e1", "handoff", "session-1", "demo", NOW, NOW, files=("a.py",)))

        [entry] = store.history("e1")
        assert entry.op == "write"
        assert store.note("e1") is None
        assert store.count_notes(EVERY_STATUS) == 0


class TestChanging:
    def test_a_change_that_fails_leaves_nothing(self, store: Store) -> None:
        note = learn(store)
        before = (store.history(), store.summarise_store(), now_of(store, note))

        def fail_halfway() -> None:
            with store.change():
                learn(store, "Another note.")
                edit_fields(app_of(store), note, {"text": "Other words."})
                store.increment_counter("recalls", [note.id])
                store.capture(a_signal())
                raise ZeroDivisionError

        with pytest.raises(ZeroDivisionError):
            fail_halfway()

        assert (store.history(), store.summarise_store(), now_of(store, note)) == before

    def test_a_change_inside_a_change_is_part_of_it(self, store: Store) -> None:
        with store.change() as outer:
            with store.change() as inner:
                first = learn(store, "One.")
            second = learn(store, "Two.")

        assert outer == inner
        assert {entry.object for entry in store.history(batch=outer)} == {first.id, second.id}

    def test_nothing_is_recorded_outside_of_a_change(self, store: Store) -> None:
        with pytest.raises(StoreError):
            store.record_entry("write", store.new_id(), written("Half a thought."))

        assert store.history() == []

    def test_every_change_is_in_the_history_with_what_it_was_before(self, store: Store) -> None:
        note = learn(store)
        edit_fields(app_of(store), note, {"text": "Fetch first."})
        retire_note(app_of(store), note, reason="no longer true")

        write, edited, retired = store.history(note.id)

        assert [entry.op for entry in (write, edited, retired)] == ["write", "edit", "retire"]
        assert (edited.before, edited.after) == ({"text": TEXT}, {"text": "Fetch first."})
        assert retired.after == {"status": "retired", "reason": "no longer true"}
        assert store.history() == [write, edited, retired]
        assert store.history(limit=1, before=edited.clock) == [write]
        assert store.history(batch=edited.batch) == [edited]
        assert now_of(store, note).revision == 2

    def test_a_clock_that_goes_backwards_does_not_reorder_history(
        self, store: Store, clock: Clock
    ) -> None:
        note = learn(store)
        clock.wait(-400 * DAY)

        edit_fields(app_of(store), note, {"text": "Later, whatever the clock says."})

        assert now_of(store, note).text == "Later, whatever the clock says."

    def test_ids_are_never_given_twice(self, store: Store) -> None:
        assert len({store.new_id() for _ in range(2_000)}) == 2_000


CHANGES: dict[str, Callable[[App, Note], object]] = {
    "edit": lambda app, note: edit_fields(app, note, {"text": "Other."}),
    "pin": pin_note,
    "move": lambda app, note: move_note(app, note, GLOBAL),
    "unpin": unpin_note,
    "retire": retire_note,
    "restore": restore_note,
    "see": lambda app, _: learn(app.store),
    "supersede": lambda app, note: learn(app.store, "A better way.", supersedes=note.id),
    "supersede by the same words": lambda app, note: learn(app.store, supersedes=note.id),
}


class TestUndoing:
    @requirement("U109")
    @pytest.mark.parametrize("name", CHANGES)
    def test_every_change_but_forgetting_can_be_undone_and_redone(
        self, store: Store, name: str
    ) -> None:
        first = {"restore": retire_note, "unpin": pin_note}.get(name, lambda _, note: note)
        before = first(app_of(store), learn(store))
        known = len(store.history(before.id))
        CHANGES[name](app_of(store), before)
        after = now_of(store, before)

        undo_batch(app_of(store))
        undone = now_of(store, before)
        undo_batch(app_of(store), redo=True)
        redone = now_of(store, before)

        assert same_but_revision(undone, before)
        assert not same_but_revision(after, before)
        assert same_but_revision(redone.but(learned_at=after.learned_at), after)
        assert len(store.history(before.id)) == known + 3

    @requirement("U109")
    def test_forgetting_cannot_be_undone(self, store: Store) -> None:
        note = learn(store)
        store.forget(note)
        forgotten = store.history(limit=1)[0].batch

        with pytest.raises(StoreError, match="cannot be undone"):
            undo_batch(app_of(store), forgotten)

        assert store.note(note.id) is None

    def test_an_undone_note_is_retired_and_can_be_had_back(self, store: Store) -> None:
        note = learn(store)

        undo_batch(app_of(store))

        assert (now_of(store, note).status, now_of(store, note).reason) == ("retired", "undone")
        assert restore_note(app_of(store), note).status == "active"

    def test_undo_walks_back_and_redo_forth(self, store: Store) -> None:
        note = learn(store, "One.")
        for text in ("Two.", "Three."):
            edit_fields(app_of(store), note, {"text": text})
        said = []

        for redo in (False, False, True, True):
            undo_batch(app_of(store), redo=redo)
            said.append(now_of(store, note).text)

        assert said == ["Two.", "One.", "Two.", "Three."]
        with pytest.raises(NotFoundError, match="nothing to redo"):
            undo_batch(app_of(store), redo=True)

    def test_undo_and_redo_can_go_on_for_ever(self, store: Store) -> None:
        note = learn(store)
        learn(store)

        for _ in range(3):
            undo_batch(app_of(store))
            assert now_of(store, note).sightings == 1
            undo_batch(app_of(store), redo=True)
            assert now_of(store, note).sightings == 2

    def test_undo_of_an_older_change_keeps_what_was_changed_since_and_says_so(
        self, store: Store
    ) -> None:
        note = learn(store, "One.", tag="old")
        edit_fields(app_of(store), note, {"text": "Two.", "tag": "new"})
        older = store.history(limit=1)[0].batch
        edit_fields(app_of(store), note, {"text": "Three."})

        undone = undo_batch(app_of(store), older)

        assert undone.kept == (f"{note.handle} text",)
        assert (now_of(store, note).text, now_of(store, note).tag) == ("Three.", "old")

    def test_undo_steps_over_what_is_no_note(self, store: Store) -> None:
        kept = learn(store, "Kept.")
        store.forget(learn(store, "A secret that must go."))
        store.capture(Episode("e1", "end", "session-1", "demo", NOW, NOW))

        undo_batch(app_of(store))

        assert now_of(store, kept).reason == "undone"
        with pytest.raises(NotFoundError, match="nothing to undo"):
            undo_batch(app_of(store))

    def test_undoing_the_same_change_twice_is_an_error_and_no_change(self, store: Store) -> None:
        note = pin_note(app_of(store), learn(store))
        pinned = store.history(limit=1)[0].batch
        undo_batch(app_of(store), pinned)
        entries = store.history()

        with pytest.raises(NotFoundError):
            undo_batch(app_of(store), pinned)

        assert store.history() == entries
        assert not now_of(store, note).pinned

    def test_undo_does_not_make_two_notes_say_the_same(self, store: Store) -> None:
        note = edit_fields(app_of(store), learn(store, "One."), {"text": "Two."})
        edited = store.history(limit=1)[0].batch
        other = learn(store, "One.")

        with pytest.raises(NoteError) as refused:
            undo_batch(app_of(store), edited)

        assert refused.value.hint
        assert (now_of(store, note).text, now_of(store, other).text) == ("Two.", "One.")

    def test_a_change_that_nobody_made_cannot_be_undone(self, store: Store) -> None:
        with pytest.raises(NotFoundError):
            undo_batch(app_of(store), "b123")


class TestForgetting:
    def test_a_forgotten_note_is_gone_but_for_the_fact_that_it_was_there(
        self, store: Store
    ) -> None:
        note = edit_fields(app_of(store), learn(store), {"text": "Other words."})

        assert store.forget(note).left == ()

        assert store.note(note.id) is None
        assert store.count_notes(EVERY_STATUS) == 0
        assert store.search_notes(query_terms("other words"), EVERY_STATUS).notes == []
        assert [entry.op for entry in store.history(note.id)] == ["write", "edit", "forget"]
        assert all(e.before is None and e.after is None for e in store.history(note.id))

    def test_every_wording_is_forgotten_in_every_place_it_had(self, store: Store) -> None:
        note = learn(store, "One.")
        note = edit_fields(app_of(store), note, {"text": "Two."})
        note = move_note(app_of(store), note, GLOBAL)

        store.forget(note)

        forgotten = [
            store.is_forgotten(scope, a_draft(text, scope=scope).fingerprint)
            for text, scope in (("One.", RELEASE), ("Two.", RELEASE), ("Two.", GLOBAL))
        ]
        assert forgotten == [True, True, True]
        assert not store.is_forgotten(RELEASE, a_draft("Three.").fingerprint)

    def test_what_became_one_with_a_note_is_forgotten_with_it(self, store: Store) -> None:
        here, there = learn(store), learn(store, scope=GLOBAL)
        kept = move_note(app_of(store), here, GLOBAL)

        store.forget(kept)

        assert kept.id == there.id
        assert (store.note(here.id), store.note(there.id)) == (None, None)

    def test_a_note_forgotten_by_someone_else_cannot_be_changed_any_more(
        self, store: Store
    ) -> None:
        note = learn(store)
        store.forget(note)

        for act in (pin_note, retire_note, restore_note, CHANGES["edit"], CHANGES["move"]):
            with pytest.raises(NotFoundError):
                act(app_of(store), note)

        assert [entry.op for entry in store.history(note.id)] == ["write", "forget"]

    def test_several_notes_can_be_forgotten_in_one_change(self, store: Store) -> None:
        doomed = [learn(store, f"Secret {number}.") for number in range(3)]

        with store.change():
            for note in doomed:
                store.forget(note)

        assert store.count_notes(EVERY_STATUS) == 0


class TestLookingAfterItself:
    def test_everything_derived_can_be_made_anew(self, store: Store) -> None:
        note = edit_fields(app_of(store), learn(store), {"files": ("src/app.py",)})
        pinned = pin_note(app_of(store), learn(store, "A rule.", kind="rule"))
        store.forget(learn(store, "A secret that must go."))
        before = store.notes(EVERY_STATUS)

        assert set(store.rebuild_derived()) >= {note.id, pinned.id}

        assert store.notes(EVERY_STATUS) == before
        assert store.notes(NoteFilter(file="app.py")) == [now_of(store, note)]

    def test_a_healthy_store_is_found_healthy(self, store: Store) -> None:
        learn(store)
        store.capture(a_signal())

        found = {finding.what: finding.verdict for finding in store.check_health()}

        assert set(found.values()) == {"ok"}, found

    def test_it_says_how_much_it_holds(self, store: Store) -> None:
        pin_note(app_of(store), learn(store))
        retire_note(app_of(store), learn(store, "Old.", scope=Scope("shop", "")))
        learn(store, "For all.", kind="pattern", scope=GLOBAL)

        standing = store.summarise_store()

        assert standing.notes == {"active": 2, "retired": 1}
        assert standing.kinds == {"lesson": 1, "pattern": 1}
        assert (standing.skills, standing.projects, standing.pinned) == (1, 2, 1)
        assert standing.entries == 5


def written(text: str) -> dict[str, object]:
    """Return the fields of an entry that writes a note."""
    return fields_to_write(a_note(text))


def same_but_revision(one: Note, other: Note) -> bool:
    """Tell whether two states of a note are equal, apart from how often it was worded."""
    return one.but(revision=0) == other.but(revision=0)
