"""memory-keeper's session file: a summary, then decisions, patterns and issues.

The summary is an episode, each fact a note; headings, unfilled templates and other lines are
prose. Type, text, reason or state, files and concepts are held; line breaks, commas in file
or concept names, and a colon with a blank in a decision text (which begins its reason) are
not. Summary lines ``Asked:`` are requests, ``Files:`` names changed files; tools are not
held.
"""

from __future__ import annotations

import re
from itertools import pairwise

from twiceshy.core.draft import Draft
from twiceshy.core.evidence import Episode
from twiceshy.core.moment import format_stamp
from twiceshy.core.note import KINDS
from twiceshy.core.scope import Scope
from twiceshy.core.text import fold_to_line
from twiceshy.interop.formats import ParsedItem, keeper_summary
from twiceshy.interop.formats.pieces import (
    escape_comments,
    parse_stamp_or_zero,
    render_mark,
    split_bom,
    split_lines,
    split_mark,
    unescape_comments,
)
from twiceshy.project.episodes.facts import episode_id
from twiceshy.project.facts.extract import extract_facts

TYPE_CHECKING = False  # mypy knows the name; importing it would load typing
if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from twiceshy.core.note import Kind, Note
    from twiceshy.interop.formats import FileContext, Piece
    from twiceshy.project.facts.items import Fact

    Told = Note | Episode

NAME = "keeper_session"
find_rewording = keeper_summary.find_rewording
_SECTIONS: dict[Kind, str] = {"decision": "Decisions", "pattern": "Patterns", "issue": "Issues"}
_WHEN = re.compile(r"(\d{4}-\d\d-\d\d)[_ T](\d\d):?(\d\d)")
_SUMMARY = re.compile(r"(?i)##[ \t]+summary\b.*")
_FENCES = ("```", "~~~")
_IMPORTED = "import:"  # how the session of an episode begins that another program kept


def parse_text(text: str, about: FileContext) -> tuple[Piece, ...]:
    """Parse summary and facts of a session, in place."""
    return split_bom(text, lambda rest: _parse_pieces(rest, about))


def render_items(told: Sequence[Told], about: FileContext) -> tuple[Piece, ...]:
    """Render a session file: summary if known, and facts."""
    episode = next((one for one in told if isinstance(one, Episode)), None)
    at = _session_time([], about) or (episode.ended_at if episode else about.now)
    summary = (
        [_escape_line(line) for line in keeper_summary.render_summary(episode)] if episode else []
    )
    parts = [
        f"# Session {session_minute(at)}\n",
        "\n## Summary\n",
        *(f"{line}\n" for line in summary),
    ]
    for kind, section in _SECTIONS.items():
        own = [one for one in told if not isinstance(one, Episode) and one.kind == kind]
        parts += [f"\n## {section}\n", *map(_render_fact, own)]
    return parse_text("".join(parts), about)


def session_minute(at: int) -> str:
    """Return the session name of a minute."""
    return format_stamp(at)[:16].replace("T", "_").replace(":", "")


def episodes_with_file(episodes: Sequence[Episode]) -> list[Episode]:
    """Return the episodes with their own file.

    memory-keeper recorded a session in its log and in a file; imports from both give one file.
    """
    files = {session_minute(one.ended_at) for one in episodes if one.kind == "note"}
    return [
        one
        for one in episodes
        if not (one.session.startswith(_IMPORTED) and one.kind == "end")
        or session_minute(one.ended_at) not in files
    ]


def _parse_pieces(text: str, about: FileContext) -> Iterator[Piece]:
    rows = split_lines(text)
    spans = _item_spans(rows, about)
    at = 0
    for start, end, item in spans:
        yield "".join(rows[at:start])
        yield item.but(raw="".join(rows[start:end]))
        at = end
    yield "".join(rows[at:])


def _item_spans(rows: list[str], about: FileContext) -> list[tuple[int, int, ParsedItem]]:
    """Return the line spans of items, in order."""
    bare = [split_mark(row) for row in rows]
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
    name = about.name.rpartition("/")[2].removesuffix(".md") or session_minute(at)
    episode = Episode(
        id=episode_id(f"keeper/{about.project}", name),
        kind="note",
        session="",
        project=about.project,
        started_at=at or about.now,
        ended_at=at or about.now,
        title=fold_to_line(text.partition("\n")[0], limit=keeper_summary.TITLE),
        summary=text,
        requests=requests,
        files=files,
    )
    return [(start, end, ParsedItem(raw="", key="summary", episode=episode, at=at))]


def _session_time(rows: list[str], about: FileContext) -> int:
    """Return the session time from heading or file name."""
    heading = next((row for row in rows if row.lower().startswith("# session")), "")
    for said in (heading, about.name):
        if found := _WHEN.search(said):
            return parse_stamp_or_zero(f"{found[1]}T{found[2]}:{found[3]}")
    return 0


def _build_draft(fact: Fact, about: FileContext, at: int, session: str) -> Draft:
    return Draft(
        kind=fact.kind,
        text=unescape_comments(fact.text),
        scope=Scope(about.project, about.skill),
        source="import",
        subtype=fact.subtype,
        why=unescape_comments(fact.why),
        files=fact.files,
        concepts=fact.concepts,
        state=fact.state or KINDS[fact.kind][1][0],
        origin_session=session,
        learned_at=at,
    )


def _render_fact(note: Note) -> str:
    text = _flatten_text(note.text)
    told = {
        "decision": f": {_flatten_text(note.why)}" if note.why else "",
        "issue": f": {note.state}",
    }.get(note.kind, "")
    more = (
        ""
        if note.kind == "decision" or not note.why
        else f"  - reason: {_flatten_text(note.why)}\n"
    )
    for name, listed in (("files", note.files), ("concepts", note.concepts)):
        more += f"  - {name}: {', '.join(map(_flatten_text, listed))}\n" if listed else ""
    # keeper knows an issue by the word that its line ends in, so the mark has a line of its own
    return f"- [{note.subtype}] {text}{told}\n {render_mark(note.id)}\n{more}"


def _flatten_text(text: str) -> str:
    return " ".join(escape_comments(text).split())


def _escape_line(line: str) -> str:
    """Return a line that begins no section; keeper looks for two signs anywhere."""
    rest = line.lstrip("#")
    return "\\#" * (len(line) - len(rest)) + rest


def _unescape_line(line: str) -> str:
    signs = ""
    while line.startswith("\\#"):
        signs, line = f"{signs}#", line[2:]
    return signs + line
