"""Setting a page makes a revision: its old words stay, its trust follows whose words it holds."""

from typing import Any

import pytest
from tests.core.builders import a_draft
from tests.store.support import Clock, app_of, learn

from twiceshy.core.draft import Draft
from twiceshy.core.errors import NoteError
from twiceshy.core.moment import DAY
from twiceshy.core.note import Note
from twiceshy.core.scope import EVERYWHERE, Scope
from twiceshy.notes.pages import MAX_CHARACTERS, is_stale
from twiceshy.notes.pages.write import PagePart, find_page, list_pages, new_page_text, revise_page
from twiceshy.notes.person import PersonNeededError, person_confirmed
from twiceshy.notes.undo import undo_batch
from twiceshy.notes.write import change_note
from twiceshy.store.command_store import WholeStore

SHOP = Scope("shop", "")
APPEND = PagePart(append=True)


def a_page(store: WholeStore, text: str = "Sells bicycles.", **fields: Any) -> Note:
    usual: dict[str, Any] = {"kind": "page", "tag": "project", "scope": SHOP}
    return learn(store, text, **usual | fields)


def words(text: str, **fields: Any) -> Draft:
    return a_draft(text, **{"kind": "page", "tag": "project", "scope": SHOP} | fields)


def test_a_revision_keeps_what_the_page_said_before_and_undo_brings_it_back(
    store: WholeStore,
) -> None:
    page = a_page(store)

    after = revise_page(app_of(store), page, words("Sells cars."), PagePart()).page
    undo_batch(app_of(store))

    edits = [entry for entry in store.history(page.id) if entry.op == "edit"]
    assert (after.text, after.revision, after.id) == ("Sells cars.", 2, page.id)
    assert [dict(entry.before or {})["text"] for entry in edits] == ["Sells bicycles."]
    restored = store.note(page.id)
    assert restored
    assert (restored.text, restored.learned_at) == (page.text, page.learned_at)


def test_the_same_text_again_changes_nothing(store: WholeStore) -> None:
    page = a_page(store)

    done = revise_page(app_of(store), page, words(" Sells bicycles.\n"), PagePart())

    assert done.before == done.page
    assert len(store.history(page.id)) == 1


def test_a_page_is_stale_no_longer_when_it_was_set(store: WholeStore, clock: Clock) -> None:
    page = a_page(store)
    clock.wait(40 * DAY)

    after = revise_page(app_of(store), page, words("Sells cars."), PagePart()).page

    assert is_stale(page, store.now())
    assert not is_stale(after, store.now())


def test_whoever_sets_all_of_a_page_answers_for_it(store: WholeStore) -> None:
    page = a_page(store)

    by_agent = revise_page(app_of(store), page, words("By an agent.", source="agent"), PagePart())
    by_user = revise_page(app_of(store), by_agent.page, words("By the user."), PagePart())

    assert (by_agent.page.trust, by_agent.page.source) == (0.5, "agent")
    assert (by_user.page.trust, by_user.page.source) == (1.0, "user")


def test_what_an_agent_adds_lowers_trust_and_what_the_user_adds_does_not_raise_it(
    store: WholeStore,
) -> None:
    page = a_page(store)

    first = revise_page(app_of(store), page, words("More.", source="agent"), APPEND).page
    second = revise_page(app_of(store), first, words("Still more."), APPEND).page

    assert (first.trust, second.trust) == (0.5, 0.5)
    assert second.text == "Sells bicycles.\n\nMore.\n\nStill more."


def test_k4_a_private_passage_that_nobody_closed_hides_no_more_than_its_own_part(
    store: WholeStore,
) -> None:
    page = a_page(store, "# A\n\n## One\n\nold\n\n## Two\n\nstays")

    done = revise_page(app_of(store), page, words("open <private>hidden"), PagePart(section="One"))

    assert "hidden" not in done.page.text
    assert done.page.text.endswith("## Two\n\nstays")
    assert "hidden" not in new_page_text(app_of(store), words("<private>hidden"), PagePart())


def test_a_page_that_would_be_too_long_is_refused_whole(store: WholeStore) -> None:
    page = a_page(store)

    with pytest.raises(NoteError, match="is the most"):
        revise_page(app_of(store), page, words("x" * MAX_CHARACTERS), APPEND)
    with pytest.raises(NoteError, match="is the most"):
        new_page_text(app_of(store), words("x" * (MAX_CHARACTERS + 1)), PagePart())

    assert store.note(page.id) == page


def test_a_retired_page_is_shown_again_when_it_is_set(store: WholeStore) -> None:
    page = change_note(app_of(store), "retire", a_page(store), status="retired", reason="by hand")

    after = revise_page(app_of(store), page, words("Sells bicycles."), PagePart()).page

    assert (after.status, after.reason) == ("active", "")


def test_only_the_user_sets_a_page_that_waits_for_the_user_and_only_all_of_it(
    store: WholeStore,
) -> None:
    page = change_note(
        app_of(store), "quarantine", a_page(store), status="quarantined", reason="danger"
    )

    for draft, part in ((words("x", source="agent"), PagePart()), (words("x"), APPEND)):
        with pytest.raises(NoteError, match="waits for you: danger"):
            revise_page(app_of(store), page, draft, part)
    with pytest.raises(PersonNeededError):
        revise_page(app_of(store), page, words("Harmless."), PagePart())
    with person_confirmed():
        after = revise_page(app_of(store), page, words("Harmless."), PagePart()).page

    assert (after.status, after.text) == ("active", "Harmless.")


def test_files_and_concepts_stay_unless_others_are_given(store: WholeStore) -> None:
    page = a_page(store, files=("src/a",), concepts=("a",))

    kept = revise_page(app_of(store), page, words("New."), PagePart()).page
    told = revise_page(app_of(store), kept, words("New.", files=("src/b",)), PagePart()).page

    assert (kept.files, kept.concepts) == (("src/a",), ("a",))
    assert (told.files, told.concepts) == (("src/b",), ("a",))


def test_a_page_is_found_by_name_whatever_its_case_in_the_first_project_that_has_it(
    store: WholeStore,
) -> None:
    everywhere = a_page(store, "Everywhere.", tag="Deploy Steps", scope=Scope())
    own = a_page(store, "Own.", tag="deploy steps")
    gone = a_page(store, "Gone.", tag="old")
    change_note(app_of(store), "retire", gone, status="retired", reason="by hand")

    places = ("shop", EVERYWHERE)
    assert find_page(store, places, "DEPLOY  steps") == own
    assert find_page(store, (EVERYWHERE,), "deploy steps") == everywhere
    assert find_page(store, places, "nothing") is None
    assert [page.text for page in list_pages(store, places)] == ["Own.", "Everywhere."]
