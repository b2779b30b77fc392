"""What piles up is bounded, and every table has a reason for how long it lasts."""

from hypothesis import given
from hypothesis import strategies as st
from tests.requirements import requirement
from tools.tables import KEPT, LIFETIMES, PURPOSE

from twiceshy.core.evidence import Episode
from twiceshy.core.moment import DAY, parse_day
from twiceshy.core.retention import (
    MOST_OF_NOTE,
    MOST_ROUTINES,
    SAVED,
    Retention,
    list_due_episodes,
    list_expired_archives,
)

NOW = parse_day("2026-11-02")


def an_episode(number: int, *, days: float = 0, **fields: object) -> Episode:
    """Return an episode that ended so many days ago."""
    at = int(NOW - days * DAY)
    usual = {"kind": "end", "session": f"s{number}", "project": "demo", "started_at": at}
    return Episode.of(usual | {"id": f"e{number:04}", "ended_at": at} | fields)


def test_every_table_says_how_long_it_lasts_or_why_it_does_not_grow() -> None:
    assert not set(LIFETIMES) & set(KEPT)
    assert set(LIFETIMES) | set(KEPT) == set(PURPOSE)


def test_a_session_is_folded_after_its_days() -> None:
    episodes = [an_episode(number, days=number) for number in range(20, 40)]

    found = list_due_episodes(episodes, Retention(), now=NOW)

    assert [each.id for each in found] == [f"e{number:04}" for number in range(39, 30, -1)]


@requirement("U111")
def test_m19_only_so_many_of_a_kind_stay_however_young_they_are() -> None:
    ends = [an_episode(number, days=number / 10) for number in range(50)]
    checkpoints = [one.but(id="f" + one.id, kind="checkpoint") for one in ends]
    compactions = [one.but(id="g" + one.id, kind="compact") for one in ends]

    found = list_due_episodes([*ends, *checkpoints, *compactions], Retention(), now=NOW)

    left = {kind: 50 - sum(one.kind == kind for one in found) for kind in SAVED}
    assert left == {"end": 30, "compact": 30, "checkpoint": 10}


def test_the_newest_of_a_project_stays_however_old_it_is() -> None:
    old = [an_episode(number, days=400 + number) for number in range(3)]
    elsewhere = an_episode(9, days=900, project="other")

    found = list_due_episodes([*old, elsewhere], Retention(), now=NOW)

    assert [each.id for each in found] == ["e0002", "e0001"]


def test_ids_that_mean_one_project_are_counted_together() -> None:
    episodes = [an_episode(number, days=number / 10, project=f"p{number}") for number in range(5)]

    found = list_due_episodes(episodes, Retention(sessions=2), now=NOW, project_of=lambda _: "one")

    assert [each.id for each in found] == ["e0004", "e0003", "e0002"]


def test_rules_of_a_project_concern_no_other() -> None:
    here = [an_episode(number, days=number) for number in range(3)]
    there = [one.but(id="t" + one.id, project="other") for one in here]

    found = list_due_episodes(
        [*here, *there], Retention(), now=NOW, own={"demo": Retention(sessions=1)}
    )

    assert {each.project for each in found} == {"demo"}


def test_what_somebody_wrote_is_never_folded() -> None:
    kinds = ("note", "handoff", "diary", "reflect", "archive")
    written = [an_episode(number, days=999, kind=kind) for number, kind in enumerate(kinds * 2)]

    assert list_due_episodes(written, Retention(sessions=1, checkpoints=1), now=NOW) == []


@given(st.lists(st.tuples(st.sampled_from(SAVED), st.floats(0, 900)), max_size=60))
def test_what_was_folded_once_leaves_nothing_to_fold(told: list[tuple[str, float]]) -> None:
    episodes = [an_episode(n, days=days, kind=kind) for n, (kind, days) in enumerate(told)]

    gone = list_due_episodes(episodes, Retention(), now=NOW)
    left = [one for one in episodes if one not in gone]

    assert list_due_episodes(left, Retention(), now=NOW) == []
    assert {one.kind for one in left} == {one.kind for one in episodes}


def test_archives_are_kept_for_so_many_months() -> None:
    archives = [an_episode(n, days=30 * n, kind="archive") for n in range(30)]

    gone = list_expired_archives(archives, Retention(), now=NOW)

    assert Retention().months_since(NOW) == "2024-11"
    assert [one.id for one in gone] == ["e0025", "e0026", "e0027", "e0028", "e0029"]


def test_months_are_counted_across_years() -> None:
    assert Retention(archive_months=1).months_since(parse_day("2026-01-31")) == "2025-12"
    assert Retention(archive_months=12).months_since(parse_day("2026-12-01")) == "2025-12"


def test_the_usual_times_are_these() -> None:
    usual = Retention()

    assert usual.state_since(NOW) == NOW - 3 * DAY
    assert usual.archive_since(NOW) == NOW - 30 * DAY
    assert usual.evidence_since(NOW) == NOW - 180 * DAY
    assert usual.copies_since(NOW) == NOW - 90 * DAY
    assert usual.accounts_since(NOW) == NOW - 400 * DAY
    assert "90 days" in LIFETIMES["seen_calls"]
    assert "400 days" in LIFETIMES["model_calls"]


def test_a_longer_time_makes_what_depends_on_it_last_as_long() -> None:
    assert Retention(state_days=40).archive_since(NOW) == NOW - 40 * DAY
    assert Retention(archive_days=200).evidence_since(NOW) == NOW - 200 * DAY
    assert Retention(evidence_days=500).accounts_since(NOW) == NOW - 500 * DAY


def test_an_episode_that_ended_at_the_very_edge_stays() -> None:
    newest, edge, older = (
        an_episode(number, ended_at=NOW - age)
        for number, age in enumerate([0, 30 * DAY, 30 * DAY + 1])
    )

    assert list_due_episodes([newest, edge, older], Retention(), now=NOW) == [older]


def test_fifty_rows_of_a_note_and_two_hundred_workflows_stay() -> None:
    assert (MOST_OF_NOTE, MOST_ROUTINES) == (10, 200)
