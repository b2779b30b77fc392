"""A week in the life of two projects, event by event through the real hook command; what it reads was reviewed.

Every event and command is a process of its own, at the time of the story. What each session start says is
compared with a file in ``week/``, which a person has read; ``WEEK=rewrite`` writes them anew, to be read again.
"""

from __future__ import annotations

import os
import re
import subprocess
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest
from tests.hooks.attack import UNHURRIED
from tests.hooks.sessions import Session, learning, twiceshy
from tests.requirements import requirement
from tests.runtimes.claude_code.transcript_lines import a_file, a_record, a_return, a_use
from tests.store.support import opened

from twiceshy.core.moment import parse_stamp
from twiceshy.core.text import estimate_tokens

if TYPE_CHECKING:
    from collections.abc import Iterator

    from twiceshy.core.note import Note

REVIEWED = Path(__file__).parent / "week"
HANDLE = re.compile(r"\bn[0-9a-z]{4}\b")
DEPLOY = "Exit code 2\nmake: *** No rule to make target 'deploy' (see 'ship').  Stop."
SUMMARY = "<summary>\nThe orders moved to SQLite; the invoices are next.\n</summary>"


class Window(Session):
    """A client's window: what is said and done in it goes to the hooks, and into its transcript."""

    def __init__(self, project: Path, name: str, now: str) -> None:
        super().__init__(project, name)
        self.now = now
        # a lesson that is withheld by lot would be missing in what was reviewed
        self.env = {**UNHURRIED, "TZ": "UTC", "TWICESHY_HOLDOUT_SHARE": "0"}
        self._records: list[object] = []

    def at(self, time: str) -> Window:
        """Go on at another time of the same day."""
        self.now = f"{self.now[:11]}{time}:00Z"
        return self

    def say(self, text: str) -> str:
        """Let the user say something, and return what the agent is told beside it."""
        self._write("user", text)
        return self.prompt(text)

    def run(self, command: str, error: str | None = None) -> str:
        """Let the agent run a command, and return what it was told before and after."""
        told = [self.calls(command)]
        call = f"toolu-{self.name}-{len(self._records)}"
        self._write("assistant", [a_use(call, "Bash", command=command, description="Do it")])
        self._write("user", [a_return(call, error or "done", is_error=error is not None)])
        if error:
            told.append(self.fails(command, error))
        return "\n".join(filter(None, told))

    def rest(self, event: str = "Stop", **fields: object) -> None:
        """Let the agent finish, and wait until what it did is learned from."""
        a_file(self.transcript, *self._records)
        with learning(self) as learner:
            assert self.told(event, **fields) == ""
            assert learner.ended()

    def compact(self, summary: str) -> str:
        """Let the client compact the conversation, and return what the agent is told afterwards."""
        a_file(self.transcript, *self._records)
        with learning(self) as learner:
            self.told("PreCompact", trigger="auto", custom_instructions="")
            assert learner.ended()
        with learning(self) as learner:
            self.told("PostCompact", trigger="auto", compact_summary=summary)
            assert learner.ended()
        return self.start("compact")

    def _write(self, role: str, content: object) -> None:
        number = len(self._records)
        self._records.append(
            a_record(
                role,
                f"{self.name}-{number}",
                message={"role": role, "content": content},
                sessionId=self.name,
                cwd=str(self.project),
                timestamp=self.now,
            )
        )


class Week:
    """The two projects, and whoever works in them."""

    def __init__(self, home: Path, folder: Path) -> None:
        self.home = home
        self.shop, self.press = (self._repository(folder / name) for name in ("shop", "press"))
        self.told: dict[str, str] = {}

    def window(self, project: Path, name: str, now: str) -> Window:
        """Open a window, whose start is compared with what was reviewed."""
        window = Window(project, name, now)
        self.review(f"{now[:10]}-{project.name}-{name}", window.start())
        return window

    def review(self, name: str, told: str) -> None:
        """Compare what an agent is told with what a person has read and found good."""
        self.told[name] = told
        text = HANDLE.sub("n····", told) + "\n"
        file = REVIEWED / f"{name}.txt"
        if os.environ.get("WEEK") == "rewrite":
            file.write_text(text)
        assert file.read_text() == text, name

    def twiceshy(self, project: Path, now: str, *words: str, **how: Any) -> str:
        """Run a command at a time of the story."""
        return twiceshy(project, *words, now=now, **how)

    def notes(self) -> dict[str, Note]:
        """Return every note by its text."""
        from twiceshy.core.filter import NoteFilter

        with opened(self.home) as store:
            return {note.text: note for note in store.notes(NoteFilter(statuses=()), limit=1000)}

    @staticmethod
    def _repository(folder: Path) -> Path:
        folder.mkdir()
        git = ["git", "-C", str(folder), "-c", "user.name=u", "-c", "user.email=u@example.org"]
        subprocess.run([*git, "init", "-q", "-b", "main"], check=True)
        (folder / "README.md").write_text(f"{folder.name}\n")
        subprocess.run([*git, "add", "-A"], check=True)
        subprocess.run([*git, "commit", "-q", "-m", f"Begin the {folder.name}"], check=True)
        return folder


@pytest.fixture
def week(home: Path, tmp_path: Path) -> Iterator[Week]:
    lived = Week(home, tmp_path)
    yield lived
    assert all(estimate_tokens(told) <= 600 for told in lived.told.values())


@requirement("U115", "U151")
def test_a_week_in_the_life_of_two_projects(week: Week) -> None:
    shop, press = week.shop, week.press

    _monday(week, shop)
    _tuesday(week, shop, press)
    _wednesday(week, shop)
    _thursday(week, shop)
    _friday(week, press)
    doubtful = _saturday(week, shop)
    _next_monday(week, shop, doubtful)

    silent = [name for name, told in week.told.items() if not told]
    assert silent == ["2026-11-02-shop-first", "2026-11-03-press-other"]


def _monday(week: Week, shop: Path) -> None:
    """The project is described; a first mistake is made; a long session is compacted."""
    first = week.window(shop, "first", "2026-11-02T09:00:00Z")
    for name, text in (
        ("project", "A web shop for tea.\nIts users are small tea houses."),
        ("architecture", "One process, one SQLite file, no queue."),
    ):
        week.twiceshy(shop, "2026-11-02T09:05:00Z", "memory-set", name, text)
    week.twiceshy(
        *(shop, "2026-11-02T09:10:00Z", "add-decision", "Orders are kept in SQLite"),
        "there is no server to run",
        session="first",
    )
    week.twiceshy(shop, "2026-11-02T09:12:00Z", "todo", "add", "Write the manual")
    first.at("09:20").say("Move the orders to SQLite")
    first.run("make deploy", DEPLOY)
    first.run("make ship")
    first.rest()
    for number in range(2, 22):
        first.at(f"10:{number:02}").say(f"Step {number} of moving the orders")
    first.at("10:40").rest()
    week.review("2026-11-02-shop-first-compacted", first.at("10:45").compact(SUMMARY))
    first.at("11:00").rest("SessionEnd", reason="other")
    kinds = week.twiceshy(shop, "2026-11-02T11:05:00Z", "episodes")
    assert "checkpoint" in kinds
    assert "compact" in kinds
    assert "end" in kinds


def _tuesday(week: Week, shop: Path, press: Path) -> None:
    """The mistake is made again; work is handed over; another project hears of nothing."""
    second = week.window(shop, "second", "2026-11-03T09:00:00Z")
    second.at("09:05").say("Ship it")
    told = second.run("make deploy", DEPLOY)
    assert "use `ship`, not `deploy`" in told
    second.run("make ship")
    week.twiceshy(
        *(shop, "2026-11-03T09:30:00Z", "handoff", "invoices", "--status", "The totals are wrong"),
        *("--left", "Round once, at the end", "--left", "Then ship"),
        session="second",
    )
    assert second.at("09:35").say("Thank you") == ""
    second.rest("SessionEnd", reason="other")
    week.window(press, "other", "2026-11-03T10:00:00Z").rest("SessionEnd", reason="other")


def _wednesday(week: Week, shop: Path) -> None:
    """Two windows of one project: one is handed the work, and hears what the other one changes."""
    left = week.window(shop, "left", "2026-11-04T09:00:00Z")
    right = week.window(shop, "right", "2026-11-04T09:05:00Z")
    assert left.at("09:10").say("Round the totals") == ""
    week.twiceshy(
        *(shop, "2026-11-04T09:20:00Z", "memory-set", "conventions", "Money is whole cents."),
        session="right",
    )
    week.twiceshy(
        *(shop, "2026-11-04T09:25:00Z", "handoff", "invoices", "--status", "The totals are right"),
        *("--left", "Ship"),
        session="right",
    )
    assert right.at("09:30").say("Go on") == ""
    week.review("2026-11-04-shop-left-between", left.at("09:31").say("What now?"))
    assert left.at("09:32").say("And now?") == ""
    left.rest("SessionEnd", reason="other")
    right.rest("SessionEnd", reason="other")


def _thursday(week: Week, shop: Path) -> None:
    """The user corrects what an agent wrote; the next agent is told before it writes."""
    draft, final = shop / "draft.md", shop / "final.md"
    draft.write_text("The customer pays.\n\nThe customer is sent a receipt.\n")
    final.write_text("The tea house pays.\n\nThe tea house is sent a receipt.\n")
    week.twiceshy(shop, "2026-11-05T09:00:00Z", "analyze", str(draft), str(final))
    [proposed] = [note for note in week.notes().values() if note.kind == "rule"]
    week.twiceshy(shop, "2026-11-05T09:05:00Z", "review", "--accept", proposed.id, "--yes")
    writer = week.window(shop, "writer", "2026-11-05T09:30:00Z")
    writer.at("09:31").say("Write a page about what the customer pays")
    writer.rest("SessionEnd", reason="other")
    draft.unlink()
    final.unlink()


def _friday(week: Week, press: Path) -> None:
    """The other project has a life of its own."""
    week.twiceshy(
        *(press, "2026-11-06T09:00:00Z", "learn", "Ink dries overnight"),
        *("--problem", "The sheets smeared", "--solution", "Print in the evening"),
        *("--next", "Print the day before"),
    )
    week.window(press, "printer", "2026-11-06T09:30:00Z").rest("SessionEnd", reason="other")


def _saturday(week: Week, shop: Path) -> Note:
    """Somebody looks back, and marks a note that no longer serves."""
    note = ("note", "Totals are rounded in totals.py.", "--file", "totals.py")
    week.twiceshy(shop, "2026-11-07T09:00:00Z", *note)
    doubtful = week.notes()["Totals are rounded in totals.py."]
    report = week.twiceshy(shop, "2026-11-07T10:00:00Z", "reflect")
    assert doubtful.handle in report  # there is no such file
    whole = week.twiceshy(shop, "2026-11-07T10:01:00Z", "reflect", "--show")
    assert "## Pitfall Stats" in whole
    answer = f"{doubtful.handle}=remove"
    week.twiceshy(shop, "2026-11-07T10:02:00Z", "reflect", "--answer", answer)
    refusal = week.twiceshy(
        shop, "2026-11-07T10:05:00Z", "reflect", "--remove", doubtful.handle, "--yes", fails=1
    )
    assert "later" in refusal or "another" in refusal
    assert week.notes()[doubtful.text].status == "pending removal"
    return doubtful


def _next_monday(week: Week, shop: Path, doubtful: Note) -> None:
    """A week later what was marked is removed, and nothing else is lost."""
    week.window(shop, "next", "2026-11-09T09:00:00Z").rest("SessionEnd", reason="other")
    week.twiceshy(shop, "2026-11-14T10:00:00Z", "reflect")
    week.twiceshy(shop, "2026-11-14T10:05:00Z", "reflect", "--remove", doubtful.handle, "--yes")
    notes = week.notes()
    assert notes[doubtful.text].status == "retired"
    assert {note.status for text, note in notes.items() if text != doubtful.text} == {"active"}
    assert parse_stamp("2026-11-14T10:00:00Z") > max(note.written_at for note in notes.values())
    week.window(shop, "last", "2026-11-14T11:00:00Z").rest("SessionEnd", reason="other")
