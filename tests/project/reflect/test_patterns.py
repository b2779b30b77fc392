"""Patterns are what several episodes or days have in common, and a mistake is known by its fingerprint."""

from tests.core.builders import NOW

from twiceshy.core.evidence import Episode, Signal
from twiceshy.core.moment import DAY, format_day
from twiceshy.project.reflect.patterns import (
    RecurringMistake,
    WorkPatterns,
    find_patterns,
    find_recurring,
)


def an_episode(number: int, doing: str) -> Episode:
    told = f"3 messages on shop; {doing}:\nFix it" if doing else "Somebody else wrote it"
    return Episode(f"e{number}", "end", f"s{number}", "demo", NOW, NOW, "Fix it", told)


def made(number: int, mistake: str, *, days: int, **fields: str) -> Signal:
    at = NOW + days * DAY
    return Signal.of(
        {"key": f"k{number}", "kind": "error", "session": "s1", "project": "demo", "at": at}
        | {"mistake": mistake, "excerpt": f"error {number}"}
        | fields
    )


def test_a_mistake_on_three_days_recurs() -> None:
    signals = [made(number, "m1", days=number, target="gh pr") for number in range(3)]

    found = find_recurring([*signals, made(9, "m1", days=2)], day_of=format_day)

    assert found == [RecurringMistake("m1", "error 9", 3, 4)]


def test_m4_three_different_mistakes_of_one_sort_recur_not_at_all() -> None:
    different = [made(number, f"m{number}", days=number) for number in range(3)]
    unknown = [made(number, "", days=number) for number in range(4, 8)]
    often_on_one_day = [made(number, "m9", days=0) for number in range(10, 14)]

    assert find_recurring([*different, *unknown, *often_on_one_day], day_of=format_day) == []


def test_what_says_nothing_is_told_by_its_tool() -> None:
    signals = [made(n, "m1", days=n, excerpt="", tool="Bash") for n in range(3)]

    assert [each.example for each in find_recurring(signals, day_of=format_day)] == ["Bash"]


def test_the_work_of_most_episodes_comes_first() -> None:
    episodes = [an_episode(1, "fix, test (login)"), an_episode(2, "test"), an_episode(3, "")]

    found = find_patterns(episodes, [], day_of=format_day)

    assert found == WorkPatterns(work=(("test", 2), ("fix", 1)))
