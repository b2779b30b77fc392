"""Find patterns in recent work."""

from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from typing import TYPE_CHECKING

from twiceshy.core.evidence import WITHHELD_PART, Episode, Signal
from twiceshy.core.grouping import group_by
from twiceshy.core.store import Store
from twiceshy.core.text import fold_to_line, strip_unsafe
from twiceshy.core.value import Value
from twiceshy.language.own_words import split_sentences
from twiceshy.language.same_meaning import group_by_meaning
from twiceshy.language.similar import telling_terms_of
from twiceshy.project.episodes.facts import parse_episode_facts

if TYPE_CHECKING:
    from twiceshy.core.evidence import SignalKind

MIN_RECURRING_DAYS = 3  # distinct days, from which a mistake is worth a rule
TROUBLE: "tuple[SignalKind, ...]" = ("error", "retry", "correction", "thrash")  # of mistakes
_MIN_SAID_SESSIONS = 2  # people do not like to say a thing twice
_MIN_WORDS = 2  # telling ones: "no" is said of many things
_OUTCOMES = ("not-working", "revert")  # categories of corrections that say how a try ended
_MAX_ITEMS = 3
_MAX_EXAMPLE = 80
_MAX_SENTENCE = 200


class RecurringMistake(Value):
    """Recurring mistake, identified by fingerprint, so different mistakes stay apart."""

    mistake: str
    example: str
    days: int
    times: int
    command: str = ""  # as it failed last


class SaidSentence(Value):
    """A sentence by which the user corrected the agent, as said last, and how often it was said."""

    text: str
    days: int
    times: int
    sessions: int = 1
    last_at: int = 0


class WorkPatterns(Value):
    """Patterns in the work of several days; ``said`` has each different correction once."""

    work: tuple[tuple[str, int], ...] = ()
    mistakes: tuple[RecurringMistake, ...] = ()
    said: tuple[SaidSentence, ...] = ()

    @property
    def repeated(self) -> list[SaidSentence]:
        """Sentences that were said in several sessions."""
        return [each for each in self.said if each.sessions >= _MIN_SAID_SESSIONS]


def list_trouble(store: Store, projects: Iterable[str], *, limit: int) -> list[Signal]:
    """Return the signals of mistakes in some projects, at most ``limit`` of each kind."""
    return [
        signal
        for project in projects
        for kind in TROUBLE
        for signal in store.list_signals(project, kind, limit=limit)
    ]


def find_patterns(
    episodes: Iterable[Episode],
    signals: Iterable[Signal],
    *,
    day_of: Callable[[int], str],
) -> WorkPatterns:
    """Find main activities, mistakes of several days, and what the user said."""
    known = list(signals)
    return WorkPatterns(
        _count_work(episodes),
        tuple(find_recurring(known, day_of=day_of)),
        tuple(_find_said(_group_sentences(known), day_of=day_of)),
    )


def find_recurring(
    signals: Iterable[Signal], *, day_of: Callable[[int], str]
) -> list[RecurringMistake]:
    """Return the mistakes made on several days, those on most days first.

    Corrections are not among them: their fingerprint is only a class of wordings.
    """
    mistakes = (one for one in signals if one.mistake and one.kind != "correction")
    made = group_by(mistakes, lambda signal: signal.mistake)
    found = [_summarise_mistake(mistake, some, day_of) for mistake, some in made.items()]
    often = [each for each in found if each.days >= MIN_RECURRING_DAYS]
    return sorted(often, key=lambda each: (-each.days, -each.times, each.mistake))


def _group_sentences(signals: Iterable[Signal]) -> list[list[tuple[str, Signal]]]:
    """Group the sentences of corrections by what is said; outcomes of a try are left out."""
    spoken = [
        (sentence.text, signal)
        for signal in sorted(signals, key=lambda one: (-one.at, one.key))
        if signal.kind == "correction" and signal.mistake.rpartition("|")[2] not in _OUTCOMES
        for sentence in split_sentences(signal.excerpt.replace(WITHHELD_PART, "\n"))
    ]
    telling = (one for one in spoken if len(telling_terms_of(one[0])) >= _MIN_WORDS)
    return group_by_meaning(telling, text_of=lambda one: one[0])


def _find_said(
    groups: Iterable[Sequence[tuple[str, Signal]]], *, day_of: Callable[[int], str]
) -> list[SaidSentence]:
    """Return each different correction, those of most days first."""
    found = []
    for group in groups:
        signals = {signal.key: signal for _, signal in group}.values()
        text = fold_to_line(strip_unsafe(group[0][0]), limit=_MAX_SENTENCE)
        found.append(
            SaidSentence(
                text,
                days=len({day_of(signal.at) for signal in signals}),
                times=len(signals),
                sessions=len({signal.session for signal in signals}),
                last_at=max(signal.at for signal in signals),
            )
        )
    return sorted(
        found, key=lambda each: (-each.sessions, -each.days, -each.times, -each.last_at, each.text)
    )


def _summarise_mistake(
    mistake: str, some: Sequence[Signal], day_of: Callable[[int], str]
) -> RecurringMistake:
    last = max(some, key=lambda signal: (signal.at, signal.key))
    example = ": ".join(filter(None, (last.target, last.excerpt))) or last.tool or last.kind
    example = fold_to_line(strip_unsafe(example), limit=_MAX_EXAMPLE)
    days = {day_of(signal.at) for signal in some}
    return RecurringMistake(mistake, example, len(days), len(some), last.target)


def _count_work(episodes: Iterable[Episode]) -> tuple[tuple[str, int], ...]:
    """Count the activities of episodes; file names in brackets are ignored."""
    doing = (parse_episode_facts(episode).doing.partition("(")[0] for episode in episodes)
    names = (work.strip() for line in doing for work in line.split(","))
    counts = Counter(name for name in names if name)
    return tuple(sorted(counts.items(), key=lambda pair: (-pair[1], pair[0]))[:_MAX_ITEMS])
