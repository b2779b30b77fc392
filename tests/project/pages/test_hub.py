"""MEMORY.md is a list of pointers that never grows beyond 200 lines and loses no page."""

import random

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.core.builders import NOW, a_note, an_id
from tests.requirements import requirement

from twiceshy.core.evidence import Episode
from twiceshy.core.moment import DAY
from twiceshy.core.note import Note
from twiceshy.core.scope import Scope
from twiceshy.notes.pages import LARGEST, WARN
from twiceshy.project.pages.hub import (
    HubCounts,
    build_hub,
    first_sentence,
    page_title,
    render_pointer,
)

SHOP = Scope("shop", "")


def a_page(tag: str, text: str = "Something.", number: int = 0, **fields: object) -> Note:
    return a_note(text, kind="page", tag=tag, scope=SHOP, id=an_id(number), **fields)


def topics(count: int) -> list[Note]:
    return [a_page(f"topic-{n:04}", number=n, learned_at=NOW - n * DAY) for n in range(count)]


def test_the_hub_points_at_pages_and_counts_the_rest() -> None:
    pages = [
        a_page("deploy", "# Deploying\n\nWe ship with `make ship`. Ask Ann first.", 1),
        a_page("project", "A shop for bicycles.", 2),
        a_page("conventions", "Tabs, never spaces.", 3).but(scope=Scope()),
    ]
    ended = Episode("e1", "end", "s", "shop", NOW, NOW, title="Fixed the <login>")

    made = build_hub(pages, HubCounts(open_tasks=2, tasks=5, rules=1, facts=7, episodes=(ended,)))

    assert (
        made.text
        == """\
# MEMORY

> Pointers only. Made by twiceshy from what it keeps; read a page with: twiceshy memory-get NAME

## Pages

- [project](project.md): A shop for bicycles, 1 line
- architecture: empty; twiceshy memory-set architecture
- [conventions](conventions.md): Tabs, never spaces, everywhere, 1 line

## Topics

- [Deploying](deploy.md): We ship with `make ship`, 3 lines

## Tasks

- open: 2 of 5; twiceshy todo

## Notebook

- active corrections: 1; twiceshy correct
- decisions, patterns and issues: 7; twiceshy facts

## Sessions

- 2026-11-02 Fixed the &lt;login>
- all: twiceshy episodes
"""
    )


@requirement("U063")
@given(
    st.integers(0, 450),
    st.sampled_from(["topic", "project", "line\nbreak", "a](b.md): x"]),
    st.integers(0, 9),
)
def test_the_hub_never_exceeds_200_lines_warns_from_170_on_and_every_page_is_reachable(
    count: int, name: str, sessions: int
) -> None:
    pages = [a_page(name if n % 3 else f"{name} {n}", number=n) for n in range(count)]
    ended = [Episode(f"e{n}", "end", "s", "shop", NOW, NOW, title="x\ny") for n in range(sessions)]

    made = build_hub(pages, HubCounts(episodes=ended))

    pointers = [line for line in made.lines if ".md): " in line]
    assert len(made.text.splitlines()) == len(made.lines) <= LARGEST
    assert made.is_crowded == (len(made.lines) >= WARN)
    assert len(pointers) + made.folded == count
    folded = f"- and {made.folded} more: twiceshy memory-list"
    assert (folded in made.lines) == (made.folded > 0)


def test_a_hub_warns_from_line_170_on() -> None:
    lines = {count: build_hub(topics(count), HubCounts()) for count in range(130, 150)}

    warned = {len(made.lines): made.is_crowded for made in lines.values()}

    assert (warned[169], warned[170]) == (False, True)


def test_the_pointers_that_give_way_are_those_of_topics_that_changed_least_recently() -> None:
    pages = topics(300)

    text = build_hub(pages, HubCounts()).text

    assert "topic-0000.md" in text
    assert "topic-0299.md" not in text


@given(st.randoms(use_true_random=False))
def test_the_same_pages_in_any_order_give_the_same_hub(chance: random.Random) -> None:
    pages = [*topics(230), a_page("project", number=999)]
    shuffled = chance.sample(pages, len(pages))

    assert build_hub(shuffled, HubCounts()) == build_hub(pages, HubCounts())


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("# Title\n\nFirst things first. Then more.", "First things first"),
        ("```\ncode\n```\n- An item. Another", "An item"),
        ("先測試。再部署。", "先測試"),
        ("# Only a title", ""),
        ("Runs in 1.5 seconds.", "Runs in 1.5 seconds"),
        ("<skill-memory> [link](x)", "&lt;skill-memory> (link)(x)"),
        ("---\n***\nText", "Text"),
    ],
)
def test_a_pointer_tells_how_a_page_begins(text: str, said: str) -> None:
    assert first_sentence(text) == said


def test_a_page_without_a_heading_is_called_by_its_name() -> None:
    assert page_title(a_page("deploy", "No heading")) == "deploy"
    assert page_title(a_page("deploy", "#\nNo heading")) == "deploy"


def test_a_name_with_blanks_or_brackets_is_still_one_link() -> None:
    line = render_pointer(a_page("two (words)", "# A [b] c"))

    assert line == "- [A (b) c](two%20%28words%29.md): 1 line"
