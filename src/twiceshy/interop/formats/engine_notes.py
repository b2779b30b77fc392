"""memory-engine's notes: lessons learned by hand, the error notebook, and detected pitfalls.

``engine_learned`` is learned/*.md, a lesson per file. The file holds everything except files,
concepts and trigger. A file without some part is a plain lesson; of such a note only the text is
held.

``engine_notebook`` is writing-review-list.md, a rule per item. The file holds category, rule,
example, state, and misses (told as sightings). A rule with a separate name keeps the name in
front. Line breaks, files, concepts and hard rules are not held.

``engine_pitfall`` is auto-pitfall-*.md, the detected issues of a day. A fixed failure is a lesson.
Retries, corrections and thrashing are signals without advice. The file holds the day, and text
and reason on one line each.
"""

from __future__ import annotations

import re

from twiceshy.core.draft import Draft
from twiceshy.core.errors import NoteError
from twiceshy.core.evidence import Signal
from twiceshy.core.moment import format_day
from twiceshy.interop.formats import FileFormat, ParsedItem, pieces
from twiceshy.interop.formats.headed import find_day, last_bullet_line, list_bullets
from twiceshy.notes import learned_lesson
from twiceshy.project.notebook.page import GENERAL, build_entry, parse_notebook, render_notebook

TYPE_CHECKING = False  # mypy knows the name; importing it would load typing
if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from twiceshy.core.evidence import SignalKind
    from twiceshy.core.note import Note
    from twiceshy.interop.formats import FileContext, Piece
    from twiceshy.project.notebook.page import NotebookEntry

_CATEGORY, _RULE = "## ", "### "
_FIXED = "error-then-fix"
_SIGNALS: dict[str, SignalKind] = {
    "retry": "retry",
    "user-correction": "correction",
    "back-and-forth": "thrash",
}
_ISSUE = "### "


def _render_learned(notes: Sequence[Note], about: FileContext) -> str:
    """Render the file of the first given lesson; each has its own file."""
    if not notes:
        return ""
    note = notes[0]
    told = learned_lesson.lesson_of_note(note)
    if told is None:
        text = f"{note.text}\n"
    else:
        called = about.called or note.scope.project
        page = learned_lesson.LessonPage(told, format_day(note.learned_at), called)
        text = learned_lesson.render_lesson_file(page)
    return f"{pieces.escape_comments(text)}{pieces.render_mark(note.id).strip()}\n"


def _parse_learned(text: str, about: FileContext) -> Iterator[Piece]:
    rows = pieces.split_lines(text)
    last = max((n for n, line in enumerate(rows) if line.strip()), default=-1)
    if last < 0:
        yield text
        return
    bare, name = pieces.split_mark(rows[last])
    said = pieces.unescape_comments("".join((*rows[:last], bare))).replace("\r\n", "\n").strip()
    if not said:
        yield text
        return
    draft = _build_learned(said, about)
    key = name or about.stem or draft.fingerprint
    yield ParsedItem(raw="".join(rows[: last + 1]), key=key, draft=draft, at=draft.learned_at)
    yield "".join(rows[last + 1 :])


def _build_learned(said: str, about: FileContext) -> Draft:
    plain = Draft(
        kind="lesson",
        text=said,
        scope=about.scope,
        source="import",
        subtype="fix",
        state="current",
    )
    try:
        page = learned_lesson.parse_lesson_file(said)
    except NoteError:
        return plain
    return plain.but(
        text=learned_lesson.lesson_text(page.learned),
        why=page.learned.problem,
        learned_at=pieces.parse_day_or_zero(page.day[:10]),
    )


def _render_notebook(notes: Sequence[Note], _: FileContext) -> str:
    rules = [note for note in notes if note.kind == "rule"]
    names: dict[NotebookEntry, list[str]] = {}
    for rule in rules:
        names.setdefault(_build_entry(rule), []).append(rule.id)
    page = render_notebook(_build_entry(rule) for rule in rules)
    return "".join(_mark_lines(page, names))


def _build_entry(note: Note) -> NotebookEntry:
    text, why = pieces.escape_comments(note.text), pieces.escape_comments(note.why)
    return build_entry(note.but(text=text, why=why))


def _mark_lines(page: str, names: dict[NotebookEntry, list[str]]) -> Iterator[str]:
    """Yield the page lines with marks after rule names."""
    for category, block in _split_notebook(page):
        found = parse_notebook("".join((category, *block))).entries if _is_rule(block) else ()
        own = names.get(found[0], []) if found else []
        name = own.pop(0) if own else ""
        yield block[0].rstrip("\n") + pieces.render_mark(name) + "\n"
        yield from block[1:]


def _parse_notebook(text: str, about: FileContext) -> Iterator[Piece]:
    for category, block in _split_notebook(text):
        last = last_bullet_line(block) + 1
        item = _build_rule(block[:last], category, about) if _is_rule(block) else None
        if item:
            yield item
            yield "".join(block[last:])
        else:
            yield "".join(block)


def _split_notebook(text: str) -> Iterator[tuple[str, list[str]]]:
    """Yield the category line of each heading, and the heading with its lines."""
    category, headings = "", ("# ", _CATEGORY, _RULE)
    for block in pieces.split_blocks(text, lambda line: line.lstrip().startswith(headings)):
        category = block[0] if block[0].startswith(_CATEGORY) else category
        yield category, block


def _is_rule(block: list[str]) -> bool:
    return block[0].lstrip().startswith(_RULE)


def _build_rule(block: list[str], category: str, about: FileContext) -> ParsedItem | None:
    head, name = pieces.split_mark(block[0])
    found = parse_notebook("".join((category.rstrip(), "\n", head, *block[1:]))).entries
    if len(found) != 1:
        return None
    entry = found[0]
    draft = Draft(
        kind="rule",
        text=pieces.unescape_comments(entry.rule if name else _prefix_name(entry)),
        scope=about.scope,
        source="import",
        subtype="correction",
        why=pieces.unescape_comments(entry.example),
        tag="" if entry.category == GENERAL else entry.category,
        state="cleared" if entry.status == "cleared" else "current",
    )
    key = name or draft.fingerprint
    return ParsedItem(raw="".join(block), key=key, draft=draft, sightings=entry.missed)


def _renew_rule(item: ParsedItem, note: Note) -> str:
    """Return the lines of a rule with its count, its state and its words of now."""
    now = build_entry(note)
    lines = {"Missed": f"{now.missed} times", "Status": now.status}
    if item.draft and item.draft.text != note.text:
        lines["Rule"] = now.rule
    text = item.raw
    for name, value in lines.items():
        text = _set_line(text, name, value)
    return text


def _set_line(text: str, name: str, value: str) -> str:
    """Return a rule's lines with another value in the line of a name."""
    line = re.compile(rf"(?m)^(\s*[-*]\s+\**{name}\**\s*:\**[ \t]*).*$")
    return line.sub(lambda found: found[1] + value, text, count=1)


def _prefix_name(entry: NotebookEntry) -> str:
    """Return a rule with its name in front, unless it begins so."""
    name = entry.name.rstrip("…").strip()
    return entry.rule if name in entry.rule else f"{name}: {entry.rule}"


def _render_pitfalls(notes: Sequence[Note], about: FileContext) -> str:
    """Render the file of a day from given pitfalls."""
    own = [note for note in notes if note.kind == "lesson" and note.subtype == "pitfall"]
    at = max((note.learned_at for note in own), default=about.now)
    head = f"# Pitfall Record {format_day(at)}\n\n## Detected Issues\n"
    return head + "".join(map(_render_pitfall, own))


def _parse_pitfalls(text: str, about: FileContext) -> Iterator[Piece]:
    """Parse the issues; a heading without items is prose."""
    at = find_day(text, about.name)
    for block in pieces.split_blocks(text, lambda line: line.startswith("#")):
        yield from _cut_issue(block, about, at)


def _render_pitfall(note: Note) -> str:
    why = f"- {pieces.flatten_text(note.why)}\n" if note.why else ""
    return f"\n{_ISSUE}{_FIXED}\n- {pieces.flatten_text(note.text)}{pieces.render_mark(note.id)}\n{why}"


def _cut_issue(block: list[str], about: FileContext, at: int) -> Iterator[Piece]:
    last = last_bullet_line(block) + 1
    head, rows = block[0], [pieces.split_mark(line) for line in block[1:last]]
    told = [" ".join(one.split()) for one in list_bullets([line for line, _ in rows])]
    name = next((name for _, name in rows if name), "")
    if not head.startswith(_ISSUE) or not any(told):
        yield "".join(block)
        return
    kind = head[len(_ISSUE) :].strip().lower().replace(" ", "-")
    if kind in _SIGNALS:
        yield _build_signal(kind, told, about, at).but(raw="".join(block[:last]))
    else:
        yield _build_lesson(told, about, at, name).but(raw="".join(block[:last]))
    yield "".join(block[last:])


def _build_signal(kind: str, told: list[str], about: FileContext, at: int) -> ParsedItem:
    excerpt = "\n".join(told)
    key = f"pitfall:{pieces.stable_name(about.project, str(at), kind, excerpt)}"
    signal = Signal(
        key=key,
        kind=_SIGNALS[kind],
        session=key,  # the file does not say whose it is
        project=about.project,
        at=at or about.now,
        excerpt=excerpt,
    )
    return ParsedItem(raw="", key=key, signal=signal, at=at)


def _build_lesson(told: list[str], about: FileContext, at: int, name: str) -> ParsedItem:
    draft = Draft(
        kind="lesson",
        text=pieces.unescape_comments(told[0]),
        scope=about.scope,
        source="import",
        subtype="pitfall",
        why=pieces.unescape_comments(" ".join(told[1:])),
        state="current",
        learned_at=at,
    )
    return ParsedItem(raw="", key=name or draft.fingerprint, draft=draft, at=at)


ENGINE_LEARNED = FileFormat("engine_learned", _parse_learned, _render_learned)
ENGINE_NOTEBOOK = FileFormat(
    "engine_notebook", _parse_notebook, _render_notebook, renew_item=_renew_rule
)
ENGINE_PITFALL = FileFormat("engine_pitfall", _parse_pitfalls, _render_pitfalls)
