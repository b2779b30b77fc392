"""What every store knows of its sessions: who changed what, and who said that he would; only the port is used."""

from collections.abc import Sequence

from hypothesis import given
from hypothesis import strategies as st
from tests.contracts.test_sessions import a_session
from tests.contracts.test_store import Another
from tests.requirements import requirement
from tests.store.support import Clock, app_of, learn

from twiceshy.core.evidence import Exposure
from twiceshy.core.note import KINDS
from twiceshy.core.scope import GLOBAL, Scope
from twiceshy.core.session import INTENT_MS, ContextFill, Intent, PromptCount
from twiceshy.core.store import Store
from twiceshy.notes.edit import edit_fields, pin_note, retire_note

HERE = ("demo",)


def a_prompt(**fields: object) -> PromptCount:
    usual: dict[str, object] = {
        "key": "p1",
        "session": "s1",
        "runtime": "claude-code",
        "project": "demo",
        "root": "/home/u/shop",
        "transcript": "/home/u/t.jsonl",
        "at": 5,
    }
    return PromptCount.of(usual | fields)


class TestChanged:
    @requirement("U150")
    def test_what_was_written_or_edited_since_a_mark_is_told(
        self, store: Store, clock: Clock
    ) -> None:
        old = learn(store, "Tag last.", scope=Scope("demo", ""))
        seen = store.read_journal_clock()
        clock.wait(1_000)
        new = learn(store, "Sign it.", scope=Scope("demo", ""))
        clock.wait(1_000)
        edited = edit_fields(app_of(store), old, {"text": "Tag at the very end."})

        changed = store.list_changed_notes(HERE, since=seen, kinds=tuple(KINDS))

        assert [(one.note.id, one.new) for one in changed] == [(edited.id, False), (new.id, True)]
        assert (
            store.list_changed_notes(HERE, since=store.read_journal_clock(), kinds=tuple(KINDS))
            == []
        )

    def test_what_was_only_seen_again_pinned_or_retired_is_no_news(self, store: Store) -> None:
        first, second, third = (learn(store, f"Note {number}.") for number in range(3))
        seen = store.read_journal_clock()
        learn(store, first.text)
        pin_note(app_of(store), second)
        retire_note(app_of(store), third, reason="by hand")

        assert (
            store.list_changed_notes((first.scope.project,), since=seen, kinds=tuple(KINDS)) == []
        )

    @requirement("U150")
    def test_one_session_is_left_out(self, store: Store) -> None:
        seen = store.read_journal_clock()
        store.author = "s1"
        learn(store, "Mine.", scope=Scope("demo", ""))
        store.author = "s2"
        other = learn(store, "Yours.", scope=Scope("demo", ""))
        store.author = ""
        person = learn(store, "A person's.", scope=GLOBAL)

        changed = store.list_changed_notes(
            ("demo", "*"), since=seen, excluded_session="s1", kinds=tuple(KINDS)
        )

        assert {one.note.id for one in changed} == {other.id, person.id}

    def test_what_came_from_another_device_is_news_whatever_its_clock_says(
        self, store: Store, another: Another
    ) -> None:
        with another() as far:
            note = learn(far, "From far.", scope=Scope("demo", ""))
            learn(store, "Here.", scope=Scope("demo", ""))
            learn(store, "Here, later.", scope=Scope("demo", ""))
            seen = store.read_journal_clock()
            store.settle_objects(store.import_records(far.export_records()))

            changed = store.list_changed_notes(HERE, since=seen, kinds=tuple(KINDS))

        assert [one.note.id for one in changed] == [note.id]

    @given(st.lists(st.sampled_from(["s1", "s2", ""]), max_size=8))
    def test_whoever_wrote_hears_of_all_but_his_own(
        self, another: Another, authors: list[str]
    ) -> None:
        with another() as store:
            for number, author in enumerate(authors):
                store.author = author
                learn(store, f"Note number {number} of {author}.", scope=Scope("demo", ""))

            heard = store.list_changed_notes(
                HERE, since=0, excluded_session="s1", kinds=tuple(KINDS)
            )

            assert len(heard) == sum(author != "s1" for author in authors)


class TestPrompts:
    def test_m12_a_prompt_is_counted_once_by_its_key(self, store: Store) -> None:
        for key in ("p1", "p2", "p1"):
            store.capture(a_prompt(key=key))

        known = store.session("s1")
        assert known
        assert (known.prompts, known.project, known.seen_at) == (2, "demo", 5)

    def test_m12_what_a_session_was_is_not_taken_back(self, store: Store) -> None:
        store.save_records(a_session(prompts=0))
        store.capture(a_prompt())
        store.save_records(ContextFill("s1", 70))

        store.save_records(a_session(prompts=0, changes_seen=9))  # by one who read it before

        known = store.session("s1")
        assert known
        assert (known.prompts, known.changes_seen, known.context_percent) == (1, 9, 70)

    def test_a_compaction_empties_the_context(self, store: Store) -> None:
        store.save_records(a_session())
        store.save_records(ContextFill("s1", 70))

        store.save_records(a_session(compactions=1))

        known = store.session("s1")
        assert known
        assert known.context_percent == 0

    def test_a_prompt_keeps_no_secret(self, store: Store) -> None:
        secret = "ghp_" + "a1B2c3D4e5" * 4

        store.capture(a_prompt(root=f"/home/{secret}"))
        store.capture(a_prompt(key="p2", session="s2", transcript=f"/t/{secret}"))

        for name in ("s1", "s2"):
            assert secret not in str(store.session(name))


def announced(store: Store, call: str, projects: Sequence[str] = ()) -> str:
    """Return the session that announced a call, or nothing."""
    session = store.session(call=call, projects=projects)
    return session.id if session else ""


class TestCallers:
    def test_a_call_is_known_by_who_announced_it_last(self, store: Store, clock: Clock) -> None:
        for name, project in (("s1", "demo"), ("s2", "demo"), ("s3", "other")):
            store.save_records(a_session(id=name, project=project))
            clock.wait(1_000)
            store.save_records(Intent(name, "", call="tool/1"))

        assert announced(store, "tool/1") == "s3"
        assert announced(store, "tool/1", HERE) == "s2"
        assert announced(store, "tool/2") == ""
        clock.wait(INTENT_MS)
        assert announced(store, "tool/1", HERE) == ""

    def test_what_was_shown_is_known_by_its_key(self, store: Store) -> None:
        store.capture(Exposure("handoff/p/e1/00", "e1", "s1", "handoff", 5))

        assert store.list_exposures(key="handoff/p/e1/00")
        assert not store.list_exposures(key="handoff/p/e1/01")
