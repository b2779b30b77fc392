"""Archive of a project's sessions in a month, one line each.

A line names its episode; an episode that returns, from another device or because its session goes
on, replaces its line.
"""

from __future__ import annotations

from twiceshy.core.evidence import Episode
from twiceshy.core.moment import day, parse_stamp, stamp
from twiceshy.core.retention import ARCHIVE
from twiceshy.core.text import escape, one_line
from twiceshy.core.value import Value
from twiceshy.project.episodes.facts import facts_of

TYPE_CHECKING = False  # mypy knows the name; importing it would load typing
if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

MOST = 300  # lines of one archive; ten sessions a day
LONGEST = 300  # characters of a line
_NAME = 8  # last characters of an id
_LONGEST_TITLE = 160
_MOST_FILES = 8
_LEFT_OUT = "earlier ones are left out"
_BETWEEN = " | "
_RULE = "\n---\n\n"


class Line(Value):
    """Archived remains of an episode."""

    at: int
    name: str  # the end of its id
    kind: str
    title: str
    files: tuple[str, ...] = ()


def month_of(episode: Episode) -> str:
    """Return the UTC month of an episode's archive, such as ``2026-09``."""
    return day(episode.ended_at)[:7]


def archive_id(project: str, month: str, *, device: str) -> str:
    """Return the id of a month's archive.

    The id includes the device, or parallel archives of two devices would overwrite each other.
    """
    from twiceshy.project.episodes.told import episode_id  # noqa: PLC0415 - who reads one needs none

    return episode_id(f"{device}/{project}", f"{ARCHIVE}:{month}")


def archived(
    known: Episode | None, episodes: Sequence[Episode], *, project: str, device: str
) -> Episode:
    """Return a month's archive with episodes added to those it had.

    ``episodes`` has at least one entry, and every entry is of the same month.
    """
    left_out, lines = _read(known)
    by_name = {line.name: line for line in lines}
    by_name |= {line.name: line for line in map(_line_of, episodes)}
    every = sorted(by_name.values(), key=lambda line: (line.at, line.name))
    left_out += max(0, len(every) - MOST)
    kept = every[-MOST:]
    month = month_of(episodes[0])
    count = left_out + len(kept)
    first = (f"({left_out} {_LEFT_OUT})",) if left_out else ()
    return Episode(
        id=archive_id(project, month, device=device),
        kind="archive",
        session="",
        project=project,
        started_at=kept[0].at,
        ended_at=kept[-1].at,
        title=f"{count} summar{'y' if count == 1 else 'ies'} of {month}",
        summary="\n".join((*first, *map(_written, kept))),
    )


def entries_of(episode: Episode) -> list[Episode]:
    """Return the episodes of an archive, oldest first; a normal episode unchanged."""
    if episode.kind != ARCHIVE:
        return [episode]
    return [_entry(line, episode.project) for line in _read(episode)[1]]


def archive_page(archives: Iterable[Episode]) -> str:
    """Render a month's archives as a memory-keeper file of joined session files.

    Episodes other than archives are left out.
    """
    left_out = 0
    lines: dict[str, Line] = {}
    for archive in archives:
        more, some = _read(archive)
        left_out += more
        lines |= {line.name: line for line in some}
    sessions = sorted(lines.values(), key=lambda line: (line.at, line.name))
    parts = [f"({left_out} {_LEFT_OUT})\n"] if left_out else []
    return _RULE.join([*parts, *map(_session, sessions)])


def _entry(line: Line, project: str) -> Episode:
    return Episode.of(
        {
            "id": f"e{line.name}",
            "kind": line.kind,
            "session": "",
            "project": project,
            "started_at": line.at,
            "ended_at": line.at,
            "title": line.title,
            "summary": line.title,
            "files": line.files,
        }
    )


def _line_of(episode: Episode) -> Line:
    facts = facts_of(episode)
    title = facts.title or one_line(facts.text, limit=_LONGEST_TITLE)
    names = dict.fromkeys(path.rpartition("/")[2] for path in episode.files)
    return Line(
        at=episode.ended_at // 60_000 * 60_000,
        name=episode.id[-_NAME:],
        kind=episode.kind,
        title=_plain(title, _LONGEST_TITLE) or "-",
        files=tuple(filter(None, (_plain(name, LONGEST) for name in names)))[:_MOST_FILES],
    )


def _plain(text: str, limit: int) -> str:
    """Escape a text for use between the separators of a line."""
    return escape(text.replace("|", "/"), limit=limit)[:limit]


def _written(line: Line) -> str:
    when = stamp(line.at)[:16].replace("T", " ")
    told = f"- {when} {line.name} [{line.kind}] {line.title}"
    files = list(line.files)
    while files and len(told) + len(_BETWEEN) + len(", ".join(files)) > LONGEST:
        files.pop()
    return told + (_BETWEEN + ", ".join(files) if files else "")


def _read(archive: Episode | None) -> tuple[int, list[Line]]:
    """Return the number of dropped lines and the parsed lines; skip invalid lines."""
    left_out, lines = 0, []
    for text in archive.summary.splitlines() if archive and archive.kind == ARCHIVE else ():
        if text.startswith("(") and text.endswith(f" {_LEFT_OUT})"):
            number = text[1:].partition(" ")[0]
            left_out = int(number) if number.isascii() and number.isdecimal() else 0
        elif line := _parsed(text):
            lines.append(line)
    return left_out, lines


def _parsed(text: str) -> Line | None:
    date, _, rest = text.removeprefix("- ").partition(" ")
    clock, _, rest = rest.partition(" ")
    name, _, rest = rest.partition(" [")
    kind, closed, rest = rest.partition("] ")
    title, _, files = rest.partition(_BETWEEN)
    try:
        at = parse_stamp(f"{date} {clock}")
    except ValueError:
        return None
    if not closed or " " in name:
        return None
    return Line(at, name, kind, title, tuple(filter(None, files.split(", "))))


def _session(line: Line) -> str:
    when = stamp(line.at)[:16].replace("T", "_").replace(":", "")
    files = [f"Files: {', '.join(line.files)}"] if line.files else []
    kind = "" if line.kind == "end" else f" ({line.kind})"
    return "\n".join((f"# Session {when}{kind}", "", "## Summary", line.title, *files)) + "\n"
