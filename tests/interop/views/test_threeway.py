"""What a hand did to a file is told apart from what we did to it; every case is a list of lessons."""

import re

from hypothesis import given
from hypothesis import strategies as st
from tests.core.builders import NOW, a_note, an_id
from tests.requirements import requirement

from twiceshy.core.note import Note
from twiceshy.interop.formats import FileContext, ParsedItem, join_pieces
from twiceshy.interop.formats.fireworks import FIREWORKS_KNOWLEDGE
from twiceshy.interop.views.threeway import Edits, find_edits, item_text, items_by_key

ABOUT = FileContext("demo", "release", NOW)
TEXTS = (
    "Lock with uv before tagging",
    "Fetch all tags from the server first",
    "Sign the archive with the new key",
    "Ask Ana before a big release",
    "Write the changelog by hand",
)


def notes(*texts: str) -> list[Note]:
    return [a_note(text, id=an_id(number)) for number, text in enumerate(texts or TEXTS)]


def a_file(*texts: str) -> str:
    return join_pieces(FIREWORKS_KNOWLEDGE.render_items(notes(*texts), ABOUT))


def pieces(text: str) -> tuple[str | ParsedItem, ...]:
    return FIREWORKS_KNOWLEDGE.parse_text(text, ABOUT)


def compared(file: str, base: str, before: str | None = None) -> Edits:
    return find_edits(pieces(file), pieces(base), None if before is None else pieces(before))


def said(found: tuple[ParsedItem, ...]) -> list[str]:
    return [item_text(item) for item in found]


def without_mark(line: str) -> str:
    return re.sub(" <!-- n[0-9a-z]+ -->", "", line)


def test_a_file_that_nobody_touched_has_no_edits() -> None:
    assert not compared(a_file(), a_file())


@requirement("U180")
def test_a_line_in_other_words_is_the_same_note_with_other_words() -> None:
    file = a_file().replace("before tagging", "whenever you tag")

    found = compared(file, a_file())

    ((was, now),) = found.edited
    assert was.key == now.key == an_id(0)
    assert (item_text(was), item_text(now)) == (TEXTS[0], "Lock with uv whenever you tag")
    assert not found.deleted
    assert not found.added


@requirement("U180")
def test_a_line_in_other_words_is_known_by_its_place_where_nothing_marks_it() -> None:
    base = "".join(f"{without_mark(line)}\n" for line in a_file().splitlines())
    file = base.replace("Sign the archive with the new key", "Sign the archive with Ana's new key")

    found = compared(file, base)

    assert [(item_text(was), item_text(now)) for was, now in found.edited] == [
        ("Sign the archive with the new key", "Sign the archive with Ana's new key")
    ]
    assert not found.deleted
    assert not found.added


@requirement("U180")
def test_a_line_that_is_gone_is_deleted_and_one_that_is_new_is_added() -> None:
    lines = a_file().splitlines()
    file = "\n".join([*lines[:-1], "* Rehearse the roll-back", ""])

    found = compared(file, a_file())

    assert said(found.deleted) == [TEXTS[-1]]
    assert said(found.added) == ["Rehearse the roll-back"]
    assert not found.edited


def test_a_new_line_in_the_place_of_a_marked_one_is_no_rewording_of_it() -> None:
    line = a_file().splitlines()[-1]

    found = compared(a_file().replace(line, "- Write the changelog in a wiki"), a_file())

    assert said(found.deleted) == [TEXTS[-1]]
    assert said(found.added) == ["Write the changelog in a wiki"]


def test_a_line_whose_mark_was_taken_out_is_neither_deleted_nor_added() -> None:
    file = a_file().replace(f" <!-- {an_id(2)} -->", "")

    assert not compared(file, a_file())


def test_moving_lines_about_is_no_edit() -> None:
    *head, one, two, three, four, five = a_file().splitlines()
    file = "\n".join([*head, five, three, one, two, four, ""])

    assert not compared(file, a_file())


def test_a_line_that_is_there_twice_is_one_note_and_either_may_go() -> None:
    twice = a_file() + without_mark(a_file().splitlines()[-1]) + "\n"

    assert not compared(twice, a_file())
    assert not compared(a_file(), twice)


def test_a_copy_of_a_line_in_other_words_is_a_note_of_its_own() -> None:
    copy = a_file().splitlines()[-1].replace("by hand", "with git log")

    found = compared(a_file() + copy + "\n", a_file())

    assert said(found.added) == ["Write the changelog with git log"]
    assert not found.edited


@requirement("U180")
def test_what_came_after_the_file_was_opened_is_not_deleted_by_saving_it() -> None:
    opened = a_file(*TEXTS[:3])
    written = a_file(*TEXTS)

    found = compared(opened + "- Rehearse the roll-back\n", written, opened)

    assert not found.deleted
    assert said(found.added) == ["Rehearse the roll-back"]


def test_what_we_changed_after_the_file_was_opened_is_not_changed_back_by_saving_it() -> None:
    opened = a_file()
    written = opened.replace("Ask Ana", "Ask Ben").replace(
        TEXTS[2], "Sign it twice with both keys"
    )
    written = "\n".join(line for line in written.splitlines() if TEXTS[0] not in line) + "\n"

    assert not compared(opened, written, opened)


def test_what_was_there_long_enough_is_deleted_by_deleting_it() -> None:
    file = a_file(*TEXTS[:4])

    found = compared(file, a_file(), a_file())

    assert said(found.deleted) == [TEXTS[4]]


ACTS = st.lists(st.sampled_from(["keep", "edit", "delete", "strip"]), min_size=5, max_size=5)


@given(
    acts=ACTS,
    order=st.permutations(range(5)),
    added=st.lists(st.sampled_from(["Zebra crossing ahead", "Quokkas smile always"]), unique=True),
)
def test_every_edit_is_told_for_what_it_is(
    acts: list[str], order: list[int], added: list[str]
) -> None:
    *head, one, two, three, four, five = a_file().splitlines()
    lines = [one, two, three, four, five]
    for at, act in enumerate(acts):
        lines[at] = {
            "keep": lines[at],
            "edit": lines[at].replace(TEXTS[at], f"{TEXTS[at]} indeed"),
            "delete": "",
            "strip": without_mark(lines[at]),
        }[act]
    file = "\n".join([*head, *(lines[at] for at in order), *(f"- {text}" for text in added), ""])

    found = compared(file, a_file())

    by_act = {act: {TEXTS[at] for at in range(5) if acts[at] == act} for act in acts}
    assert {item_text(was) for was, _ in found.edited} == by_act.get("edit", set())
    assert set(said(found.deleted)) == by_act.get("delete", set())
    assert said(found.added) == added


@given(st.text(max_size=300), st.text(max_size=300))
def test_any_two_texts_can_be_compared(one: str, other: str) -> None:
    found = compared(one, other)

    now, was = items_by_key(pieces(one)), items_by_key(pieces(other))
    assert len(found.added) + len(found.edited) <= len(now)
    assert len(found.deleted) + len(found.edited) <= len(was)
