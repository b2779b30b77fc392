"""A session is one episode however often it is read, with one more for each save point."""

from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest
from tests.learning.sessions import DAY, MORNING, PROJECT, ROOT, Told, origin, study
from tests.project.episodes.segments import build_from_steps
from tests.requirements import requirement
from tests.runtimes.claude_code.transcript_lines import a_record, by_user
from tests.store.support import EVERY_STATUS, Clock, a_store, app_of, dump_everything

from twiceshy.core.evidence import Episode
from twiceshy.core.history import REVISE
from twiceshy.core.moment import format_stamp
from twiceshy.core.store import Store
from twiceshy.learning.episodes import is_episode_due, keep_episodes
from twiceshy.project.episodes.facts import parse_episode_facts
from twiceshy.runtimes.claude_code import transcript
from twiceshy.safety.redact import redact
from twiceshy.store.command_store import WholeStore

ACTIONS = {"fixing": ("fix", "修复"), "testing": ("test", "测试")}
KINDS = ("checkpoint", "compact", "end")
SECRET = "ghp_" + "a1B2c3D4e5F6" * 3


@pytest.fixture
def store(home: Path) -> Iterator[WholeStore]:
    with closing(a_store(home / "twiceshy.db", clock=Clock(MORNING + DAY))) as opened:
        yield opened


def keep(
    store: Store, path: Path, *, close: bool = True, compacted: bool = False, every: int = 20
) -> bool:
    """Learn from a transcript as it is now, then keep its episodes, if that is due."""
    study(store, path, close=close)
    store.record_project(PROJECT, name="shop", root=ROOT)
    words: dict[str, tuple[str, ...]] = dict.fromkeys(
        app_of(store).config.table("words.actions"), ()
    )
    words |= ACTIONS
    app = app_of(store, words__actions=words, learn__checkpoint_messages=every)
    whose = origin(path.stem)
    if not (close or compacted or is_episode_due(app, whose, str(path))):
        return False
    fold = build_from_steps(
        transcript.read_transcript(str(path)), redact=redact, root=ROOT, every=every
    )
    return keep_episodes(app, whose, fold, str(path), close=close)


def kept(store: WholeStore, *kinds: str) -> list[Episode]:
    return store.list_episodes((PROJECT,), kinds=kinds or KINDS, limit=1_000)


def a_session(messages: int = 2) -> Told:
    told = Told().said("Fix the login form, it loses the token")
    told.called("Edit", file_path=f"{ROOT}/src/login.py", old_string="a", new_string="b")
    for number in range(1, messages):
        told.said(f"now test the part number {number}")
    return told


def compacted(told: Told, summary: str, *, automatic: bool = True) -> Told:
    """The client sums the conversation up."""
    common = {
        "sessionId": told.session,
        "timestamp": format_stamp(MORNING + DAY // 2),
        "cwd": ROOT,
    }
    why = {"trigger": "auto" if automatic else "manual"}
    number = len(told.records)
    told.records += [
        a_record(
            "system", f"b{number}", subtype="compact_boundary", compactMetadata=why, **common
        ),
        by_user(f"c{number}", f"Summary:\n{summary}", isCompactSummary=True, **common),
    ]
    return told


def test_a_session_that_is_over_is_one_episode(store: WholeStore, tmp_path: Path) -> None:
    keep(store, a_session(3).file(tmp_path))

    [episode] = kept(store)
    assert (episode.kind, episode.session, episode.project) == ("end", "s1", PROJECT)
    assert episode.title == "Fix the login form, it loses the token"
    assert episode.files == ("src/login.py",)
    assert parse_episode_facts(episode).messages == 3
    assert parse_episode_facts(episode).doing == "testing, fixing (login)"


def test_reading_it_again_changes_nothing(store: WholeStore, tmp_path: Path) -> None:
    path = a_session(3).file(tmp_path)

    keep(store, path)
    before = len(store.history())
    keep(store, path)
    keep(store, path)

    assert len(kept(store)) == 1
    assert len(store.history()) == before


def test_a_session_that_goes_on_updates_its_episode(store: WholeStore, tmp_path: Path) -> None:
    told = a_session(2)
    keep(store, told.file(tmp_path))
    first = kept(store)[0]
    told.said("and publish it, please")

    keep(store, told.file(tmp_path))

    [episode] = kept(store)
    assert episode.id == first.id
    assert episode.requests[-1] == "and publish it, please"
    assert episode.ended_at > first.ended_at
    assert len(store.history(episode.id)) == 2


def test_what_a_person_wrote_about_a_session_stays_when_the_session_goes_on(
    store: WholeStore, tmp_path: Path
) -> None:
    keep(store, a_session(2).file(tmp_path), close=False, compacted=True)
    [before] = kept(store)
    words = {
        "title": "The login keeps its token",
        "summary": f"{before.summary.partition(chr(10))[0]}\nDone by hand.",
    }
    told = {name: getattr(before, name) for name in words}
    with store.change():
        store.record_entry(REVISE, before.id, words, before=told)

    keep(store, a_session(30).file(tmp_path))

    [after] = kept(store, "end")
    assert after.title == "The login keeps its token"
    assert after.summary == "30 messages on shop; testing, fixing (login):\nDone by hand."
    assert after.requests[-1] == "now test the part number 29"
    assert parse_episode_facts(after).messages == 30


def test_a_shorter_copy_of_a_session_takes_nothing_away(store: WholeStore, tmp_path: Path) -> None:
    keep(store, a_session(5).file(tmp_path))

    keep(store, a_session(2).file(tmp_path / "copy"))

    assert parse_episode_facts(kept(store)[0]).messages == 5


@requirement("U053")
@requirement("U085")
def test_a_checkpoint_is_kept_after_every_twenty_messages(
    store: WholeStore, tmp_path: Path
) -> None:
    for messages in range(1, 46):
        keep(store, a_session(messages).file(tmp_path), close=False)

    second, first = kept(store, "checkpoint")
    assert [parse_episode_facts(each).messages for each in (first, second)] == [20, 40]
    assert first.title == "Fix the login form, it loses the token"
    assert first.requests[-1] == "now test the part number 19"
    assert parse_episode_facts(first).doing == "testing, fixing (login)"


def test_a_checkpoint_comes_as_often_as_configured(store: WholeStore, tmp_path: Path) -> None:
    for messages in range(1, 8):
        keep(store, a_session(messages).file(tmp_path), close=False, every=3)

    assert [parse_episode_facts(each).messages for each in kept(store, "checkpoint")] == [6, 3]


def test_a_long_session_is_not_written_anew_at_every_turn(
    store: WholeStore, tmp_path: Path
) -> None:
    for messages in range(1, 61):
        keep(store, a_session(messages).file(tmp_path), close=False)

    [episode] = kept(store, "end")
    assert parse_episode_facts(episode).messages == 60
    assert len(store.history(episode.id)) <= 8


def test_a_session_in_which_nobody_said_anything_leaves_nothing(
    store: WholeStore, tmp_path: Path
) -> None:
    keep(store, Told().ran("ls").file(tmp_path))

    assert kept(store) == []


@requirement("U054")
@pytest.mark.parametrize(("automatic", "trigger"), [(True, "auto"), (False, "manual")])
def test_a_compaction_that_a_hook_kept_is_told_with_what_went_before(
    store: WholeStore, tmp_path: Path, automatic: bool, trigger: str
) -> None:
    by_hook = Episode("e1", "compact", "s1", PROJECT, MORNING, MORNING, summary="We fixed it.")
    store.capture(by_hook, by_hook.but(id="e2", session="s2", ended_at=MORNING + DAY))
    told = compacted(a_session(3), "We fixed it.", automatic=automatic)

    keep(store, told.file(tmp_path), close=False, compacted=True)
    keep(store, told.said("go further with it").file(tmp_path))

    other, episode = kept(store, "compact")
    assert other.title == ""
    assert (episode.id, episode.summary) == ("e1", "We fixed it.")
    assert parse_episode_facts(episode).trigger == trigger
    assert parse_episode_facts(episode).messages == 3
    assert episode.files == ("src/login.py",)


def test_a_compaction_that_no_hook_kept_is_kept_once_the_session_is_over(
    store: WholeStore, tmp_path: Path
) -> None:
    told = compacted(a_session(3), f"We used {SECRET} for it.")

    keep(store, told.file(tmp_path), close=False, compacted=True)
    meanwhile = kept(store, "compact")
    keep(store, told.file(tmp_path))
    keep(store, told.file(tmp_path))

    assert meanwhile == []
    [episode] = kept(store, "compact")
    assert episode.summary.startswith("We used ")
    assert SECRET not in episode.summary


def test_m5_a_second_compaction_learns_nothing_twice(store: WholeStore, tmp_path: Path) -> None:
    told = compacted(a_session(3).mistaken().whiled(8), "We fixed it.")
    keep(store, told.file(tmp_path), close=False, compacted=True)
    learned = [note.sightings for note in store.notes(EVERY_STATUS, limit=100)]

    compacted(told.said("test the rest of it"), "We tested it.")
    keep(store, told.file(tmp_path))
    keep(store, told.file(tmp_path))

    assert learned
    assert [note.sightings for note in store.notes(EVERY_STATUS, limit=100)] == learned
    assert len(kept(store, "compact")) == 2
    assert len(kept(store, "end")) == 1


def test_m16_no_secret_of_a_message_reaches_the_store(store: WholeStore, tmp_path: Path) -> None:
    told = Told().said(f"log in with {SECRET}").said("x" * 190 + f" {SECRET} tail")

    keep(store, told.file(tmp_path))

    dump = dump_everything(store._db)
    assert "log in with" in dump
    assert SECRET[:14] not in dump


def test_m12_k12_only_requests_and_a_pointer_are_kept_of_a_transcript(
    store: WholeStore, tmp_path: Path
) -> None:
    told = Told().said("Fix the login form " + "and this " * 100).answered("a long answer " * 50)
    path = told.file(tmp_path)

    keep(store, path)

    [episode] = kept(store)
    assert episode.transcript == str(path)
    assert max(map(len, episode.requests)) <= 200
    assert "a long answer" not in repr(episode)
