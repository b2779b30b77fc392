"""What every store does with work that one process at a time may do; only the port is used."""

from tests.store.support import Clock

from twiceshy.core.maintenance import KEPT_RUNS, MaintenanceRun
from twiceshy.core.moment import DAY, SECOND
from twiceshy.core.store import Store


def test_a_lease_is_had_by_one_at_a_time(store: Store) -> None:
    first = store.take_lease("tend", "one", seconds=60)
    second = store.take_lease("tend", "two", seconds=60)
    other_work = store.take_lease("update", "two", seconds=60)

    assert (first, second, other_work) == (True, False, True)


def test_whoever_has_a_lease_can_keep_it_for_longer(store: Store, clock: Clock) -> None:
    store.take_lease("tend", "one", seconds=60)
    clock.wait(50 * SECOND)
    renewed = store.take_lease("tend", "one", seconds=60)
    clock.wait(50 * SECOND)

    taken = store.take_lease("tend", "two", seconds=60)

    assert (renewed, taken) == (True, False)


def test_a_lease_that_nobody_renews_is_taken_over(store: Store, clock: Clock) -> None:
    store.take_lease("tend", "one", seconds=60)
    clock.wait(61 * SECOND)

    taken = store.take_lease("tend", "two", seconds=60)
    back = store.take_lease("tend", "one", seconds=60)

    assert (taken, back) == (True, False)


def test_a_lease_of_a_clock_gone_wrong_stops_nobody(store: Store, clock: Clock) -> None:
    clock.wait(30 * DAY)
    store.take_lease("tend", "one", seconds=60)
    clock.wait(-30 * DAY)

    assert store.take_lease("tend", "two", seconds=60)


def test_only_its_holder_gives_a_lease_back(store: Store) -> None:
    store.take_lease("tend", "one", seconds=60)

    store.take_lease("tend", "two", seconds=0)
    still = store.take_lease("tend", "two", seconds=60)
    store.take_lease("tend", "one", seconds=0)

    assert not still
    assert store.take_lease("tend", "two", seconds=60)


def test_a_run_tells_what_was_done_while_it_goes_on_and_when_it_is_over(store: Store) -> None:
    run = store.begin_run("tend")
    (begun,) = store.list_runs("tend")
    store.save_records(run.but(done='{"merge": {}}'))
    (halfway,) = store.list_runs("tend")
    ended = run.but(done='{"merge": {}, "retire": {}}', error="no room", ended_at=store.now())
    store.save_records(ended)
    (ended,) = store.list_runs("tend")

    assert begun == run == MaintenanceRun(run.id, "tend", begun.began_at, 0, "", "")
    assert halfway == begun.but(done='{"merge": {}}')
    assert ended.done == '{"merge": {}, "retire": {}}'
    assert ended.error == "no room"
    assert ended.ended_at > ended.began_at
    assert store.list_runs("update") == []


def test_the_last_hundred_runs_are_kept_the_last_first(store: Store) -> None:
    numbers = [store.begin_run("tend").id for _ in range(KEPT_RUNS + 20)]
    store.begin_run("update")

    kept = [run.id for run in store.list_runs("tend", limit=1_000)]

    assert kept == numbers[:19:-1]
    assert [run.id for run in store.list_runs("tend", limit=2)] == kept[:2]


def test_what_a_run_complains_about_is_redacted(store: Store) -> None:
    run = store.begin_run("tend")

    store.save_records(run.but(done="{}", error="refused: Authorization: Bearer " + "a1B2" * 10))

    assert "a1B2a1B2" not in store.list_runs("tend")[0].error


def test_a_store_counts_the_notes_that_were_not_looked_up(store: Store) -> None:
    assert store.list_unembedded_notes(limit=None) == []
