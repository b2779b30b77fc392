"""Reminders for the user at session start, each less often the longer it is ignored."""

from __future__ import annotations

from twiceshy.core.moment import DAY, format_day
from twiceshy.core.text import escape_line, fold_to_words
from twiceshy.core.trust import ORIGINS

TYPE_CHECKING = False  # mypy knows the name; importing it would load typing
if TYPE_CHECKING:
    from collections.abc import Sequence

    from twiceshy.core.note import Note
    from twiceshy.core.store import HookStore

_PAUSES = (1, 3, 7, 30)  # days before the second, third, … reminder; then always the last
_MOST_REMINDERS = 50
_MOST_NAMED = 2
_LONGEST = 60
_MOST_WORDS = 4  # of the name of a project that is told


def find_due_key(store: HookStore, cause: str, *, now: int, news_at: int = 0) -> str:
    """Return the key of the next reminder of a cause; empty if it is too early.

    News since the last reminder shortens the pause to a day.
    """
    shown_at = 0
    for number in range(_MOST_REMINDERS):
        key = f"remind/{cause}/{number}"
        shown = store.list_exposures(key=key, limit=1)
        if not shown:
            pause = _PAUSES[min(number, len(_PAUSES)) - 1] if number else 0
            pause = min(pause, 1) if news_at > shown_at else pause
            return key if now - shown_at >= pause * DAY else ""
        shown_at = shown[0].at
    return ""


def describe_claim(store: HookStore, project: str) -> str:
    """Describe a checkout that says to be a known project without proof."""
    name, _ = store.list_projects().get(project, ("", ""))
    named = name if _is_plain_name(name) else "a known project"
    return (
        f"Worth telling the user: this folder claims to be project {named}, but it is no checkout"
        " that the user is known to have made; the memory of that project is not shown here."
        " If it is the user's own, the user can run in a terminal: twiceshy project join"
    )


def _is_plain_name(name: str) -> bool:
    """True for the name of a folder that is no sentence: whoever packs an archive chooses it."""
    bare = name.replace("-", "").replace("_", "").replace(".", "").replace(" ", "")
    return bare.isalnum() and len(name) <= _LONGEST and len(name.split()) <= _MOST_WORDS


def describe_devices(devices: int, changes: int) -> str:
    """Describe what came by the remote and waits; no word of another device is repeated."""
    parts = [f"{devices} unknown devices"] * bool(devices)
    parts += [f"{changes} changes of other devices"] * bool(changes)
    return (
        f"Worth telling the user: {' and '.join(parts)} in the shared repository wait for the user's"
        " answer: `twiceshy sync --devices`, `twiceshy review`"
    )


def describe_reflection(last_at: int) -> str:
    """Describe a reflection that is due."""
    when = format_day(last_at) if last_at else "never"
    return f"Worth telling the user: `twiceshy reflect` is due here (last: {when})."


def describe_proposals(rules: Sequence[Note]) -> str:
    """Describe proposed rules; words of a tool or a page are not repeated."""
    named = "; ".join(map(_name_rule, rules[:_MOST_NAMED]))
    more = f" and {len(rules) - _MOST_NAMED} more" if len(rules) > _MOST_NAMED else ""
    count = "a proposed rule waits" if len(rules) == 1 else f"{len(rules)} proposed rules wait"
    return f"Worth telling the user: {count} in `twiceshy review`: {named}{more}"


def _name_rule(note: Note) -> str:
    if note.trust < ORIGINS["command"]:  # an agent's own words are for the person alone
        return f"[{note.handle}]"
    words = fold_to_words(note.text, limit=_LONGEST).replace('"', "'")
    return f'[{note.handle}] "{escape_line(words, limit=_LONGEST + 1)}"'
