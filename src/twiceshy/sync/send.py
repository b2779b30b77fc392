"""Build the commit of local changes: new records, scanned again, in our own files."""

from __future__ import annotations

from typing import TYPE_CHECKING

from twiceshy.core.evidence import Exposure, Signal
from twiceshy.core.filter import Filter
from twiceshy.core.history import FORGET, Entry
from twiceshy.core.note import SHOWN, handle
from twiceshy.core.store import Alias, KnownProject, Tally
from twiceshy.core.value import Value
from twiceshy.sync import pages as views_of
from twiceshy.sync.bundle import IMPORT
from twiceshy.sync.journalfile import Erased, Row, blob_id, cleared, continued, line_of, rows
from twiceshy.sync.records import redacted, to_json
from twiceshy.sync.rules import JOURNAL, SyncError, device_file, of_device, pages

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Iterator, Mapping, Sequence

    from twiceshy.core.store import Record, Store
    from twiceshy.sync.contents import Contents

_NAMED = 5  # notes in one complaint


class Outgoing(Value):
    """Content of a commit: changed files, number of new records, erased content."""

    files: Mapping[str, bytes | None]
    whole: Mapping[str, bytes]  # every file that is ours to write, changed or not
    sent: int
    erased: Erased


def changes(
    store: Store,
    contents: Contents,
    *,
    redact: Callable[[str], str],
    purges: int,
    name: str,
    views: bool,
) -> Outgoing:
    """Return the changes to commit; ``views`` means the remote state is fully known."""
    records = list(store.everything())
    erased = _erased(records)
    device = store.device
    journals = _journals(contents)
    there = {row.key for its in journals.values() for row in its}
    new = _scanned([each for each in _telling(records) if _key(each) not in there], redact)
    own = {path: cleared(its, erased) for path, its in journals.items() if of_device(path, device)}
    others = {path for path in contents.merged() if path not in journals}
    whole = {
        **pages(purges),
        **continued(device, own, new),
        device_file(device): _about(records, device, name, others, redact),
    }
    gone: dict[str, bytes | None] = {}
    if views:
        seen = _views(store, contents, redact)
        whole |= seen
        gone = dict.fromkeys(path for path in contents.views() if path not in seen)
    files = {path: body for path, body in whole.items() if not _same(contents, path, body)}
    return Outgoing({**files, **gone}, whole, len(new), erased)


def _journals(contents: Contents) -> dict[str, list[Row]]:
    paths = [path for path in contents.merged() if path.startswith(JOURNAL)]
    return {path: rows(body) for path, body in contents.bodies(paths).items()}


def _same(contents: Contents, path: str, body: bytes) -> bool:
    return contents.blobs.get(path) == blob_id(body)


def purged(contents: Contents, outgoing: Outgoing) -> dict[str, bytes | None]:
    """Return every file without forgotten history."""
    journals = {path: cleared(its, outgoing.erased) for path, its in _journals(contents).items()}
    others = contents.bodies(path for path in contents.merged() if path not in journals)
    return {**others, **journals, **outgoing.whole}


def _telling(records: Sequence[Record]) -> Iterator[Record]:
    """Yield records for the journal; local undo records stay local."""
    referred = {record.refers for record in records if isinstance(record, Entry)}
    for record in records:
        match record:
            case KnownProject() | Alias() | Tally():
                pass
            case Entry(op=op, after=after) if op == IMPORT and not after:
                if record.id in referred:
                    yield record
            case _:
                yield record


def _key(record: Record) -> str:
    match record:
        case Entry():
            return record.id
        case Signal(key=key):
            return f"signal {key}"
        case Exposure(key=key):
            return f"exposure {key}"
        case _:
            return line_of(to_json(record)).decode()


def _scanned(records: Sequence[Record], redact: Callable[[str], str]) -> list[bytes]:
    """Return lines to send; a secret in a note stops the whole send."""
    found: dict[str, None] = {}
    new: list[bytes] = []
    for record in records:
        safe = redacted(record, redact)
        if safe != record and isinstance(record, Entry):
            found[record.object] = None
        new.append(line_of(to_json(safe)))
    if found:
        names = ", ".join(handle(each) for each in list(found)[:_NAMED])
        raise SyncError(
            f"nothing was sent: there are secrets in {names}",
            hint="its history has them, too, so an edit is not enough: twiceshy forget ID",
        )
    return new


def _erased(records: Sequence[Record]) -> Erased:
    return Erased(
        objects=frozenset(
            each.object for each in records if isinstance(each, Entry) and each.op == FORGET
        ),
        checkpoints=frozenset(
            each.key for each in records if isinstance(each, Signal) and each.kind == "checkpoint"
        ),
    )


def _about(
    records: Sequence[Record],
    device: str,
    name: str,
    others: Collection[str],
    redact: Callable[[str], str],
) -> bytes:
    """Serialise this device's counters and projects, and those of devices that never synced."""

    def ours(record: Record) -> bool:
        if isinstance(record, Tally):
            return record.device == device or device_file(record.device) not in others
        return isinstance(record, KnownProject | Alias)

    first = line_of({"device": {"id": device, "name": redact(name)}})
    kept = (redacted(record, redact) for record in records if ours(record))
    return b"".join((first, *(line_of(to_json(record)) for record in kept)))


def _views(store: Store, contents: Contents, redact: Callable[[str], str]) -> dict[str, bytes]:
    """Return the pages for people."""
    notes = store.notes(Filter(statuses=SHOWN), limit=-1)
    # names of projects become names of files
    projects = {each: (redact(name), root) for each, (name, root) in store.projects().items()}
    made = views_of.pages(notes, projects)
    known = contents.bodies(path for path in made if path in contents.blobs)
    return {path: _safe(body, known.get(path, b""), redact) for path, body in made.items()}


def _safe(body: bytes, known: bytes, redact: Callable[[str], str]) -> bytes:
    """Return a page without secrets; existing lines were scanned before."""
    had = set(known.splitlines())
    new = b"\n".join(line for line in body.splitlines() if line not in had).decode()
    return body if redact(new) == new else redact(body.decode()).encode()
