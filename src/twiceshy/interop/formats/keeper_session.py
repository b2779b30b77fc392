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
from twiceshy.core.moment import stamp
from twiceshy.core.note import KINDS
from twiceshy.core.scope import Scope
from twiceshy.core.text import one_line
from twiceshy.interop.formats import Item, keeper_summary
from twiceshy.interop.formats.pieces import as_said, cut, lines, mark, marked, stamp_at, unmarkable
from twiceshy.project.episodes.told import episode_id
from twiceshy.project.facts.extract import facts

TYPE_CHECKING = False  # mypy knows the name; importing it would load typing
if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from twiceshy.core.note import Kind, Note
    from twiceshy.interop.formats import About, Piece
    from twiceshy.project.facts.items import Fact

    Told = Note | Episode

NAME = "keeper_session"
retold = keeper_summary.retold
_SECTIONS: dict[Kind, str] = {"decision": "Decisions", "pattern": "Patterns", "issue": "Issues"}
_WHEN = re.compile(r"(\d{4}-\d\d-\d\d)[_ T](\d\d):?(\d\d)")
_SUMMARY = re.compile(r"(?i)##[ \t]+summary\b.*")
_FENCES = ("```", "~~~")
_IMPORTED = "import:"  # how the session of an episode begins that another program kept


def read(text: str, about: About) -> tuple[Piece, ...]:
    """Parse summary and facts of a session, in place."""
    return cut(text, lambda rest: _pieces(rest, about))


def items(told: Sequence[Told], about: About) -> tuple[Piece, ...]:
    """Render a session file: summary if known, and facts."""
    episode = next((one for one in told if isinstance(one, Episode)), None)
    at = _when([], about) or (episode.ended_at if episode else about.now)
    summary = [_escaped(line) for line in keeper_summary.lines(episode)] if episode else []
    parts = [f"# Session {minute(at)}\n", "\n## Summary\n", *(f"{line}\n" for line in summary)]
    for kind, section in _SECTIONS.items():
        own = [one for one in told if not isinstance(one, Episode) and one.kind == kind]
        parts += [f"\n## {section}\n", *map(_written, own)]
    return read("".join(parts), about)


def minute(at: int) -> str:
    """Return the session name of a minute."""
    return stamp(at)[:16].replace("T", "_").replace(":", "")


def filed(episodes: Sequence[Episode]) -> list[Episode]:
    """Return the episodes with their own file.

    memory-keeper recorded a session in its log and in a file; imports from both give one file.
    """
    files = {minute(one.ended_at) for one in episodes if one.kind == "note"}
    return [
        one
        for one in episodes
        if not (one.session.startswith(_IMPORTED) and one.kind == "end")
        or minute(one.ended_at) not in files
    ]


def _pieces(text: str, about: About) -> Iterator[Piece]:
    rows = lines(text)
    spans = _spans(rows, about)
    at = 0
    for start, end, item in spans:
        yield "".join(rows[at:start])
        yield item.but(raw="".join(rows[start:end]))
        at = end
    yield "".join(rows[at:])


def _spans(rows: list[str], about: About) -> list[tuple[int, int, Item]]:
    """Return the line spans of items, in order."""
    bare = [marked(row) for row in rows]
    found = facts("".join(row for row, _ in bare))
    told = {fact.line - 1: fact for fact in found.facts}
    unused = {one.line - 1 for one in found.unused}
    at = _when(rows, about)
    spans = []
    for start, following in pairwise([*told, len(rows)]):
        end = _end(rows, start, following, unused)
        draft = _draft(told[start], about, at, found.session)
        name = next((name for _, name in bare[start:end] if name), "")
        key = name or draft.fingerprint
        spans.append((start, end, Item(raw="", key=key, draft=draft, at=at)))
    # below a heading for facts a summary only divides them
    summary = [one for one in _summary(rows, about, at) if told.keys().isdisjoint(range(*one[:2]))]
    return sorted([*summary, *spans], key=lambda span: span[0])


def _end(rows: list[str], start: int, following: int, unused: set[int]) -> int:
    """Return the end of an item: after its last line."""
    end = start + 1
    for at in range(start + 1, following):
        bare = rows[at].strip()
        if bare.startswith("#") and bare.lstrip("#").startswith((" ", "\t")):
            break
        if bare and at not in unused and not bare.startswith(_FENCES):
            end = at + 1
    return end


def _summary(rows: list[str], about: About, at: int) -> list[tuple[int, int, Item]]:
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
    told = [_unescaped(row).rstrip("\r\n") for row in rows[start:end]]
    text, requests, files = keeper_summary.read(told)
    name = about.name.rpartition("/")[2].removesuffix(".md") or minute(at)
    episode = Episode(
        id=episode_id(f"keeper/{about.project}", name),
        kind="note",
        session="",
        project=about.project,
        started_at=at or about.now,
        ended_at=at or about.now,
        title=one_line(text.partition("\n")[0], limit=keeper_summary.TITLE),
        summary=text,
        requests=requests,
        files=files,
    )
    return [(start, end, Item(raw="", key="summary", episode=episode, at=at))]


def _when(rows: list[str], about: About) -> int:
    """Return the session time from heading or file name."""
    heading = next((row for row in rows if row.lower().startswith("# session")), "")
    for said in (heading, about.name):
        if found := _WHEN.search(said):
            return stamp_at(f"{found[1]}T{found[2]}:{found[3]}")
    return 0


def _draft(fact: Fact, about: About, at: int, session: str) -> Draft:
    return Draft(
        kind=fact.kind,
        text=as_said(fact.text),
        scope=Scope(about.project, about.skill),
        source="import",
        subtype=fact.subtype,
        why=as_said(fact.why),
        files=fact.files,
        concepts=fact.concepts,
        state=fact.state or KINDS[fact.kind][1][0],
        origin_session=session,
        learned_at=at,
    )


def _written(note: Note) -> str:
    text = _flat(note.text)
    told = {
        "decision": f": {_flat(note.why)}" if note.why else "",
        "issue": f": {note.state}",
    }.get(note.kind, "")
    more = "" if note.kind == "decision" or not note.why else f"  - reason: {_flat(note.why)}\n"
    for name, listed in (("files", note.files), ("concepts", note.concepts)):
        more += f"  - {name}: {', '.join(map(_flat, listed))}\n" if listed else ""
    # keeper knows an issue by the word that its line ends in, so the mark has a line of its own
    return f"- [{note.subtype}] {text}{told}\n {mark(note.id)}\n{more}"


def _flat(text: str) -> str:
    return " ".join(unmarkable(text).split())


def _escaped(line: str) -> str:
    """Return a line that begins no section; keeper looks for two signs anywhere."""
    rest = line.lstrip("#")
    return "\\#" * (len(line) - len(rest)) + rest


def _unescaped(line: str) -> str:
    signs = ""
    while line.startswith("\\#"):
        signs, line = f"{signs}#", line[2:]
    return signs + line
