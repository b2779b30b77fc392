"""Sessions of a simulated year: hooks answer their calls, and what they did is learned from.

A session makes some of the mistakes that come back in its project, and now and then one that nobody
makes again. An agent that was told about a mistake seldom makes it. Hooks answer in this process, by
the functions that a hook process runs; the learning at a session's end is that of the background job.
"""

from __future__ import annotations

import os
import random
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from tests.runtimes.claude_code.transcript_lines import a_file, a_record, a_return, a_use

from twiceshy.config.load import load_config
from twiceshy.core.draft import Draft
from twiceshy.core.moment import DAY, format_stamp
from twiceshy.core.scope import NO_SKILL, Scope
from twiceshy.notes.write import write_draft
from twiceshy.places.project import identify_project
from twiceshy.replay.hook_home import ReplayHome
from twiceshy.upkeep.compress import compress_daily
from twiceshy.upkeep.fade import fade_daily

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from twiceshy.app import App

ONCE = 0.12  # chance of a session to make a mistake that nobody makes again
AGAIN = (0.2, 0.1, 0.05, 0.03, 0.02, 0.01)  # of the mistakes that come back in a project
HEEDED = 0.75  # chance that an agent that was told does it right
QUIET_CALLS = 12  # behind the last mistake
DECISIONS = 5  # of a person, in each project


class YearHome(ReplayHome):
    """A memory home with its hooks, on which lots are drawn as for a user."""

    def __init__(self, folder: str) -> None:
        super().__init__(folder, {})
        settings = load_config({**os.environ}, cwd=folder, home_dir=folder)
        self._app = self._app.but(config=settings)

    @property
    def app(self) -> App:
        """Return the tools of this home."""
        return self._app

    def set_time(self, at: int) -> None:
        """Set the clock of this process and of those that it starts."""
        self._now = at
        set_clock(at)


class SimulatedYear:
    """Sessions of some projects, one after another, at the time of a clock that is set."""

    def __init__(self, home: YearHome, folder: str, projects: int, *, fading: bool = True) -> None:
        self._home, self._folder, self._fading = home, folder, fading
        self._dice = random.Random(7)
        self._number = 0
        self.roots = [os.path.join(folder, f"project-{number}") for number in range(projects)]
        for root in self.roots:
            os.makedirs(root, exist_ok=True)
            project = identify_project(root, cache=None).id
            home.store.record_project(project, name=os.path.basename(root), root=root)
            for number in range(DECISIONS):
                text = f"Part {number} of {os.path.basename(root)} is built with stage-{number}."
                draft = Draft("decision", text, Scope(project, NO_SKILL), "user")
                write_draft(home.app, draft)

    def live_day(self, at: int, sessions: int) -> None:
        """Go through the sessions of a day, and what is done once a day."""
        for place in range(sessions):
            self._number += 1
            self._live_session(at + place * (DAY // (2 * sessions)))
        if self._fading:
            fade_daily(self._home.app)
        _age_files(self._home.app.config.home, at + DAY // 2)
        compress_daily(self._home.app)

    def _live_session(self, at: int) -> None:
        home, root = self._home, self._dice.choice(self.roots)
        name = f"session-{self._number:06}"
        path = os.path.join(self._folder, f"{name}.jsonl")
        place = SessionPlace(name, root, path, at)
        play_session(home, self._dice, place, self._choose_mistakes(root))
        home.learn_session(path, name)
        os.unlink(path)

    def _choose_mistakes(self, root: str) -> Iterator[tuple[str, str]]:
        dice, where, number = self._dice, os.path.basename(root), self._number
        for again, chance in enumerate(AGAIN):
            if dice.random() < chance:
                yield misuse(f"tool{again}-{where}", f"slip-{again}", f"right-{again}")
        if dice.random() < ONCE:
            yield misuse(f"prog{number % 97}", f"odd{number}", f"even{number}")


class SessionPlace(NamedTuple):
    """Where and when a session takes place."""

    name: str
    root: str
    transcript: str
    at: int


def play_session(
    home: YearHome, dice: random.Random, place: SessionPlace, mistakes: Iterable[tuple[str, str]]
) -> None:
    """Let a session take place in a project, and write its transcript."""
    home.enter_directory(place.root)
    home.set_time(place.at)
    session = _Session(home, place)
    session.fire("SessionStart", source="startup")
    session.ask(f"please go on with part {place.name[-6:]}")
    for wrong, right in mistakes:
        if not (session.was_told(wrong) and dice.random() < HEEDED):
            session.call(wrong, f"Exit code 2\nerror: unknown option '{wrong.split()[-1]}'")
        session.call(right)
    for number in range(QUIET_CALLS):
        session.call(f"ls part-{number}")
        if number % 4 == 3:
            session.ask(f"now step {number} of it, please")
    session.write_transcript()


class _Session:
    """One session: its events, what it was told, and its transcript."""

    def __init__(self, home: YearHome, place: SessionPlace) -> None:
        self._home, self._place = home, place
        self._told = ""
        self._records: list[object] = []

    @property
    def _at(self) -> int:
        return self._place.at + len(self._records) * 500

    def fire(self, event: str, **fields: object) -> None:
        """Fire an event, and remember what the hook said."""
        name, root, path, _ = self._place
        common = {"session_id": name, "transcript_path": path, "cwd": root}
        self._told += self._home.fire_event(event, self._at, root, common | fields).text

    def was_told(self, command: str) -> bool:
        """True if a note about a command was told."""
        return command in self._told

    def call(self, command: str, error: str = "") -> None:
        """Make a call, and let hooks see it before and after."""
        call: dict[str, object] = {"tool_name": "Bash", "tool_input": {"command": command}}
        call["tool_use_id"] = number = f"{self._place.name}-{len(self._records)}"
        self.fire("PreToolUse", **call)
        self._record("assistant", [a_use(number, "Bash", command=command, description="Do it")])
        if error:
            self.fire("PostToolUseFailure", **call, error=error, is_interrupt=False)
        else:
            self.fire("PostToolUse", **call, tool_response={"stdout": "done", "stderr": ""})
        self._record("user", [a_return(number, error or "done", is_error=bool(error))])

    def ask(self, text: str) -> None:
        """Let the user say something."""
        self.fire("UserPromptSubmit", prompt=text)
        self._record("user", text)

    def write_transcript(self) -> None:
        """Write what the session did as its client would."""
        a_file(Path(self._place.transcript), *self._records)

    def _record(self, kind: str, content: object) -> None:
        known = {
            "message": {"role": kind, "content": content},
            "sessionId": self._place.name,
            "cwd": self._place.root,
            "timestamp": format_stamp(self._at),
        }
        uuid = f"{self._place.name}-{len(self._records)}"
        self._records.append(a_record(kind, uuid, **known))


def _age_files(home: str, at: int) -> None:
    """Give the files of sessions the time of the clock that is set: the real one is far ahead."""
    for folder in ("calls", "guard", "watch"):
        path = os.path.join(home, folder)
        for name in os.listdir(path) if os.path.isdir(path) else ():
            file = os.path.join(path, name)
            if os.path.getmtime(file) * 1000 > at + DAY:
                os.utime(file, (at / 1000, at / 1000))


def misuse(program: str, wrong: str, right: str) -> tuple[str, str]:
    """Return a command with an unknown option, and the one that works."""
    return f"{program} run --{wrong}", f"{program} run --{right}"


def set_clock(at: int) -> None:
    """Let every process of ours take this for the present."""
    os.environ["TWICESHY_NOW"] = format_stamp(at)
