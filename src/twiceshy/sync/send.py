"""Build the commit of local changes: new records, scanned again, in our own files.

The commit also has pages for people: notes by project and by skill.
"""

from __future__ import annotations

import hashlib
import re
from typing import TYPE_CHECKING

from twiceshy.core.erasure import ErasedRecord
from twiceshy.core.evidence import Exposure, Signal
from twiceshy.core.filter import NoteFilter
from twiceshy.core.history import FORGET, JournalEntry
from twiceshy.core.note import SHOWN, short_handle
from twiceshy.core.scope import EVERYWHERE
from twiceshy.core.store import Alias, KnownProject, NoteCounter
from twiceshy.core.text import fold_to_line
from twiceshy.core.value import Value
from twiceshy.notes.imported_records import IMPORTED
from twiceshy.notes.knowledge import render_bullet
from twiceshy.notes.undo import IMPORT
from twiceshy.store.sweep import REWRITTEN, SIGNAL
from twiceshy.sync import rules
from twiceshy.sync.journal_file import (
    ErasedLines,
    JournalLine,
    append_rows,
    blob_id,
    encode_without_erased,
    parse_rows,
)
from twiceshy.sync.records import encode_line, record_to_json, redact_record
from twiceshy.sync.statement import find_owner, signature_path, statement_path

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence

    from twiceshy.app import App
    from twiceshy.core.history import Identity
    from twiceshy.core.note import Note
    from twiceshy.core.store import Record
    from twiceshy.sync.device_files import BelievedFiles
    from twiceshy.sync.device_signing import DeviceSigning
    from twiceshy.sync.repository import CommitContents

_NAMED = 5  # notes in one complaint
_ODD = re.compile(r"[^0-9A-Za-z._-]+")
_SECTIONS = {
    "rule": "Rules",
    "decision": "Decisions",
    "pattern": "Patterns",
    "preference": "Preferences",
    "issue": "Issues",
    "task": "Tasks",
    "lesson": "Lessons",
}


class OutgoingCommit(Value):
    """Content of a commit: changed files, number of new records, erased content."""

    files: Mapping[str, bytes | None]
    whole: Mapping[str, bytes]  # every file that is ours to write, changed or not
    sent: int
    erased: ErasedLines


def build_changes(
    app: App, contents: CommitContents, signing: DeviceSigning, *, purges: int, views: bool
) -> OutgoingCommit:
    """Return the changes to commit; ``views`` means the remote state is fully known."""
    records = list(app.store.export_records())
    device, believed = app.store.device, signing.believed
    journals = _journal_changes(contents, believed.paths)
    erased = _find_erased(app, records, journals.values())
    own = {
        path: encode_without_erased(its, erased)
        for path, its in journals.items()
        if rules.journal_part(path, device)
    }
    is_there = _find_present(app, journals, believed, alone=signing.purges)
    new = _scan_lines([one for one in _records_to_send(records) if not is_there(one)], app)
    others = () if signing.purges else believed.paths
    mine = {
        **append_rows(device, own, new),
        rules.device_path(device): _device_summary(app, records, signing.name, others),
    }
    whole = {
        **rules.describe_repository(purges, signing.repository),
        **mine,
        **signing.sign_files(app, contents, mine),
    }
    gone: dict[str, bytes | None] = dict.fromkeys(
        path
        for path in contents.blobs
        if path not in whole and (find_owner(path) == device or path in _signed_paths(device))
    )
    if views:
        seen = _view_changes(app, contents)
        whole |= seen
        gone |= dict.fromkeys(path for path in contents.list_view_files() if path not in seen)
    files = {
        path: body for path, body in whole.items() if contents.blobs.get(path) != blob_id(body)
    }
    return OutgoingCommit({**files, **gone}, whole, len(new), erased)


def _signed_paths(device: str) -> tuple[str, str]:
    return statement_path(device), signature_path(device)


def _journal_changes(
    contents: CommitContents, paths: Iterable[str]
) -> dict[str, list[JournalLine]]:
    journals = [path for path in paths if path.startswith(rules.JOURNAL)]
    return {path: parse_rows(body) for path, body in contents.read_files(journals).items()}


def _find_present(
    app: App,
    journals: Mapping[str, Sequence[JournalLine]],
    believed: BelievedFiles,
    *,
    alone: bool,
) -> Callable[[Record], bool]:
    """Return what tells whether a record is in the repository already.

    What a device did itself must be in its own files: others believe nobody else about it.
    """
    own = app.store.summarise_store().own_devices
    firsthand: set[Identity] = set()
    everywhere: set[Identity] = set()
    for path, its in journals.items():
        device = believed.paths[path]
        found = {row.identity for row in its}
        firsthand |= found if device in own else set()
        everywhere |= found if not alone or device == app.store.device else set()

    def is_there(record: Record) -> bool:
        mine = isinstance(record, JournalEntry) and record.device in own and not alone
        return _identify_record(record) in (firsthand if mine else everywhere)

    return is_there


def build_purged_files(
    contents: CommitContents, outgoing: OutgoingCommit, believed: BelievedFiles
) -> dict[str, bytes | None]:
    """Return every file without forgotten history.

    The files of believed devices are gone: what they say is in the file of this device now. Those of
    devices that wait go on waiting.
    """
    left = [path for path in contents.list_merged_files() if path not in believed.paths]
    journals = {
        path: encode_without_erased(its, outgoing.erased)
        for path, its in _journal_changes(contents, left).items()
    }
    waiting = {signed for path in left for signed in _signed_paths(find_owner(path))}
    others = contents.read_files(
        path
        for path in contents.blobs
        if path in waiting or (path in left and path not in journals)
    )
    return {**others, **journals, **outgoing.whole}


def _records_to_send(records: Sequence[Record]) -> Iterator[Record]:
    """Yield records for the journal; local undo records stay local."""
    referred = {record.refers for record in records if isinstance(record, JournalEntry)}
    for record in records:
        match record:
            case KnownProject() | Alias() | NoteCounter():
                pass
            case JournalEntry(object=about) if about.startswith(IMPORTED):
                pass
            case JournalEntry(op=op, after=after) if op == IMPORT and not after:
                if record.id in referred:
                    yield record
            case _:
                yield record


def _identify_record(record: Record) -> Identity:
    match record:
        case JournalEntry():
            return record.identity
        case Signal(key=key):
            return (f"signal {key}",)
        case Exposure(key=key):
            return (f"exposure {key}",)
        case _:
            return (encode_line(record_to_json(record)).decode(),)


def _scan_lines(records: Sequence[Record], app: App) -> list[bytes]:
    """Return lines to send; a secret in a note stops the whole send."""
    found: dict[str, None] = {}
    new: list[bytes] = []
    for record in records:
        safe = redact_record(record, app.redact)
        if safe != record and isinstance(record, JournalEntry):
            found[record.object] = None
        new.append(encode_line(record_to_json(safe)))
    if found:
        names = ", ".join(short_handle(each) for each in list(found)[:_NAMED])
        raise rules.SyncError(
            f"nothing was sent: there are secrets in {names}",
            hint="its history has them, too, so an edit is not enough: twiceshy forget ID",
        )
    return new


def _find_erased(
    app: App, records: Sequence[Record], journals: Iterable[Sequence[JournalLine]]
) -> ErasedLines:
    """Return what an erasure here or on a believed device took out, with what stands here instead."""
    entries = [one for one in records if isinstance(one, JournalEntry)]
    signals = [one for one in records if isinstance(one, Signal)]
    gone = [
        one
        for one in app.store.export_records(only=(ErasedRecord,))
        if isinstance(one, ErasedRecord)
    ]
    cleaned = {one.key for one in gone if one.what == REWRITTEN}
    keys = frozenset(one.key for one in gone if one.what == SIGNAL)
    told: list[Record] = [one for one in entries if one.object in cleaned]
    told += [one for one in signals if one.key in keys]
    here = {one.object for one in entries if one.op == FORGET}
    there = {row.object_id for its in journals for row in its if row.body.get("op") == FORGET}
    return ErasedLines(
        objects=frozenset((here | there) - {""}),
        checkpoints=frozenset(one.key for one in signals if one.kind == "checkpoint"),
        signals=keys,
        cleaned={
            _identify_record(one): encode_line(record_to_json(redact_record(one, app.redact)))
            for one in told
        },
    )


def _device_summary(
    app: App, records: Sequence[Record], name: str, others: Collection[str]
) -> bytes:
    """Serialise this device's counters and projects, and those of devices that never synced."""
    device, redact = app.store.device, app.redact
    own = app.store.summarise_store().own_devices  # it may have had others before it was moved

    def ours(record: Record) -> bool:
        if isinstance(record, NoteCounter):
            return record.device in own or rules.device_path(record.device) not in others
        return isinstance(record, KnownProject | Alias)

    first = encode_line({"device": {"id": device, "name": redact(name)}})
    kept = (redact_record(record, redact) for record in records if ours(record))
    return b"".join((first, *(encode_line(record_to_json(record)) for record in kept)))


def _view_changes(app: App, contents: CommitContents) -> dict[str, bytes]:
    """Return the pages for people."""
    notes = app.store.notes(NoteFilter(statuses=SHOWN), limit=-1)
    # names of projects become names of files
    projects = {
        each: (app.redact(name), root) for each, (name, root) in app.store.list_projects().items()
    }
    made = _render_pages(notes, projects)
    known = contents.read_files(path for path in made if path in contents.blobs)
    return {path: _redact_page(app, body, known.get(path, b"")) for path, body in made.items()}


def _redact_page(app: App, body: bytes, known: bytes) -> bytes:
    """Return a page without secrets; existing lines were scanned before."""
    had = set(known.splitlines())
    new = b"\n".join(line for line in body.splitlines() if line not in had).decode()
    return body if app.redact(new) == new else app.redact(body.decode()).encode()


def _render_pages(
    notes: Iterable[Note], projects: Mapping[str, tuple[str, str]]
) -> Mapping[str, bytes]:
    """Return a page per project and a KNOWLEDGE.md per skill; deterministic."""
    by_project: dict[str, list[Note]] = {}
    by_skill: dict[str, list[Note]] = {}
    for note in sorted(notes, key=lambda note: note.id):
        if note.scope.skill:
            by_skill.setdefault(note.scope.skill, []).append(note)
        else:
            by_project.setdefault(note.scope.project, []).append(note)
    found: dict[str, bytes] = {}
    for project, its in by_project.items():
        name = "Everywhere" if project == EVERYWHERE else projects.get(project, (project, ""))[0]
        found[f"{rules.VIEWS}{_safe_file_name(name, project)}.md"] = _render_page(name, its)
    for skill, its in by_skill.items():
        text = "\n".join((f"# {fold_to_line(skill, limit=80)}", "", *map(render_bullet, its), ""))
        found[f"{rules.VIEWS}skills/{_safe_file_name(skill, skill)}/KNOWLEDGE.md"] = text.encode()
    return found


def _render_page(name: str, notes: list[Note]) -> bytes:
    parts = [f"# {fold_to_line(name, limit=80)}"]
    for kind, title in _SECTIONS.items():
        if its := [render_bullet(note) for note in notes if note.kind == kind]:
            parts.append("\n".join((f"## {title}", "", *its)))
    parts += [
        f"## {fold_to_line(note.tag, limit=80)}\n\n{note.text.rstrip()}"
        for note in notes
        if note.kind == "page"
    ]
    return ("\n\n".join(parts) + "\n").encode()


def _safe_file_name(name: str, identity: str) -> str:
    """Return a unique file name, valid on every file system."""
    plain = _ODD.sub("-", name).strip("-.")[:60] or "x"
    return f"{plain}-{hashlib.sha256(identity.encode()).hexdigest()[:6]}"
