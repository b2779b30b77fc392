"""What every store remembers while sessions last; only the port is used."""

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.contracts.test_store import Another
from tests.requirements import requirement
from tests.store.support import Clock, app_of, learn

from twiceshy.core.evidence import Episode, Exposure
from twiceshy.core.filter import NoteFilter
from twiceshy.core.moment import DAY, format_day
from twiceshy.core.scope import Scope
from twiceshy.core.session import (
    INTENT_MS,
    LONGEST_INTENT,
    MOST_INTENTS,
    Intent,
    Session,
    SkillUse,
)
from twiceshy.core.store import Store
from twiceshy.notes.edit import edit_fields, pin_note, retire_note, unpin_note

HERE = NoteFilter(projects=("demo",), skill="release")


def a_session(**fields: object) -> Session:
    usual: dict[str, object] = {
        "id": "s1",
        "runtime": "claude-code",
        "project": "demo",
        "root": "/home/u/shop",
        "transcript": "/home/u/t.jsonl",
        "started_at": 1,
        "seen_at": 2,
    }
    return Session.of(usual | fields)


def a_use(**fields: object) -> SkillUse:
    usual: dict[str, object] = {
        "session": "s1",
        "agent": "",
        "skill": "release",
        "project": "demo",
        "how": "active",
        "at": 1,
    }
    return SkillUse.of(usual | fields)


def test_a_session_is_remembered_as_it_was_kept_last(store: Store) -> None:
    store.save_records(a_session())
    store.save_records(a_session(prompts=3, compactions=1))
    store.save_records(a_session(id="s2"))

    assert store.session("s1") == a_session(prompts=3, compactions=1)
    assert store.session("s3") is None


class TestIntents:
    def test_an_intent_belongs_to_one_session(self, store: Store) -> None:
        store.save_records(Intent("s1", "cut a release"))
        store.save_records(Intent("s1", "sign it"), Intent("s1", "", call="c1"))

        assert store.find_intent("s1") == "sign it"
        assert store.find_intent("s2") == ""

    def test_an_announced_call_is_stale_after_a_minute_and_an_intent_is_not(
        self, store: Store, clock: Clock
    ) -> None:
        store.save_records(a_session(), Intent("s1", "", call="c1"), Intent("s1", "sign it"))
        clock.wait(INTENT_MS - 1_000)
        assert store.session(call="c1") is not None

        clock.wait(2_000)

        assert store.session(call="c1") is None
        assert store.find_intent("s1") == "sign it"  # a session may be about one thing for hours

    def test_a_minute_ends_with_its_last_millisecond(self, store: Store, clock: Clock) -> None:
        store.save_records(a_session(), Intent("s1", "", call="c1"))
        clock.wait(60_000 - 1)  # and one more when it is looked at

        assert store.session(call="c1") is not None
        assert store.session(call="c1") is None

    @requirement("T80")
    def test_256_intents_are_kept_with_both_ends_of_4000_characters_each(
        self, store: Store
    ) -> None:
        store.save_records(Intent("s1", "cut " + "y " * 4_000 + "a release"))

        kept = store.find_intent("s1")
        assert (kept[:4], kept[-9:]) == ("cut ", "a release")
        assert len(kept) <= 4_000
        assert (MOST_INTENTS, LONGEST_INTENT, INTENT_MS) == (256, 4_000, 60_000)

    def test_the_oldest_intents_give_way(self, store: Store) -> None:
        with store.change():
            for number in range(MOST_INTENTS + 10):
                store.save_records(Intent(f"s{number}", f"intent {number}"))

        known = [store.find_intent(f"s{number}") for number in range(MOST_INTENTS + 10)]

        assert known[:10] == [""] * 10
        assert all(known[10:])

    def test_an_intent_is_redacted_and_bounded(self, store: Store) -> None:
        secret = "ghp_" + "a1B2c3D4e5" * 4

        store.save_records(Intent("s1", f"push with {secret} " + "x " * LONGEST_INTENT))

        kept = store.find_intent("s1")
        assert secret not in kept
        assert len(kept) <= LONGEST_INTENT

    @given(st.text(max_size=200))
    def test_any_text_can_be_an_intent(self, another: Another, text: str) -> None:
        with another() as store:
            store.save_records(Intent("s1", text))

            assert store.find_intent("s1").isprintable() or text


class TestUses:
    def test_a_use_is_remembered_for_the_conversation_it_belongs_to(self, store: Store) -> None:
        store.save_records(a_use(at=1))
        store.save_records(a_use(at=2, skill="review"))
        store.save_records(a_use(at=3, agent="a1"))
        store.save_records(a_use(at=4, told="0/active/x"))

        assert [use.skill for use in store.list_skill_uses("s1", "")] == ["release", "review"]
        assert store.list_skill_uses("s1", "", "release") == [a_use(at=4, told="0/active/x")]
        assert store.list_skill_uses("s1", "a1", "review") == []

    @requirement("U186")
    def test_each_session_counts_once_for_a_skill(self, store: Store) -> None:
        for number, at in enumerate((0, 0, DAY)):
            store.save_records(a_use(session=f"s{number}", at=at))
            store.save_records(a_use(session=f"s{number}", at=at, agent="a1"))
        store.save_records(a_use(session="s9", how="read"))
        store.save_records(a_use(session="s9", skill="review", at=5))

        release, review = store.count_skill_usage()

        assert (release.skill, release.sessions, release.last_at) == ("release", 3, DAY)
        assert release.daily == {format_day(0): 2, format_day(DAY): 1}
        assert (review.skill, review.sessions) == ("review", 1)


class TestState:
    def test_a_change_to_what_notes_say_changes_their_state(self, store: Store) -> None:
        note = learn(store, "Tag last.")
        states = [store.fingerprint_notes(HERE)]

        learn(store, "Sign the tag.")
        states.append(store.fingerprint_notes(HERE))
        edit_fields(app_of(store), note, {"text": "Tag at the very end."})
        states.append(store.fingerprint_notes(HERE))
        pin_note(app_of(store), note)
        states.append(store.fingerprint_notes(HERE))
        retire_note(app_of(store), note, reason="old")
        states.append(store.fingerprint_notes(HERE.but(statuses=("active",))))

        assert len(set(states)) == len(states)

    def test_what_is_counted_or_lies_elsewhere_does_not_change_it(self, store: Store) -> None:
        note = learn(store, "Tag last.")
        before = store.fingerprint_notes(HERE)

        store.increment_counter("recalls", [note.id])
        learn(store, "Tag last.")
        learn(store, "Elsewhere.", scope=Scope("other", "release"))
        pin_note(app_of(store), note)
        unpin_note(app_of(store), note)

        assert store.fingerprint_notes(HERE) == before


def an_episode(number: int, **fields: object) -> Episode:
    usual: dict[str, object] = {
        "id": f"e{number}",
        "kind": "compact",
        "session": "s1",
        "project": "demo",
        "started_at": number,
        "ended_at": number,
        "summary": f"Part {number}.",
        "files": ("a.py",),
    }
    return Episode.of(usual | fields)


@pytest.mark.parametrize(
    ("asked", "found"),
    [
        ({"projects": ("demo",), "kinds": ("compact",)}, ["e3", "e1"]),
        ({"projects": ("demo", "*"), "kinds": ("compact", "end")}, ["e4", "e3", "e2", "e1"]),
        ({"projects": ("demo",), "kinds": ("compact",), "since": 2}, ["e3"]),
        ({"projects": ("demo",), "kinds": ("compact",), "limit": 1}, ["e3"]),
        ({"projects": (), "kinds": ("compact",)}, []),
    ],
)
def test_episodes_are_found_the_newest_first(
    store: Store, asked: dict[str, object], found: list[str]
) -> None:
    store.capture(
        an_episode(1),
        an_episode(2, kind="end"),
        an_episode(3),
        an_episode(4, project="*"),
        an_episode(5, project="other"),
    )

    episodes = store.list_episodes(**asked)  # type: ignore[arg-type]  # the values are typed above

    assert [episode.id for episode in episodes] == found
    assert all(episode.files == ("a.py",) for episode in episodes)


def test_what_a_session_was_shown_is_known_by_its_keys(store: Store) -> None:
    first = Exposure("s1//0/skill/n2", "n2", "s1", "skill", 5, 11)
    second = Exposure("s1//0/start/n1", "n1", "s1", "start", 4, 7, withheld=True)
    store.capture(second, first, first, Exposure("s2//0/skill/n2", "n2", "s2", "skill", 5))

    assert store.list_exposures(session="s1") == [first, second]
