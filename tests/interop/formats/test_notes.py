"""Notes that are written to a file and read from it say the same, as far as the format can hold it."""

from typing import Any, NamedTuple

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.core.builders import NOW, a_note, an_id
from tests.interop.formats.noting import items_in

from twiceshy.core.note import Note
from twiceshy.core.scope import Scope
from twiceshy.core.text import strip_unsafe
from twiceshy.interop.formats import FileContext, join_pieces
from twiceshy.interop.formats.registry import load_format
from twiceshy.notes.learned_lesson import LearnedLesson, lesson_text

ABOUT = FileContext("demo", "release", NOW, "")
# Words of a kind that no format takes for its own marks; what else may stand in a text is below.
WORDS = st.lists(
    st.sampled_from(
        (
            "tag",
            "`uv lock`",
            "a<b",
            "<!--",
            "&",
            "不",
            "測試",
            "x:y",
            "-f",
            "#1",
            "1.",
            "*",
            "[a]",
            '"',
        )
    ),
    min_size=1,
    max_size=6,
).map(lambda words: "say " + " ".join(words))
LINED = st.lists(
    WORDS.flatmap(lambda said: st.sampled_from((said, f"  {said}", f"# {said}", ""))), max_size=3
)
TEXTS = st.tuples(WORDS, LINED).map(lambda parts: strip_unsafe("\n".join((parts[0], *parts[1]))))
TAGS = st.sampled_from(("", "uv", "how we test", "風格"))
NAMES = st.lists(st.sampled_from(("a.py", "src/b c.py", "名.md")), max_size=2, unique=True).map(
    tuple
)

STATES = st.sampled_from(("open", "resolved"))


class Form(NamedTuple):
    """A format, a kind of note in it, whether it keeps the lines of a text, and what else it holds."""

    name: str
    kind: str
    subtype: str
    lined: bool
    more: dict[str, st.SearchStrategy[Any]]


FORMS = (
    Form("fireworks_knowledge", "lesson", "gotcha", False, {"why": WORDS, "tag": TAGS}),
    Form("keeper_facts", "decision", "approach", True, {"why": WORDS, "concepts": NAMES}),
    Form("keeper_facts", "pattern", "convention", True, {"why": WORDS, "files": NAMES}),
    Form("keeper_facts", "issue", "bugfix", True, {"state": STATES, "why": WORDS}),
    Form("keeper_session", "decision", "approach", False, {"files": NAMES, "concepts": NAMES}),
    Form("keeper_session", "issue", "security", False, {"state": STATES, "why": WORDS}),
    Form("keeper_session", "pattern", "convention", False, {"why": WORDS}),
    Form("engine_notebook", "rule", "correction", False, {"why": WORDS, "tag": TAGS}),
    Form("engine_pitfall", "lesson", "pitfall", False, {"why": WORDS}),
    Form(
        "engine_todo", "task", "", True, {"tag": TAGS, "state": st.sampled_from(("open", "done"))}
    ),
    Form("instructions", "pattern", "convention", True, {"why": WORDS, "tag": TAGS}),
    Form("markdown_list", "lesson", "discovery", True, {"why": WORDS, "tag": TAGS}),
)


@pytest.mark.parametrize("form", FORMS, ids=[f"{form.name} {form.kind}" for form in FORMS])
@settings(max_examples=50)
@given(data=st.data())
def test_notes_are_read_as_they_were_written(form: Form, data: st.DataObject) -> None:
    said = TEXTS if form.lined else WORDS
    texts = data.draw(st.lists(said, min_size=1, max_size=4, unique=True))
    notes = [
        a_note(
            text,
            kind=form.kind,
            subtype=form.subtype,
            id=an_id(number + 1),
            scope=Scope("demo", "release"),
            **{field: data.draw(values) for field, values in form.more.items()},
        )
        for number, text in enumerate(texts)
    ]

    written = load_format(form.name).render_items(notes, ABOUT)

    read = load_format(form.name).parse_text(join_pieces(written), ABOUT)
    assert read == written
    held = ("kind", "subtype", "text", "scope", "state", *form.more)
    by_key = {item.key: item.draft for item in items_in(read)}
    assert {key: _said(draft, held) for key, draft in by_key.items()} == {
        note.id: _said(note, held) for note in notes
    }


@given(parts=st.tuples(WORDS, TEXTS, TEXTS, st.one_of(st.just(""), TEXTS)))
def test_a_lesson_learned_by_hand_has_a_file_of_its_own(parts: tuple[str, str, str, str]) -> None:
    title, problem, solution, following = (
        "\n".join(line for line in part.split("\n") if line.strip()) for part in parts
    )
    told = LearnedLesson(title, problem, solution, following)
    note = a_note(lesson_text(told), why=problem, subtype="fix")

    (item,) = items_in(load_format("engine_learned").render_items([note], ABOUT))

    assert item.key == note.id
    assert item.draft is not None
    assert (item.draft.text, item.draft.why) == (note.text, note.why)
    assert item.draft.learned_at == NOW


@pytest.mark.parametrize("name", ["keeper_page", "engine_spoke", "markdown"])
@given(text=TEXTS)
def test_a_page_is_the_file_of_its_name(name: str, text: str) -> None:
    pages = [_page("conventions", text), _page("other", "Else.")]
    about = FileContext("demo", "", NOW, "memory/conventions.md")

    written = load_format(name).render_items(pages, about)

    (item,) = items_in(load_format(name).parse_text(join_pieces(written), about))
    assert item.key == "conventions"
    assert item.draft is not None
    assert (item.draft.text, item.draft.tag) == (text, "conventions")


def _page(tag: str, text: str) -> Note:
    return a_note(text, kind="page", tag=tag, scope=Scope("demo"))


def _said(one: object, names: tuple[str, ...]) -> dict[str, object]:
    return {name: getattr(one, name) for name in names}
