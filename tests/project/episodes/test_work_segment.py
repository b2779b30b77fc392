"""What a session was about is summed up from its steps alone."""

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.core.session_steps import WHERE, bash, called, said, thought
from tests.project.episodes.segments import build_from_steps

from twiceshy.core.transcript import Step, SummaryStep, UserMessage
from twiceshy.project.episodes.work_segment import (
    MAX_REQUEST,
    MAX_REQUESTS,
    MAX_TITLE,
    is_trivial,
)
from twiceshy.safety.redact import redact

SECRET = "ghp_" + "a1B2c3D4e5F6" * 3


def same(text: str) -> str:
    return text


def test_a_stretch_tells_title_requests_tools_and_the_files_that_were_changed() -> None:
    steps: list[Step] = [
        said("Fix the login form, it loses the token"),
        thought("I look into it."),
        *bash("pytest"),
        *bash("pytest -x"),
        *called("Edit", file_path="/home/u/shop/src/login.py", old_string="a", new_string="b"),
        said("now add a test"),
        *called("Write", file_path="/home/u/shop/tests/test_login.py", content="x"),
    ]

    stretch = build_from_steps(steps, redact=same, root="/home/u/shop").build_segment()

    assert stretch.messages == 2
    assert stretch.title == "Fix the login form, it loses the token"
    assert stretch.requests == ("Fix the login form, it loses the token", "now add a test")
    assert stretch.tools == ("Bash", "Edit", "Write")
    assert stretch.files == ("src/login.py", "tests/test_login.py")
    assert stretch.cwd == "/home/u/shop"


def test_a_file_counts_as_changed_only_once_the_change_was_made() -> None:
    steps = [
        said("change three files"),
        *called("Edit", file_path="/a.py", failed=True),
        *called("Edit", file_path="/b.py", refusal="rejected"),
        *called("Edit", file_path="/c.py", result=None),
        *called("Read", file_path="/d.py"),
        *called("Edit", file_path="/e.py"),
    ]

    assert build_from_steps(steps, redact=same).build_segment().files == ("/e.py",)


@pytest.mark.parametrize(
    "message",
    ["yes", "OK!", "  ok ", "好", "好的。", "繼續", "Thanks!", "go ahead", "...", "Sounds good."],
)
def test_a_message_that_only_agrees_is_trivial(message: str) -> None:
    assert is_trivial(message)


@pytest.mark.parametrize(
    "message", ["yes, and add a test", "ok computer", "好的，改登录页", "no tests yet"]
)
def test_a_message_that_asks_for_something_is_not(message: str) -> None:
    assert not is_trivial(message)


def test_trivial_messages_count_but_make_no_title_and_no_request() -> None:
    steps = [
        said("hi"),
        said("ok"),
        said("修复登录页面的令牌丢失问题，并补上测试再发布到测试环境"),
        said("好"),
    ]

    stretch = build_from_steps(steps, redact=same).build_segment()

    assert stretch.messages == 4
    assert stretch.title.startswith("修复登录页面")
    assert len(stretch.requests) == 1


def test_a_first_message_of_a_word_is_joined_with_the_next() -> None:
    stretch = build_from_steps(
        [said("login"), said("it loses the token")], redact=same
    ).build_segment()

    assert stretch.title == "login · it loses the token"


def test_m21_a_message_that_begins_with_the_user_is_the_users() -> None:
    message = "The user table needs an index on email"

    stretch = build_from_steps([said(message)], redact=same).build_segment()

    assert stretch.requests == (message,)
    assert stretch.title == message


def test_m16_a_secret_is_taken_out_before_a_message_is_cut() -> None:
    # cut first, the half of it that is left would not be known as a secret any more
    message = "x" * (MAX_REQUEST - 20) + f" {SECRET} and more"

    stretch = build_from_steps(
        [said(message), said(f"use {SECRET}")], redact=redact
    ).build_segment()

    told = repr(stretch)
    assert SECRET[:12] not in told
    assert stretch.requests[1].startswith("use ")


def test_what_agents_of_the_session_were_told_is_no_request_of_the_user() -> None:
    aside = UserMessage.of({"id": "u0", **WHERE, "agent": "a1", "text": "Search the whole tree"})

    stretch = build_from_steps([aside, said("who calls it?")], redact=same).build_segment()

    assert stretch.messages == 1
    assert stretch.requests == ("who calls it?",)


def test_how_it_stood_is_kept_after_every_so_many_messages() -> None:
    steps = [said(f"do the part number {number}") for number in range(7)]

    fold = build_from_steps(steps, redact=same, every=3)

    assert fold.milestone is not None
    assert fold.milestone.messages == 6
    assert fold.milestone.requests[-1] == "do the part number 5"


def test_a_compaction_is_told_with_what_went_before_it() -> None:
    cut = SummaryStep.of({"id": "z1", **WHERE, "summary": "We fixed it.", "automatic": True})

    [compaction] = build_from_steps(
        [said("fix the login form"), cut, said("go further")], redact=same
    ).compactions

    assert compaction.before.messages == 1
    assert (compaction.summary, compaction.automatic) == ("We fixed it.", True)


@given(st.lists(st.text(max_size=400), max_size=30))
def test_a_stretch_is_always_short(messages: list[str]) -> None:
    stretch = build_from_steps(map(said, messages), redact=same).build_segment()

    assert len(stretch.title) <= MAX_TITLE
    assert len(stretch.requests) <= MAX_REQUESTS
    assert all(0 < len(request) <= MAX_REQUEST for request in stretch.requests)
    assert stretch.messages == sum(bool(message.strip()) for message in messages)
