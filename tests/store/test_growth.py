"""What a store takes up depends on how long things are kept, not on how many sessions there ever were."""

from collections.abc import Callable
from contextlib import closing
from pathlib import Path

import pytest
from bench.growth import CALLS, SHOWN, TODAY, Clock, SimulatedUse, rows, size
from tests.requirements import requirement
from tests.sizes import sized
from tests.store.support import QUICK, live_on, raw
from tools.tables import LIFETIMES

from twiceshy.core.moment import DAY
from twiceshy.core.retention import COPIES_DAYS, MOST_OF_NOTE, Retention
from twiceshy.store.command_store import WholeStore
from twiceshy.store.connect import COMMAND_PATIENCE
from twiceshy.upkeep.compress import compress_store

PROJECTS = tuple(f"dir:{number:032}" for number in range(2))
# Like the usual ones, in a tenth of the time: what takes half a year is over in eighteen days.
SHORT = Retention(
    sessions=10, checkpoints=5, archive_days=4, archive_months=2, state_days=1, evidence_days=18
)

Lived = Callable[[str, int, int], WholeStore]


@pytest.fixture
def lived(tmp_path: Path) -> Lived:
    """Go through so many sessions in so many days, compressing once a week, and close the store."""

    def live(name: str, sessions: int, days: int) -> WholeStore:
        clock = Clock(TODAY - days * DAY)
        path = str(tmp_path / name / "twiceshy.db")
        store = WholeStore(path, clock=clock, patience=COMMAND_PATIENCE.but(synchronous="OFF"))
        use = SimulatedUse(store, clock, PROJECTS, notes=1)
        for begin in range(0, days, 7):
            end = min(begin + 7, days)
            first, last = sessions * begin // days, sessions * end // days
            since, until = (TODAY - (days - at) * DAY for at in (begin, end))
            use.live(last - first, since=since, until=until, begin=first)
            compress_store(store, SHORT, there=lambda _: False)
        store.close()
        return store

    return live


@requirement("U111")
def test_m19_twice_as_many_sessions_leave_no_more_than_half_as_many(lived: Lived) -> None:
    some = sized(60, 200)
    half, whole = lived("half", some, 140), lived("whole", 2 * some, 280)

    grown = {table: (rows(half).get(table, 0), count) for table, count in rows(whole).items()}
    bounded = {table: grown[table] for table in grown if table in LIFETIMES}
    # accounts are kept for 400 days, and of a skill's days only their months become fewer in time
    for table in bounded.keys() - {"model_calls", "skill_usage"}:
        before, after = bounded[table]
        assert after <= before * 1.1 + 5, (table, before, after)
    before, after = grown["skill_usage"]
    assert after - before < 140
    assert size(whole) <= size(half) * 1.2


@requirement("A19")
def test_what_is_left_of_many_sessions_is_within_what_the_settings_say(lived: Lived) -> None:
    sessions, days = (
        sized(100, 300),
        100,
    )  # bench/growth.py goes through 10,000 in two years in the same way
    a_day = sessions // days

    counts = rows(lived("one", sessions, days))

    newest = len(PROJECTS) * (SHORT.sessions + SHORT.checkpoints)
    archives = len(PROJECTS) * (SHORT.archive_months + 2)
    within = {
        "sessions": a_day * (SHORT.state_days + 1),
        "transcript_progress": a_day * (SHORT.state_days + 1),
        "intents": a_day * (SHORT.state_days + 1),
        "skill_uses": a_day * (SHORT.evidence_days + 1),
        "signals": 4 * a_day * (SHORT.evidence_days + 1) + counts["evidence"],
        "evidence": MOST_OF_NOTE * counts["notes"] + a_day * (SHORT.evidence_days + 1),
        "exposures": MOST_OF_NOTE * counts["notes"] + SHOWN * a_day * (SHORT.evidence_days + 1),
        "outcomes": SHOWN * a_day * (SHORT.evidence_days + 7),  # whole weeks
        "episodes": newest + archives,
        "journal": 2 * newest + archives + counts["notes"],
        "payloads": 3 * newest + archives + counts["notes"],
        "seen_calls": CALLS * a_day * (COPIES_DAYS + 1),
    }
    over = {
        table: counts.get(table, 0) for table in within if counts.get(table, 0) > within[table]
    }
    assert not over, within


def test_room_is_given_back_and_who_reads_meanwhile_is_not_disturbed(tmp_path: Path) -> None:
    clock = Clock(TODAY)
    path = str(tmp_path / "home" / "twiceshy.db")
    with closing(WholeStore(path, clock=clock, patience=QUICK)) as store:
        SimulatedUse(store, clock, PROJECTS).live(sized(150, 300), since=TODAY, until=TODAY + DAY)
    large = size(store)
    with closing(WholeStore(path, clock=clock, patience=QUICK)) as store, raw(path) as reader:
        live_on(store, clock, 390 * DAY)
        notes = store.summarise_store().notes
        reader.execute("BEGIN")
        read = reader.execute("SELECT count(*) FROM signals").fetchone()
        compress_store(store, Retention(), there=lambda _: False)
        assert reader.execute("SELECT count(*) FROM signals").fetchone() == read
        reader.execute("COMMIT")
        assert store.summarise_store().notes == notes
        assert all(finding.verdict == "ok" for finding in store.check_health())

    assert size(store) < large / 2
