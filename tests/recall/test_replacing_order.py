"""The newer of two notes, of which one may replace the other, stands before the older everywhere."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.requirements import requirement
from tests.store.support import app_of, learn, opened

from twiceshy.core.filter import NoteFilter
from twiceshy.core.note import MAY_REPLACE
from twiceshy.core.scope import Scope
from twiceshy.core.store import Store
from twiceshy.notes.write import change_note
from twiceshy.recall.brief import BriefBudget
from twiceshy.recall.recall_notes import search_notes
from twiceshy.recall.request import brief_scope
from twiceshy.recall.session_start import brief_session_start

Weight = tuple[bool, int]  # whether it is pinned, and how often it was seen

OLD = "The nightly export writes CSV files"
NEW = "Exports at night produce Parquet, analysts asked for it"
OTHERS = ("Tags are the last step", "The proxy of the shop is slow", "Parquet needs pyarrow")
ROOMY = BriefBudget(tokens=4_000, notes=20, pinned_tokens=4_000, idle_tokens=4_000)
QUESTIONS = ("", "what format does the nightly export write", "nightly export CSV", "parquet", "?")


def write_pair(store: Store, scope: Scope, kind: str, older: Weight, newer: Weight) -> None:
    """Write an older note, others, and a note that may replace the older one."""
    old = learn(
        store, OLD, scope=scope, kind=kind, subtype="", pinned=older[0], sightings=older[1]
    )
    for text in OTHERS:
        learn(store, text, scope=scope)
    new = learn(
        store, NEW, scope=scope, kind=kind, subtype="", pinned=newer[0], sightings=newer[1]
    )
    reason = f"{MAY_REPLACE}{old.id}"
    change_note(app_of(store), "activate", new, status="active", reason=reason)


def is_newer_first(texts: list[str]) -> bool:
    """True unless the older note stands before the newer one."""
    return OLD not in texts or NEW not in texts or texts.index(NEW) < texts.index(OLD)


weights = st.tuples(st.booleans(), st.integers(1, 9))


@requirement("T170")
@settings(max_examples=60)
@given(
    pair=st.tuples(weights, weights),
    kind=st.sampled_from(["lesson", "decision", "preference"]),
    skill=st.sampled_from(["", "release"]),
    asked=st.tuples(st.sampled_from(QUESTIONS), st.integers(60, 600)),
)
def test_the_newer_note_always_stands_before_the_older_in_answers_and_briefs(
    tmp_path_factory: pytest.TempPathFactory,
    pair: tuple[Weight, Weight],
    kind: str,
    skill: str,
    asked: tuple[str, int],
) -> None:
    scope = Scope("demo", skill if kind == "lesson" else "")
    question, tokens = asked
    with opened(tmp_path_factory.mktemp("home")) as store:
        write_pair(store, scope, kind, *pair)

        answer = brief_scope(app_of(store), scope, question, tell=pytest.fail, tokens=tokens)
        hits = search_notes(store, question, NoteFilter(), limit=20)
        start = brief_session_start(store, Scope("demo"), budget=ROOMY).brief

    for told in (answer.brief.notes, [hit.note for hit in hits], start.notes):
        assert is_newer_first([note.text for note in told])
