"""Recall goes from meaning to words to age, says which it was, and without a skill says nothing in doubt."""

from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.core.builders import RELEASE, phrases
from tests.requirements import requirement
from tests.store.support import a_store, learn

from twiceshy.core.filter import filter_visible_notes
from twiceshy.core.scope import Scope
from twiceshy.notes.write import NoteLimits
from twiceshy.recall.brief import BriefBudget
from twiceshy.recall.recall_notes import recall_notes, search_notes
from twiceshy.store.command_store import WholeStore

PROJECT = Scope("demo", "")
LESSONS = (
    ("Delete merged branches with git fetch --prune.", "stale branches pile up"),
    ("Raise the memory limit of the pod; it was OOMKilled.", "kubectl shows exit code 137"),
    ("Freeze the time in tests that look at the clock.", "a test fails only at night"),
    ("先拉取标签，再打新标签。", "发布新版本"),
)


@pytest.fixture
def store(home: Path) -> Iterator[WholeStore]:
    with closing(a_store(home)) as opened:
        yield opened


def taught(store: WholeStore, scope: Scope) -> WholeStore:
    for text, why in LESSONS:
        learn(store, text, why=why, scope=scope)
    return store


@requirement("U138")
@pytest.mark.parametrize(
    ("intent", "mode", "first"),
    [
        ("remove old git branches", "full", "Delete merged"),
        ("先拉 取标", "fts5-fallback", "先拉取标签"),
        ("zyzzyva quux", "flat", ""),
        ("", "no-intent", ""),
    ],
)
def test_each_rung_is_named_and_the_rest_of_the_budget_is_filled(
    store: WholeStore, intent: str, mode: str, first: str
) -> None:
    taught(store, RELEASE)

    brief = recall_notes(store, RELEASE, intent, budget=BriefBudget()).brief

    assert brief.mode == mode
    assert f'mode="{mode}"' in brief.text
    assert len(brief.notes) == len(LESSONS)
    assert brief.notes[0].text.startswith(first)


def test_a_note_is_found_by_what_it_means_when_it_shares_no_word(store: WholeStore) -> None:
    taught(store, RELEASE)

    ranked = recall_notes(
        store, RELEASE, "the kernel killed the process", budget=BriefBudget()
    ).ranked

    assert ranked[0].note.text.startswith("Raise the memory limit")


@pytest.mark.parametrize(
    "prompt",
    [
        "write a haiku about autumn leaves",
        "thanks, that looks good",
        "which shader draws water best",
        "sort a dictionary by value",
        "把这封邮件翻译成葡萄牙语",
    ],
)
def test_without_a_skill_nothing_is_said_about_what_nobody_knows(
    store: WholeStore, prompt: str
) -> None:
    taught(store, PROJECT)

    assert recall_notes(store, PROJECT, prompt, budget=BriefBudget()).brief.text == ""


@pytest.mark.parametrize(
    "prompt",
    [
        "prune merged git branches",
        "pod was OOMKilled, exit code 137",
        "tests that look at the clock fail at night",
    ],
)
def test_without_a_skill_what_fits_is_told_and_nothing_else(
    store: WholeStore, prompt: str
) -> None:
    taught(store, PROJECT)

    assert len(recall_notes(store, PROJECT, prompt, budget=BriefBudget()).brief.notes) == 1


def test_what_fits_is_told_also_by_a_store_of_one_note(store: WholeStore) -> None:
    learn(store, "Delete merged branches with git fetch --prune.", scope=PROJECT)

    told = recall_notes(store, PROJECT, "delete merged branches", budget=BriefBudget()).brief

    assert len(told.notes) == 1


def test_a_pinned_note_is_told_whatever_is_asked(store: WholeStore) -> None:
    taught(store, PROJECT)
    pinned = learn(store, "Never push to main.", scope=PROJECT, pinned=True)

    told = recall_notes(store, PROJECT, "write a haiku", budget=BriefBudget()).brief

    assert [note.id for note in told.notes] == [pinned.id]


def test_what_was_replaced_is_found_only_on_request_and_behind_its_successor(
    store: WholeStore,
) -> None:
    old = learn(store, "Deploy with make deploy-staging to the staging cluster.", scope=PROJECT)
    new = learn(store, "Deploy with the pipeline button.", scope=PROJECT, supersedes=old.id)
    which = filter_visible_notes(store, PROJECT)

    usual = search_notes(store, "make deploy-staging staging cluster", which, limit=9)
    everything = search_notes(
        store, "make deploy-staging staging cluster deploy", which.but(statuses=()), limit=9
    )

    assert old.id not in {hit.note.id for hit in usual}
    assert [hit.note.id for hit in everything] == [new.id, old.id]


@settings(max_examples=20)
@given(st.lists(phrases, min_size=1, max_size=8, unique=True), phrases, st.booleans())
def test_the_same_store_and_the_same_question_give_the_same_bytes(
    tmp_path_factory: pytest.TempPathFactory, texts: list[str], intent: str, with_skill: bool
) -> None:
    scope = RELEASE if with_skill else PROJECT
    home = tmp_path_factory.mktemp("home")
    with closing(a_store(home)) as store:
        for text in texts:
            learn(store, text, scope=scope, bounds=NoteLimits(near=1.0))
        first = recall_notes(store, scope, intent, budget=BriefBudget()).brief.text
        now = store.now()
    with closing(a_store(home)) as again:
        again.clock = lambda: now
        for _ in again.rebuild_derived():
            pass

        assert recall_notes(again, scope, intent, budget=BriefBudget()).brief.text == first
