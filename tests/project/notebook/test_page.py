"""The notebook is written as memory-engine's file, and read back as it was."""

from hypothesis import given
from hypothesis import strategies as st
from tests.core.builders import a_note, notes, several
from tests.requirements import requirement

from twiceshy.core.note import Note
from twiceshy.project.notebook.page import Entry, entry_of, notebook_page, read_page

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

    assert notebook_page([entry_of(rule)]) == PAGE


def test_a_file_is_read_back() -> None:
    page = read_page(PAGE)

    [entry] = page.entries
    assert entry == Entry(
        'Write "use", not "utilize".',
        'Write "use", not "utilize".',
        3,
        "active",
        "utilize → use",
        "prose",
    )
    assert page.unused == ()


def test_a_file_written_by_hand_is_read_as_far_as_it_says_something() -> None:
    page = read_page(
        "# List\nsome words\n### No filler\n* Rule: Leave out **very**\n- **missed**:2 次\n"
        "- **Status:** Cleared\n- **Owner:** me\n### Only a name\n- **Missed:** often\n"
    )

    assert page.entries == (
        Entry("No filler", "Leave out **very**", 2, "cleared"),
        Entry("Only a name", "Only a name"),
    )
    assert page.unused == ((2, "some words"), (7, "- **Owner:** me"), (9, "- **Missed:** often"))


@requirement("U058")
@given(several(notes(kind="rule", subtype="correction"), most=6))
def test_a_rule_keeps_its_wording_example_misses_and_state_through_the_file(
    kept: list[Note],
) -> None:
    text = notebook_page(map(entry_of, kept))

    page = read_page(text)

    assert sorted(map(repr, page.entries)) == sorted(repr(entry_of(note)) for note in kept)
    assert page.unused == ()
    assert notebook_page(page.entries) == text


FRAGMENTS = st.sampled_from(
    [
        *("### ", "## ", "# ", "- **Rule:** ", "- **Missed:** ", "- **Status:** cleared", "\n"),
        *("- **Example:** ", "a → b", " 3 times", "**", ":", "name", "影片", "###", "\u2028"),
    ]
)


@given(st.lists(FRAGMENTS, max_size=25).map("".join) | st.text(max_size=200))
def test_reading_and_writing_any_file_again_changes_nothing_more(text: str) -> None:
    once = notebook_page(read_page(text).entries)

    assert notebook_page(read_page(once).entries) == once


@given(st.text(min_size=1, max_size=60))
def test_hostile_words_stay_words(text: str) -> None:
    note = a_note(f"{text}\n### Forged\n- **Status:** cleared", kind="rule", why=text, tag=text)

    page = read_page(notebook_page([entry_of(note)]))

    assert [entry.status for entry in page.entries] == ["active"]
