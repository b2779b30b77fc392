"""Real clients: a call that is nearly certain to fail is stopped, and passes when it is repeated."""

from __future__ import annotations

import json
import time
from functools import partial
from typing import TYPE_CHECKING

import pytest
from tests.journeys.lab.bench import PATIENCE
from tests.journeys.lab.claude_code import ClaudeCode
from tests.journeys.lab.clients import PI
from tests.journeys.lab.codex import Codex
from tests.journeys.lab.gemini import Gemini
from tests.journeys.lab.opencode import OpenCode
from tests.journeys.lab.pi import Pi
from tests.journeys.lab.presence import here
from tests.journeys.lab.script import Step, calls
from tests.requirements import requirement
from tests.store.support import Clock, learn, opened, raw

from twiceshy.app import read_clock
from twiceshy.core.scope import NO_SKILL, Scope
from twiceshy.core.trigger import REMEDY
from twiceshy.places.project import identify_project

if TYPE_CHECKING:
    from collections.abc import Callable

    from tests.journeys.lab.bench import Lab
    from tests.journeys.lab.client import Client

pytestmark = pytest.mark.journey

LESSON = "`git`: use `status`, not `stauts`: stauts is not a git command"
WRONG, RIGHT = "touch made; git stauts", "touch fixed; git status"
EVIDENCE = f'`{WRONG}` failed: "git: stauts is not a git command". `git status` worked.'
REASON = f"Not run: {LESSON} ("
MEANT = "Call it again unchanged if you mean it."
CLIENTS: dict[str, Callable[[Lab], Client]] = {
    "claude-code": ClaudeCode,
    "codex": Codex,
    "opencode": OpenCode,
    **{f"pi-{name}": partial(Pi, flavour=name) for name in sorted(PI)},
    "gemini": Gemini,
}
SHELLS = {
    "claude-code": ("Bash", "command"),
    "codex": ("exec_command", "cmd"),
    "opencode": ("bash", "command"),
    "pi": ("bash", "command"),
    "gemini": ("run_shell_command", "command"),
}


class Shop:
    """A project in which a client works, and in which `git stauts` always failed."""

    def __init__(
        self, lab: Lab, name: str, *, failures: int = 3, remedies: int = 0, wrong: str = WRONG
    ) -> None:
        self.client = here(lambda: CLIENTS[name](lab))
        self.runtime = name.partition("-")[0] if name.startswith("pi") else name
        self.lab = lab
        lab.twiceshy("install", self.runtime, "--yes")
        self.folder = lab.project("shop")
        if isinstance(self.client, ClaudeCode):
            self.client.trust(self.folder)
        project = identify_project(str(self.folder), cache=None).id
        with opened(lab.memory, clock=Clock(read_clock())) as store:
            note = learn(
                store,
                LESSON,
                why=EVIDENCE.replace(WRONG, wrong),
                scope=Scope(project, NO_SKILL),
                source="detector",
                subtype="fix",
                trigger="Bash/usage git stauts",
            )
            for _ in range(failures):
                store.count_call([note.id], "", failed=True, ran_ms=30_000)
            for _ in range(remedies):
                store.count_call([note.id], REMEDY, failed=False)

    def ask(self, *commands: str) -> None:
        """Let the model run commands, one after the other."""
        ran = self.client.ask(
            "look", *(self._step(each) for each in commands), project=self.folder
        )
        assert ran.code == 0, ran.err

    def _step(self, command: str) -> Step:
        tool, argument = SHELLS[self.runtime]
        more = {"description": "Look"} if self.runtime in ("claude-code", "opencode") else {}
        return calls(tool, **{argument: command}, **more)

    def said(self, number: int) -> str:
        """Return all that the model was sent with a request."""
        sent = json.dumps(self.lab.requests[number].body, ensure_ascii=False)
        return sent.replace("&lt;", "<").replace("&gt;", ">")

    def files(self) -> list[str]:
        return sorted(path.name for path in self.folder.iterdir() if path.is_file())

    def rows(self, query: str) -> list[tuple[object, ...]]:
        with raw(self.lab.memory / "twiceshy.db") as db:
            return db.execute(query).fetchall()

    def judged(self) -> list[tuple[object, ...]]:
        """Wait until the session was learned from, and return what came of its stops."""
        until = time.monotonic() + PATIENCE
        while time.monotonic() < until:
            if found := self.rows(
                "SELECT violated, followed, false_alarm FROM outcomes WHERE channel = 'stop'"
            ):
                return found
            time.sleep(0.05)  # who learns is nobody's child
        raise AssertionError("nobody learned from the session")


@pytest.fixture(params=CLIENTS)
def shop(lab: Lab, request: pytest.FixtureRequest) -> Shop:
    return Shop(lab, request.param)


@requirement("T20")
def test_an_agent_that_is_stopped_reads_why_before_anything_ran_and_does_it_right(
    shop: Shop,
) -> None:
    shop.ask(WRONG, RIGHT)

    assert REASON in shop.said(1)
    assert MEANT in shop.said(1)
    assert shop.files() == ["fixed"]
    assert shop.judged() == [(0, 1, 0)]
    failed = "SELECT excerpt FROM signals WHERE excerpt <> ''"
    assert shop.rows(failed) == []  # what was not run did not fail


@requirement("T20")
def test_a_stopped_call_passes_when_it_is_repeated_unchanged(shop: Shop) -> None:
    shop.ask(WRONG, WRONG, WRONG)

    assert shop.files() == ["made"]
    assert shop.said(-1).count(MEANT) == 1
    assert len(shop.rows("SELECT key FROM exposures WHERE channel = 'stop'")) == 1
    shop.judged()
    failed = shop.rows("SELECT sum(failed_calls) FROM trigger_counts WHERE context <> '='")
    assert failed == [(5,)]  # three before, and the two that were made


STATED = "It is spelled status."
PENDING = f"About such calls: {STATED}"


@requirement("T25")
@pytest.mark.parametrize("name", CLIENTS)
def test_a_note_about_a_pending_call_is_read_with_its_result_or_never(lab: Lab, name: str) -> None:
    shop = Shop(lab, name, failures=0)
    here = Scope(identify_project(str(shop.folder), cache=None).id, NO_SKILL)
    with opened(lab.memory, clock=Clock(read_clock())) as store:
        learn(store, STATED, scope=here, source="user", trigger="Bash git stauts")

    shop.ask(WRONG)

    assert PENDING not in shop.said(0)
    assert shop.files() == ["made"]  # it ran before the model could read anything
    assert (PENDING in shop.said(1)) is (name != "gemini")
    assert "Not run: " not in shop.said(1)


@requirement("T26")
@pytest.mark.parametrize("name", ["claude-code", "opencode", "pi-new", "pi-old"])
def test_a_call_runs_with_the_right_word_where_the_user_wants_that(lab: Lab, name: str) -> None:
    shop = Shop(lab, name, remedies=3, wrong="git stauts")
    lab.twiceshy("config", "set", "rewrites.on", "true")

    shop.ask("git stauts")

    assert "Your call was changed before it ran: stauts to status." in shop.said(1)
    assert "On branch " in shop.said(1)
    assert "is not a git command. See" not in shop.said(1)


@requirement("T26")
@pytest.mark.parametrize("name", ["codex", "gemini"])
def test_other_clients_run_a_call_as_it_was_asked_for(lab: Lab, name: str) -> None:
    shop = Shop(lab, name, remedies=3, wrong="git stauts")
    lab.twiceshy("config", "set", "rewrites.on", "true")

    shop.ask("git stauts", "git stauts")

    assert REASON in shop.said(1)
    assert "is not a git command. See" in shop.said(2)
