"""Parse the facts line of an episode; a small module for hooks."""

from __future__ import annotations

from twiceshy.core.value import Value

TYPE_CHECKING = False  # mypy knows the name; importing it would load typing
if TYPE_CHECKING:
    from twiceshy.core.evidence import Episode

AUTOMATIC, BY_HAND = "auto", "manual"


class Facts(Value):
    """Facts line of an episode; missing facts are empty."""

    messages: int = 0
    tag: str = ""
    doing: str = ""
    trigger: str = ""
    text: str = ""  # the summary without that line
    title: str = ""


def facts_of(episode: Episode) -> Facts:
    """Parse the facts line of an episode; missing facts are empty."""
    if episode.kind == "compact":
        return _of_compaction(episode)
    line, _, rest = episode.summary.partition("\n")
    head, _, work = line.removesuffix(":").partition("; ")
    counted, _, tag = head.partition(" on ")
    messages = _number(counted)
    if not messages:  # somebody else wrote it
        return Facts(title=episode.title, text=episode.summary)
    return Facts(messages, tag, work, title=episode.title, text=rest)


def _of_compaction(episode: Episode) -> Facts:
    title, opened, facts = episode.title.rpartition("(")
    trigger, _, counted = facts.removesuffix(")").partition(", after ")
    if not opened or trigger not in (AUTOMATIC, BY_HAND):
        return Facts(title=episode.title, text=episode.summary)
    return Facts(_number(counted), trigger=trigger, title=title.strip(), text=episode.summary)


def _number(counted: str) -> int:
    number, _, unit = counted.partition(" ")
    counts = number.isascii() and number.isdecimal() and unit in ("message", "messages")
    return int(number) if counts else 0
