"""How large a store becomes in years of work, and what it is after ``compress``; what a session start costs then.

    python -m bench.growth [--sessions 10000] [--days 730] [--projects 5] [--rounds 15]

Sessions are written through the store as hooks and learning do, at the times that a clock says which
is set. None of their transcripts is there any more, as clients remove them after a month. The last
figures are CPU times of the session-start hook against an interpreter that does nothing, in one run.
"""

from __future__ import annotations

import argparse
import json
import os
import random
import sqlite3
import statistics
import sys
import tempfile
import time
from typing import TYPE_CHECKING

from bench.hooks import BARE, RUN, UNHURRIED, a_project, spent
from tests.store.support import app_of

from twiceshy.core.draft import Draft
from twiceshy.core.evidence import Exposure, Signal
from twiceshy.core.model_ledger import ModelCall
from twiceshy.core.moment import DAY, format_stamp, parse_day
from twiceshy.core.outcome import FLAGS, Outcome
from twiceshy.core.retention import Retention
from twiceshy.core.scope import Scope
from twiceshy.core.session import Intent, Session, SkillUse
from twiceshy.core.transcript import CLOSED, TranscriptProgress
from twiceshy.notes.write import NoteLimits, write_draft
from twiceshy.places.project import identify_project
from twiceshy.project.episodes.build import (
    EpisodeContext,
    build_checkpoint_episode,
    build_session_episode,
)
from twiceshy.project.episodes.work_segment import WorkSegment
from twiceshy.store.command_store import WholeStore
from twiceshy.store.connect import COMMAND_PATIENCE
from twiceshy.sync.copies import write_copy
from twiceshy.upkeep.compress import compress_store

if TYPE_CHECKING:
    from collections.abc import Sequence

    from twiceshy.core.store import Store

TODAY = parse_day("2026-11-02")
NOTES = 20  # of each project
SHOWN = 6  # in a session
CALLS = 20  # of a session
_TABLES = "SELECT name FROM sqlite_master WHERE type = 'table' AND sql LIKE 'CREATE TABLE%'"


class Clock:
    """A clock that is set, and moves by a millisecond when it is looked at."""

    def __init__(self, at: int) -> None:
        self.at = at

    def __call__(self) -> int:
        """Return what time it is."""
        self.at += 1
        return self.at


class SimulatedUse:
    """Years of work in some projects, one session after another."""

    def __init__(
        self, store: Store, clock: Clock, projects: Sequence[str], *, notes: int = NOTES
    ) -> None:
        self._store, self._clock, self._projects = store, clock, projects
        self._notes = {project: self._lessons(project, notes) for project in projects}

    def live(self, sessions: int, *, since: int, until: int, begin: int = 0) -> None:
        """Go through so many sessions, evenly spread over the time between two moments."""
        for place in range(sessions):
            self._clock.at = since + (until - since) * place // sessions
            number = begin + place
            project = self._projects[number % len(self._projects)]
            with self._store.change():
                self._session(f"session-{number:06}", project, number)

    def _lessons(self, project: str, notes: int) -> list[str]:
        kept = []
        for number in range(notes):
            text = f"Lesson {number}: run step-{number} before stage-{number} in {project[-4:]}."
            draft = Draft("lesson", text, Scope(project), "detector", origin_project=project)
            outcome = write_draft(app_of(self._store), draft, bounds=NoteLimits(near=1.0))
            kept.append(outcome.note.id)  # type: ignore[union-attr]  # none of them is refused
        return kept

    def _session(self, name: str, project: str, number: int) -> None:
        store, at = self._store, self._clock()
        path, root = f"/transcripts/{name}.jsonl", "/home/u/shop"
        store.save_records(Session(name, "claude-code", project, root, path, at, at))
        store.save_records(Intent(name, f"fix part {number} of the shop"))
        store.save_records(
            SkillUse(name, "", f"skill-{number % 3}", project, "active", at, told="0-1-2-3")
        )
        known = self._notes[project]
        shown = [known[(number + each) % len(known)] for each in range(min(SHOWN, len(known)))]
        exposures = [
            Exposure(f"{name}//0/start/{note}", note, name, "start", at, 30) for note in shown
        ]
        signals = [
            Signal(f"{name}/{each}", "error", name, project, at, tool="Bash", excerpt="it failed")
            for each in range(4)
        ]
        self._episodes(name, project, number, path)
        store.capture(*exposures, *signals)
        store.increment_counter("recalls", shown)
        store.record_evidence(shown[0], f"{name}/0", name, at=at)
        store.register_calls(
            [f"{name}/call-{each}" for each in range(CALLS)], name, project=project
        )
        store.save_records(
            TranscriptProgress(path, name, "4000-0badcafe", f'{CLOSED},"acts":[]}}', at)
        )
        store.save_records(*(self._outcome(one, project, number) for one in exposures))
        store.save_records(
            ModelCall(at, "distil", project, name, "null", "none", name, 900, 90, 400)
        )

    def _episodes(self, name: str, project: str, number: int, path: str) -> None:
        about = EpisodeContext(name, project, "shop", "fixing (login)", path)
        asked = tuple(f"please do step {each} of part {number}" for each in range(8))
        stretch = WorkSegment(
            messages=24,
            title=f"Part {number} of the shop, its form and its tests",
            requests=asked,
            tools=("Bash", "Edit"),
            files=tuple(f"src/part_{number}_{each}.py" for each in range(6)),
            started_at=self._clock.at,
            ended_at=self._clock.at,
        )
        begun = build_session_episode(stretch.but(messages=8), about)
        ended = build_session_episode(stretch, about)
        self._store.capture(begun, build_checkpoint_episode(stretch.but(messages=20), about))
        change = {"summary": ended.summary}
        self._store.record_entry("edit", begun.id, change, before={"summary": begun.summary})

    def _outcome(self, exposure: Exposure, project: str, number: int) -> Outcome:
        flags = dict.fromkeys(FLAGS, False) | {"opportunity": True, "followed": number % 3 > 0}
        own = exposure.fields() | {"project": project, "calls_lost": 0}
        return Outcome.of(own | flags)


def rows(store: WholeStore) -> dict[str, int]:
    """Count the rows of every table that has any."""
    db = sqlite3.connect(f"file:{store.path}?mode=ro", uri=True)
    try:
        names = [name for (name,) in db.execute(_TABLES) if not name.startswith("words")]
        counts = {name: db.execute(f"SELECT count(*) FROM {name}").fetchone()[0] for name in names}
    finally:
        db.close()
    return {name: count for name, count in sorted(counts.items()) if count}


def size(store: WholeStore) -> int:
    """Return the bytes of the store, with what waits beside it."""
    paths = (store.path, store.path + "-wal")
    return sum(os.path.getsize(path) for path in paths if os.path.exists(path))


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.split("\n", maxsplit=1)[0])
    parser.add_argument("--sessions", type=int, default=10_000)
    parser.add_argument("--days", type=int, default=730)
    parser.add_argument("--projects", type=int, default=5)
    parser.add_argument("--rounds", type=int, default=15)
    given = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        os.environ |= {"HOME": folder, "TWICESHY_NOW": format_stamp(TODAY)} | UNHURRIED
        shop = a_project(folder)
        homes = {}
        for name, sessions in (
            ("one day", 10),
            ("grown", given.sessions),
            ("compressed", given.sessions),
        ):
            homes[name] = home = os.path.join(folder, name.replace(" ", "-"))
            projects = [identify_project(shop, cache=None).id]
            projects += [f"dir:{number:032}" for number in range(1, given.projects)]
            days = 1 if name == "one day" else given.days
            lived(home, projects, sessions, days, compressing=name == "compressed")
        measure(shop, homes, rounds=given.rounds)


def lived(
    home: str, projects: Sequence[str], sessions: int, days: int, *, compressing: bool
) -> None:
    """Fill a memory home, and print what is in it; compressed once a week of that time, if at all."""
    clock, began = Clock(TODAY - days * DAY), time.process_time()
    patience = COMMAND_PATIENCE.but(synchronous="OFF")
    store = WholeStore(os.path.join(home, "twiceshy.db"), clock=clock, patience=patience)
    use, weeks = SimulatedUse(store, clock, projects), max(1, days // 7)
    taken = []
    for week in range(weeks):
        since = TODAY - days * DAY + days * DAY * week // weeks
        until = TODAY - days * DAY + days * DAY * (week + 1) // weeks
        begin, end = sessions * week // weeks, sessions * (week + 1) // weeks
        use.live(end - begin, since=since, until=until, begin=begin)
        if compressing:
            before = time.process_time()
            compress_store(store, Retention(), there=lambda _: False)
            taken.append(time.process_time() - before)
    began_copy = time.process_time()
    copy = write_copy(app_of(store, copies__kept=1))
    copied = time.process_time() - began_copy
    store.close()
    print(f"{os.path.basename(home)}: {sessions:,} sessions in {days} days, {size(store):,} bytes")
    print("  " + ", ".join(f"{table} {count:,}" for table, count in rows(store).items()))
    if taken:
        print(
            f"  compress: median {statistics.median(taken):.2f} s, most {max(taken):.2f} s of CPU"
        )
    if copy:
        print(f"  a copy of it has {copy.size:,} bytes, and took {copied:.2f} s of CPU")
    print(f"  {time.process_time() - began:.0f} s of CPU in all", file=sys.stderr)


def measure(project: str, homes: dict[str, str], *, rounds: int) -> None:
    """Start a session in every home in every round, in random order, and print medians."""
    taken: dict[str, list[float]] = {name: [] for name in (*homes, "bare")}
    dice = random.Random(1)
    for number in range(rounds + 1):
        payload = {
            "session_id": f"fresh-{number}",
            "cwd": project,
            "transcript_path": "/t.jsonl",
            "hook_event_name": "SessionStart",
            "source": "startup",
        }
        raw = json.dumps(payload, separators=(",", ":")).encode()
        for name in dice.sample(list(taken), len(taken)):
            home = homes.get(name, "")
            argv, words = (RUN, raw) if home else (BARE, b"")
            taken[name].append(spent(argv, words, home or project)[0])
    medians = {name: statistics.median(times[1:]) for name, times in taken.items()}
    for name, cpu in medians.items():
        print(f"session start, {name:<12}{cpu:8.1f} ms CPU, {cpu / medians['bare']:5.2f}x bare")


if __name__ == "__main__":
    main()
