"""What is counted of the calls of a note, read in parts, is what one statement over all tables says."""

from __future__ import annotations

from contextlib import closing
from typing import TYPE_CHECKING, Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.store.support import a_store, learn

from twiceshy.core.note import FAILED_CALLS, SUCCEEDED_CALLS
from twiceshy.core.scope import EVERYWHERE, NO_SKILL, Scope
from twiceshy.core.trigger import FORM, MOVED, REMEDY

if TYPE_CHECKING:
    from collections.abc import Iterator

    from twiceshy.core.store import Which
    from twiceshy.store.command_store import WholeStore

PROJECTS = ("dir:1", EVERYWHERE)
REFERENCE = f"""
    WITH same AS (
        SELECT n.id AS note, s.id FROM notes n JOIN notes s ON s.fingerprint = n.fingerprint
            AND s.project = n.project AND s.skill = n.skill WHERE n.id = :note
    ), plain AS (
        SELECT * FROM same JOIN trigger_counts c ON c.note = same.id
        WHERE context NOT IN ('{FORM}', '{MOVED}', '{REMEDY}')
    ), others AS (
        SELECT name, count FROM same JOIN counters c ON c.note = same.id
        WHERE device <> (SELECT value FROM meta WHERE key = 'device')
    )
    SELECT
        (SELECT coalesce(sum(failed_calls), 0) FROM plain)
            + (SELECT coalesce(sum(count), 0) FROM others WHERE name = '{FAILED_CALLS}'),
        (SELECT coalesce(sum(succeeded_calls), 0) FROM plain)
            + (SELECT coalesce(sum(count), 0) FROM others WHERE name = '{SUCCEEDED_CALLS}'),
        (SELECT coalesce(sum(failed_calls), 0) FROM same JOIN trigger_counts c ON c.note = same.id
            WHERE context = :here),
        (SELECT coalesce(sum(succeeded_calls), 0) FROM same
            JOIN trigger_counts c ON c.note = same.id WHERE context = :here),
        (SELECT coalesce(max(streak), 0) FROM same JOIN trigger_counts c ON c.note = same.id
            WHERE context <> '{REMEDY}')
            + (SELECT coalesce(sum(count), 0) FROM others WHERE name = '{SUCCEEDED_CALLS}'),
        (SELECT coalesce(sum(succeeded_calls), 0) FROM same
            JOIN trigger_counts c ON c.note = same.id WHERE context = '{REMEDY}'),
        (SELECT coalesce(sum(count), 0) FROM counters WHERE note = :note AND name = 'recalls')
"""
CONTEXTS = st.sampled_from(["", "/srv", "/srv/app", FORM, MOVED, REMEDY])
NUMBERS = st.integers(0, 40)
CALLS = st.tuples(st.integers(0, 11), CONTEXTS, NUMBERS, NUMBERS, NUMBERS)
COUNTED = st.tuples(
    st.integers(0, 11),
    st.sampled_from([FAILED_CALLS, SUCCEEDED_CALLS, "recalls", "helped"]),
    st.sampled_from(["own", "other", "third"]),
    NUMBERS,
)


@pytest.fixture(scope="module")
def store(tmp_path_factory: pytest.TempPathFactory) -> Iterator[WholeStore]:
    """Six notes about calls, each with an older one that it replaced; most pairs say the same."""
    with closing(a_store(tmp_path_factory.mktemp("home"))) as found:
        for number in range(6):
            scope, line = Scope(PROJECTS[number % 2], NO_SKILL), f"Bash/usage tool-{number} run"
            told: dict[str, Any] = {"scope": scope, "trigger": line, "source": "detector"}
            old = learn(found, f"Run tool {number}.", **told)
            learn(found, f"Run tool {number} later.", **told, supersedes=old.id)
        found._db.execute(
            """
            UPDATE notes SET fingerprint = (SELECT fingerprint FROM notes n WHERE n.id = notes.superseded_by)
            WHERE superseded_by <> '' AND text <> 'Run tool 3.'
            """
        )
        yield found


@settings(max_examples=60, deadline=None)
@given(
    calls=st.lists(CALLS, max_size=30, unique_by=lambda one: one[:2]),
    counted=st.lists(COUNTED, max_size=30, unique_by=lambda one: one[:3]),
    here=CONTEXTS,
    which=st.sampled_from(["", "learned"]),
)
def test_counts_of_matches_are_those_of_one_statement(
    store: WholeStore,
    calls: list[tuple[int, str, int, int, int]],
    counted: list[tuple[int, str, str, int]],
    here: str,
    which: Which,
) -> None:
    db = store._db
    ids = [row[0] for row in db.execute("SELECT id FROM notes ORDER BY seq")]
    rows = [(ids[note], *rest) for note, *rest in calls]
    more = [
        (ids[note], name, store.device if by == "own" else by, count)
        for note, name, by, count in counted
    ]
    for table, many in (("trigger_counts", rows), ("counters", more)):
        db.execute(f"DELETE FROM {table}")
        for row in many:
            db.execute(f"INSERT INTO {table} VALUES ({', '.join('?' * len(row))})", row)

    matches = store.match_triggers(PROJECTS, which=which, context=here)

    assert len(matches) == len(ids) / 2
    for match in matches:
        assert (
            *(match.failed_calls, match.succeeded_calls),
            *(match.failed_calls_here, match.succeeded_calls_here),
            *(match.succeeded_since, match.remedy_calls, match.note.recalls),
        ) == db.execute(REFERENCE, {"note": match.note.id, "here": here}).fetchone()
