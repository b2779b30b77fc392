"""Decide by wording whether a text supersedes an older note.

A text supersedes a note only by saying so: a thing no longer holds, a thing is used instead
of the old thing, or the opposite of a rule about the same thing. Notes that merely differ
stay.
"""

from __future__ import annotations

from twiceshy.language.similar import telling_terms_of

TYPE_CHECKING = False  # mypy knows the name; importing it would load typing
if TYPE_CHECKING:
    from collections.abc import Iterable

    from twiceshy.core.note import Note

_CUES = (
    "no longer|not any more|anymore|instead|now use|from now on|switched to|moved to"
    "|migrated to|replaced|replaces|deprecated|superseded|rather than|不再|改用|换成|換成|改为"
    "|改為|现在用|現在用|取代|弃用|棄用|而不是"
).split("|")
_POLAR = "never|always|don't|do not|must|不要|别|別|必须|必須|务必|禁止".split("|")
_SAME_SUBJECT = 0.5
_NAMED = 0.3


def has_supersession_cue(text: str) -> bool:
    """True if a text has a supersession cue; most texts have none and need no comparison."""
    folded = text.casefold()
    return any(cue in folded for cue in (*_CUES, *_POLAR))


def find_superseded(text: str, older: Iterable[Note]) -> Note | None:
    """Return the superseded note with the most similar subject, or None."""
    found = [(share, note) for note in older if (share := _superseded_share(text, note.text))]
    return max(found, key=lambda one: (one[0], one[1].id), default=(0.0, None))[1]


def are_opposite(one: str, other: str) -> bool:
    """True if two texts with equal words recommend opposite things."""
    from twiceshy.language.contrast import find_contrast  # noqa: PLC0415 - few need it

    avoid, prefer = find_contrast(one)
    return bool(avoid) and find_contrast(other) == (prefer, avoid)


def _superseded_share(new: str, old: str) -> float:
    """Return the share of an old text superseded by a new text; 0 for none."""
    from twiceshy.language.contrast import StatedContrast, find_contrast, is_reversal  # noqa: PLC0415 - few need it

    one, other = find_contrast(new), find_contrast(old)
    if is_reversal(StatedContrast(new, *one), StatedContrast(old, *other)):
        return 1.0
    cued = any(cue in new.casefold() for cue in _CUES)
    words, before = telling_terms_of(new), telling_terms_of(old)
    shared = len(words & before) / len(before) if before else 0.0
    gone = one[0].casefold()
    # Chinese is compared by pairs of characters, of which a rewording shares few
    enough = _NAMED if old.isascii() else _NAMED / 2
    if cued and gone and gone in old.casefold() and shared >= enough:
        return shared + _SAME_SUBJECT
    return shared if cued and not gone and shared >= _SAME_SUBJECT else 0.0
