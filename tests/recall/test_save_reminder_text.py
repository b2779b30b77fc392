"""What memory-keeper's banners say, and that what they tell an agent to run exists and is safe to run."""

import re

import pytest

from twiceshy.cli.verbs import COMMANDS
from twiceshy.recall.save_reminder_text import is_reminder_due, render_farewell, render_reminder

TEXTS = {"reminder": render_reminder(15), "farewell": render_farewell()}


def test_the_banners_are_those_that_memory_keeper_printed() -> None:
    rule, head, again, *_ = render_reminder(15).splitlines()
    _, last, *_ = render_farewell().splitlines()

    assert head == "[MEMORY_KEEPER] AUTO-SAVE TRIGGERED - 15 tool uses reached"
    assert last == "[MEMORY_KEEPER] SESSION ENDING - Final Save Required"
    assert rule == again == "═" * 63


@pytest.mark.parametrize("text", TEXTS.values(), ids=list(TEXTS))
def test_every_step_is_numbered_and_names_verbs_that_exist(text: str) -> None:
    numbers = re.findall(r"^(\d)\. ", text, re.MULTILINE)
    verbs = re.findall(r"\btwiceshy ([a-z-]+)", text)

    assert numbers == [str(number) for number in range(1, len(numbers) + 1)]
    assert len(verbs) >= 5
    assert set(verbs) <= set(COMMANDS)


@pytest.mark.parametrize("text", TEXTS.values(), ids=list(TEXTS))
def test_k14_no_step_puts_words_of_a_model_where_a_shell_would_read_them(text: str) -> None:
    assert not re.search(r"echo -e|<<|ENDSESSION|\$\(|`", text)
    assert len(text.splitlines()) <= 20  # memory-keeper's took about forty


def test_a_transcript_is_not_copied_and_the_agent_is_told_so() -> None:
    assert "Raw transcript: not copied" in render_farewell()


def test_it_is_due_after_every_interval() -> None:
    assert [count for count in range(1, 17) if is_reminder_due(count, 5)] == [5, 10, 15]
