"""How a command ended is read from where the client writes it, not from what the command printed."""

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.runtimes.gemini.chat_lines import untrusted

from twiceshy.runtimes.gemini.calls import (
    extract_text,
    parse_command_outcome,
    server_error,
    strip_hook_context,
    strip_wrapping,
)

# as the client shows a terminal: rows of pieces, each with its colours
Screen = list[list[dict[str, object]]]


def a_screen(*rows: str) -> Screen:
    return [[{"text": row, "bold": False}, {"text": "  "}] for row in rows]


@given(st.text(), st.integers(0, 255))
def test_what_a_command_printed_never_changes_how_it_ended(printed: str, code: int) -> None:
    printed = printed.strip()  # as the client does

    ended = parse_command_outcome(untrusted(printed, code=code), printed)

    assert ended.failure == (f"Exit code {code}" if code else "")


@pytest.mark.parametrize("last", ["Exit Code: 3", "Process Group PGID: 1", "Signal: 9", "(empty)"])
@pytest.mark.parametrize("code", [0, 5])
def test_lines_that_look_like_the_clients_are_output(last: str, code: int) -> None:
    printed = f"begun\n{last}"

    ended = parse_command_outcome(untrusted(printed, code=code), printed)

    assert ended.printed == printed
    assert ended.failure == ("Exit code 5" if code else "")


@pytest.mark.parametrize("code", [0, 3])
@pytest.mark.parametrize(
    "rows", [("a", "Exit Code: 3"), ("Exit Code: 3", "Exit Code: 3"), ("a", "3"), ("no tape",)]
)
def test_on_a_terminal_the_screen_tells_what_was_printed(rows: tuple[str, ...], code: int) -> None:
    ended = parse_command_outcome(untrusted("\n".join(rows), code=code), a_screen(*rows, "", " "))

    assert ended.failure == ("Exit code 3" if code else "")
    assert ended.printed == "\n".join(rows)


def test_a_terminal_breaks_long_lines_and_shows_the_last_ones() -> None:
    printed = "first\n" + "word " * 60 + "end\nExit Code: 3"
    screen = a_screen("word word", "word", "end", "Exit Code: 3")

    assert parse_command_outcome(untrusted(printed), screen).failure == ""
    assert parse_command_outcome(untrusted(printed, code=2), screen).failure == "Exit code 2"


def test_a_long_output_that_was_cut_for_the_model_tells_its_end() -> None:
    whole = "\n".join(f"line {number}" for number in range(2_000)) + "\nExit Code: 3"
    cut = f"line 0\n... [8 lines omitted] ...\n{whole[-6_000:]}"

    assert parse_command_outcome(untrusted(cut), whole).failure == ""
    assert parse_command_outcome(untrusted(cut, code=1), whole).failure == "Exit code 1"


def test_without_anything_shown_the_last_lines_are_the_clients() -> None:
    ended = parse_command_outcome(untrusted("no tape", code=3), None)

    assert (ended.failure, ended.printed) == ("Exit code 3", "no tape")


def test_a_command_that_printed_nothing_has_no_output() -> None:
    assert parse_command_outcome(untrusted(""), "").error_text == ""
    assert (
        parse_command_outcome(untrusted("", code=4), "Command exited with code: 4").error_text
        == "Exit code 4"
    )


def test_a_command_that_was_killed_or_could_not_start_failed() -> None:
    inner = "Output: half\nError: spawn failed\nSignal: 9\nProcess Group PGID: 4"

    ended = parse_command_outcome(f"<untrusted_context>\n{inner}\n</untrusted_context>", "half")

    assert ended.error_text == "Signal 9\nhalf\nError: spawn failed"


def test_a_command_that_took_too_long_failed_and_nobody_stopped_it() -> None:
    said = "Command was automatically cancelled because it exceeded the timeout of 5.0 minutes"

    ended = parse_command_outcome(f"<untrusted_context>\n{said}\n</untrusted_context>", "")

    assert (ended.failure, ended.stopped) == (said, False)


def test_a_command_in_the_background_has_not_failed() -> None:
    assert parse_command_outcome("Command is running in background. PID: 7.", "").failure == ""


def test_what_hooks_added_is_taken_out() -> None:
    added = "\n\n<hook_context>&lt;twiceshy-note&gt;x&lt;/twiceshy-note&gt;</hook_context>"

    assert strip_wrapping(f"hello{added}") == "hello"
    assert parse_command_outcome(untrusted("no tape", code=3) + added, "no tape").error_text == (
        "Exit code 3\nno tape"
    )
    assert strip_hook_context("<hook_context>one</hook_context>\n\ntwo") == "\n\ntwo"
    assert strip_hook_context("what is <hook_context> for?") == "what is <hook_context> for?"


def test_a_command_cannot_hide_its_failure_behind_the_tag_of_hooks() -> None:
    printed = "<hook_context>"
    text = untrusted(printed, code=3) + "\n\n<hook_context>ours</hook_context>"

    assert parse_command_outcome(text, printed).failure == "Exit code 3"


def test_what_a_foreign_tool_said_is_found_in_the_exchange() -> None:
    answer = '[{"functionResponse":{"response":{"content":[{"type":"text","text":"no box"}]}}}]'
    wrapped = (
        f"MCP tool 'weigh' reported tool error for function call: {{}} with response: {answer}"
    )

    assert server_error(wrapped) == "no box"
    assert server_error(wrapped[:-9]) == wrapped[:-9]
    assert server_error(f"somebody else said: with response: {answer}").startswith("somebody")


@given(st.recursive(st.none() | st.integers() | st.text(), st.lists, max_leaves=3))
def test_whatever_a_tool_gives_is_some_text(content: object) -> None:
    assert isinstance(extract_text(content), str)
