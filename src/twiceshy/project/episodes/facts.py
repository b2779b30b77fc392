"""Id of an episode, and its facts line; a small module for hooks."""

from __future__ import annotations

from twiceshy.core.value import Value

TYPE_CHECKING = False  # mypy knows the name; importing it would load typing
if TYPE_CHECKING:
    from twiceshy.core.evidence import Episode

AUTOMATIC, MANUAL = "auto", "manual"
ENDED = "Ended: "  # begins the line that tells how a session ended


class EpisodeFacts(Value):
    """Facts line of an episode; missing facts are empty."""

    messages: int = 0
    tag: str = ""
    doing: str = ""
    trigger: str = ""
    text: str = ""  # the summary without that line
    title: str = ""
    ended: str = ""  # how the session ended, by its last steps or by a person


def episode_id(session: str, part: str) -> str:
    """Return the stable id for a part of a session."""
    from twiceshy.core.digest import hash_sha256  # noqa: PLC0415 - few events are worth a digest

    return "e" + hash_sha256(f"{session}\x1f{part}".encode("utf-8", "replace"))[:31]


def parse_episode_facts(episode: Episode) -> EpisodeFacts:
    """Parse the facts line of an episode; missing facts are empty."""
    if episode.kind == "compact":
        return _parse_compaction(episode)
    line, _, rest = episode.summary.partition("\n")
    head, _, work = line.removesuffix(":").partition("; ")
    counted, _, tag = head.partition(" on ")
    messages = _parse_message_count(counted)
    if not messages:  # somebody else wrote it
        return EpisodeFacts(title=episode.title, text=episode.summary)
    ended = _parse_ending(rest, episode.title)
    return EpisodeFacts(messages, tag, work, title=episode.title, text=rest, ended=ended)


def _parse_ending(text: str, title: str) -> str:
    """Return the ending of a summary: all behind our title, or all that a person wrote instead."""
    first, _, rest = text.partition("\n")
    if title and not first.startswith(title):
        return text
    return " ".join(line.removeprefix(ENDED) for line in rest.split("\n") if line)


def _parse_compaction(episode: Episode) -> EpisodeFacts:
    title, opened, facts = episode.title.rpartition("(")
    trigger, _, counted = facts.removesuffix(")").partition(", after ")
    if not opened or trigger not in (AUTOMATIC, MANUAL):
        return EpisodeFacts(title=episode.title, text=episode.summary)
    return EpisodeFacts(
        _parse_message_count(counted), trigger=trigger, title=title.strip(), text=episode.summary
    )


def _parse_message_count(counted: str) -> int:
    number, _, unit = counted.partition(" ")
    counts = number.isascii() and number.isdecimal() and unit in ("message", "messages")
    return int(number) if counts else 0
