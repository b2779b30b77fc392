"""Choose notes for a call: few, about this call, and likely right.

The failure odds of a trigger come from all calls it ever matched, told or not: usage
mistakes recur, failed work may succeed later.
"""

from __future__ import annotations

from twiceshy.core.trigger import error_matches_quote

TYPE_CHECKING = False  # mypy knows the name; importing it would load typing
if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from twiceshy.core.trigger import TriggerMatch
    from twiceshy.shell.call_words import Part

LIKELY = 0.4  # below this a call is rather told nothing
_HOPELESS = 0.1  # below this the note is not even about the failure that has just happened
OFTEN = 0.1
_SESSIONS = 2


def choose_before_call(matches: Iterable[TriggerMatch], *, most: int = 2) -> list[TriggerMatch]:
    """Return the likeliest note, and a second disjoint note."""
    worth = [each for each in matches if each.failure_odds >= LIKELY and _is_helpful(each)]
    worth.sort(key=lambda each: (-each.failure_odds, -each.note.sightings, each.note.id))
    told = worth[:1]
    for other in worth[1:]:
        if len(told) < most and all(_is_disjoint(other, one) for one in told):
            told.append(other)
    return told


def choose_after_failure(
    matches: Iterable[TriggerMatch], parts: Sequence[Part], error: str
) -> list[TriggerMatch]:
    """Return the best matching note for a failure, if any matches."""
    terms = {term for part in parts for term in part}
    last = parts[-1][-1] if parts else ""
    folders = {last.partition("/")[0]} if "/" in last else set()
    worth = [each for each in matches if each.failure_odds >= _HOPELESS and _is_helpful(each)]
    named = [each for each in worth if _is_within_part(each, parts)]
    echoed = [each for each in worth if error_matches_quote(each.note, error)]

    def fit(each: TriggerMatch) -> tuple[bool, int, int, bool, int, str]:
        own, said = set(each.trigger.words), _words_of_text(each.note.text)
        more = each.has_remedy, each.note.sightings, each.note.id
        return (each in echoed, len(terms & own), len(terms & said), *more)

    near = [
        each
        for each in echoed
        if each.trigger.category != "missing" or folders & _words_of_text(each.note.text)
    ]
    return sorted(named or near, key=fit, reverse=True)[:1]


def choose_at_start(matches: Iterable[TriggerMatch], *, most: int) -> list[TriggerMatch]:
    """Return recurring mistakes that no call event would meet in time."""
    worth = [
        each
        for each in matches
        if each.note.status == "active"
        and each.note.sightings >= _SESSIONS
        and each.session_share >= OFTEN
        and (each.unseen or (each.has_remedy and each.failure_odds < LIKELY))
    ]
    return sorted(worth, key=lambda each: (-each.session_share, each.note.id))[:most]


def _is_helpful(match: TriggerMatch) -> bool:
    return match.has_remedy or match.trigger.category in ("usage", "missing")


def _is_within_part(match: TriggerMatch, parts: Sequence[Part]) -> bool:
    return any(all(term in part for term in match.trigger.words) for part in parts)


def _is_disjoint(one: TriggerMatch, other: TriggerMatch) -> bool:
    return set(one.trigger.words).isdisjoint(other.trigger.words)


def _words_of_text(text: str) -> set[str]:
    return set(text.replace("`", " ").replace("/", " ").split())
