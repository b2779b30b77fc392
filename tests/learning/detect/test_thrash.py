"""Edits that undo each other are told from edits that go on, and no text of a file is kept."""

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.learning.detect.acts import act, edited

from twiceshy.learning.detect.loop import (
    CHANGE_WINDOW,
    FileEdit,
    Thrash,
    find_thrash,
    list_changes,
)
from twiceshy.shell.tool_call import ToolCall

A, B, C = "timeout = 30", "timeout = 60", "timeout = 90"


def thrashes(acts: list[ToolCall]) -> list[Thrash]:
    """Return what is reported while the edits come in, one by one."""
    changes: list[FileEdit] = []
    found = []
    for each in acts:
        for change in list_changes(each):
            changes.append(change)
            found.append(find_thrash(changes))
    return [thrash for thrash in found if thrash]


def turns(number: int, **more: Any) -> list[ToolCall]:
    """The same change, made and undone in turn."""
    return [edited(*((A, B), (B, A))[n % 2], **more) for n in range(number)]


def wrote(text: str, path: str = "a.py") -> ToolCall:
    return act("Write", file_path=f"/home/u/shop/{path}", content=text)


def test_an_edit_that_is_undone_and_made_again_is_thrash() -> None:
    acts = turns(3)

    (thrash,) = thrashes(acts)

    assert thrash == Thrash("/home/u/shop/a.py", tuple(each.id for each in acts))


def test_it_is_reported_once_for_a_file_and_a_pair() -> None:
    assert len(thrashes(turns(9))) == 1
    assert len(thrashes([*turns(5), *turns(5, path="b.py")])) == 2


def test_to_change_ones_mind_once_is_no_thrash() -> None:
    assert thrashes(turns(2)) == []


def test_other_edits_between_do_not_hide_it() -> None:
    one, two, three = turns(3)
    aside = [edited("import os", "import sys"), edited(A, B, path="other.py")]

    assert len(thrashes([one, *aside, two, *aside, three])) == 1


def test_to_go_through_many_values_is_no_thrash() -> None:
    assert thrashes([edited(A, B), edited(B, C), edited(C, A), edited(A, B)]) == []


def test_the_same_edit_at_several_places_is_no_thrash() -> None:
    assert thrashes([edited(A, B)] * 4) == []
    assert thrashes([edited(A, B), edited(A, B), edited(B, A), edited(B, A)]) == []


def test_blanks_and_the_lines_around_a_change_do_not_matter() -> None:
    around = "[server]\n{}\nport = 80"
    acts = [
        edited(A, B),
        edited(around.format(f"  {B}"), around.format(f"\t{A}")),
        edited(f"[server]\n{A}", f"[server]\n{B}"),
    ]

    assert len(thrashes(acts)) == 1


def test_a_brace_that_comes_and_goes_is_no_thrash() -> None:
    acts = [edited("}", "}\n}"), edited("}\n}", "}"), edited("}", "}\n}")]

    assert thrashes(acts) == []


def test_an_edit_that_failed_changed_nothing() -> None:
    one, _, three = turns(3)
    refused = edited(B, A, refusal="rejected")
    missed = edited(B, A, error="String to replace not found in file.")

    assert thrashes([one, refused, three]) == []
    assert thrashes([one, missed, three]) == []


def test_files_that_are_written_whole_go_back_and_forth_too() -> None:
    acts = [wrote(A), wrote(B), wrote(A), wrote(B)]

    (thrash,) = thrashes(acts)

    assert thrash.ids == tuple(each.id for each in acts[1:])
    assert thrashes([wrote(A), wrote(B), wrote(C), wrote(A)]) == []
    assert thrashes([wrote(A)] * 5) == []


def test_several_edits_in_one_call_are_several_changes() -> None:
    edits = [{"old_string": A, "new_string": B}, {"old_string": B, "new_string": C}, "odd", {}]
    several = act("MultiEdit", file_path="/home/u/shop/a.py", edits=edits)

    assert len(list_changes(several)) == 2


def test_what_lies_too_far_back_is_forgotten() -> None:
    one, two, three = turns(3)
    aside = [edited(f"name_{n}", f"title_{n}") for n in range(CHANGE_WINDOW)]

    assert thrashes([one, *aside, two, three]) == []


@pytest.mark.parametrize(
    "odd",
    [
        act("Edit", file_path="/x/a.py", old_string=7, new_string=None),
        act("Edit", old_string=A, new_string=B),
        act("Edit", file_path="/x/a.py", edits="no list"),
        act("Read", file_path="/x/a.py", old_string=A, new_string=B),
        act("Edit", file_path="/x/a.py", old_string=A, new_string=f"  {A}  "),
    ],
)
def test_what_is_no_edit_changes_nothing(odd: ToolCall) -> None:
    assert list_changes(odd) == []


@given(st.text(min_size=9), st.text(min_size=9))
def test_a_change_never_holds_the_text_of_a_file(before: str, after: str) -> None:
    for change in list_changes(edited(before, after)):
        assert len(change.before) == len(change.after) == 8
        assert set(change.before + change.after) <= set("0123456789abcdef")


@given(st.lists(st.sampled_from([(A, B), (B, A), (B, C), (C, A)]), max_size=20))
def test_a_thrash_always_turns_back_twice(pairs: list[tuple[str, str]]) -> None:
    acts = [edited(*pair) for pair in pairs]
    made = {each.id: (each.arguments["old_string"], each.arguments["new_string"]) for each in acts}

    for thrash in thrashes(acts):
        one, two, three = (made[each] for each in thrash.ids)

        assert one == three == two[::-1]


def test_nothing_is_no_thrash() -> None:
    assert find_thrash([]) is None
