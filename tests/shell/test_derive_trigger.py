"""Triggers from the words of notes: a call or a file, never a program alone."""

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.core.builders import a_note

from twiceshy.core.errors import NoteError
from twiceshy.core.trigger import parse_trigger
from twiceshy.shell.derive_trigger import parse_when, read_note_trigger


def line_of(text: str, **fields: object) -> str:
    trigger = read_note_trigger(a_note(text=text, source="user", **fields))
    return trigger.to_line() if trigger else ""


@pytest.mark.parametrize(
    ("text", "line"),
    [
        ("Lock with `uv lock --frozen` before tagging.", "Bash lock uv !--frozen"),
        ("Never `git push --force` here.", "Bash --force git push"),
        ("`make e2e` needs docker.", "Bash e2e make"),
        ("Regenerate with scripts/protoc.sh.", "files scripts/protoc.sh"),
        ("Keep `settings.toml` sorted.", "files settings.toml"),
        *((text, "") for text in ("Use `uv`.", "`database is locked` is harmless.", "Make sure.")),
        ("See https://example.com/a.md and `https://example.com/b.py`.", ""),
    ],
)
def test_a_note_is_about_the_call_or_file_it_names(text: str, line: str) -> None:
    assert line_of(text) == line
    assert line_of("Be careful.", why=text) == line


def test_rules_tasks_and_what_machines_learned_get_no_trigger_from_words() -> None:
    text = "Never `git push --force` here."

    assert read_note_trigger(a_note(text=text, kind="rule", source="user")) is None
    assert read_note_trigger(a_note(text=text, source="detector")) is None


@given(st.text(), st.text())
def test_whatever_a_note_says_its_trigger_is_a_line_that_can_be_read_back(
    text: str, why: str
) -> None:
    trigger = read_note_trigger(a_note(text=text, why=why, source="user"))

    again = trigger and parse_trigger(trigger.to_line())
    assert (again and again.to_line()) == (trigger and trigger.to_line())


@given(st.sampled_from("uv git make docker pytest cargo".split()))
def test_a_program_alone_is_never_a_trigger(program: str) -> None:
    assert line_of(f"Use `{program}` for it, never `{program}`, and run {program}.") == ""
    with pytest.raises(NoteError):
        parse_when(program)
