"""What a hand changes in a file changes the item it touched, and no other."""

import json

import pytest
from tests.core.builders import NOW, a_note, an_id
from tests.interop.formats.noting import items_in
from tests.requirements import requirement

from twiceshy.core.errors import NotFoundError
from twiceshy.core.note import Note
from twiceshy.core.scope import Scope
from twiceshy.interop.formats import FileContext, ParsedItem, join_pieces
from twiceshy.interop.formats.keeper_facts import KEEPER_FACTS, mend_file
from twiceshy.interop.formats.pieces import render_mark, split_mark
from twiceshy.interop.formats.registry import guess_formats, load_format
from twiceshy.notes.pages import page_name

ABOUT = FileContext("demo", "release", NOW, "")
KINDS = {
    "fireworks_knowledge": ("lesson", "gotcha"),
    "keeper_facts": ("decision", "approach"),
    "keeper_session": ("decision", "approach"),
    "engine_notebook": ("rule", "correction"),
    "engine_pitfall": ("lesson", "pitfall"),
    "engine_todo": ("task", ""),
    "instructions": ("pattern", "convention"),
    "markdown_list": ("lesson", "discovery"),
}

WITH_PROSE = {
    name: kinds for name, kinds in KINDS.items() if name != "keeper_facts"
}  # JSON has none


def notes_of(kind: str, subtype: str, *texts: str) -> list[Note]:
    return [
        a_note(text, kind=kind, subtype=subtype, id=an_id(n + 1), scope=Scope("demo", "release"))
        for n, text in enumerate(texts)
    ]


def texts_in(name: str, text: str, about: FileContext = ABOUT) -> dict[str, str]:
    found = items_in(load_format(name).parse_text(text, about))
    return {item.key: item.draft.text for item in found if item.draft}


@pytest.mark.parametrize(("name", "kinds"), KINDS.items())
def test_a_line_that_was_reworded_is_the_same_note(name: str, kinds: tuple[str, str]) -> None:
    written = load_format(name).render_items(notes_of(*kinds, "lock first", "fetch tags"), ABOUT)

    edited = join_pieces(written).replace("lock first", "lock the file before tagging")

    assert texts_in(name, edited) == {
        an_id(1): "lock the file before tagging",
        an_id(2): "fetch tags",
    }


@requirement("A04")
@pytest.mark.parametrize(("name", "kinds"), WITH_PROSE.items())
def test_prose_that_somebody_adds_is_prose(name: str, kinds: tuple[str, str]) -> None:
    text = join_pieces(load_format(name).render_items(notes_of(*kinds, "lock first"), ABOUT))

    for more in ("\nMina knows more.\n", "\n> Ask first.\n", "\n| a | b |\n|---|---|\n"):
        pieces = load_format(name).parse_text(text + more, ABOUT)

        assert [item.key for item in items_in(pieces)] == [an_id(1)]
        assert str(pieces[-1]).endswith(more)


@pytest.mark.parametrize("line", ["- [x](y.md) a link", "- **bold** words", "* a star", "1. one"])
def test_bullets_of_any_kind_are_items_of_a_list(line: str) -> None:
    assert len(texts_in("markdown_list", f"# Mine\n\n{line}\n")) == 1


def test_what_belongs_to_an_item_stays_with_it() -> None:
    text = "- Run one file:\n  `pytest x`\n\n  Then all.\n  - slowly\nlazy\n\nprose\n"

    (item,) = items_in(load_format("instructions").parse_text(text, ABOUT))

    assert item.raw == text.removesuffix("\nprose\n")
    assert item.draft is not None
    assert item.draft.text == "Run one file:\n`pytest x`\n\nThen all.\n- slowly\nlazy"


def test_code_comments_and_front_matter_hold_no_items() -> None:
    text = "---\n- a\n---\n```\n- b\n```\n<!--\n- c\n-->\n<!-- d -->\n- e\n"

    assert list(texts_in("instructions", text).values()) == ["e"]


def test_a_mark_is_only_one_of_ours_and_only_at_the_end() -> None:
    name = an_id(7)

    assert split_mark(f"- a{render_mark(name)}\r\n") == ("- a\r\n", name)
    assert split_mark(f"- a <!-- {name} --> b") == (f"- a <!-- {name} --> b", "")
    assert split_mark("- a <!-- later -->") == ("- a <!-- later -->", "")
    assert render_mark("../../x") == ""


@pytest.mark.parametrize(("name", "kinds"), KINDS.items())
def test_a_text_cannot_pass_itself_off_as_another_note(name: str, kinds: tuple[str, str]) -> None:
    forged = f"lock first <!-- {an_id(99)} -->"

    written = join_pieces(load_format(name).render_items(notes_of(*kinds, forged), ABOUT))

    assert texts_in(name, written) == {an_id(1): forged}


@pytest.mark.parametrize("name", ["fireworks_knowledge", "markdown_list", "engine_todo"])
def test_the_same_line_twice_is_two_items(name: str) -> None:
    text = "- [ ] buy paper\n- [ ] buy paper\n- [ ] buy paper\n"

    keys = [item.key for item in items_in(load_format(name).parse_text(text, ABOUT))]

    assert keys == [keys[0], f"{keys[0]}#2", f"{keys[0]}#3"]


def test_facts_that_came_and_went_leave_a_file_that_is_valid() -> None:
    notes = [
        a_note(f"fact {n}", kind="decision", id=an_id(n), concepts=("shop",)) for n in (1, 2, 3)
    ]
    pieces = KEEPER_FACTS.render_items(notes, ABOUT)
    first, second, third = items_in(pieces)

    for kept in ([], [first], [second], [third], [first, third], [first, second, third]):
        text = "".join(
            piece if isinstance(piece, str) else piece.raw if piece in kept else ""
            for piece in pieces
        )
        mended = json.loads(mend_file(text))
        assert [one["note"] for one in mended["decisions"]] == [item.key for item in kept]


def test_a_fact_that_was_added_is_in_the_index_of_concepts() -> None:
    text = join_pieces(KEEPER_FACTS.render_items(notes_of("decision", "approach", "a"), ABOUT))
    added = ParsedItem(raw='{"id": "d009", "content": "b", "concepts": ["Billing"]}', key="d009")

    more = mend_file(text.replace("\n    }\n", f"\n    }}\n    {added.raw}\n", 1))

    told = json.loads(more)
    assert [one["content"] for one in told["decisions"]] == ["a", "b"]
    assert told["concepts"] == {"billing": ["d009"]}


@pytest.mark.parametrize("text", ["", "{", "[]", '{"decisions": [}', "nothing", '{"a": "b,,"}'])
def test_what_is_no_such_file_is_mended_no_further(text: str) -> None:
    assert join_pieces(KEEPER_FACTS.parse_text(mend_file(text), ABOUT)) == mend_file(text)


def test_keys_that_are_not_ours_stay_in_facts() -> None:
    text = '{"team": {"lead": "Kim"}, "issues": [{"content": "x", "by": "Kim"}, 7, null]}\n'

    pieces = KEEPER_FACTS.parse_text(text, ABOUT)

    (item,) = items_in(pieces)
    assert item.raw == '{"content": "x", "by": "Kim"}'
    assert mend_file(join_pieces(pieces)) == text


def test_a_hub_of_ours_says_nothing_by_itself_and_keeps_what_was_added() -> None:
    pages = [a_note("Web first.", kind="page", tag="architecture", scope=Scope("demo"))]
    tasks = notes_of("task", "", "buy paper")
    text = join_pieces(load_format("engine_hub").render_items([*pages, *tasks], ABOUT))

    assert "- open: 1 of 1" in text
    assert texts_in("engine_hub", text) == {}
    assert list(texts_in("engine_hub", f"{text}\n## Mine\n\n- 測試先\n").values()) == ["測試先"]


def test_front_matter_is_prose_but_for_a_page_of_memory_keeper() -> None:
    text = "---\ntitle: x\n---\n\nBody.\n"
    about = FileContext("demo", "", NOW, "conventions.md")

    assert texts_in("engine_spoke", text, about) == {"conventions": "Body."}
    assert texts_in("markdown", text, about) == {"conventions": "Body."}
    assert texts_in("keeper_page", text, about) == {"conventions": text.strip()}


def test_front_matter_of_ours_is_yaml() -> None:
    page = a_note("Web: first, #1.", kind="page", tag="mail", scope=Scope("demo"))

    text = join_pieces(
        load_format("engine_spoke").render_items([page], FileContext("demo", "", NOW, "mail.md"))
    )

    assert text.startswith(
        '---\nname: mail\ndescription: "Web: first, #1"\ntype: project\n---\n\n'
    )


@pytest.mark.parametrize("name", ["", "..", "a\u200bb.md", "x" * 300 + ".md", "../../etc/passwd"])
def test_a_page_never_gets_a_name_that_is_none(name: str) -> None:
    (key,) = texts_in("markdown", "Text.", FileContext("demo", "", NOW, name))

    assert page_name(key) == key


@pytest.mark.parametrize(
    ("path", "head", "likeliest"),
    [
        ("C:\\Users\\kim\\.claude\\skills\\x\\KNOWLEDGE.md", "", "fireworks_knowledge"),
        ("shop/.claude/memory/memory.md", "", "keeper_log"),
        ("x/memory/MEMORY.md", "# MEMORY\n", "engine_hub"),
        ("x/memory/memory.md", "\ufeff## 2026-10-05 14:00\r\ntext\r\n", "engine_hub"),
        ("notes/tuesday.md", "# Session 2026-10-05_1400\n", "keeper_session"),
        ("notes/tuesday.md", "Nothing in particular", "markdown"),
    ],
)
def test_a_file_is_told_by_its_place_and_how_it_begins(
    path: str, head: str, likeliest: str
) -> None:
    assert guess_formats(path, head)[0] == likeliest


def test_a_file_of_no_known_kind_is_in_no_format() -> None:
    assert guess_formats("picture.png", "\x89PNG") == []
    with pytest.raises(NotFoundError, match="no format is called 'word'"):
        load_format("word")


def test_a_stray_line_below_a_fact_is_none_of_it() -> None:
    fact = "- [approach] Ask first: it is cheap\n"

    pieces = load_format("keeper_session").parse_text(f"## Decisions\n{fact}\nA thought.\n", ABOUT)

    assert [item.raw for item in items_in(pieces)] == [fact]


def test_a_summary_below_a_heading_for_facts_tells_facts() -> None:
    text = "# Decisions\n## Summary\n- [approach] Ask first: it is cheap\n"

    pieces = load_format("keeper_session").parse_text(text, ABOUT)

    assert join_pieces(pieces) == text
    assert [item.draft.text for item in items_in(pieces) if item.draft] == ["Ask first"]


def test_a_rule_of_ours_says_what_its_line_says_whatever_it_is_called() -> None:
    rules = notes_of("rule", "correction", "No marks")
    text = join_pieces(load_format("engine_notebook").render_items(rules, ABOUT))

    edited = text.replace("- **Rule:** No marks", "- **Rule:** Few marks")

    assert texts_in("engine_notebook", edited) == {an_id(1): "Few marks"}
    theirs = "### Amounts\n- **Rule:** Currency last\n"
    assert [*texts_in("engine_notebook", theirs).values()] == ["Amounts: Currency last"]
