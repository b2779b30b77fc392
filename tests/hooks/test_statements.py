"""What a hook asks of SQLite: nothing when there is nothing to do, little when there is, and never an index anew."""

import json
import os
import re
import shutil
import socket
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest
from tests.hooks.attack import UNHURRIED
from tests.hooks.conftest import Client, Memory, a_skill
from tests.hooks.sessions import MORNING, project_of, teach
from tests.hooks.test_modules import FAILURE, MISTAKE, NOTHING, SKILL, SOURCE, START
from tests.store.support import dump, learn, opened, raw

from twiceshy.core.filter import NoteFilter
from twiceshy.core.scope import Scope
from twiceshy.notes.write import NoteLimits

# Runs the hook as it is installed, and tells what it asked of SQLite in the place where it would end.
PROGRAM = """
import sys
import _sqlite3
sys.path.append({folder!r})
asked, steps, really = [], [0], _sqlite3.connect
def step():
    steps[0] += 1
def connect(*given, **how):
    db = really(*given, **how)
    db.set_trace_callback(asked.append)
    db.set_progress_handler(step, 1)
    return db
_sqlite3.connect = connect
from twiceshy.hooks import entry
def ended():
    import json, posix
    posix.write(2, json.dumps([asked, steps[0]]).encode())
    posix._exit(0)
entry.answer_event(["claude-code"], ended)
ended()
"""
WRITES = re.compile(r"(?:INSERT|REPLACE|UPDATE|DELETE)\b(?: OR \w+)?(?: INTO| FROM)? ['\"\w.]+")
TABLE = re.compile(r"\w+(?=['\"]*$)")
FEW, MANY = 40, 1_500
APART = NoteLimits(near=1.0, skill_max=10_000)
Places = tuple[Path, dict[int, Path]]


@dataclass(frozen=True)
class Work:
    """What a hook asked of SQLite, and how many instructions that took there."""

    asked: list[str]
    steps: int

    @property
    def questions(self) -> int:
        """Return how many statements were ours; a text index runs some of its own for them."""
        return sum(not statement.startswith("-- ") for statement in self.asked)

    @property
    def changed(self) -> set[str]:
        """Return the tables it wrote to, those inside of the text index as well."""
        found = (WRITES.match(statement.removeprefix("-- ").strip()) for statement in self.asked)
        return {match[0] for each in found if each and (match := TABLE.search(each[0]))}


def run(home: Path, project: Path, payload: dict[str, Any], session: str = "s1") -> Work:
    """Let the hook answer a payload, and return what it asked for."""
    said = {"session_id": session, "transcript_path": "/t.jsonl", "cwd": str(project)}
    done = subprocess.run(
        [sys.executable, "-I", "-S", "-c", PROGRAM.format(folder=str(SOURCE.parent))],
        input=json.dumps(said | payload, separators=(",", ":")).encode(),
        capture_output=True,
        check=True,
        env={
            "PATH": os.environ["PATH"],
            "HOME": str(home.parent),
            "TWICESHY_HOME": str(home),
            "TWICESHY_NOW": MORNING,
            **UNHURRIED,
        },
    )
    return Work(*json.loads(done.stderr))


@pytest.fixture(scope="module")
def prepared_places(tmp_path_factory: pytest.TempPathFactory) -> Places:
    """A project, and two memory homes that know as much about it, and little or much about others."""
    folder = tmp_path_factory.mktemp("places")
    project = folder / "shop"
    a_skill(project / ".claude/skills/release")
    homes = {size: folder / f"home-{size}" for size in (FEW, MANY)}
    for size, home in homes.items():
        with opened(home) as store, store.change():
            for number in range(20):
                scope = Scope(project_of(project), "release")
                learn(store, f"Cut release {number} with care.", scope=scope, bounds=APART)
            for number in range(size):
                scope = Scope(f"dir:{number % 7:032}", f"skill-{number % 5}")
                learn(store, f"Cut part {number} of it.", scope=scope, bounds=APART)
        teach(home, project)
        run(home, project, START)
    return project, homes


@pytest.fixture
def places(prepared_places: Places, tmp_path: Path) -> Places:
    """The same, with homes of the test's own: each event is the first one after the start."""
    project, homes = prepared_places
    for size, home in homes.items():
        shutil.copytree(home, tmp_path / f"home-{size}")
    return project, {size: tmp_path / f"home-{size}" for size in homes}


_SEGMENTS = 0.2  # of the steps
# what is sent, and how many questions that may be worth
MOMENTS: dict[str, tuple[dict[str, Any], int]] = {
    "signal": (FAILURE, 32),
    "recall": (SKILL, 56),
    "failure, told": ({**FAILURE, **MISTAKE}, 36),
}


@pytest.mark.parametrize("what", NOTHING)
def test_an_event_that_carries_nothing_opens_no_database(
    home: Path, project: Path, what: str
) -> None:
    teach(home, project)
    run(home, project, START)

    assert run(home, project, NOTHING[what]) == Work([], 0)


@pytest.mark.parametrize("moment", MOMENTS)
def test_an_event_that_matters_asks_little_and_the_same_in_a_small_and_a_large_store(
    places: Places, moment: str
) -> None:
    project, homes = places
    payload, most = MOMENTS[moment]

    few, many = (run(homes[size], project, payload) for size in (FEW, MANY))

    assert 0 < few.questions <= most, "\n".join(few.asked)
    assert few.questions == many.questions
    # each word is looked up in each segment of the index, of which a larger store has one or two more
    assert abs(many.steps - few.steps) <= few.steps * (
        _SEGMENTS if moment != "failure, told" else 0
    )


def test_a_recall_writes_down_what_was_shown_and_nothing_else(places: Places) -> None:
    project, homes = places

    recall = run(homes[MANY], project, SKILL, session="another")

    assert "exposures" in recall.changed
    shown = {"exposures", "meta", "sessions", "counters", "skill_uses"}
    assert recall.changed <= shown | {"days"}  # each day of use, once


def test_a_recall_in_a_hook_waits_for_no_model_although_one_was_chosen(
    home: Path, client: Client, memory: Memory, monkeypatch: pytest.MonkeyPatch
) -> None:
    memory.learn("Linux terminates a task that runs out of memory.")
    with socket.create_server(("127.0.0.1", 0)) as model:
        model.setblocking(False)
        for name, value in {
            "TWICESHY_EMBED_ON": "true",
            "TWICESHY_EMBED_BACKEND": "openai",
            "TWICESHY_EMBED_URL": f"http://127.0.0.1:{model.getsockname()[1]}/v1",
        }.items():
            monkeypatch.setenv(name, value)

        said = client.load("release", "the kernel killed the process")

        assert 'mode="full"' in said
        with pytest.raises(BlockingIOError):
            model.accept()  # nobody has called


def test_who_writes_a_note_is_seen_to_write_the_text_index(home: Path) -> None:
    asked: list[str] = []
    with opened(home) as store:
        store._db.set_trace_callback(asked.append)

        learn(store, "Sign the tag.", scope=Scope("elsewhere", "release"))

    assert Work(asked, 0).changed >= {"notes", "words", "words_data", "scopes"}


def test_no_number_of_recalls_touches_the_notes_their_vectors_or_the_text_index(
    home: Path, client: Client, memory: Memory
) -> None:
    for text in ("Fetch the tags.", "Sign the release.", "先拉取标签，再打新标签。"):
        memory.learn(text)
    before = derived(home)

    for number, intent in enumerate(("sign it", "打标签之前", "zyzzyva quux", "") * 5):
        assert Client(client.project, session=f"session-{number}").load("release", intent)

    counted = [note.recalls for note in memory.store.notes(NoteFilter(skill="release"))]
    assert counted == [20, 20, 20]
    assert derived(home) == before


def derived(home: Path) -> dict[str, list[tuple[object, ...]]]:
    """Return every row of the notes, of their vectors and of the tables inside of the text index."""
    with raw(home / "twiceshy.db") as db:
        names = [name for (name,) in db.execute("SELECT name FROM sqlite_master WHERE rootpage")]
        found = [name for name in names if name.startswith("words_")]
        assert len(found) >= 3
        return {name: dump(db, name) for name in ("notes", "vectors", *found)}
