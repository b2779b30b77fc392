"""A transcript is read once, whoever learns from it, and what waits is not lost by a kill."""

import sys
from pathlib import Path

import pytest
from tests.learning.sessions import PROJECT, ROOT, Told, origin, study
from tests.learning.test_episodes import compacted
from tests.requirements import requirement
from tests.store.support import EVERY_STATUS, app_of

from twiceshy.core.evidence import Exposure
from twiceshy.core.session import Session
from twiceshy.learning.learn import learn_from_transcripts
from twiceshy.learning.session import SessionLearner
from twiceshy.learning.sources import TranscriptSource
from twiceshy.runtimes.claude_code import transcript
from twiceshy.store.command_store import WholeStore

SUMMARY = """All went well.
<skill_observations>
* release | gotcha | Run `gh pr diff --name-only` before the tag
</skill_observations>"""


class Opened:
    """Counts how often files are opened; Python lets nobody take such a hook back, so it is one."""

    names: list[str] | None = None

    @classmethod
    def hear(cls, event: str, given: tuple[object, ...]) -> None:
        if event == "open" and cls.names is not None:
            cls.names.append(str(given[0]))


sys.addaudithook(Opened.hear)


def opened_while_learning(store: WholeStore, path: Path, *, close: bool) -> int:
    """Learn from a transcript of a known session; return how often the file was opened."""
    known = Session("s1", "claude-code", PROJECT, ROOT, str(path), 1, 1)
    with store.change():
        store.save_records(known)
    app, Opened.names = app_of(store, distiller__backend="null"), []
    done = learn_from_transcripts(app, [TranscriptSource(str(path), "s1")], close=close)
    names, Opened.names = Opened.names, None
    assert (done.files, done.unread) == (1, 0)
    return names.count(str(path))


@pytest.fixture(autouse=True)
def release(home: Path) -> None:
    """The skill that these observations are about is installed."""
    folder = home.parent / "user/.claude/skills/release"
    folder.mkdir(parents=True)
    (folder / "SKILL.md").write_text("---\nname: release\ndescription: Releases.\n---\n")


def busy_session() -> Told:
    told = Told().said("Show the diff.").mistaken().said("No, always use pnpm, never npm.")
    return compacted(told, SUMMARY).mistaken()


@requirement("U087")
def test_a_session_that_is_over_is_read_once_by_all_who_learn_from_it(
    store: WholeStore, tmp_path: Path
) -> None:
    study(store, Told("s0").mistaken().file(tmp_path))
    (known,) = store.notes(EVERY_STATUS)
    store.capture(Exposure("s1//0/start/x", known.id, "s1", "start", 1))

    assert opened_while_learning(store, busy_session().file(tmp_path), close=True) == 1

    sources = {note.source for note in store.notes(EVERY_STATUS)}
    assert sources == {"detector", "historian"}
    assert [one.kind for one in store.list_episodes((PROJECT,), kinds=("end",))] == ["end"]
    assert [one.note for one in store.list_outcomes()] == [known.id]


def test_a_turn_reads_what_is_new_and_all_of_it_only_when_an_episode_is_due(
    store: WholeStore, tmp_path: Path
) -> None:
    told = busy_session()
    reads = [opened_while_learning(store, told.file(tmp_path), close=False)]
    told.mistaken()
    reads.append(opened_while_learning(store, told.file(tmp_path), close=False))
    told.said("and now").said("the next").said("and the last")
    reads.append(opened_while_learning(store, told.file(tmp_path), close=False))
    reads.append(opened_while_learning(store, told.file(tmp_path), close=True))

    assert reads == [1, 1, 2, 1]


def test_observations_of_a_summary_wait_for_whoever_comes_next(
    store: WholeStore, tmp_path: Path
) -> None:
    path = str(busy_session().file(tmp_path))
    app, steps = app_of(store), list(transcript.read_transcript(path))
    SessionLearner(app, origin(), path).learn_steps(transcript.read_transcript(path), close=False)

    following = SessionLearner(app, origin(), path)  # the one before was killed
    waiting = list(following.observations)
    following.promote_observations(steps)

    assert [one.skill for one in waiting] == ["release"]
    assert [note.source for note in store.notes(EVERY_STATUS)].count("historian") == 1
    assert list(SessionLearner(app, origin(), path).observations) == []
