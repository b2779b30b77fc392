"""What somebody saves goes where it belongs, or nowhere while that is unclear."""

import pytest
from tests.core.builders import a_note, an_id

from twiceshy.core.note import Note, parse_kind
from twiceshy.project.save import ToNote, ToPage, UnclearRoute, guess_kinds, route_text

DEPLOY = "# Deploying\n\n## Staging hosts\n\n- blue\n\n## Production\n\n- ask Ann"


def a_page(tag: str, text: str = "Text.", number: int = 1, **fields: object) -> Note:
    return a_note(text, kind="page", tag=tag, id=an_id(number), **fields)


def test_what_names_a_topic_goes_to_the_section_that_shares_its_words() -> None:
    page = a_page("deploy", DEPLOY)

    found = route_text("When deploying, the staging host is green now", [page, a_page("billing")])

    assert found == ToPage(page, "Staging hosts")


def test_what_names_a_topic_and_no_section_goes_to_its_end() -> None:
    page = a_page("deploy", DEPLOY)

    assert route_text("We decided to deploy on Fridays", [page]) == ToPage(page, "")


def test_a_heading_that_stands_there_twice_is_no_place_to_go() -> None:
    page = a_page("deploy", "## Staging\n\na\n\n## Staging\n\nb")

    assert route_text("Deploy to staging first", [page]) == ToPage(page, "")


def test_a_concept_of_a_page_names_it_too() -> None:
    page = a_page("ops", concepts=("blue green",))

    assert route_text("The green host is blue now", [page]) == ToPage(page, "")


@pytest.mark.parametrize(
    ("text", "kind"),
    [
        ("We decided to use Postgres", "decision"),
        ("Postgres rather than MySQL.", "decision"),
        ("資料庫改用 Postgres", "decision"),
        ("Tests are named after what they prove", "pattern"),
        ("函式一律用小寫命名", "pattern"),
        ("Login fails on Safari", "issue"),
        ("搜尋壞了", "issue"),
        ("Fetch the tags first, otherwise the tag is wrong", "lesson"),
        ("記得先跑測試", "lesson"),
        ("I prefer short answers", "preference"),
        ("請用繁體中文回答", "preference"),
    ],
)
def test_without_a_topic_the_words_tell_the_kind(text: str, kind: str) -> None:
    assert route_text(text, [a_page("billing")]) == ToNote(parse_kind(kind))


@pytest.mark.parametrize(
    "text", ["The moon is round", "Debugging is fun", "I prefer that bug fixed, we decided"]
)
def test_what_is_unclear_is_not_guessed(text: str) -> None:
    pages = [a_page("billing")]

    found = route_text(text, pages)

    assert isinstance(found, UnclearRoute)
    assert found.pages == tuple(pages)


def test_what_could_go_to_two_pages_goes_to_none() -> None:
    pages = [a_page("deploy"), a_page("billing", number=2), a_page("search", number=3)]

    found = route_text("Deploy billing on its own", pages)

    assert isinstance(found, UnclearRoute)
    assert found.pages == tuple(pages[:2])
    assert guess_kinds("Deploy billing on its own") == ()


def test_a_stable_page_is_not_chosen_by_its_name() -> None:
    pages = [a_page("project"), a_page("conventions", number=2)]

    assert route_text("By convention every project has a license", pages) == ToNote("pattern")
