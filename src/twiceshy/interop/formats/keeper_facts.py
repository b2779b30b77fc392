"""memory-keeper's facts.json, old shape included: decisions, patterns and issues.

Other content is prose, and the concept index follows the facts. A fact written by us has
keeper's kind of id in writing order, and the note id under ``note``. Type, day, text, reason
or resolution, issue state, files, concepts and session are held; decision state, tag and
trigger are not.
"""

from __future__ import annotations

import re

from twiceshy.core.draft import Draft
from twiceshy.core.moment import format_day, format_stamp
from twiceshy.core.note import SHOWN
from twiceshy.files.json_parts import find_parts, find_root, mend_commas
from twiceshy.interop.formats import FileFormat, ParsedItem
from twiceshy.interop.formats.pieces import parse_day_or_zero
from twiceshy.project.facts.items import FACT_KINDS, parse_state, parse_subtype

TYPE_CHECKING = False  # mypy knows the name; importing it would load typing
if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence

    from twiceshy.core.note import Note
    from twiceshy.files.json_parts import JsonPart
    from twiceshy.interop.formats import FileContext, Piece
    from twiceshy.project.facts.items import FactKind

_SECTIONS: dict[str, FactKind] = {
    "decisions": "decision",
    "patterns": "pattern",
    "issues": "issue",
}
_INDEX = "concepts"
_NOTE = "note"
_SESSION = re.compile(r"[\w.-]{1,64}")  # not the line of a file from which a fact was imported
_REASONS = ("reason", "resolution")


def _render_facts(notes: Sequence[Note], _: FileContext) -> str:
    """Render the file from given facts, oldest first.

    Every fact is numbered, and shown facts are written: a retired fact keeps its number, and no
    other fact gets it.
    """
    ordered = sorted(notes, key=lambda note: (note.written_at, note.id))
    last = max((note.learned_at for note in ordered if note.status in SHOWN), default=0)
    saved = format_stamp(last) if last else None
    told: dict[str, object] = {"_meta": {"counter": 0, "lastSave": saved}}
    entries: list[dict[str, object]] = []
    for kind in FACT_KINDS:
        own = [note for note in ordered if note.kind == kind]
        facts = [
            _render_fact(note, f"{kind[0]}{at:03}")
            for at, note in enumerate(own, start=1)
            if note.status in SHOWN
        ]
        told[f"{kind}s"] = facts
        entries += facts
    told[_INDEX] = _build_index(entries)
    return _dump_json(told) + "\n"


def mend_file(text: str) -> str:
    """Return the file after insertions or removals: commas mended, index complete."""
    try:
        root = find_root(text)
    except ValueError:
        text = mend_commas(text)
        try:
            root = find_root(text)
        except ValueError:
            return text
    facts = [one.value for part in root.parts for one in _fact_items(text, part)]
    entries = [one for one in facts if isinstance(one, dict)]
    wanted = _build_index(entries)
    known = root.find_member(_INDEX)
    names = {_get_text(one, "id") for one in entries}
    if known is None or _is_index_current(known.value, wanted, names):
        return text
    written = _dump_json(wanted).replace("\n", "\n  ")
    return text[: known.at] + written + text[known.end :]


def number_after(known: str, fresh: str) -> str:
    """Return facts of a fresh file numbered behind those of a known one, as memory-keeper has them."""
    from twiceshy.files.json_edit import parse_document  # noqa: PLC0415 - only an export needs it

    told, new = parse_document(known), parse_document(fresh)
    for section in _SECTIONS:
        facts = [fact for fact in _list_facts(new, section) if isinstance(fact, dict)]
        last = max((_read_number(fact) for fact in _list_facts(told, section)), default=0)
        new[section] = [
            {name: value for name, value in fact.items() if name != _NOTE}
            | {"id": f"{section[0]}{number:03}"}
            for number, fact in enumerate(facts, start=last + 1)
        ]
    return _dump_json(new) + "\n"


def _list_facts(told: Mapping[str, object], section: str) -> list[object]:
    held = told.get(section)
    return held if isinstance(held, list) else []


def _read_number(fact: object) -> int:
    number = _get_text(fact, "id")[1:] if isinstance(fact, dict) else ""
    return int(number) if number.isascii() and number.isdecimal() else 0


def _renew_fact(item: ParsedItem, note: Note) -> str:
    """Return an entry with what changed of its note, and every other member as it was."""
    from twiceshy.files.json_edit import set_member  # noqa: PLC0415 - only an export needs it

    was = item.draft
    if was is None:
        return item.raw
    why = "resolution" if note.kind == "issue" else "reason"
    members = {"content": "text", why: "why", "type": "subtype", "status": "state"}
    text = item.raw
    for member, field in members.items():
        now = getattr(note, field)
        if now != getattr(was, field) and (member != "status" or note.kind == "issue"):
            text = set_member(text, (member,), now)
    for member in ("files", "concepts"):
        now = list(getattr(note, member))
        if now != [
            each if member == "files" else each.casefold() for each in getattr(was, member)
        ]:
            text = set_member(text, (member,), now)
    return text


def _parse_facts(text: str, about: FileContext) -> Iterator[Piece]:
    try:
        root = find_root(text)
    except ValueError:
        yield text
        return
    at = 0
    for part in root.parts:
        for one in _fact_items(text, part):
            if item := _build_item(one, text, _SECTIONS[part.key], about):
                yield text[at : one.start]
                yield item
                at = one.end
    yield text[at:]


def _fact_items(text: str, part: JsonPart) -> tuple[JsonPart, ...]:
    """Return the items of a fact list member; empty for other members."""
    if part.key not in _SECTIONS or not isinstance(part.value, list):
        return ()
    return find_parts(text, part.at).parts


def _build_item(
    part: JsonPart, text: str, kind: FactKind, about: FileContext
) -> ParsedItem | None:
    said = part.value if isinstance(part.value, dict) else {}
    draft = _build_draft(said, kind, about)
    if not draft.text:
        return None
    key = _get_text(said, _NOTE) or _get_text(said, "id") or draft.fingerprint
    return ParsedItem(raw=text[part.start : part.end], key=key, draft=draft, at=draft.learned_at)


def _build_draft(said: Mapping[str, object], kind: FactKind, about: FileContext) -> Draft:
    state = parse_state(_get_text(said, "status")) or "open"
    return Draft(
        kind=kind,
        text=_get_text(said, "content"),
        scope=about.scope,
        source="import",
        subtype=parse_subtype(kind, _get_text(said, "type")),
        why="; ".join(filter(None, (_get_text(said, name) for name in _REASONS))),
        files=_get_texts(said, "files"),
        concepts=_get_texts(said, "concepts"),
        state=state if kind == "issue" else "current",
        origin_session=_get_text(said, "session"),
        learned_at=parse_day_or_zero(_get_text(said, "date")[:10]),
    )


def _render_fact(note: Note, name: str) -> dict[str, object]:
    fact: dict[str, object] = {
        "id": name,
        "type": note.subtype,
        "date": format_day(note.learned_at),
        "content": note.text,
    }
    if note.kind == "decision" or (note.kind == "pattern" and note.why):
        fact["reason"] = note.why
    if note.kind == "issue":
        fact["status"] = note.state
    if note.kind == "issue" and note.why:
        fact["resolution"] = note.why
    fact |= {name: list(told) for name in ("files", "concepts") if (told := getattr(note, name))}
    fact |= {"session": note.origin_session} if _SESSION.fullmatch(note.origin_session) else {}
    return fact | {_NOTE: note.id}


def _build_index(entries: Iterable[Mapping[str, object]]) -> dict[str, list[str]]:
    """Return the concept index in keeper's form: folded, distinct ids."""
    found: dict[str, list[str]] = {}
    for said in entries:
        name = _get_text(said, "id")
        for concept in _get_texts(said, "concepts"):
            named = found.setdefault(concept.casefold(), [])
            named += [name] if name and name not in named else []
    return found


def _is_index_current(known: object, wanted: Mapping[str, list[str]], names: set[str]) -> bool:
    """True if an index names every present fact, and no removed fact."""
    if not isinstance(known, dict) or not all(isinstance(one, list) for one in known.values()):
        return False
    folded = {str(key).strip().casefold(): set(map(str, one)) for key, one in known.items()}
    named = all(set(own) <= folded.get(key, set()) for key, own in wanted.items())
    return named and all(own <= names for own in folded.values())


def _get_text(said: Mapping[str, object], name: str) -> str:
    value = said.get(name)
    return value.strip() if isinstance(value, str) else ""


def _get_texts(said: Mapping[str, object], name: str) -> tuple[str, ...]:
    value = said.get(name)
    told = value if isinstance(value, list) else []
    kept = (one.strip() for one in told if isinstance(one, str))
    return tuple(dict.fromkeys(one for one in kept if one))


def _dump_json(value: object) -> str:
    import json  # noqa: PLC0415 - only who writes the file needs blanks in it

    return json.dumps(value, ensure_ascii=False, indent=2)


KEEPER_FACTS = FileFormat(
    "keeper_facts", _parse_facts, _render_facts, mend_file=mend_file, renew_item=_renew_fact
)
