"""When a note is about a call."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from twiceshy.core.trigger import FILES, STATED, Trigger, parse_trigger, tool_family
from twiceshy.shell.call_words import call_words

DIFF = Trigger("Bash", ("gh", "--stat"), category="usage")
UNTAGGED = Trigger("Bash", ("go", "test"), ("-tags",), "outcome")


def about(trigger: Trigger, command: str, tool: str = "Bash") -> bool:
    return trigger.matches(tool, call_words({"command": command}))


@pytest.mark.parametrize(
    ("trigger", "command", "meant"),
    [
        (DIFF, "gh pr diff --stat", True),
        (DIFF, "cd x && gh pr diff 7 --stat | tail", True),
        (DIFF, "gh pr diff --name-only", False),
        (DIFF, "gh pr view && git diff --stat", False),  # together, in one program
        (UNTAGGED, "go test ./...", True),
        (UNTAGGED, "go test -tags integration ./...", False),
        (UNTAGGED, "go vet ./... && go test ./...", True),
        (UNTAGGED, "go test ./a && go build -tags x", False),
    ],
)
def test_a_trigger_is_about_calls_that_have_all_it_names_and_nothing_it_misses(
    trigger: Trigger, command: str, meant: bool
) -> None:
    assert about(trigger, command) is meant


def test_a_trigger_is_about_one_family_of_tools() -> None:
    assert not about(DIFF, "gh pr diff --stat", tool="mcp__shell__run")


def test_what_is_missing_for_one_tool_is_missing_for_its_family() -> None:
    assert tool_family("Read") == tool_family("Edit") == FILES
    assert tool_family("Bash") == "Bash"


def test_a_trigger_is_one_line() -> None:
    assert UNTAGGED.to_line() == "Bash/outcome go test !-tags"
    assert Trigger("Bash", ("npm",)).to_line() == "Bash npm"
    assert (
        Trigger("Bash", ("--stat", "gh")).to_line() == Trigger("Bash", ("gh", "--stat")).to_line()
    )


def test_people_write_a_trigger_without_its_sort() -> None:
    assert parse_trigger("Bash npm publish") == Trigger("Bash", ("npm", "publish"), (), STATED)


@pytest.mark.parametrize("text", ["", "Bash", "Bash ", "Bash !npm", "/usage npm", " npm"])
def test_a_text_that_names_no_tool_or_no_gram_is_no_trigger(text: str) -> None:
    assert parse_trigger(text) is None


grams = st.text(st.characters(exclude_categories=["C", "Z"]), min_size=1, max_size=8).filter(
    lambda gram: gram[0] != "!"
)
triggers = st.builds(
    lambda tool, sort, present, absent: Trigger(
        tool, tuple(sorted(present)), tuple(sorted(absent)), sort
    ),
    st.from_regex(r"[A-Za-z_-]{1,12}", fullmatch=True),
    st.sampled_from([STATED, "usage", "missing", "outcome"]),
    st.sets(grams, min_size=1, max_size=4),
    st.sets(grams, max_size=3),
)


@given(triggers)
def test_a_trigger_that_was_written_is_read_as_the_same(trigger: Trigger) -> None:
    assert parse_trigger(trigger.to_line()) == trigger


@given(triggers)
def test_a_trigger_is_found_by_one_of_its_grams(trigger: Trigger) -> None:
    assert trigger.lookup_word in trigger.words


def test_a_trigger_is_found_by_its_flag() -> None:
    assert DIFF.lookup_word == "--stat"
    assert UNTAGGED.lookup_word == "test"


@given(st.text(max_size=60))
def test_any_text_can_be_read_as_a_trigger_or_as_none(text: str) -> None:
    found = parse_trigger(text)

    assert found is None or parse_trigger(found.to_line()) == parse_trigger(
        parse_trigger(found.to_line()).to_line()  # type: ignore[union-attr]  # it has a tool and a gram
    )
