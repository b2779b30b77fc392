"""memory-keeper's sessions: a file per session, the monthly archive, and the rolling log.

In a session file the summary is an episode and each fact a note; headings, unfilled templates and
other lines are prose. Type, text, reason or state, files and concepts are held; line breaks,
commas in file or concept names, and a colon with a blank in a decision text (which begins its
reason) are not. Summary lines ``Asked:`` are requests, ``Files:`` names changed files; tools are
not held.

The archive has session files in sequence, separated by rules: the minute is held, the name is
not. The log, memory.md, has a timed section per episode: minute and summary (on a line) are held;
requests, tools and files are not.
"""

from __future__ import annotations

import re
from itertools import pairwise

from twiceshy.core.draft import Draft
from twiceshy.core.evidence import Episode
from twiceshy.core.moment import format_stamp
from twiceshy.core.note import KINDS
from twiceshy.core.text import fold_to_line
from twiceshy.interop.formats import FileFormat, ParsedItem, keeper_summary, pieces
from twiceshy.interop.formats.headed import unescape_line
from twiceshy.project.episodes.archive import render_log, render_session_minute
from twiceshy.project.episodes.facts import episode_id
from twiceshy.project.facts.extract import extract_facts

TYPE_CHECKING = False  # mypy knows the name; importing it would load typing
if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from twiceshy.core.note import Kind, Note
    from twiceshy.interop.formats import FileContext, Piece
    from twiceshy.project.facts.items import Fact

    Told = Note | Episode

_SECTIONS: dict[Kind, str] = {"decision": "Decisions", "pattern": "Patterns", "issue": "Issues"}
_WHEN = re.compile(r"(\d{4}-\d\d-\d\d)[_ T](\d\d):?(\d\d)")
_SUMMARY = re.compile(r"(?i)##[ \t]+summary\b.*")
_SECTION = re.compile(r"##[ \t]+(\d{4}-\d\d-\d\d)[ _T](\d\d):?(\d\d)\b.*")
_RULE = "---"  # between the sessions of an archive
_FENCES = ("```", "~~~")
_IMPORTED = "import:"  # how the session of an episode begins that another program kept


def _render_session(told: Sequence[Told], about: FileContext) -> str:
    """Render a session file: summary if known, and facts."""
    episode = next((one for one in told if isinstance(one, Episode)), None)
    at = _session_time([], about) or (episode.ended_at if episode else about.now)
    summary = keeper_summary.render_summary(episode) if episode else []
    parts = [f"# Session {render_session_minute(at)}\n\n## Summary\n"]
    parts += [f"{_escape_line(line)}\n" for line in summary]
    for kind, section in _SECTIONS.items():
        own = [one for one in told if not isinstance(one, Episode) and one.kind == kind]
        parts += [f"\n## {section}\n", *map(_render_fact, own)]
    return "".join(parts)


def episodes_with_file(episodes: Sequence[Episode]) -> list[Episode]:
    """Return the episodes with their own file.

    memory-keeper recorded a session in its log and in a file; imports from both give one file.
    """
    files = {render_session_minute(one.ended_at) for one in episodes if one.kind == "note"}
    return [
        one
        for one in episodes
        if not (one.session.startswith(_IMPORTED) and one.kind == "end")
        or render_session_minute(one.ended_at) not in files
    ]


def _parse_session(text: str, about: FileContext) -> Iterator[Piece]:
    """Parse summary and facts of a session, in place."""
    rows = pieces.split_lines(text)
    spans = _item_spans(rows, about)
    at = 0
    for start, end, item in spans:
        yield "".join(rows[at:start])
        yield item.but(raw="".join(rows[start:end]))
        at = end
    yield "".join(rows[at:])


def _item_spans(rows: list[str], about: FileContext) -> list[tuple[int, int, ParsedItem]]:
    """Return the line spans of items, in order."""
    bare = [pieces.split_mark(row) for row in rows]
    found = extract_facts("".join(row for row, _ in bare))
    told = {fact.line - 1: fact for fact in found.facts}
    unused = {one.line - 1 for one in found.unused}
    at = _session_time(rows, about)
    spans = []
    for start, following in pairwise([*told, len(rows)]):
        end = _item_end(rows, start, following, unused)
        draft = _build_draft(told[start], about, at, found.session)
        name = next((name for _, name in bare[start:end] if name), "")
        key = name or draft.fingerprint
        spans.append((start, end, ParsedItem(raw="", key=key, draft=draft, at=at)))
    # below a heading for facts a summary only divides them
    summary = [
        one for one in _build_summary(rows, about, at) if told.keys().isdisjoint(range(*one[:2]))
    ]
    return sorted([*summary, *spans], key=lambda span: span[0])


def _item_end(rows: list[str], start: int, following: int, unused: set[int]) -> int:
    """Return the end of an item: after its last line."""
    end = start + 1
    for at in range(start + 1, following):
        bare = rows[at].strip()
        if bare.startswith("#") and bare.lstrip("#").startswith((" ", "\t")):
            break
        if bare and at not in unused and not bare.startswith(_FENCES):
            end = at + 1
    return end


def _build_summary(
    rows: list[str], about: FileContext, at: int
) -> list[tuple[int, int, ParsedItem]]:
    """Return the episode of the summary, if any."""
    heads = [n for n, row in enumerate(rows) if row.startswith("#")]
    begin = next((n for n in heads if _SUMMARY.fullmatch(rows[n].rstrip())), -1)
    if begin < 0:
        return []
    until = next((n for n in heads if n > begin), len(rows))
    said = [n for n in range(begin + 1, until) if rows[n].strip()]
    if not said:
        return []
    start, end = said[0], said[-1] + 1
    told = [_unescape_line(row).rstrip("\r\n") for row in rows[start:end]]
    text, requests, files = keeper_summary.parse_summary(told)
    name = about.name.rpartition("/")[2].removesuffix(".md") or render_session_minute(at)
    own, when = episode_id(f"keeper/{about.project}", name), at or about.now
    title = fold_to_line(text.partition("\n")[0], limit=keeper_summary.TITLE)
    episode = Episode(own, "note", "", about.project, when, when, title, text, requests)
    episode = episode.but(files=files)
    return [(start, end, ParsedItem(raw="", key="summary", episode=episode, at=at))]


def _session_time(rows: list[str], about: FileContext) -> int:
    """Return the session time from heading or file name."""
    heading = next((row for row in rows if row.lower().startswith("# session")), "")
    for said in (heading, about.name):
        if found := _WHEN.search(said):
            return pieces.parse_stamp_or_zero(f"{found[1]}T{found[2]}:{found[3]}")
    return 0


def _build_draft(fact: Fact, about: FileContext, at: int, session: str) -> Draft:
    return Draft(
        kind=fact.kind,
        text=pieces.unescape_comments(fact.text),
        scope=about.scope,
        source="import",
        subtype=fact.subtype,
        why=pieces.unescape_comments(fact.why),
        files=fact.files,
        concepts=fact.concepts,
        state=fact.state or KINDS[fact.kind][1][0],
        origin_session=session,
        learned_at=at,
    )


def _renew_fact(item: ParsedItem, note: Note) -> str:
    """Return the lines of a fact as memory-keeper writes them, if its note says something else."""
    was = item.draft
    if was is None or _said_of_fact(was) == _said_of_fact(note):
        return item.raw
    if _said_of_fact(was)[-1] == note.concepts:
        note = note.but(concepts=was.concepts)  # as they were spelt
    text = _drop_marks(_render_fact(note))
    text = text.replace("\n", "\r\n") if "\r\n" in item.raw else text
    return text if item.raw.endswith("\n") else text.rstrip("\r\n")


def _said_of_fact(fact: Draft | Note) -> tuple[object, ...]:
    concepts = tuple(each.casefold() for each in fact.concepts)
    return (fact.subtype, fact.text, fact.why, fact.state, fact.files, concepts)


def render_unmarked(told: Sequence[Told], about: FileContext) -> str:
    """Render a session file without marks of ours, for memory-keeper itself."""
    return _drop_marks(_render_session(told, about))


def _drop_marks(text: str) -> str:
    return "".join(line for line in pieces.split_lines(text) if not _is_mark(line))


def _is_mark(line: str) -> bool:
    body, name = pieces.split_mark(line)
    return bool(name) and not body.strip()


def _render_fact(note: Note) -> str:
    text, why = pieces.flatten_text(note.text), pieces.flatten_text(note.why)
    told, more = f": {note.state}" if note.kind == "issue" else "", ""
    if why and note.kind == "decision":
        told = f": {why}"
    elif why:
        more = f"  - reason: {why}\n"
    for name, listed in (("files", note.files), ("concepts", note.concepts)):
        more += f"  - {name}: {', '.join(map(pieces.flatten_text, listed))}\n" if listed else ""
    # keeper knows an issue by the word that its line ends in, so the mark has a line of its own
    return f"- [{note.subtype}] {text}{told}\n {pieces.render_mark(note.id)}\n{more}"


def _escape_line(line: str) -> str:
    """Return a line that begins no section; keeper looks for two signs anywhere."""
    rest = line.lstrip("#")
    return "\\#" * (len(line) - len(rest)) + rest


def _unescape_line(line: str) -> str:
    signs = ""
    while line.startswith("\\#"):
        signs, line = f"{signs}#", line[2:]
    return signs + line


def _parse_archive(text: str, about: FileContext) -> Iterator[Piece]:
    """Parse the sessions one by one."""
    for block in pieces.split_blocks(text, _is_rule):
        rule, page = (block[:1], block[1:]) if _is_rule(block[0]) else ([], block)
        yield from rule
        yield from KEEPER_SESSION.parse_text("".join(page), about.but(name=""))


def _render_archive(episodes: Sequence[Episode], about: FileContext) -> str:
    pages = (_render_session([one], about.but(name="")) for one in episodes)
    return f"\n{_RULE}\n\n".join(pages)


def _is_rule(line: str) -> bool:
    return line.strip() == _RULE


def _parse_log(text: str, about: FileContext) -> Iterator[Piece]:
    """Parse the sections; a section without a time is prose."""
    for section in pieces.split_blocks(text, lambda line: line.startswith("#")):
        yield from _cut_section(section, about)


def _cut_section(section: list[str], about: FileContext) -> Iterator[Piece]:
    head = _SECTION.fullmatch(section[0].rstrip())
    at = pieces.parse_stamp_or_zero(f"{head[1]}T{head[2]}:{head[3]}") if head else 0
    said = [n for n, line in enumerate(section) if n and line.strip()]
    if not at or not said:
        yield "".join(section)
        return
    raw, rest = section[: said[-1] + 1], section[said[-1] + 1 :]
    text = "".join(map(unescape_line, raw[1:])).replace("\r\n", "\n").strip()
    when = format_stamp(at)[:16].replace("T", " ")
    name = episode_id(f"log/{about.project}", f"{when}\x1f{text}")
    title = fold_to_line(text, limit=keeper_summary.TITLE)
    episode = Episode(name, "end", "", about.project, at, at, title, text)
    yield ParsedItem(raw="".join(raw), key=when, episode=episode, at=at)
    yield "".join(rest)


KEEPER_SESSION = FileFormat(
    "keeper_session",
    _parse_session,
    _render_session,
    keeper_summary.find_rewording,
    renew_item=_renew_fact,
)
KEEPER_ARCHIVE = FileFormat("keeper_archive", _parse_archive, _render_archive)
KEEPER_LOG = FileFormat("keeper_log", _parse_log, lambda episodes, _: render_log(episodes))
