"""Find patterns in recent work: main activities, recurring mistakes, new habits."""

from __future__ import annotations

from twiceshy.core.text import clean, one_line
from twiceshy.core.value import Value
from twiceshy.project.episodes.told import facts_of

TYPE_CHECKING = False  # mypy knows the name; importing it would load typing
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence

    from twiceshy.core.evidence import Episode, Signal
    from twiceshy.core.note import Note

RECURRING = 3  # distinct days, from which a mistake is worth a rule
_MOST = 3
_EXAMPLE = 80
_HABITS = ("workflow", "convention", "best-practice")


class Recurring(Value):
    """Recurring mistake, identified by fingerprint, so different mistakes stay apart."""

    mistake: str
    example: str
    days: int
    times: int


class Patterns(Value):
    """Patterns in the work of several days."""

    work: tuple[tuple[str, int], ...] = ()
    mistakes: tuple[Recurring, ...] = ()
    habits: tuple[Note, ...] = ()


def patterns_of(
    episodes: Iterable[Episode],
    signals: Iterable[Signal],
    notes: Iterable[Note],
    *,
    since: int,
    day_of: Callable[[int], str],
) -> Patterns:
    """Find main activities, mistakes made on several days, and new habit notes."""
    new = [note for note in notes if note.subtype in _HABITS and note.written_at >= since]
    new.sort(key=lambda note: (-note.sightings, note.id))
    return Patterns(
        _dominant(episodes), tuple(recurring(signals, day_of=day_of)), tuple(new[:_MOST])
    )


def recurring(signals: Iterable[Signal], *, day_of: Callable[[int], str]) -> list[Recurring]:
    """Return the mistakes made on several days, those on most days first."""
    made: dict[str, list[Signal]] = {}
    for signal in signals:
        if signal.mistake:
            made.setdefault(signal.mistake, []).append(signal)
    found = [_summed(mistake, some, day_of) for mistake, some in made.items()]
    often = [each for each in found if each.days >= RECURRING]
    return sorted(often, key=lambda each: (-each.days, -each.times, each.mistake))


def _summed(mistake: str, some: Sequence[Signal], day_of: Callable[[int], str]) -> Recurring:
    last = max(some, key=lambda signal: (signal.at, signal.key))
    example = ": ".join(filter(None, (last.target, last.excerpt))) or last.tool or last.kind
    days = {day_of(signal.at) for signal in some}
    return Recurring(mistake, one_line(clean(example), limit=_EXAMPLE), len(days), len(some))


def _dominant(episodes: Iterable[Episode]) -> tuple[tuple[str, int], ...]:
    """Count the activities of episodes; file names in brackets are ignored."""
    counts: dict[str, int] = {}
    for episode in episodes:
        for work in facts_of(episode).doing.partition("(")[0].split(","):
            if name := work.strip():
                counts[name] = counts.get(name, 0) + 1
    return tuple(sorted(counts.items(), key=lambda pair: (-pair[1], pair[0]))[:_MOST])
