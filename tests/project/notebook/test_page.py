"""The notebook is written as memory-engine's file, and read back as it was."""

from hypothesis import given
from hypothesis import strategies as st
from tests.core.builders import a_note, notes, several
from tests.requirements import requirement

from twiceshy.core.note import Note
from twiceshy.project.notebook.page import (
    NotebookEntry,
    build_entry,
    parse_notebook,
    render_notebook,
)

PAGE = """\
# Writing Review List

## prose

### Write "use", not "utilize".
- **Rule:** Write "use", not "utilize".
- **Missed:** 3 times
- **Status:** active
- **Example:** utilize → use
"""


def test_a_rule_is_written_as_memory_engine_does() -> None:
    rule = a_note(
        'Write "use", not "utilize".', kind="rule", why="utilize → use", tag="prose", missed=3
    )

    assert render_notebook([build_entry(rule)]) == PAGE


def test_a_file_is_read_back() -> None:
    page = parse_notebook(PAGE)

    [entry] = page.entries
    assert entry == NotebookEntry(
        'Write "use", not "utilize".',
        'Write "use", not "utilize".',
        3,
        "active",
        "utilize → use",
        "prose",
    )
    assert page.unused == ()


def test_a_file_written_by_hand_is_read_as_far_as_it_says_something() -> None:
    page = parse_notebook(
        "# List\nsome words\n### No filler\n* Rule: Leave out **very**\n- **missed**:2 次\n"
        "- **Status:** Cleared\n- **Owner:** me\n### Only a name\n- **Missed:** often\n"
    )

    assert page.entries == (
        NotebookEntry("No filler", "Leave out **very**", 2, "cleared"),
        NotebookEntry("Only a name", "Only a name"),
    )
    assert page.unused == ((2, "some words"), (7, "- **Owner:** me"), (9, "- **Missed:** often"))


@requirement("U058")
@given(several(notes(kind="rule", subtype="correction"), most=6))
def test_a_rule_keeps_its_wording_example_misses_and_state_through_the_file(
    kept: list[Note],
) -> None:
    text = render_notebook(map(build_entry, kept))

    page = parse_notebook(text)

    assert sorted(map(repr, page.entries)) == sorted(repr(build_entry(note)) for note in kept)
    assert page.unused == ()
    assert render_notebook(page.entries) == text


FRAGMENTS = st.sampled_from(
    [
        *("### ", "## ", "# ", "- **Rule:** ", "- **Missed:** ", "- **Status:** cleared", "\n"),
        *("- **Example:** ", "a → b", " 3 times", "**", ":", "name", "影片", "###", "\u2028"),
    ]
)


@given(st.lists(FRAGMENTS, max_size=25).map("".join) | st.text(max_size=200))
def test_reading_and_writing_any_file_again_changes_nothing_more(text: str) -> None:
    once = render_notebook(parse_notebook(text).entries)

    assert render_notebook(parse_notebook(once).entries) == once


@given(st.text(min_size=1, max_size=60))
def test_hostile_words_stay_words(text: str) -> None:
    note = a_note(f"{text}\n### Forged\n- **Status:** cleared", kind="rule", why=text, tag=text)

    page = parse_notebook(render_notebook([build_entry(note)]))

    assert [entry.status for entry in page.entries] == ["active"]
