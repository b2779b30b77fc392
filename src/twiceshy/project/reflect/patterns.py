"""Find patterns in recent work: main activities, recurring mistakes, new habits."""

from __future__ import annotations

from twiceshy.core.text import fold_to_line, strip_unsafe
from twiceshy.core.value import Value
from twiceshy.project.episodes.build import parse_episode_facts

TYPE_CHECKING = False  # mypy knows the name; importing it would load typing
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence

    from twiceshy.core.evidence import Episode, Signal
    from twiceshy.core.note import Note

MIN_RECURRING_DAYS = 3  # distinct days, from which a mistake is worth a rule
_MAX_ITEMS = 3
_MAX_EXAMPLE = 80
_HABIT_SUBTYPES = ("workflow", "convention", "best-practice")


class RecurringMistake(Value):
    """Recurring mistake, identified by fingerprint, so different mistakes stay apart."""

    mistake: str
    example: str
    days: int
    times: int


class WorkPatterns(Value):
    """Patterns in the work of several days."""

    work: tuple[tuple[str, int], ...] = ()
    mistakes: tuple[RecurringMistake, ...] = ()
    habits: tuple[Note, ...] = ()


def find_patterns(
    episodes: Iterable[Episode],
    signals: Iterable[Signal],
    notes: Iterable[Note],
    *,
    since: int,
    day_of: Callable[[int], str],
) -> WorkPatterns:
    """Find main activities, mistakes made on several days, and new habit notes."""
    new = [note for note in notes if note.subtype in _HABIT_SUBTYPES and note.written_at >= since]
    new.sort(key=lambda note: (-note.sightings, note.id))
    return WorkPatterns(
        _count_work(episodes),
        tuple(find_recurring(signals, day_of=day_of)),
        tuple(new[:_MAX_ITEMS]),
    )


def find_recurring(
    signals: Iterable[Signal], *, day_of: Callable[[int], str]
) -> list[RecurringMistake]:
    """Return the mistakes made on several days, those on most days first."""
    made: dict[str, list[Signal]] = {}
    for signal in signals:
        if signal.mistake:
            made.setdefault(signal.mistake, []).append(signal)
    found = [_summarise_mistake(mistake, some, day_of) for mistake, some in made.items()]
    often = [each for each in found if each.days >= MIN_RECURRING_DAYS]
    return sorted(often, key=lambda each: (-each.days, -each.times, each.mistake))


def _summarise_mistake(
    mistake: str, some: Sequence[Signal], day_of: Callable[[int], str]
) -> RecurringMistake:
    last = max(some, key=lambda signal: (signal.at, signal.key))
    example = ": ".join(filter(None, (last.target, last.excerpt))) or last.tool or last.kind
    days = {day_of(signal.at) for signal in some}
    return RecurringMistake(
        mistake, fold_to_line(strip_unsafe(example), limit=_MAX_EXAMPLE), len(days), len(some)
    )


def _count_work(episodes: Iterable[Episode]) -> tuple[tuple[str, int], ...]:
    """Count the activities of episodes; file names in brackets are ignored."""
    counts: dict[str, int] = {}
    for episode in episodes:
        for work in parse_episode_facts(episode).doing.partition("(")[0].split(","):
            if name := work.strip():
                counts[name] = counts.get(name, 0) + 1
    return tuple(sorted(counts.items(), key=lambda pair: (-pair[1], pair[0]))[:_MAX_ITEMS])
