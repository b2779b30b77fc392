"""Session logs of a project: the month's archive, and memory-keeper's rolling memory.md.

A line of an archive names its episode; an episode that returns, from another device or because its
session goes on, replaces its line. The rolling log is a view and can be rendered again at any time.
"""

from __future__ import annotations

from twiceshy.core.evidence import Episode
from twiceshy.core.moment import format_day, format_stamp, parse_stamp
from twiceshy.core.retention import ARCHIVE
from twiceshy.core.text import escape_line, fold_to_line
from twiceshy.core.value import Value
from twiceshy.project.episodes.facts import episode_id, parse_episode_facts

TYPE_CHECKING = False  # mypy knows the name; importing it would load typing
if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Iterator, Sequence

MAX_LINES = 300  # lines of one archive; ten sessions a day
MAX_LINE = 300  # characters of a line
_ID_ENDING = 8  # last characters of an id
_MAX_TITLE = 160
_MAX_FILES = 8
_LEFT_OUT = "earlier ones are left out"
_SEPARATOR = " | "
_RULE = "\n---\n\n"
TAIL = 50  # lines that memory-keeper loads
_MAX_LOG_LINE = 200


class ArchiveLine(Value):
    """Archived remains of an episode."""

    at: int
    name: str  # the end of its id
    kind: str
    title: str
    files: tuple[str, ...] = ()


def archive_month(episode: Episode) -> str:
    """Return the UTC month of an episode's archive, such as ``2026-09``."""
    return format_day(episode.ended_at)[:7]


def archive_id(project: str, month: str, *, device: str) -> str:
    """Return the id of a month's archive.

    The id includes the device, or parallel archives of two devices would overwrite each other.
    """
    return episode_id(f"{device}/{project}", f"{ARCHIVE}:{month}")


def build_archive(
    known: Episode | None, episodes: Sequence[Episode], *, project: str, device: str
) -> Episode:
    """Return a month's archive with episodes added to those it had.

    ``episodes`` has at least one entry, and every entry is of the same month.
    """
    left_out, lines = _parse_archive(known)
    by_name = {line.name: line for line in lines}
    by_name |= {line.name: line for line in map(_build_line, episodes)}
    every = sorted(by_name.values(), key=lambda line: (line.at, line.name))
    left_out += max(0, len(every) - MAX_LINES)
    kept = every[-MAX_LINES:]
    month = archive_month(episodes[0])
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
        summary="\n".join((*first, *map(_render_line, kept))),
    )


def expand_archive(episode: Episode) -> list[Episode]:
    """Return the episodes of an archive, oldest first; a normal episode unchanged."""
    if episode.kind != ARCHIVE:
        return [episode]
    return [_build_entry(line, episode.project) for line in _parse_archive(episode)[1]]


def drop_archived(episode: Episode, objects: Collection[str]) -> Episode | None:
    """Return an archive without the lines of these episodes, None if none is left; others unchanged."""
    if episode.kind != ARCHIVE:
        return episode
    names = {each[-_ID_ENDING:] for each in objects}
    left_out, lines = _parse_archive(episode)
    rest = [line for line in lines if line.name not in names]
    if len(rest) == len(lines):
        return episode
    first = (f"({left_out} {_LEFT_OUT})",) if left_out else ()
    return episode.but(summary="\n".join((*first, *map(_render_line, rest)))) if rest else None


def render_archive(archives: Iterable[Episode]) -> str:
    """Render a month's archives as a memory-keeper file of joined session files.

    Episodes other than archives are left out.
    """
    left_out = 0
    lines: dict[str, ArchiveLine] = {}
    for archive in archives:
        more, some = _parse_archive(archive)
        left_out += more
        lines |= {line.name: line for line in some}
    sessions = sorted(lines.values(), key=lambda line: (line.at, line.name))
    parts = [f"({left_out} {_LEFT_OUT})\n"] if left_out else []
    return _RULE.join([*parts, *map(_render_session, sessions)])


def _build_entry(line: ArchiveLine, project: str) -> Episode:
    known = {"id": f"e{line.name}", "kind": line.kind, "session": "", "project": project}
    told = {"title": line.title, "summary": line.title, "files": line.files}
    return Episode.of(known | told | {"started_at": line.at, "ended_at": line.at})


def _build_line(episode: Episode) -> ArchiveLine:
    facts = parse_episode_facts(episode)
    title = facts.title or fold_to_line(facts.text, limit=_MAX_TITLE)
    names = dict.fromkeys(path.rpartition("/")[2] for path in episode.files)
    return ArchiveLine(
        at=episode.ended_at // 60_000 * 60_000,
        name=episode.id[-_ID_ENDING:],
        kind=episode.kind,
        title=_escape_text(title, _MAX_TITLE) or "-",
        files=tuple(filter(None, (_escape_text(name, MAX_LINE) for name in names)))[:_MAX_FILES],
    )


def _escape_text(text: str, limit: int) -> str:
    """Escape a text for use between the separators of a line."""
    return escape_line(text.replace("|", "/"), limit=limit)[:limit]


def _render_line(line: ArchiveLine) -> str:
    when = format_stamp(line.at)[:16].replace("T", " ")
    told = f"- {when} {line.name} [{line.kind}] {line.title}"
    files = list(line.files)
    while files and len(told) + len(_SEPARATOR) + len(", ".join(files)) > MAX_LINE:
        files.pop()
    return told + (_SEPARATOR + ", ".join(files) if files else "")


def _parse_archive(archive: Episode | None) -> tuple[int, list[ArchiveLine]]:
    """Return the number of dropped lines and the parsed lines; skip invalid lines."""
    left_out, lines = 0, []
    for text in archive.summary.splitlines() if archive and archive.kind == ARCHIVE else ():
        if text.startswith("(") and text.endswith(f" {_LEFT_OUT})"):
            number = text[1:].partition(" ")[0]
            left_out = int(number) if number.isascii() and number.isdecimal() else 0
        elif line := _parse_line(text):
            lines.append(line)
    return left_out, lines


def _parse_line(text: str) -> ArchiveLine | None:
    date, _, rest = text.removeprefix("- ").partition(" ")
    clock, _, rest = rest.partition(" ")
    name, _, rest = rest.partition(" [")
    kind, closed, rest = rest.partition("] ")
    title, _, files = rest.partition(_SEPARATOR)
    try:
        at = parse_stamp(f"{date} {clock}")
    except ValueError:
        return None
    if not closed or " " in name:
        return None
    return ArchiveLine(at, name, kind, title, tuple(filter(None, files.split(", "))))


def _render_session(line: ArchiveLine) -> str:
    when = render_session_minute(line.at)
    files = [f"Files: {', '.join(line.files)}"] if line.files else []
    kind = "" if line.kind == "end" else f" ({line.kind})"
    return "\n".join((f"# Session {when}{kind}", "", "## Summary", line.title, *files)) + "\n"


def render_session_minute(at: int) -> str:
    """Render a minute as memory-keeper names sessions, such as ``2026-11-16_0344``."""
    return format_stamp(at)[:16].replace("T", "_").replace(":", "")


def render_log(episodes: Iterable[Episode]) -> str:
    """Render the subject of each session, oldest first."""
    sections = ("\n".join(("", *_render_section(one))) for one in _latest_by_session(episodes))
    return "".join(f"{section}\n" for section in sections)


def _latest_by_session(episodes: Iterable[Episode]) -> list[Episode]:
    """Return the latest episode of each session, in order of session end."""
    newest: dict[str, Episode] = {}
    entries = (entry for one in episodes for entry in expand_archive(one))
    # whose session is not known any more is archived, and so is the end of that session
    told = (entry for entry in entries if entry.session or entry.kind == "end")
    for entry in sorted(told, key=lambda one: (one.ended_at, one.id)):
        newest.pop(entry.session or entry.id, None)
        newest[entry.session or entry.id] = entry
    return list(newest.values())


def _render_section(episode: Episode) -> Iterator[str]:
    facts = parse_episode_facts(episode)
    yield f"## {render_session_minute(episode.ended_at)}"
    told = escape_line(facts.title or facts.text, limit=_MAX_LOG_LINE) or "-"
    if work := escape_line(facts.doing, limit=_MAX_LOG_LINE):
        told += f"{'' if told.endswith(('.', '!', '?', '。')) else '.'} It was about {work}."
    yield f"\\{told}" if told.startswith("#") else told
