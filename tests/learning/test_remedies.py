"""The remedies that a call uses are those of a plain look at every note, whatever was parsed before."""

from __future__ import annotations

from typing import TYPE_CHECKING

from hypothesis import given
from hypothesis import strategies as st
from tests.core.builders import a_note

from twiceshy.effect.slip import find_slip
from twiceshy.learning.remedies import RemedyIndex
from twiceshy.shell.tool_call import ToolCall

if TYPE_CHECKING:
    from twiceshy.core.note import Note

PROGRAMS, VERBS = (
    st.sampled_from(["git", "npm"]),
    st.sampled_from(["run", "stauts", "status", "ls"]),
)
FLAGS = st.sampled_from(["", " --slip", " --right", " -a", " | tee x", " 'b c'"])
LINES = st.builds("{} {}{}".format, PROGRAMS, VERBS, FLAGS)
NAMED = st.sampled_from(["Bash/usage", "Bash/usage", "Bash/missing", "Bash", "files/missing"])
TRIGGERS = st.builds(
    "{} {} {}{}".format, NAMED, VERBS, PROGRAMS, st.sampled_from(["", " !-a", " --slip"])
)
TEXTS = st.builds('`{}` failed: "no such option". `{}` worked.'.format, LINES, LINES)
NOTES = st.builds(
    lambda number, text, trigger: a_note(text, id=f"n{number:017}", trigger=trigger),
    st.integers(0, 4),
    TEXTS,
    TRIGGERS,
)
CALLS = st.lists(LINES, min_size=1, max_size=2).map(" && ".join)


def look_plainly(notes: dict[str, Note], act: ToolCall) -> list[str]:
    """Return the notes whose remedy a call uses, in the order in which they were put."""
    slips = {note_id: find_slip(note) for note_id, note in notes.items()}
    return [
        note_id
        for part in act.parts
        for word in part
        for note_id, slip in slips.items()
        if slip and slip.right == word and slip.remedy.issubset(part)
    ]


@given(st.lists(NOTES | CALLS, min_size=1, max_size=12))
def test_a_call_uses_the_remedies_of_all_notes_put_before(steps: list[Note | str]) -> None:
    index = RemedyIndex()
    notes: dict[str, Note] = {}
    for step in steps:
        if not isinstance(step, str):
            notes.pop(step.id, None)
            notes[step.id] = step
            index.put_note(step)
            continue
        act = ToolCall("c1", "Bash", {"command": step}, 0)

        assert list(index.match_call(act)) == look_plainly(notes, act)


def test_a_remedy_is_found_by_its_right_word() -> None:
    index = RemedyIndex()
    note = a_note(
        '`git stauts` failed: "no". `git status` worked.', trigger="Bash/usage git stauts"
    )
    index.put_note(note)

    used = [
        list(index.match_call(ToolCall("c", "Bash", {"command": line}, 0)))
        for line in ("git status", "git log", "npm status", "git stauts")
    ]

    assert used == [[note.id], [], [], []]
