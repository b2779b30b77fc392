"""Choose notes for a call: what people said about such calls, and what is known of a failure.

A text at a pending call reaches the model with the result, so a learned lesson waits for the
failure: it is told there if it is about this error, or names what is wrong in this call.
"""

from __future__ import annotations

from twiceshy.core.trigger import FILES, LARGE, STATED, error_matches_quote, may_still_fail

TYPE_CHECKING = False  # mypy knows the name; importing it would load typing
if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from twiceshy.core.trigger import TriggerMatch
    from twiceshy.shell.call_words import Part

# the words of the trigger name what is wrong
_NAMING = ("usage", "missing", "folder", LARGE, STATED)
# What an error says of a path; every missing path is missing in the same words, so that an error
# has to say so, and to be about the path of the note.
_SIGNS = {
    "missing": (
        "no such file",
        "not exist",
        "not found",
        "enoent",
        "pathspec",
        "cannot access",
        "cannot open",
        "cannot stat",
        "can't cd",
        "not a directory",
        "no file",
    ),
    "folder": ("is a directory", "eisdir"),
}


def choose_before_call(matches: Iterable[TriggerMatch], *, most: int = 2) -> list[TriggerMatch]:
    """Return what people and agents noted about such a call, the most specific first."""
    stated = [each for each in matches if each.trigger.category == STATED]
    stated.sort(key=lambda each: (-len(each.trigger.words), -each.note.sightings, each.note.id))
    told = stated[:1]
    for other in stated[1:]:
        if len(told) < most and all(_is_disjoint(other, one) for one in told):
            told.append(other)
    return told


def choose_after_failure(
    matches: Iterable[TriggerMatch], parts: Sequence[Part], error: str, *, tool: str = ""
) -> list[TriggerMatch]:
    """Return the best matching note for a failure, if any is about it."""
    terms = {term for part in parts for term in part}
    worth = [each for each in matches if may_still_fail(each)]
    echoed = {each.note.id for each in worth if error_matches_quote(each.note, error)}
    named = {each.note.id for each in worth if _names_culprit(each, parts, error, tool)}

    def fit(each: TriggerMatch) -> tuple[bool, bool, int, bool, int, str]:
        own = set(each.trigger.words)
        more = each.has_remedy, each.note.sightings, each.note.id
        return (each.note.id in named, each.note.id in echoed, len(terms & own), *more)

    about = [
        each
        for each in worth
        if each.note.id in named
        or (
            each.note.id in echoed
            and each.trigger.tool != FILES
            and each.trigger.category not in _SIGNS
            and _shares_call(each, parts)
        )
    ]
    return sorted(about, key=fit, reverse=True)[:1]


def choose_siblings(matches: Iterable[TriggerMatch]) -> list[TriggerMatch]:
    """Return the note that says where another file of the same folder is."""
    fixed = [each for each in matches if each.trigger.category == "missing" and each.has_remedy]
    return sorted(fixed, key=lambda each: (-each.note.sightings, each.note.id))[:1]


def _names_culprit(match: TriggerMatch, parts: Sequence[Part], error: str, tool: str) -> bool:
    """True if a call has what a note says is wrong: more than the program alone.

    A command may fail for other reasons than a path in it, so its error has to name the path.
    """
    words = match.trigger.words
    if match.trigger.category not in _NAMING or not any(
        all(term in part for term in words) for part in parts
    ):
        return False
    signs = _SIGNS.get(match.trigger.category)
    if signs and not any(sign in error.lower() for sign in signs):
        return False
    if match.trigger.tool == FILES != tool and match.trigger.category != STATED:
        return words[0].rpartition("/")[2] in error
    is_argument = words[0][-1:] in ("=", ":")  # the name of one that the tool refuses
    return len(words) > 1 or "/" in words[0] or is_argument or match.trigger.category != "usage"


def _shares_call(match: TriggerMatch, parts: Sequence[Part]) -> bool:
    """True if a call is of the program that a note is about."""
    return any(term in part for part in parts for term in match.trigger.words)


def _is_disjoint(one: TriggerMatch, other: TriggerMatch) -> bool:
    return set(one.trigger.words).isdisjoint(other.trigger.words)
