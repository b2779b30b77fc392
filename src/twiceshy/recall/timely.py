"""Choose notes for a call: few, about this call, and likely right.

The failure odds of a trigger come from all calls it ever matched, told or not: usage
mistakes recur, failed work may succeed later.
"""

from __future__ import annotations

from twiceshy.core.trigger import echoes

TYPE_CHECKING = False  # mypy knows the name; importing it would load typing
if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from twiceshy.core.trigger import Match
    from twiceshy.shell.grams import Part

LIKELY = 0.4  # below this a call is rather told nothing
_HOPELESS = 0.1  # below this the note is not even about the failure that has just happened
OFTEN = 0.1
_SESSIONS = 2


def before_call(matches: Iterable[Match], *, most: int = 2) -> list[Match]:
    """Return the likeliest note, and a second disjoint note."""
    worth = [each for each in matches if each.odds >= LIKELY and _helps(each)]
    worth.sort(key=lambda each: (-each.odds, -each.note.sightings, each.note.id))
    told = worth[:1]
    for other in worth[1:]:
        if len(told) < most and all(_disjoint(other, one) for one in told):
            told.append(other)
    return told


def after_failure(matches: Iterable[Match], parts: Sequence[Part], error: str) -> list[Match]:
    """Return the best matching note for a failure, if any matches."""
    grams = {gram for part in parts for gram in part}
    last = parts[-1][-1] if parts else ""
    folders = {last.partition("/")[0]} if "/" in last else set()
    worth = [each for each in matches if each.odds >= _HOPELESS and _helps(each)]
    named = [each for each in worth if _within(each, parts)]
    echoed = [each for each in worth if echoes(each.note, error)]

    def fit(each: Match) -> tuple[bool, int, int, bool, int, str]:
        own, said = set(each.trigger.grams), _words(each.note.text)
        more = each.mends, each.note.sightings, each.note.id
        return (each in echoed, len(grams & own), len(grams & said), *more)

    near = [
        each
        for each in echoed
        if each.trigger.sort != "missing" or folders & _words(each.note.text)
    ]
    return sorted(named or near, key=fit, reverse=True)[:1]


def at_start(matches: Iterable[Match], *, most: int) -> list[Match]:
    """Return recurring mistakes that no call event would meet in time."""
    worth = [
        each
        for each in matches
        if each.note.status == "active"
        and each.note.sightings >= _SESSIONS
        and each.share >= OFTEN
        and (each.unseen or (each.mends and each.odds < LIKELY))
    ]
    return sorted(worth, key=lambda each: (-each.share, each.note.id))[:most]


def _helps(match: Match) -> bool:
    return match.mends or match.trigger.sort in ("usage", "missing")


def _within(match: Match, parts: Sequence[Part]) -> bool:
    return any(all(gram in part for gram in match.trigger.grams) for part in parts)


def _disjoint(one: Match, other: Match) -> bool:
    return set(one.trigger.grams).isdisjoint(other.trigger.grams)


def _words(text: str) -> set[str]:
    return set(text.replace("`", " ").replace("/", " ").split())
