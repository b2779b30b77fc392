"""The vault's files: a list for each kind of note, a page, and a session.

A list has an item for each note, below a heading that is the tag of its notes. Tasks and issues have
a box. The file holds text, reason, tag and state; type, files, concepts and the key of a mistake are
not held. ``vault_page`` is a page, unchanged. ``vault_session`` is a session: day, title, summary,
requests and files; messages, tools and times are not held.
"""

from __future__ import annotations

import re

from twiceshy.core.draft import Draft
from twiceshy.core.errors import NoteError
from twiceshy.core.evidence import WITHHELD_PART, Episode
from twiceshy.core.grouping import group_by
from twiceshy.core.moment import format_day
from twiceshy.core.note import KINDS, MISTAKE
from twiceshy.interop.formats import FileFormat, ParsedItem, pieces
from twiceshy.interop.formats.headed import list_bullets, parse_headed
from twiceshy.interop.formats.listing import BOXES, ListItem, render_item, split_list
from twiceshy.interop.formats.pages import build_page
from twiceshy.project.episodes.facts import parse_episode_facts
from twiceshy.project.tasks.rules import DONE

TYPE_CHECKING = False  # mypy knows the name; importing it would load typing
if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from twiceshy.core.note import Kind, Note
    from twiceshy.interop.formats import FileContext, Piece

TITLES: dict[Kind, str] = {
    "task": "Tasks",
    "rule": "Rules",
    "preference": "Preferences",
    "decision": "Decisions",
    "pattern": "Patterns",
    "issue": "Issues",
    "lesson": "Lessons",
}
_BOXED = ("task", "issue")
_BOX = re.compile(r"\\?\[[ xX]?\](?=\s)")
_REWORDED = ("title", "requests", "files")


def _list_format(kind: Kind) -> FileFormat:
    def parse(text: str, about: FileContext) -> Iterator[Piece]:
        return (_build_item(block, about, kind) for block in split_list(text))

    def render(notes: Sequence[Note], about: FileContext) -> str:
        return _render_list([note for note in notes if note.kind == kind], about, kind)

    return FileFormat(f"vault_{kind}", parse, render)


def _build_item(block: str | ListItem, about: FileContext, kind: Kind) -> Piece:
    if isinstance(block, str):
        return block
    text, state = block.text, KINDS[kind][1][0]
    if kind in _BOXED:
        state = KINDS[kind][1][1] if block.state == DONE else state
    elif block.state:
        text = f"{_find_box(block.raw)} {text}".strip()
    if kind not in _BOXED or not block.state:
        text = text[1:] if text.startswith("\\") and _BOX.match(text) else text
    if not text:
        return block.raw
    draft = Draft(
        kind=kind,
        text=text,
        scope=about.scope,
        source="import",
        subtype=KINDS[kind][0][0],
        why=block.why,
        tag=block.heading,
        state=state,
    )
    return ParsedItem(raw=block.raw, key=block.name or draft.fingerprint, draft=draft)


def _find_box(raw: str) -> str:
    return next((box for box in BOXES if f" {box}" in raw[:16]), "")


def _render_list(notes: Sequence[Note], about: FileContext, kind: Kind) -> str:
    title = f"Lessons about {about.skill}" if about.skill else TITLES[kind]
    by_tag = group_by(notes, _tag_of_note)
    parts = [f"# {title}\n"]
    for tag in sorted(by_tag):
        parts += [f"\n## {tag}\n"] if tag else []
        parts += ["\n", *map(_render_note, by_tag[tag])]
    return "".join(parts)


def _tag_of_note(note: Note) -> str:
    return "" if note.tag.startswith(MISTAKE) else " ".join(note.tag.split())


def _render_note(note: Note) -> str:
    over = note.state == KINDS[note.kind][1][-1]
    state = (DONE if over else "open") if note.kind in _BOXED else ""
    text = f"\\{note.text}" if _BOX.match(note.text) else note.text
    return render_item(text, name=note.id, why=note.why, state=state)


def _parse_page(text: str, about: FileContext) -> Iterator[Piece]:
    return build_page(text, about, name=about.subject)


def _render_page(notes: Sequence[Note], _: FileContext) -> str:
    return f"{notes[0].text}\n" if notes else ""


def _parse_session(text: str, about: FileContext) -> Iterator[Piece]:
    said = parse_headed(text.replace("\r\n", "\n"))
    title = said.title
    summary = "\n".join(said.sections.get("summary", ())).strip()
    requests, files = (list_bullets(said.sections.get(one, [])) for one in ("requests", "files"))
    if not (title or summary or requests):
        yield text
        return
    at = pieces.parse_day_or_zero(said.front.get("date", ""))
    told = Episode(about.stem, "end", "", about.project, at, at, title, summary)
    yield ParsedItem(raw=text, key=told.id, episode=told.but(requests=requests, files=files))


def _render_session(episodes: Sequence[Episode], _: FileContext) -> str:
    if not episodes:
        return ""
    (episode,) = episodes[:1]
    lines = [
        *("---", f"date: {format_day(episode.started_at)}", "---", ""),
        f"# {pieces.flatten_text(episode.title) or 'Session'}",
    ]
    for heading, told in (
        ("Summary", list(map(_escape_line, _summary_lines(episode)))),
        ("Requests", [f"- {pieces.flatten_text(one)}" for one in episode.requests]),
        ("Files", [f"- {pieces.flatten_text(one)}" for one in episode.files]),
    ):
        lines += ["", f"## {heading}", "", *told] if any(told) else []
    return "\n".join(lines) + "\n"


def _summary_lines(episode: Episode) -> list[str]:
    """Return what a summary says beside its counts and its title."""
    lines = parse_episode_facts(episode).text.split("\n")
    return lines[1:] if lines[0] == episode.title else lines


def _escape_line(line: str) -> str:
    said = pieces.escape_comments(line.rstrip())
    return f"\\{said}" if said.startswith("#") else said


def _reword_session(known: Episode, was: Episode, now: Episode) -> dict[str, object]:
    """Return the changes of an edited file; what is withheld from the file cannot be edited there."""
    fields = pieces.changed_fields(was, now, _REWORDED)
    text = parse_episode_facts(known).text
    body = "\n".join(_summary_lines(known))
    titled = text != body  # the title stands there, too
    title = str(fields.get("title", known.title))
    if now.summary != was.summary:
        body = _change_lines(body.strip(), was.summary, now.summary)
    summary = known.summary.removesuffix(text) + (f"{title}\n{body}" if titled else body)
    if (said := summary.rstrip("\n")) != known.summary.rstrip("\n"):
        fields["summary"] = said
    if WITHHELD_PART in str(fields):
        raise NoteError("a part of it is withheld; decide about that first: twiceshy review")
    return fields


def _change_lines(told: str, was: str, now: str) -> str:
    """Return what is told with the lines changed that differ between two texts."""
    from difflib import SequenceMatcher  # noqa: PLC0415 - only an edited session needs it

    known, old, new = (text.split("\n") for text in (told, was, now))
    if len(known) != len(old):
        return now
    lines: list[str] = []
    for what, start, end, first, last in SequenceMatcher(None, old, new).get_opcodes():
        lines += known[start:end] if what == "equal" else new[first:last]
    return "\n".join(lines)


VAULT_TASK = _list_format("task")
VAULT_RULE = _list_format("rule")
VAULT_PREFERENCE = _list_format("preference")
VAULT_DECISION = _list_format("decision")
VAULT_PATTERN = _list_format("pattern")
VAULT_ISSUE = _list_format("issue")
VAULT_LESSON = _list_format("lesson")
VAULT_PAGE = FileFormat("vault_page", _parse_page, _render_page)
VAULT_SESSION = FileFormat("vault_session", _parse_session, _render_session, _reword_session)


def _generated(name: str) -> FileFormat:
    return FileFormat(name, lambda text, _: (text,), lambda _, __: "")


VAULT_TEXT = _generated("vault_text")
VAULT_HUB = _generated("vault_hub")
VAULT_TOP = _generated("vault_top")
