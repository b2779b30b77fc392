"""When a note is about a call."""

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.core.builders import a_note

from twiceshy.core.trigger import (
    FILES,
    STATED,
    Trigger,
    TriggerMatch,
    error_matches_quote,
    longest_word,
    parse_trigger,
    read_evidence,
    split_letters,
    stable_quote,
    tool_family,
)
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


@pytest.mark.parametrize("tool", ["Bash", FILES, "mcp__files__open"])
def test_a_path_that_is_not_there_is_missing_for_every_tool(tool: str) -> None:
    trigger = Trigger(FILES, ("src/api.py",), category="missing")

    assert trigger.matches(tool, call_words({"command": "sed -n 1p src/api.py"}))
    assert not trigger.matches(tool, call_words({"command": "sed -n 1p lib/api.py"}))


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
    st.sampled_from([STATED, "usage", "missing", "folder", "rejected", "outcome"]),
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


def a_match(sort: str = "usage", **counted: int) -> TriggerMatch:
    fields: dict[str, object] = {"note": a_note(), **counted}
    return TriggerMatch.of(fields | {"trigger": Trigger("Bash", ("npm",), category=sort)})


def test_nothing_was_counted_for_a_match_that_says_nothing_of_it() -> None:
    match = TriggerMatch(a_note(), DIFF)

    assert set(match.fields().values()) == {match.note, match.trigger, 0, ""}


@pytest.mark.parametrize(
    ("sort", "first", "after"),
    [
        (STATED, 9 / 10, 11 / 15),
        ("usage", 3 / 4, 5 / 9),
        ("missing", 2 / 3, 4 / 8),
        ("folder", 2 / 3, 4 / 8),
        ("rejected", 2 / 3, 4 / 8),
        ("outcome", 1 / 4, 3 / 9),
        ("unheard of", 0.0, 0.0),
    ],
)
def test_how_likely_a_call_fails_depends_on_the_sort_until_calls_tell_more(
    sort: str, first: float, after: float
) -> None:
    assert a_match(sort).failure_odds == pytest.approx(first)
    assert a_match(sort, failed_calls=2, succeeded_calls=3).failure_odds == pytest.approx(after)


def test_three_calls_in_one_place_tell_more_than_all_elsewhere() -> None:
    two = a_match(failed_calls=90, succeeded_calls=10, failed_calls_here=1, succeeded_calls_here=1)
    three = two.but(succeeded_calls_here=2)

    assert two.failure_odds == pytest.approx(93 / 104)
    assert three.failure_odds == pytest.approx(4 / 7)


def test_evidence_beside_the_line_is_matched_and_the_line_in_older_notes() -> None:
    older = a_note(quoting("no such tag here"))
    note = a_note("Use `make y`; `make x` fails: no such tag", why=quoting("no such tag here"))

    for each in (older, note):
        assert read_evidence(each) == quoting("no such tag here")
        assert error_matches_quote(each, "fatal: no such tag here")


def quoting(error: str) -> str:
    return f'`make x` failed: "{error}". `make y` worked.'


@pytest.mark.parametrize(
    ("error", "piece", "known"),
    [
        ("cat 7", "", False),  # three letters tell nothing
        ("cats 7", "cats", False),  # nor does one word, such as FAIL
        ("cats 7 dogs", "cats", True),
        (
            "one two three four five six seven eight nine",
            "one two three four five six seven eight",
            True,
        ),
        ("aaaa 1 bbbb 2 cccc 3 ddddd", "cccc", True),  # three pieces are looked at
    ],
)
def test_an_error_is_known_by_its_first_words_without_names_and_numbers(
    error: str, piece: str, *, known: bool
) -> None:
    note = a_note(quoting(error))

    assert len(stable_quote(note)) == len(piece)
    assert error_matches_quote(note, error) is known
    assert not error_matches_quote(note, "something else")


@given(
    st.lists(st.sampled_from("unknown flag: No such file or directory, (not found) x".split())),
    st.text(max_size=60),
    st.text(max_size=60),
)
def test_the_word_of_a_quote_stands_in_every_error_that_quotes_it(
    quoted: list[str], before: str, after: str
) -> None:
    quote = " ".join(quoted)

    assert longest_word(quote) in ["", *split_letters(f"{before} {quote}\n{after}")]
    assert not quoted or longest_word(quote)
