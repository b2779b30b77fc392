"""Candidates that nobody needs fade by themselves; what people wrote stays, and all of it comes back."""

import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.commands import run_command
from tests.core.builders import a_note
from tests.hooks.sessions import MORNING, Session, learning, project_of, store_of, twiceshy
from tests.requirements import requirement
from tests.store.support import learn

from twiceshy.core.moment import DAY, format_stamp, parse_stamp
from twiceshy.core.note import SOURCES, STATUSES
from twiceshy.core.scope import NO_SKILL, Scope
from twiceshy.core.session import Session as KnownSession
from twiceshy.core.worth import FAINT, fading_strength
from twiceshy.notes.decay import is_learned_candidate
from twiceshy.notes.write import NoteLimits

NOW = parse_stamp(MORNING)
LATER = format_stamp(NOW + DAY)
WRONG, RIGHT = "git stauts", "git status"
UNKNOWN = "Exit code 1\ngit: 'stauts' is not a git command. See 'git --help'."


@pytest.fixture
def project(tmp_path: Path) -> Path:
    folder = tmp_path / "shop"
    folder.mkdir()
    return folder


def remember(home: Path, project: Path, text: str, **fields: Any) -> str:
    """Let a session long ago have taught something; return the id of the note."""
    usual: dict[str, Any] = {
        "scope": Scope(project_of(project), NO_SKILL),
        "source": "detector",
        "origin_session": "long-ago",
        "learned_at": NOW - 100 * DAY,
    }
    with store_of(home) as store:
        return learn(store, text, **(usual | fields)).id


def work(home: Path, project: Path, sessions: int, *, since: int = NOW - 90 * DAY) -> None:
    """Let so many sessions have been in the project since."""
    with store_of(home) as store, store.change():
        for number in range(sessions):
            at = since + number * 60_000
            place = ("claude-code", project_of(project), str(project), "")
            store.save_records(KnownSession(f"s-{number}-{since}", *place, at, at))


def end_session(project: Path, name: str = "session-1", *, now: str = MORNING) -> None:
    """Let a session end, and wait until the background job is done."""
    session = Session(project, name)
    session.now = now
    session.works((WRONG, UNKNOWN), (RIGHT, None))
    session.transcript.write_text(session.transcript.read_text().replace(MORNING, now))
    session.start()
    with learning(session) as learner:
        session.told("SessionEnd", reason="other")
        assert learner.ended()


def list_notes(project: Path) -> dict[str, dict[str, Any]]:
    found = json.loads(twiceshy(project, "list", "--status", "any", "--json"))
    return {note["text"]: note for note in found}


def examine_growth(project: Path) -> str:
    done = run_command("doctor", "--json", cwd=project, env={"TWICESHY_NOW": MORNING, "TZ": "UTC"})
    [finding] = [one for one in json.loads(done.out) if one["what"] == "growth"]
    return str(finding["message"])


@requirement("T50", "T54")
def test_a_candidate_that_nobody_needed_fades_and_comes_back(home: Path, project: Path) -> None:
    remember(home, project, "Nobody needs step one.")
    remember(home, project, "Learned yesterday.", learned_at=NOW - DAY)
    work(home, project, 160)

    end_session(project)

    notes = list_notes(project)
    assert notes["Nobody needs step one."]["status"] == "retired"
    assert notes["Nobody needs step one."]["reason"] == "faded: not needed in 161 sessions"
    assert notes["Learned yesterday."]["status"] == "candidate"
    assert "in 30 days 1 faded, 0 were too many, 0 expired" in examine_growth(project)

    twiceshy(project, "undo")
    assert list_notes(project)["Nobody needs step one."]["status"] == "candidate"
    end_session(project, "session-2", now=LATER)  # what was taken back is not done again
    assert list_notes(project)["Nobody needs step one."]["status"] == "candidate"


@requirement("T54")
def test_a_run_retires_a_bounded_number_and_says_what_is_left(home: Path, project: Path) -> None:
    with store_of(home) as store, store.change():
        for number in range(205):
            learn(
                store,
                f"Nobody needs step {number}.",
                scope=Scope(project_of(project), NO_SKILL),
                source="detector",
                learned_at=NOW - 100 * DAY,
                bounds=NoteLimits(near=1.0, candidates_max=1_000),
            )
    twiceshy(project, "config", "set", "notes.candidates_max", "1000")
    work(home, project, 160)

    end_session(project)

    assert "in 30 days 200 faded, 0 were too many, 0 expired; 5 are due" in examine_growth(project)
    end_session(project, "session-2", now=LATER)
    assert "in 30 days 205 faded, 0 were too many, 0 expired" in examine_growth(project)


@requirement("T50")
def test_a_faded_lesson_comes_back_with_its_mistake(home: Path, project: Path) -> None:
    end_session(project, "long-ago")
    [text] = list_notes(project)
    work(home, project, 160, since=NOW + 60_000)
    twiceshy(project, "tend", now=LATER)
    assert list_notes(project)[text]["status"] == "retired"

    end_session(project, "session-9", now=LATER)

    assert list_notes(project)[text]["status"] == "active"


@requirement("T51")
def test_only_what_a_machine_learned_fades(home: Path, project: Path) -> None:
    for source in ("user", "agent", "import", "detector"):
        remember(home, project, f"A word of {source}.", source=source)
    pinned = remember(home, project, "Pinned by a person.")
    twiceshy(project, "pin", pinned)
    work(home, project, 160)

    end_session(project)

    gone = [text for text, note in list_notes(project).items() if note["status"] == "retired"]
    assert gone == ["A word of detector."]


@requirement("T51")
def test_a_project_keeps_its_most_valuable_candidates(home: Path, project: Path) -> None:
    remember(home, project, "Your own words.", source="user")
    for number in range(6):
        remember(home, project, f"Step {number} comes first.", learned_at=NOW - (9 - number) * DAY)
    twiceshy(project, "config", "set", "notes.candidates_max", "4")

    end_session(project)  # teaches one more

    notes = list_notes(project)
    kept = {text for text, note in notes.items() if note["status"] == "candidate"}
    assert len(kept) == 4
    assert {"Step 4 comes first.", "Step 5 comes first."} < kept
    assert notes["Step 0 comes first."]["reason"] == "faded: one of more than 4 candidates"
    assert notes["Your own words."]["status"] == "active"


@requirement("T52")
def test_review_shows_ten_and_says_how_many_wait(home: Path, project: Path) -> None:
    for number in range(23):
        remember(home, project, f"Step {number} comes first.", learned_at=NOW - number * DAY)
    often = remember(home, project, "Seen most often.", learned_at=NOW - 50 * DAY)
    with store_of(home) as store, store.change():
        for _ in range(5):
            store.record_entry("see", often, None)

    done = run_command("review", cwd=project, env={"TWICESHY_NOW": MORNING, "TZ": "UTC"})

    items = [line for line in done.out.splitlines() if line.startswith("n")]
    assert len(items) == 10
    assert "Seen most often." in items[0]
    assert "On probation (24)" in done.out
    assert "these are the first 10; 14 more wait: twiceshy review --all" in done.err
    every = twiceshy(project, "review", "--all").splitlines()
    assert sum(line.startswith("n") for line in every) == 24
    assert len(json.loads(twiceshy(project, "review", "--json"))["candidates"]) == 24


@requirement("T53")
def test_a_proposed_rule_expires_and_is_proposed_again(home: Path, project: Path) -> None:
    lesson = remember(home, project, "Lesson.")
    rule = remember(home, project, "Use `git status`.", kind="rule", subtype="hard", tag=lesson)
    mine = remember(home, project, "My rule.", kind="rule", subtype="hard", source="user")
    with store_of(home) as store:
        written = store.note(rule)
    assert written is not None
    month = format_stamp(written.written_at + 31 * DAY)

    twiceshy(project, "tend", now=month)

    found = {note["id"]: note for note in list_notes(project).values()}
    assert found[rule]["reason"] == "expired: nobody decided within 30 days"
    assert found[mine]["status"] != "retired"
    twiceshy(project, "undo", now=month)
    waiting = json.loads(twiceshy(project, "review", "--json", now=month))
    assert [note["id"] for note in waiting["proposals"]] == [rule]
    twiceshy(project, "tend", now=month)  # whoever takes it back has another month
    waiting = json.loads(twiceshy(project, "review", "--json", now=month))
    assert [note["id"] for note in waiting["proposals"]] == [rule]


@requirement("T53")
def test_a_rule_learned_again_after_it_expired_is_proposed_again(
    home: Path, project: Path
) -> None:
    for day in range(4):
        end_session(project, f"early-{day}", now=format_stamp(NOW + day * DAY))
    assert proposals(project, NOW + 4 * DAY) == ["candidate"]
    for day in (38, 39, 40):  # days of use attest the time
        twiceshy(project, "tend", now=format_stamp(NOW + day * DAY))
    assert proposals(project, NOW + 40 * DAY) == ["retired"]

    end_session(project, "late", now=format_stamp(NOW + 41 * DAY))

    assert proposals(project, NOW + 41 * DAY) == ["candidate"]


def proposals(project: Path, at: int) -> list[str]:
    """Return the statuses of all rules."""
    found = json.loads(
        twiceshy(project, "list", "--status", "any", "--json", now=format_stamp(at))
    )
    return [note["status"] for note in found if note["kind"] == "rule"]


@requirement("T51")
@given(
    source=st.sampled_from(SOURCES),
    status=st.sampled_from(STATUSES),
    kind=st.sampled_from(("lesson", "decision", "preference", "rule", "task", "page")),
    pinned=st.booleans(),
)
def test_nothing_fades_that_a_person_wrote_pinned_or_approved(
    source: Any, status: Any, kind: Any, pinned: bool
) -> None:
    note = a_note(source=source, status=status, kind=kind, pinned=pinned)

    person = source in ("user", "agent", "import") or pinned or status != "candidate"
    assert not (person and is_learned_candidate(note))


@given(
    sessions=st.lists(st.integers(0, 1_000), max_size=400).map(sorted),
    since=st.integers(0, 1_000),
    times=st.integers(1, 9),
)
def test_fading_never_goes_backwards_and_sightings_slow_it_down(
    sessions: Sequence[int], since: int, times: int
) -> None:
    left = fading_strength(sessions, since=since, times=times)

    assert 0 < left <= 1
    assert fading_strength([*sessions, 2_000], since=since, times=times) <= left
    assert fading_strength(sessions, since=since, times=times + 1) >= left
    assert left >= FAINT or len(sessions) > 100 * times
