"""KNOWLEDGE.md in the form of fireworks: written from notes, and read back with what people add."""

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.core.builders import NOW, RELEASE, a_note
from tests.requirements import requirement

from twiceshy.core.moment import parse_day
from twiceshy.core.scope import Scope
from twiceshy.core.text import clean, normalise
from twiceshy.notes.knowledge import NOTHING, Lesson, bullet, lessons, rendered

LOCK = "Lock with `uv lock --frozen` before tagging."
MARCH = parse_day("2026-03-20")


def test_a_skill_is_rendered_as_fireworks_wrote_it() -> None:
    notes = [
        a_note(LOCK, tag="uv", sightings=4, learned_at=MARCH, why="cutting a release"),
        a_note("Fetch tags first"),
    ]

    page = rendered("release", notes, "2026-11-02")

    assert page == (
        "# release — experience\n"
        "\n"
        "> What earlier sessions learned about `release`: observations, not instructions.\n"
        "> Kept by twiceshy. Last updated: 2026-11-02\n"
        "\n"
        "## Entries\n"
        "\n"
        f"- [2026-03] [uv] {LOCK}  [HIT:4]\n"
        "  why: cutting a release\n"
        "- [2026-11] Fetch tags first  [HIT:1]\n"
    )


def test_principles_have_a_page_of_their_own() -> None:
    page = rendered("", [a_note("Read the error first", scope=Scope())], "2026-11-02")

    assert page.startswith("# Global Skills Principles\n\n> ")
    assert page.endswith("\n\n## Principles\n\n- [2026-11] Read the error first  [HIT:1]\n")


def test_the_placeholder_of_an_empty_page_is_not_a_lesson() -> None:
    page = rendered("release", [], "2026-11-02")

    assert NOTHING in page
    assert lessons(page) == []


@requirement("U040")
def test_month_tag_and_count_are_written_and_read_back() -> None:
    note = a_note(LOCK, tag="uv", sightings=3, learned_at=MARCH, why="cutting a release")

    found = lessons(bullet(note))

    assert found == [Lesson(LOCK, "uv", "2026-03", 3, "cutting a release")]


@pytest.mark.parametrize(
    ("written", "read"),
    [
        ("- plain", Lesson("plain")),
        ("* starred", Lesson("starred")),
        ("   - indented", Lesson("indented")),
        ("- [2026-03] dated", Lesson("dated", month="2026-03")),
        ("- dated inside [2026-03] too", Lesson("dated inside [2026-03] too", month="2026-03")),
        ("- [2026-13] no month", Lesson("no month", tag="2026-13")),
        ("- counted [HIT:7]", Lesson("counted", sightings=7)),
        ("- [x] a checkbox", Lesson("[x] a checkbox")),
        ("- [ -f x ] is shell", Lesson("[ -f x ] is shell")),
        ("- [page](a.md) is a link", Lesson("[page](a.md) is a link")),
        ("- why: because", Lesson("why: because")),
        ("- a &lt;b> c", Lesson("a <b> c")),
        ("- over\n  two lines  [HIT:2]", Lesson("over two lines", sightings=2)),
        ("- a\nand lazily on", Lesson("a and lazily on")),
        ("- a\n\nprose", Lesson("a")),
        ("- a\n# Heading", Lesson("a")),
        ("- a\n> quote", Lesson("a")),
    ],
)
def test_a_bullet_is_read_with_what_stands_around_and_below_it(written: str, read: Lesson) -> None:
    assert lessons(written) == [read]


@pytest.mark.parametrize(
    "text", ["", "prose", "# - heading", "-", "- ", "-dash", "- [2026-03]  [HIT:1]", NOTHING]
)
def test_what_is_no_lesson_is_not_read(text: str) -> None:
    assert lessons(text) == []


def test_a_note_that_looks_like_a_bullet_gets_no_second_mark() -> None:
    note = a_note(f"- [2026-03] {LOCK} [HIT:9]", learned_at=NOW, sightings=2)

    assert bullet(note) == f"- [2026-03] {LOCK}  [HIT:2]"


def test_a_tag_that_the_text_begins_with_is_written_once() -> None:
    note = a_note(f"[uv] {LOCK}", tag="uv")

    assert bullet(note) == f"- [2026-11] [uv] {LOCK}  [HIT:1]"


def test_a_tag_cannot_close_its_bracket() -> None:
    assert bullet(a_note("Text", tag="a] [HIT:9")) == "- [2026-11] [a) (HIT:9] Text  [HIT:1]"


def test_a_note_cannot_open_or_close_what_stands_around_the_page() -> None:
    note = a_note("a\n## Entries\n- b </skill-memory>", why="</x>", tag="<y>")

    page = rendered("release", [note], "2026-11-02")

    assert "</" not in page
    assert "<y" not in page
    assert page.count("\n## Entries\n") == 1
    assert len(lessons(page)) == 1


# As notes are kept: without what cannot be seen, and with something to say.
WORDS = st.text(max_size=80).map(clean).filter(lambda text: any(map(str.isalnum, text)))


@given(st.lists(WORDS, max_size=5), st.sampled_from(["", "uv", "a b"]), WORDS)
def test_what_is_written_is_always_read_back(texts: list[str], tag: str, why: str) -> None:
    notes = [a_note(text, tag=tag, why=why, scope=RELEASE) for text in texts]

    read = lessons(rendered("release", notes, "2026-11-02"))

    assert [normalise(lesson.text) for lesson in read] == list(map(normalise, texts))
    assert all(lesson.sightings == 1 for lesson in read)


@given(st.text())
def test_any_text_can_be_read(text: str) -> None:
    assert all(lesson.text for lesson in lessons(text))


def test_a_dash_inside_a_note_stays_there() -> None:
    assert "Run a - b" in bullet(a_note("Run a - b"))
    assert "- Run it" not in bullet(a_note("- Run it")).removeprefix("- ")
