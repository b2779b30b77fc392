"""What every store does with stretches of work; only the port is used."""

from tests.contracts.test_store import Another

from twiceshy.core.evidence import Episode
from twiceshy.core.store import Store
from twiceshy.project.episodes.build import EpisodeContext, build_session_episode
from twiceshy.project.episodes.work_segment import WorkSegment

ABOUT = EpisodeContext("s1", "demo", "shop", "fixing (login)", "/t/s1.jsonl")
STRETCH = WorkSegment(
    messages=2, title="Fix it all", requests=("Fix it all", "test it"), ended_at=5
)


def kept(store: Store) -> list[Episode]:
    return store.list_episodes(("demo",), kinds=("end",))


def test_an_episode_is_kept_once(store: Store) -> None:
    episode = build_session_episode(STRETCH, ABOUT)

    store.capture(episode)
    store.capture(episode.but(title="Something else"))

    assert kept(store) == [episode]


def test_an_episode_is_changed_in_place_and_remembers_what_it_was(store: Store) -> None:
    first = build_session_episode(STRETCH, ABOUT)
    longer = build_session_episode(STRETCH.but(messages=3, files=("a.py",), ended_at=9), ABOUT)
    store.capture(first)

    now, before = longer.fields(), first.fields()
    changed = {name: value for name, value in now.items() if value != before[name]}
    with store.change():
        store.record_entry(
            "edit", first.id, changed, before={name: before[name] for name in changed}
        )

    assert kept(store) == [longer]
    assert [entry.op for entry in store.history(first.id)] == ["write", "edit"]
    assert list(store.rebuild_derived()) == [first.id]
    assert kept(store) == [longer]


def test_what_was_changed_reaches_another_store_whole(store: Store, another: Another) -> None:
    store.capture(build_session_episode(STRETCH, ABOUT))
    with store.change():
        store.record_entry("edit", kept(store)[0].id, {"title": "Fix half of it"})

    with another() as other:
        with other.change():
            other.settle_objects(other.import_records(store.export_records()))
        arrived = kept(other)

    assert arrived == kept(store)
    assert arrived[0].title == "Fix half of it"
