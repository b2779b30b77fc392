"""Signs that a text may supersede another: words of change, and opposite recommendations."""

from __future__ import annotations

_CUES = (
    "no longer|not any more|anymore|instead|now use|from now on|switched to|moved to"
    "|migrated to|replaced|replaces|deprecated|superseded|rather than|不再|改用|换成|換成|改为"
    "|改為|现在用|現在用|取代|弃用|棄用|而不是"
).split("|")
_POLAR = "never|always|don't|do not|must|不要|别|別|必须|必須|务必|禁止".split("|")


def has_supersession_cue(text: str) -> bool:
    """True if a text has a supersession cue; most texts have none and need no comparison."""
    folded = text.casefold()
    return any(cue in folded for cue in (*_CUES, *_POLAR))


def are_opposite(one: str, other: str) -> bool:
    """True if two texts with equal words recommend opposite things."""
    from twiceshy.language.contrast import find_contrast  # noqa: PLC0415 - few need it

    avoid, prefer = find_contrast(one)
    return bool(avoid) and find_contrast(other) == (prefer, avoid)
