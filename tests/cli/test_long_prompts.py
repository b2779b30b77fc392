"""A question inside a long prompt: found wherever it stands, and nothing fits without one."""

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from tests.cli.conftest import Command
from tests.requirements import requirement

LESSONS = (
    "Push a rebased branch with `git push --force-with-lease`; plain `--force` overwrites others.",
    "Set `NODE_OPTIONS=--max-old-space-size=4096` when webpack dies with a heap out of memory.",
    "The staging database is reset every night at two; write fixtures, not rows by hand.",
    "Run `alembic upgrade head` before the integration tests, or columns are missing.",
)
QUESTION = "How do I push the branch that I rebased without overwriting the others?"
TEXT = (
    "We looked at the invoice screen together with the people from accounting this morning.",
    "They would like the totals to be grouped by country, and the tax to be shown beside each row.",
    "The export button moves into the menu, because nobody found it where it was.",
    "Colours follow the new palette that design handed over; the old one stays for printing.",
    "Two of the charts are slow in Firefox, which seems to be the shadow around each bar.",
    "The translation into Polish is half done, and the missing strings are marked in the table.",
    "Please keep the names of the columns, since three spreadsheets of ours depend on them.",
    "When the month has no invoices at all, say so in one line instead of an empty grid.",
)


@pytest.fixture
def notes(twiceshy: Command) -> Command:
    for lesson in LESSONS:
        twiceshy("note", lesson)
    return twiceshy


@requirement("T80")
@pytest.mark.parametrize("place", [0, 4, 8])
def test_a_question_is_found_at_the_begin_in_the_middle_and_at_the_end(
    notes: Command, place: int
) -> None:
    prompt = " ".join((*TEXT[:place], QUESTION, *TEXT[place:]))

    assert LESSONS[0] in notes("recall", prompt).out
    assert notes("search", prompt, "--json").json[0]["text"] == LESSONS[0]


@requirement("T80")
def test_the_notes_of_a_skill_come_in_the_order_of_a_question_at_the_end(
    twiceshy: Command,
) -> None:
    for lesson in LESSONS:
        twiceshy("note", lesson, "--skill", "ship")

    brief = twiceshy("recall", " ".join((*TEXT, QUESTION)), "--skill", "ship").out

    assert brief.index(LESSONS[0]) == min(map(brief.index, LESSONS))


@requirement("T81")
@settings(
    max_examples=20, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture]
)
@given(st.permutations(TEXT), st.integers(3, len(TEXT)))
def test_a_long_prompt_about_something_else_has_no_note_that_fits(
    notes: Command, text: list[str], size: int
) -> None:
    told = notes("recall", " ".join(text[:size]), "--json").json

    assert told["fit"] in ("weak", "none")
    assert told["reason"] in ("unsure", "unrelated")
    assert 'fit="weak"' in told["text"] or not told["text"]
