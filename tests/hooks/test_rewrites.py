"""Where the user switched it on, one wrong word of a call is replaced before it runs; never otherwise."""

from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.core.builders import a_note
from tests.hooks.attack import fire
from tests.hooks.attack import held as store_is_held
from tests.hooks.sessions import Session, exposures, store_of, teach
from tests.requirements import requirement

from twiceshy.core.note import Note
from twiceshy.core.trigger import REMEDY, TriggerMatch, parse_trigger
from twiceshy.recall.rewrite_call import find_rewrite

WRONG, RIGHT = "gh pr diff 88 --stat", "gh pr diff 88 --name-only"
TEXT = f'`{WRONG}` failed: "unknown flag: --stat". `{RIGHT}` worked.'
TRIGGER = "Bash/usage --stat gh"
ON = {"TWICESHY_REWRITES_ON": "true"}


@pytest.fixture
def project(tmp_path: Path) -> Path:
    folder = tmp_path / "shop"
    folder.mkdir()
    return folder


def a_slip(
    home: Path, project: Path, *, calls: str = "fff", remedies: int = 3, **fields: Any
) -> Note:
    """Let earlier calls have failed (f) or worked (w), and the right word have worked so often."""
    note = teach(home, project, **({"text": TEXT, "trigger": TRIGGER} | fields))
    with store_of(home) as store, store.change():
        for call in calls:
            store.count_call([note.id], "", failed=call == "f", ran_ms=1_000)
        for _ in range(remedies):
            store.count_call([note.id], REMEDY, failed=False)
    return note


def changed(session: Session, command: str = WRONG) -> str:
    """Be about to run a command, and return the one that runs in its place; empty if none does."""
    call = session.call("Bash", command=command, description="Look")
    said = session.answer("PreToolUse", **call)
    assert "permissionDecision" not in said  # what runs is still the user's to permit
    if "updatedInput" not in said:
        return ""
    assert said["updatedInput"]["description"] == "Look"
    return str(said["updatedInput"]["command"])


@requirement("T26")
def test_one_wrong_word_is_replaced_and_the_agent_is_told(home: Path, project: Path) -> None:
    note = a_slip(home, project)
    session = Session(project)
    session.env = ON

    said = session.answer("PreToolUse", **session.call("Bash", command="gh pr diff 91 --stat"))

    assert said["updatedInput"] == {"command": "gh pr diff 91 --name-only"}
    assert said["additionalContext"] == (
        f'<twiceshy-note id="{note.handle}">Your call was changed before it ran: --stat to --name-only.'
        f" {TEXT} (all 3 such calls failed; changed, 3 worked)</twiceshy-note>"
    )
    assert "rewrite" in [shown.channel for shown in exposures(home)]


@requirement("T26")
def test_nothing_is_rewritten_unless_the_user_switched_it_on(home: Path, project: Path) -> None:
    a_slip(home, project)
    (project / ".twiceshy.toml").write_text("[rewrites]\non = true\n")  # a clone may not

    assert changed(Session(project)) == ""


@requirement("T26")
@pytest.mark.parametrize(
    "fields",
    [
        {"calls": "ff"},
        {"calls": "wfff"},
        {"calls": "fffw"},
        {"remedies": 2},
        {"trigger": "Bash/outcome --stat gh"},
        {"text": f'`{WRONG}` failed: "unknown flag". `gh pr view 88 --name-only` worked.'},
        {"text": f'`{WRONG}` failed: "unknown flag". `{RIGHT} | head` worked.'},
        {"source": "agent"},
    ],
    ids=str,
)
def test_only_a_certain_one_word_slip_is_rewritten(
    home: Path, project: Path, fields: dict[str, Any]
) -> None:
    a_slip(home, project, **fields)
    session = Session(project)
    session.env = ON

    assert changed(session) == ""


@requirement("T26")
@pytest.mark.parametrize(
    "command",
    [
        f"{WRONG} | head -3",
        f"{WRONG} > out.txt",
        f"cd web && {WRONG}",
        f"GH_HOST=x {WRONG}",
        "gh pr diff $(cat number) --stat",
        "gh pr diff '88' --stat",
        f"{WRONG} --stat",
        f"{RIGHT} --stat",
    ],
)
def test_a_call_that_is_more_than_one_plain_command_is_left_as_it_is(
    home: Path, project: Path, command: str
) -> None:
    a_slip(home, project)
    session = Session(project)
    session.env = ON

    assert changed(session, command) == ""


@requirement("T22", "T26")
def test_a_rewrite_that_cannot_be_recorded_is_not_made(home: Path, project: Path) -> None:
    a_slip(home, project)
    session = Session(project)
    session.env = ON
    session.start()

    with store_is_held(home):
        assert changed(session) == ""

    assert changed(session)


@requirement("T26")
def test_calls_with_the_right_word_are_counted_and_rewritten_ones_are_not(
    home: Path, project: Path
) -> None:
    note = a_slip(home, project, remedies=2)
    first = Session(project, "session-1")
    first.start()
    first.works((RIGHT, None), ("gh pr list", None), ("gh issue view --name-only", "unknown flag"))
    fire(b"", env={"TWICESHY_NOW": first.now}, arguments=["learn", first.name, "over"])
    second = Session(project, "session-2")
    second.env = ON
    second.start()
    call = {"tool_name": "Bash", "tool_input": {"command": WRONG}}
    said = second.answer("PreToolUse", **call, tool_use_id="toolu-session-2-t1")
    second.works((WRONG, None))  # as a client writes it down: the call as it was asked for

    fire(b"", env={"TWICESHY_NOW": second.now}, arguments=["learn", second.name, "over"])

    assert "updatedInput" in said
    with store_of(home) as store:
        known = {each.note.id: each for each in store.match_triggers((note.scope.project,))}
    match = known[note.id]
    assert (match.failed_calls, match.succeeded_calls, match.remedy_calls) == (3, 0, 3)


WORDS = st.sampled_from(
    ["gh", "pr", "diff", "--stat", "--name-only", "88", "|", ";", "'a b'", "$X", ">o"]
)


@requirement("T26")
@given(words=st.lists(WORDS, max_size=7))
def test_a_rewrite_changes_one_word_and_nothing_else(words: list[str]) -> None:
    note = a_note(TEXT, trigger=TRIGGER, source="detector", kind="lesson", subtype="fix")
    trigger = parse_trigger(TRIGGER)
    assert trigger is not None
    match = TriggerMatch(note, trigger, failed_calls=5, remedy_calls=5)
    command = " ".join(words)

    found = find_rewrite([match], command)

    if found is not None:
        assert found.command.split() == [
            "--name-only" if word == "--stat" else word for word in command.split()
        ]
        assert command.split().count("--stat") == 1
        assert not set(command) & set("|;'$>")
