"""A file is brought up to date around what people put there, and a second time changes nothing."""

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.core.builders import NOW, a_note, an_id
from tests.requirements import requirement

from twiceshy.core.note import Note
from twiceshy.interop.formats import FileContext, ParsedItem, join_pieces
from twiceshy.interop.formats.fireworks import FIREWORKS_KNOWLEDGE
from twiceshy.interop.formats.keeper_facts import KEEPER_FACTS, mend_file
from twiceshy.interop.views.update_text import (
    ViewUpdate,
    carry_foreign_lines,
    update_json,
    update_text,
)

ABOUT = FileContext("demo", "release", NOW)


def a_lesson(number: int, text: str = "", **fields: object) -> Note:
    return a_note(text or f"Lesson number {number} of many", id=an_id(number), **fields)


def loom_of(
    known: list[Note], *, gone: tuple[str, ...] = (), refused: tuple[str, ...] = ()
) -> ViewUpdate:
    """A loom that knows notes by their mark or their words, as the store would."""
    names = {note.fingerprint: note.id for note in known} | {note.id: note.id for note in known}

    def name(item: ParsedItem) -> str:
        assert item.draft is not None
        return names.get(item.key, names.get(item.draft.fingerprint, ""))

    return ViewUpdate(
        FIREWORKS_KNOWLEDGE.render_items(known, ABOUT),
        FIREWORKS_KNOWLEDGE.render_items((), ABOUT),
        name,
        gone=lambda item: item.key in gone,
        refused=lambda item: item.key in refused,
    )


def brought_up(file: str, known: list[Note], *, gone: tuple[str, ...] = ()) -> str:
    loom = loom_of(known, gone=gone)
    once = update_text(FIREWORKS_KNOWLEDGE.parse_text(file, ABOUT), loom)
    assert update_text(FIREWORKS_KNOWLEDGE.parse_text(once, ABOUT), loom) == once
    return once


def a_file(*known: Note) -> str:
    return join_pieces(FIREWORKS_KNOWLEDGE.render_items(known, ABOUT))


def bullets(text: str) -> list[str]:
    return [line.partition(" <!--")[0] for line in text.splitlines() if line.startswith("- ")]


@requirement("U180")
def test_prose_stays_where_it_was_when_notes_come_and_go() -> None:
    one, two, three = a_lesson(1), a_lesson(2), a_lesson(3)
    head, _, tail = a_file(one, two).partition("## Entries\n")
    file = f"{head}## Entries\n\nRead this first.\n{tail}\nThe end.\n"

    text = brought_up(file, [two, three], gone=(one.id,))

    kept = [line for line in text.splitlines() if line and not line.startswith("> ")]
    assert kept[0:3] == ["# release — experience", "## Entries", "Read this first."]
    assert "number 2" in kept[3]
    assert "number 3" in kept[4]
    assert kept[5:] == ["The end."]


def test_a_line_that_was_not_taken_stays_as_it_was_written() -> None:
    note = a_lesson(1)
    file = a_file(note).replace("of many", "of far too many")

    assert (
        update_text(
            FIREWORKS_KNOWLEDGE.parse_text(file, ABOUT), loom_of([note], refused=(note.id,))
        )
        == file
    )


def test_a_line_in_somebodys_own_style_stays_as_it_is_while_it_tells_what_is_known() -> None:
    note = a_lesson(1, learned_at=NOW)
    file = "# Mine\n\n*   [2026-11]   Lesson number 1 of many\n"

    assert brought_up(file, [note]) == file


def test_what_the_store_says_now_takes_the_place_of_what_it_said() -> None:
    text = brought_up(a_file(a_lesson(1)), [a_lesson(1, "Lesson one says more", sightings=4)])

    assert bullets(text) == ["- [2026-11] Lesson one says more"]
    assert "[HIT:4]" in text


def test_a_new_note_stands_below_the_one_that_it_follows() -> None:
    file = a_file(a_lesson(1), a_lesson(3)).replace(
        "\n- [2026-11] Lesson number 3", "\n\nBetween.\n\n- [2026-11] Lesson number 3"
    )

    text = brought_up(file, [a_lesson(1), a_lesson(2), a_lesson(3)])

    one, two, between, three = (text.index(part) for part in ("er 1", "er 2", "Between", "er 3"))
    assert one < two < between < three


def test_a_new_note_stands_below_the_prose_of_its_section_and_above_the_next_heading() -> None:
    file = a_file().partition("- [placeholder]")[0] + "Read this first.\n\n## Mine\n\nThe end.\n"

    text = brought_up(file, [a_lesson(1)])

    assert text.index("Read this") < text.index("Lesson number 1") < text.index("## Mine")


def test_the_placeholder_of_an_empty_list_goes_when_there_is_something_to_tell() -> None:
    text = brought_up(a_file(), [a_lesson(1)])

    assert "placeholder" not in text
    assert len(bullets(text)) == 1


def test_a_day_in_a_line_of_ours_is_brought_up_to_date_only_with_something_else() -> None:
    old = a_file(a_lesson(1)).replace("updated: 2026-11-02", "updated: 2026-10-01")

    assert brought_up(old, [a_lesson(1)]) == old
    assert "updated: 2026-11-02" in brought_up(old, [a_lesson(1), a_lesson(2)])


def test_a_file_of_somebody_else_keeps_all_of_it_and_gets_ours_behind_it() -> None:
    text = brought_up("Dear diary,", [a_lesson(1)])

    assert text.startswith("Dear diary,\n")
    assert len(bullets(text)) == 1


def test_line_ends_of_another_system_stay() -> None:
    file = a_file(a_lesson(1)).replace("\n", "\r\n")

    text = brought_up(file, [a_lesson(1, "Said anew")])

    assert text == file.replace("Lesson number 1 of many", "Said anew")


LINES = st.lists(
    st.sampled_from(["Prose.", "## Heading", "", "> quoted", "* a bullet of mine", "1. counted"]),
    max_size=6,
)


@requirement("U180")
@given(
    before=st.sets(st.integers(1, 8)),
    after=st.sets(st.integers(1, 8)),
    prose=LINES,
    at=st.integers(0, 20),
)
def test_nothing_known_is_missing_nothing_gone_is_there_and_no_prose_is_lost(
    before: set[int], after: set[int], prose: list[str], at: int
) -> None:
    lines = a_file(*map(a_lesson, sorted(before))).splitlines()
    mine = [*lines[:at], "", *prose, "", *lines[at:]]  # else it would be part of the bullet above
    file = "\n".join([*mine, ""])
    gone = tuple(map(an_id, before - after))

    text = brought_up(file, [*map(a_lesson, sorted(after))], gone=gone)

    for number in range(1, 9):
        assert text.count(f"Lesson number {number} of many") == (number in after)
    own = [line for line in prose if line]
    rest = iter(text.splitlines())
    assert all(any(line.startswith(wanted) for line in rest) for wanted in own)


@given(st.text(max_size=400), st.sets(st.integers(1, 4)))
def test_whatever_a_file_says_writing_it_twice_is_writing_it_once(
    file: str, known: set[int]
) -> None:
    text = brought_up(file, [*map(a_lesson, sorted(known))])

    assert all(f"Lesson number {number} of many" in text for number in known)


def test_lines_of_others_are_carried_into_a_text_that_is_made_anew() -> None:
    old, new = "# Hub\n\n- pages: 1\n\n## End\n", "# Hub\n\n- pages: 2\n- tasks: 1\n\n## End\n"
    file = old.replace("# Hub\n", "# Hub\n\nMine.\n") + "\n## More\n\n- mine, too\n"

    text = carry_foreign_lines(old, file, new)

    assert text == new.replace("# Hub\n", "# Hub\n\nMine.\n") + "\n## More\n\n- mine, too\n"
    assert carry_foreign_lines(new, text, new) == text


def the_facts(*known: Note) -> ViewUpdate:
    names = {note.fingerprint: note.id for note in known} | {note.id: note.id for note in known}

    def name(item: ParsedItem) -> str:
        assert item.draft is not None
        return names.get(item.key, names.get(item.draft.fingerprint, ""))

    return ViewUpdate(
        KEEPER_FACTS.render_items(known, ABOUT),
        (),
        name,
        lambda item: not name(item),
        lambda _: False,
    )


def test_a_json_file_keeps_its_other_keys_when_facts_come_and_go() -> None:
    one, two = (a_lesson(at, kind="decision") for at in (1, 2))
    three = a_lesson(3, kind="pattern")
    told = json.loads(join_pieces(KEEPER_FACTS.render_items([one, two], ABOUT)))
    told["_meta"]["counter"], told["mine"], told["decisions"][1]["by"] = 7, [1], "Ana"
    file = json.dumps(told, indent=4)
    loom = the_facts(two, three)

    text = update_json(KEEPER_FACTS.parse_text(file, ABOUT), loom, mend_file)

    now = json.loads(text)
    assert (now["_meta"]["counter"], now["mine"]) == (7, [1])
    assert [(fact["id"], fact.get("by")) for fact in now["decisions"]] == [("d002", "Ana")]
    assert [fact["content"] for fact in now["patterns"]] == [three.text]
    assert update_json(KEEPER_FACTS.parse_text(text, ABOUT), loom, mend_file) == text


@pytest.mark.parametrize("layout", [None, 1, 4, "\t"])
def test_a_fact_that_comes_changes_no_byte_that_was_there(layout: int | str | None) -> None:
    one, two = (a_lesson(at, kind="decision") for at in (1, 2))
    told = json.loads(join_pieces(KEEPER_FACTS.render_items([one], ABOUT))) | {
        "mine": {"é": [1, 2]}
    }
    file = "\ufeff" + json.dumps(told, indent=layout, ensure_ascii=True) + "\n\n"

    text = update_json(KEEPER_FACTS.parse_text(file, ABOUT), the_facts(one, two), mend_file)

    rest = iter(text)
    assert all(char in rest for char in file)  # in this order, with more between
    assert [fact["content"] for fact in json.loads(text[1:])["decisions"]] == [one.text, two.text]


def test_a_json_file_that_tells_all_that_is_known_stays_byte_for_byte() -> None:
    note = a_lesson(1, kind="decision", why="small")
    told = json.loads(join_pieces(KEEPER_FACTS.render_items([note], ABOUT)))
    del told["decisions"][0]["note"]
    file = json.dumps(told, indent=1) + "\n\n"

    assert update_json(KEEPER_FACTS.parse_text(file, ABOUT), the_facts(note), mend_file) == file
