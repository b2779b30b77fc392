"""Notes, drafts and histories for tests: sensible by default, and any field can be said."""

import sqlite3
from collections.abc import Sequence
from contextlib import closing
from typing import Any

from hypothesis import strategies as st

from twiceshy.core import clock
from twiceshy.core.draft import Draft
from twiceshy.core.history import JournalEntry, fields_to_write, replay_note
from twiceshy.core.moment import DAY, parse_day
from twiceshy.core.note import KINDS, SOURCES, STATUSES, Note, new_id
from twiceshy.core.scope import EVERYWHERE, NO_SKILL, Scope

NOW = parse_day("2026-11-02")
RELEASE = Scope("demo", "release")
TEXT = "Run git fetch --tags before tagging, or the tag lands on an old commit."


def an_id(number: int = 1, *, at: int = NOW) -> str:
    """Return the id of the ``number``-th note of that moment."""
    return new_id(at, number.to_bytes(5, "big"))


def a_note(text: str = TEXT, **fields: Any) -> Note:
    """Return an active lesson of the release skill, learned once today; change what matters."""
    kind = fields.get("kind", "lesson")
    subtypes, states = KINDS[kind]
    usual = {
        "id": an_id(),
        "kind": kind,
        "subtype": subtypes[0],
        "text": text,
        "why": "",
        "scope": RELEASE,
        "tag": "",
        "files": (),
        "concepts": (),
        "trigger": "",
        "state": states[0],
        "status": "active",
        "reason": "",
        "pinned": False,
        "trust": 1.0,
        "source": "user",
        "origin_project": "demo",
        "origin_session": "session-1",
        "skill_hash": "",
        "supersedes": "",
        "superseded_by": "",
        "written_at": NOW,
        "learned_at": NOW,
        "expires_at": 0,
        "sightings": 1,
        "days": 1,
        "revision": 1,
    }
    return Note.of(usual | fields)


def a_draft(text: str = TEXT, **fields: Any) -> Draft:
    """Return a lesson that the user proposes for the release skill; change what matters."""
    usual: dict[str, Any] = {
        "kind": "lesson",
        "scope": RELEASE,
        "source": "user",
        "origin_project": "demo",
        "origin_session": "session-1",
    }
    return Draft.of(usual | {"text": text} | fields)


def an_entry(op: str, at: int = NOW, *, device: str = "laptop", **fields: Any) -> JournalEntry:
    """Return a journal entry about the first note, stamped by a clock that is right."""
    usual: dict[str, Any] = {
        "clock": clock.first_clock_of(at),
        "device": device,
        "batch": f"{device}-{at}",
        "op": op,
        "object": an_id(),
        "at": at,
    }
    return JournalEntry.of(usual | fields)


def a_write(at: int = NOW, *, device: str = "laptop", note: Note | None = None) -> JournalEntry:
    """Return the entry that first writes a note."""
    note = note or a_note(written_at=at, learned_at=at)
    return an_entry("write", at, device=device, object=note.id, after=fields_to_write(note))


scopes = st.sampled_from(
    [
        Scope(project, skill)
        for project in (EVERYWHERE, "demo", "shop")
        for skill in (NO_SKILL, "release", "review")
    ]
)

# Any text at all; the second kind is not even valid UTF-8.
texts = st.text(min_size=1, max_size=60)
broken_texts = st.text(st.characters(), max_size=60)
# Text out of few words, so that two of them often share some.
phrases = st.lists(
    st.sampled_from("fetch tags before tagging never push --force twice 拉取 src/app.py".split()),
    min_size=1,
    max_size=8,
).map(" ".join)
moments = st.integers(NOW - 800 * DAY, NOW)


# Few draws of many fields each: a note takes a third of the time that drawing field by field does.
_FORMS = [
    {"kind": kind, "subtype": subtype, "state": state}
    for kind, (subtypes, states) in KINDS.items()
    for subtype in subtypes
    for state in states
]
_STANDINGS = [
    {"status": status, "source": source, "trust": trust, "pinned": pinned}
    for status in STATUSES
    for source in SOURCES
    for trust in (0.2, 0.5, 0.8, 1.0)
    for pinned in (False, True)
]
_LABELS: list[dict[str, object]] = [
    {},
    {"tag": "git", "files": ("src/app.py", "Makefile")},
    {"tag": "uv lock", "concepts": ("tags",), "trigger": "git tag"},
]
_TALLIES = [
    {"recalls": recalls, "missed": missed, "helped": helped, "harmed": harmed}
    for recalls in (0, 1, 40)
    for missed in (0, 3)
    for helped in (0, 5)
    for harmed in (0, 2)
]


@st.composite
def notes(draw: st.DrawFn, /, *, text: st.SearchStrategy[str] = phrases, **fixed: Any) -> Note:
    """Draw any note that the store could hold; ``fixed`` fields are the same in all."""
    sightings, days = draw(st.sampled_from(((1, 1), (2, 1), (2, 2), (7, 3), (40, 40))))
    learned_at = draw(moments)
    drawn: dict[str, Any] = {
        "id": an_id(draw(st.integers(0, 9_999))),
        "why": draw(st.just("") | text),
        "scope": draw(scopes),
        "learned_at": learned_at,
        "written_at": learned_at + DAY,
        "expires_at": draw(st.just(0) | moments),
        "sightings": sightings,
        "days": days,
    }
    for fields in (_FORMS, _STANDINGS, _LABELS, _TALLIES):
        drawn |= draw(st.sampled_from(fields))
    return a_note(draw(text), **drawn | fixed)


def several(one: st.SearchStrategy[Note], *, most: int = 8) -> st.SearchStrategy[list[Note]]:
    """Draw notes that differ in their ids, as those of a store do."""
    return st.lists(one, max_size=most, unique_by=lambda note: note.id)


DEVICES = ("laptop", "desktop", "server")
_CHANGES: tuple[tuple[str, dict[str, object]], ...] = (
    ("edit", {"text": "Fetch first."}),
    ("edit", {"why": "tagging"}),
    ("edit", {"tag": "git", "text": "Fetch, then tag."}),
    ("retire", {"status": "retired", "reason": "expired"}),
    ("restore", {"status": "active", "reason": ""}),
    ("pin", {"pinned": True}),
    ("unpin", {"pinned": False}),
    ("move", {"project": EVERYWHERE, "skill": NO_SKILL}),
)


@st.composite
def histories(draw: st.DrawFn, /, *, forgetting: bool = True) -> list[JournalEntry]:
    """Draw what up to three devices did to one note: edits, sightings, undo, rebase, forgetting."""
    entries: list[JournalEntry] = []
    last = dict.fromkeys(DEVICES, 0)
    for step in range(draw(st.integers(0, 8))):
        device = draw(st.sampled_from(DEVICES))
        at = NOW + step * DAY // 3 + draw(st.integers(0, 2))
        wrong = draw(st.sampled_from((0, 0, 0, -DAY, 400 * DAY)))  # a device whose clock is off
        last[device] = clock.next_clock(last[device], now=at + wrong)
        fields = _change(draw, entries, forgetting=forgetting)
        entries.append(an_entry(at=at, device=device, clock=last[device], **fields))
    return entries


def _change(draw: st.DrawFn, entries: list[JournalEntry], *, forgetting: bool) -> dict[str, Any]:
    """Draw the operation of one entry and what belongs to it."""
    if not entries:
        return {"op": "write", "after": fields_to_write(a_note())}
    kinds = ("set", "set", "see", "unsee", "undo", "rebase", "write") + ("forget",) * forgetting
    match draw(st.sampled_from(kinds)):
        case "set":
            op, after = draw(st.sampled_from(_CHANGES))
            known = fields_to_write(replay_note(entries) or a_note())
            return {"op": op, "after": after, "before": {name: known[name] for name in after}}
        case "undo":
            undone = draw(st.sampled_from(entries))
            return {"op": "undo", "after": undone.before, "before": undone.after}
        case "write":
            return {"op": "write", "after": fields_to_write(a_note("Written twice.", sightings=3))}
        case op:
            return {"op": op, "refers": draw(st.sampled_from(entries)).id}


def erased(entry: JournalEntry) -> JournalEntry:
    """Return what is left of an entry once its note was forgotten."""
    return entry.but(before=None, after=None)


def tokens_of(texts: Sequence[str], *, tokenizer: str) -> list[list[str]]:
    """Return the tokens that SQLite's full-text index makes of each text."""
    found: list[list[str]] = [[] for _ in texts]
    with closing(sqlite3.connect(":memory:")) as db:
        db.execute(f'CREATE VIRTUAL TABLE words USING fts5 (text, tokenize = "{tokenizer}")')
        db.execute("CREATE VIRTUAL TABLE tokens USING fts5vocab (words, instance)")
        db.executemany("INSERT INTO words (rowid, text) VALUES (?, ?)", enumerate(texts))
        for term, row in db.execute("SELECT term, doc FROM tokens ORDER BY doc, offset"):
            found[row].append(term)
    return found
