"""The summary in memory-keeper's session file, line by line.

The first line is the title. ``Doing:`` names the work, ``Asked:`` a request and ``Files:``
changed files; other lines are free text.
"""

from __future__ import annotations

from collections.abc import Iterable

from twiceshy.core.evidence import Episode
from twiceshy.core.text import fold_to_line
from twiceshy.core.value import Value
from twiceshy.interop.formats.pieces import (
    changed_fields,
    escape_comments,
    flatten_text,
    unescape_comments,
)
from twiceshy.project.episodes.facts import EpisodeFacts, parse_episode_facts

_ASKED, _FILES, _DOING = "Asked: ", "Files: ", "Doing: "
TITLE = 120


def parse_summary(told: list[str]) -> tuple[str, tuple[str, ...], tuple[str, ...]]:
    """Return summary text, requests and files."""
    asked = [row for row in told if row.startswith(_ASKED)]
    named = [row for row in told if row.startswith(_FILES)]
    text = _canonical_text([row for row in told if row not in (*asked, *named)])
    requests = _distinct_items(row[len(_ASKED) :] for row in asked)
    files = _distinct_items(one for row in named for one in row[len(_FILES) :].split(","))
    return text, requests, files


def render_summary(episode: Episode) -> list[str]:
    """Return the lines of an episode: title, requests, and the rest."""
    facts = parse_episode_facts(episode)
    text = [line.rstrip() for line in facts.text.strip().split("\n")]
    first, more = fold_to_line(facts.title, limit=TITLE), text
    if _has_own_length(facts):
        more = list(_SummaryParts.from_episode(episode).more)
    elif first == fold_to_line(text[0], limit=TITLE):
        first, more = text[0], text[1:]
    told = [
        *filter(None, (first, f"{_DOING}{flatten_text(facts.doing)}" if facts.doing else "")),
        *(f"{_ASKED}{flatten_text(each)}" for each in episode.requests),
        *([f"{_FILES}{', '.join(map(flatten_text, episode.files))}"] if episode.files else []),
        *more,
    ]
    return [escape_comments(line) for line in told]


def find_rewording(known: Episode, was: Episode, now: Episode) -> dict[str, object]:
    """Return the changes of an edited summary to its episode."""
    fields = changed_fields(was, now, ("requests", "files"))
    if now.summary == was.summary:
        return fields
    facts = parse_episode_facts(known)
    if not _has_own_length(facts):  # it is all that is known
        return fields | {"title": now.title, "summary": now.summary}
    ours, before = _SummaryParts.from_episode(known), _SummaryParts.from_text(was.summary)
    said = _SummaryParts.from_text(now.summary).merge_known(before, ours)
    if known.kind == "compact":
        behind = known.title[len(facts.title) :].strip()
        return fields | {"title": f"{said.title} {behind}", "summary": "\n".join(said.more)}
    head, _, line = known.summary.partition("\n")
    head = head.removesuffix(":").partition("; ")[0] + (f"; {said.doing}" if said.doing else "")
    line = line.partition("\n")[0].replace(facts.title, said.title, 1)
    return fields | {"title": said.title, "summary": "\n".join((f"{head}:", line, *said.more))}


def _has_own_length(facts: EpisodeFacts) -> bool:
    """True if an episode states its own length: written by us alone."""
    return bool(facts.messages or facts.trigger)


def _canonical_text(told: list[str]) -> str:
    """Return the summary text independent of the position of the work line."""
    doing = [row for row in told if row.startswith(_DOING)]
    first, *more = [row for row in told if row not in doing] or [""]
    return unescape_comments("\n".join((first, *doing, *more)).strip())


def _distinct_items(told: Iterable[str]) -> tuple[str, ...]:
    return tuple(dict.fromkeys(filter(None, (unescape_comments(one.strip()) for one in told))))


class _SummaryParts(Value):
    """Parts of a summary: title, work, and the rest."""

    title: str
    doing: str
    more: tuple[str, ...]

    @classmethod
    def from_text(cls, text: str) -> _SummaryParts:
        """Parse a summary."""
        lines = text.split("\n")
        doing = next((line for line in lines if line.startswith(_DOING)), "")
        title, *more = [line for line in lines if not doing or line != doing] or [""]
        return cls(title, doing.removeprefix(_DOING), tuple(more))

    @classmethod
    def from_episode(cls, episode: Episode) -> _SummaryParts:
        """Return the parts of our own episode."""
        facts = parse_episode_facts(episode)
        text = facts.text.strip().split("\n")[0 if episode.kind == "compact" else 1 :]
        return cls(facts.title, facts.doing, tuple(text))

    def merge_known(self, was: _SummaryParts, known: _SummaryParts) -> _SummaryParts:
        """Return known parts, replaced by changed parts."""
        return _SummaryParts(
            self.title if self.title and self.title != was.title else known.title,
            self.doing if self.doing != was.doing else known.doing,
            self.more if self.more != was.more else known.more,
        )
